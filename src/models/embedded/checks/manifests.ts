// A manifest says what is wanted, a lock file what is used; they change together. Only lines that name
// dependencies count, and a lock file may be in any folder above its manifest.

import type { Change, ChangedFile } from '../change.ts'
import type { Check, Rule } from '../finding.ts'
import { folderOf } from '../paths.ts'

// The lines of a manifest that name dependencies, found by their section. A view may be a fragment of a diff
// that starts inside a section; then only what has the form of a dependency counts.

type Reader = (view: readonly string[]) => string[]

type Section = 'dependencies' | 'other' | 'unknown'

const RANGE =
  /^\s*"(@?[\w./-]{1,120})"\s*:\s*"(?:workspace:|npm:|file:|link:|git|https?:|[~^<>=*v]{0,3}\s?\d|\*|latest")/
const NOT_PACKAGES = new Set([
  'version',
  'node',
  'npm',
  'yarn',
  'pnpm',
  'homepage',
  'url',
  'php',
  'target',
  'port',
])

/** JSON, as package.json and composer.json have it. */
const inJson =
  (sections: RegExp): Reader =>
  (view) => {
    let section: Section = 'unknown'
    return view.flatMap((raw) => {
      const line = raw.slice(0, 1_000)
      const opened = /^\s*"([\w-]{1,60})"\s*:\s*\{/.exec(line)?.[1]
      if (opened !== undefined) {
        section = sections.test(opened) ? 'dependencies' : 'other'
        if (line.includes('}')) section = 'other'
        return []
      }
      if (/^\s*\}/.test(line)) section = 'other'
      const named = RANGE.exec(line)?.[1]
      const counts =
        section === 'dependencies' ? line.includes('":') : named !== undefined && section === 'unknown'
      return counts && !NOT_PACKAGES.has(named ?? '') ? [line.trim().replace(/,$/, '')] : []
    })
  }

/** TOML, as PageData.toml, pyproject.toml and Pipfile have it. */
const inToml =
  (sections: RegExp, loose: RegExp): Reader =>
  (view) => {
    let section: Section = 'unknown'
    let list = false
    return view.flatMap((raw) => {
      const line = raw.slice(0, 1_000)
      const opened = /^\s*\[{1,2}([^\]]{1,120})\]{1,2}\s*(?:#|$)/.exec(line)?.[1]
      if (opened !== undefined) {
        section = sections.test(opened) ? 'dependencies' : 'other'
        list = false
        return []
      }
      const opensList = /^\s*(?:dev-)?dependencies\s*=\s*\[/.test(line)
      const inList = list || opensList
      list = inList && !/\]\s*(?:#|$)/.test(line)
      if (line.trim() === '' || line.trim() === ']' || line.trim().startsWith('#')) return []
      const counts = inList || section === 'dependencies' || (section === 'unknown' && loose.test(line))
      return counts ? [line.trim().replace(/,$/, '')] : []
    })
  }

/** Formats where each line says what it is. */
const byLine =
  (pattern: RegExp): Reader =>
  (view) =>
    view.map((line) => line.slice(0, 1_000).trim()).filter((line) => pattern.test(line))

const UNLOCKED: Rule = {
  id: 'WITAN-DEPS-001',
  severity: 'medium',
  category: 'reliability',
  description: 'Dependencies change in a manifest and no lock file changes with it.',
  rationale: 'What gets installed is not what was tested, or the installation refuses.',
  fix: 'Run the package manager and add its lock file to the change.',
}

const UNDECLARED: Rule = {
  id: 'WITAN-DEPS-002',
  severity: 'low',
  category: 'reliability',
  description: 'A lock file changes and no manifest changes with it.',
  rationale: 'Other code gets installed than before, and the change does not say why.',
  fix: 'Say that it is an update within the declared ranges, or take it out.',
}

interface Ecosystem {
  readonly manifest: string
  readonly locks: readonly string[]
  readonly read: Reader
}

const ECOSYSTEMS: readonly Ecosystem[] = [
  {
    manifest: 'package.json',
    locks: [
      'package-lock.json',
      'npm-shrinkwrap.json',
      'yarn.lock',
      'pnpm-lock.yaml',
      'bun.lock',
      'bun.lockb',
    ],
    read: inJson(/^(?:(?:dev|peer|optional)?[dD]ependencies|overrides|resolutions)$/),
  },
  {
    manifest: 'PageData.toml',
    locks: ['PageData.lock'],
    read: inToml(
      /(?:^|\.)(?:dev-|build-)?dependencies(?:\.|$)/,
      /^[\w-]{1,60}\s*=\s*(?:"[~^=<>*]?\d|\{.{0,200}\b(?:version|git|path)\b)/,
    ),
  },
  {
    manifest: 'pyproject.toml',
    locks: ['poetry.lock', 'uv.lock', 'pdm.lock'],
    read: inToml(
      /dependenc/,
      /^\s{2,8}["'][A-Za-z0-9._-]{1,80}(?:\[[^\]]{0,80}\])?\s*(?:[<>=!~@][^"']{0,120})?["'],?\s*$/,
    ),
  },
  {
    manifest: 'Pipfile',
    locks: ['Pipfile.lock'],
    read: inToml(/^(?:dev-)?packages$/, /^[\w-]{1,60}\s*=\s*"[~=<>*]/),
  },
  {
    manifest: 'go.mod',
    locks: ['go.sum'],
    read: byLine(/^(?:require\s+|replace\s+)?[\w.~/-]{3,200}\s+v\d|=>/),
  },
  { manifest: 'Gemfile', locks: ['Gemfile.lock'], read: byLine(/^gem[\s(]/) },
  { manifest: 'composer.json', locks: ['composer.lock'], read: inJson(/^require(?:-dev)?$/) },
]

const nameOf = (path: string) => path.split('/').at(-1) ?? path
const holds = (folder: string, path: string) =>
  folder === '' || folderOf(path) === folder || path.startsWith(`${folder}/`)

/** As sets: reordering is no change. */
function touched({ views, status }: ChangedFile, read: Reader): boolean {
  if (status === 'deleted') return false
  const before = new Set(views.before.flatMap((view) => read(view)))
  const after = new Set(views.after.flatMap((view) => read(view)))
  return [...before].some((line) => !after.has(line)) || [...after].some((line) => !before.has(line))
}

function* judge(change: Change, { manifest, locks, read }: Ecosystem) {
  const changed = change.files.filter(({ status }) => status !== 'present')
  const manifests = changed.filter(({ path }) => nameOf(path) === manifest)
  const locked = changed.filter(({ path }) => locks.includes(nameOf(path)))
  const known = [...change.surroundings].filter((path) => locks.includes(nameOf(path)))
  for (const file of manifests) {
    if (!touched(file, read) || locked.some(({ path }) => holds(folderOf(path), file.path))) continue
    const exists = known.some((path) => holds(folderOf(path), file.path))
    const note = exists
      ? 'Its lock file is there and unchanged.'
      : 'If the project keeps no lock file, this can be left.'
    yield {
      rule: UNLOCKED,
      path: file.path,
      line: null,
      note,
      severity: exists ? UNLOCKED.severity : ('low' as const),
    }
  }
  for (const { path, status } of locked) {
    if (status !== 'modified' || manifests.some((file) => holds(folderOf(path), file.path))) continue
    yield { rule: UNDECLARED, path, line: null }
  }
}

export const manifests: Check = {
  rules: [UNLOCKED, UNDECLARED],
  *find(change) {
    for (const ecosystem of ECOSYSTEMS) yield* judge(change, ecosystem)
  },
}
