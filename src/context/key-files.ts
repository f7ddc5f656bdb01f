// Which files say most about a project: at most five of a category and twenty-five in all, none over 50 KB, the
// shallower and smaller first. The same tree always gives the same choice.

import type { SnapshotFile } from './snapshot.ts'

/** Why a file is among the first to be read. */
export type Category = 'overview' | 'manifest' | 'entry' | 'interface' | 'source' | 'test' | 'operations'
const PER_CATEGORY = 5
const MAX_KEY_FILES = 25
export const MAX_KEY_BYTES = 50000
const PROGRAM =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|go|rs|java|kts?|scala|cs|fs|cc?|h|cpp|hpp|mm?|php|swift|dart|ex|exs|clj|hs|ml|sh)$/i
const RULES: readonly (readonly [Category, RegExp])[] = [
  ['overview', /(?:^|\/)(?:readme|architecture|contributing|design|changelog|security)(?:\.[a-z]+)?$/i],
  [
    'manifest',
    /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|requirements[^/]*\.txt|cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|gemfile|composer\.json|mix\.exs|deno\.jsonc?|tsconfig[^/]*\.json|[^/]+\.csproj|cmakelists\.txt)$/i,
  ],
  [
    'test',
    /(?:^|\/)(?:tests?|__tests__|spec|e2e)\/|[._-](?:test|spec)\.[a-z]+$|(?:^|\/)test_[^/]+\.py$|Tests?\.(?:java|kt|cs)$/,
  ],
  [
    'entry',
    /(?:^|\/)(?:main|index|app|server|cli|manage|program|__main__|lib|mod)\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|cs|php|swift|c|cpp)$|(?:^|\/)bin\/[^/]+$/i,
  ],
  [
    'operations',
    /(?:^|\/)(?:dockerfile|containerfile|makefile|justfile|procfile|docker-compose[^/]*\.ya?ml|compose\.ya?ml)$|(?:^|\/)\.(?:github|gitlab|ci|circleci)\/|\.(?:tf|nix)$/i,
  ],
  [
    'interface',
    /\.(?:proto|graphql|gql|sql|prisma|thrift|avsc|xsd)$|(?:^|\/)(?:openapi|swagger|schema)[^/]*\.(?:json|ya?ml|ts)$/i,
  ],
]

export function categoryOf(path: string): Category | null {
  const rule = RULES.find(([, pattern]) => pattern.test(path))
  return rule ? rule[0] : PROGRAM.test(path) ? 'source' : null
}
const ORDER: readonly Category[] = [
  'overview',
  'manifest',
  'entry',
  'interface',
  'source',
  'test',
  'operations',
]
const depth = (path: string): number => path.split('/').length
/** Shallower first, then smaller, then by name. */
function byRank(a: SnapshotFile, b: SnapshotFile): number {
  return depth(a.path) - depth(b.path) || a.bytes - b.bytes || (a.path < b.path ? -1 : 1)
}

/** The key files with their categories, in the order of both. */
export function keyFilesOf(files: readonly SnapshotFile[]): ReadonlyMap<string, Category> {
  const small = files.filter(({ bytes }) => bytes > 0 && bytes <= MAX_KEY_BYTES)
  const chosen = ORDER.flatMap((category) => {
    const ranked = small.filter(({ path }) => categoryOf(path) === category).sort(byRank)
    return ranked.slice(0, PER_CATEGORY).map(({ path }) => [path, category] as const)
  })
  return new Map(chosen.slice(0, MAX_KEY_FILES))
}
