// What a path says about its file: test, fixture, document, generated, vendored, tooling. Judged only by
// usual names of folders and files.

import { isProgram, languageOf } from './language.ts'

const nameOf = (path: string): string => path.split('/').at(-1) ?? path
export const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')

/** Some folder of the path has one of these names. */
function within(path: string, names: ReadonlySet<string>): boolean {
  return path
    .toLowerCase()
    .split('/')
    .slice(0, -1)
    .some((part) => names.has(part))
}

const set = (names: string) => new Set(names.split(' '))

const TESTS = set('test tests __tests__ e2e testing')
const FIXTURES = set(
  'fixtures __fixtures__ fixture testdata test-data fakes mocks __mocks__ vectors golden __snapshots__',
)
const DOCUMENTS = set('docs doc examples example samples sample demo demos')
const TOOLING = set(
  'scripts script bin bench benches benchmark benchmarks tools tool hack cli cmd ci .github .storybook',
)
const VENDORED = set('vendor vendored third_party third-party node_modules bower_components site-packages')
const BUILT = set(
  'node_modules bower_components __pycache__ .next .nuxt .svelte-kit .turbo .parcel-cache coverage .nyc_output .gradle .tox',
)

const TEST_NAME =
  /[._](?:test|tests|spec|specs|cy|e2e)\.[a-z0-9]+$|-(?:test|spec)\.[a-z0-9]+$|^test_[^/]*\.py$|^conftest\.py$|(?:Test|Tests|Spec|IT)\.(?:java|kt|scala|cs|groovy|swift|php)$/

export const isFixture = (path: string): boolean => within(path, FIXTURES)

export const isTest = (path: string): boolean =>
  TEST_NAME.test(nameOf(path)) ||
  within(path, TESTS) ||
  (languageOf(path) === 'ruby' && within(path, set('spec')))

export const isDocument = (path: string): boolean =>
  /\.(?:md|mdx|markdown|rst|adoc|txt|ipynb)$/i.test(path) || within(path, DOCUMENTS)

export const isTooling = (path: string): boolean => within(path, TOOLING)
export const isVendored = (path: string): boolean => within(path, VENDORED)

/** Folders and files that tools regenerate and no one edits. */
export const isBuilt = (path: string): boolean =>
  within(path, BUILT) ||
  /\.(?:pyc|pyo|class|o|obj|tsbuildinfo)$|(?:^|\/)(?:\.DS_Store|Thumbs\.db)$/.test(path)

export const isMinified = (path: string): boolean =>
  /[.-]min\.(?:js|mjs|css)$|\.(?:js|mjs|css)\.map$|\.bundle\.js$/.test(path)

export const isLockFile = (path: string): boolean =>
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|PageData\.lock|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|go\.sum|Gemfile\.lock|composer\.lock|flake\.lock)$/.test(
    nameOf(path),
  )

export const isGenerated = (path: string): boolean =>
  isLockFile(path) ||
  isBuilt(path) ||
  isMinified(path) ||
  /\.(?:snap|pb\.go|g\.dart)$|_pb2(?:_grpc)?\.py$/.test(path)

const CONFIGURES =
  /\.config\.[cm]?[jt]s$|rc\.[cm]?js$|\.d\.[cm]?ts$|^(?:setup|conf|manage)\.py$|^Rakefile$|^Makefile$/

/** A program's own code, for which tests are written. */
export function isSource(path: string): boolean {
  const aside = isTest(path) || isFixture(path) || isDocument(path) || isTooling(path)
  if (aside || isVendored(path) || isGenerated(path) || CONFIGURES.test(nameOf(path))) return false
  return isProgram(languageOf(path))
}

/** Why what looks like a secret here is probably made up; null where it would be real. */
export function excuseOf(path: string): string | null {
  if (isTest(path)) return 'It stands in a test.'
  if (isFixture(path)) return 'It stands in a fixture.'
  return isDocument(path) ? 'It stands in a document or an example.' : null
}
