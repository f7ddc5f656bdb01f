// Changes that are too large to be read, files that are too large to be kept, and files that no one can read at all.

import type { Change, ChangedFile } from '../change.ts'
import type { Check, Hit, Rule } from '../finding.ts'
import { isDocument, isFixture, isGenerated, isSource, isVendored } from '../paths.ts'

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
