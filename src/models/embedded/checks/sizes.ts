// Changes that are too large to be read, files that are too large to be kept, and files that nobody can read at all.

import type { Change, ChangedFile } from '../change.ts'
import type { Check, Hit, Rule } from '../finding.ts'
import {
  isBuilt,
  isDocument,
  isFixture,
  isGenerated,
  isLockFile,
  isMinified,
  isSource,
  isVendored,
} from '../paths.ts'

const MAX_BYTES = 1_000_000
const MAX_SOURCE_LINES = 1_000
const MAX_ADDED_LINES = 2_000

const HEAVY: Rule = {
  id: 'WITAN-SIZE-001',
  severity: 'medium',
  category: 'maintainability',
  description: 'A file of more than a million characters is added.',
  rationale: 'Every clone carries it for ever, also after it is deleted.',
  fix: 'Keep it outside the repository and name it by digest.',
}

const LONG: Rule = {
  id: 'WITAN-SIZE-002',
  severity: 'low',
  category: 'maintainability',
  description: 'A source file grows over 1,000 lines.',
  rationale: 'Such files hold several ideas and are changed by everyone at once.',
  fix: 'Split it where its ideas part.',
}

const HUGE: Rule = {
  id: 'WITAN-SIZE-003',
  severity: 'low',
  category: 'maintainability',
  description: 'The change adds more than 2,000 lines that people wrote.',
  rationale: 'Reviewers find fewer faults the longer a change is.',
  fix: 'Split it into changes that stand alone.',
}

const BINARY: Rule = {
  id: 'WITAN-SIZE-004',
  severity: 'low',
  category: 'security',
  description: 'A binary file is added.',
  rationale: 'No reviewer can see what it does.',
  fix: 'Build it from source, or fetch it by digest.',
}

const MEDIA = /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|svgz|woff2?|ttf|otf|eot|mp[34]|webm|ogg|wav|pdf)$/i
const PROGRAM = /\.(?:exe|dll|so|dylib|jar|war|node|wasm|apk|msi|bin|deb|rpm|whl|class|pyc|o|a|lib)$/i

const lengthOf = ({ added, text }: ChangedFile): number =>
  text?.length ?? added.reduce((sum, line) => sum + line.text.length + 1, 0)

const lineCount = ({ text, added, status }: ChangedFile): number =>
  text === null ? (status === 'added' ? added.length : 0) : text.split('\n').length

function* ofFile(file: ChangedFile): Generator<Hit> {
  const { path, status } = file
  if (status === 'deleted') return
  if (file.binary) {
    if (status === 'modified' || MEDIA.test(path) || isFixture(path)) return
    yield { rule: BINARY, path, line: null, severity: PROGRAM.test(path) ? 'medium' : 'low' }
    return
  }
  if (status !== 'modified' && lengthOf(file) > MAX_BYTES) yield { rule: HEAVY, path, line: null }
  const lines = lineCount(file)
  const before = lines - file.added.length + file.removed.length
  const grows = status === 'modified' ? before <= MAX_SOURCE_LINES : true
  if (isSource(path) && lines > MAX_SOURCE_LINES && grows)
    yield { rule: LONG, path, line: null, note: `Lines: ${lines}.` }
}

function huge({ files }: Change): Hit | null {
  const read = files.filter(
    ({ path, status }) =>
      status !== 'present' &&
      !isGenerated(path) &&
      !isVendored(path) &&
      !isFixture(path) &&
      !isDocument(path),
  )
  const total = read.reduce((sum, { added }) => sum + added.length, 0)
  const largest = read.reduce<ChangedFile | null>(
    (most, file) => (most === null || file.added.length > most.added.length ? file : most),
    null,
  )
  if (total <= MAX_ADDED_LINES || largest === null) return null
  return { rule: HUGE, path: largest.path, line: null, note: `Lines added: ${total}; the most in this file.` }
}

export const sizes: Check = {
  rules: [HEAVY, LONG, HUGE, BINARY],
  *find(change) {
    for (const file of change.files) yield* ofFile(file)
    const hit = huge(change)
    if (hit) yield hit
  },
}

// Files that a tool writes: built output has no place in a change, and a file marked as generated is edited at its
// source or not at all.

const BUILT: Rule = {
  id: 'WITAN-GENERATED-001',
  severity: 'medium',
  category: 'maintainability',
  description: 'Built or cached output is part of the change.',
  rationale: 'It goes stale at the next build, hides what changed, and can hold code that no source shows.',
  fix: 'Take it out and name it in .gitignore.',
}

const MARKED: Rule = {
  id: 'WITAN-GENERATED-002',
  severity: 'low',
  category: 'maintainability',
  description: 'A file that says it is generated is changed.',
  rationale: 'The next run of its generator overwrites what was edited by hand.',
  fix: 'Change the source of the generator and run it; say so in the change.',
}

const MARK =
  /^\W{0,10}(?:Code generated .{0,120}DO NOT EDIT|@generated\b|(?:This file (?:is|was) )?(?:auto-?generated|automatically generated)\b.{0,120}(?:do not|don't|not) (?:edit|modify)|DO NOT EDIT(?: THIS FILE|\b.{0,80}generated))/i
const HEAD = 8

export const generated: Check = {
  rules: [BUILT, MARKED],
  *find({ files }) {
    const seen = new Set<string>()
    for (const { path, status, text, added, views } of files) {
      if (status === 'deleted' || status === 'present') continue
      if (status === 'added' && (isBuilt(path) || (isMinified(path) && !isVendored(path)))) {
        // One finding a folder: a committed dependency tree is one mistake.
        const folder =
          /^(.*?(?:node_modules|__pycache__|bower_components|coverage))\//.exec(path)?.[1] ?? path
        if (!seen.has(folder)) yield { rule: BUILT, path, line: null }
        seen.add(folder)
        continue
      }
      if (isLockFile(path) || status !== 'modified' || added.length === 0) continue
      const head =
        text === null ? (views.after[0] ?? []).slice(0, HEAD) : text.slice(0, 2_000).split('\n', HEAD)
      if (head.some((line) => MARK.test(line.slice(0, 300)))) yield { rule: MARKED, path, line: null }
    }
  },
}
