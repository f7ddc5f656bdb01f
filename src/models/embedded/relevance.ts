// Which lines of the context bear on the question: those that share a term which is rare in the context itself. Sentence
// vectors do not tell a fitting question from a foreign one; a shared rare word does. Only whole numbers are compared,
// so the order is the same everywhere.

import { quoted } from '../../ledger/secrets/quote.ts'
import { linesOf } from '../../ledger/text/lines.ts'
import type { SubjectFile } from './subject.ts'
import { termsOf } from './terms.ts'

const MAX_QUOTES = 8
const MAX_PER_FILE = 4
const MAX_READ = 4_000_000
const MAX_LINE = 2_000

export interface Passage {
  readonly path: string
  readonly line: number
  readonly terms: readonly string[]
  readonly quote: string
}

interface Line {
  readonly path: string
  readonly number: number
  readonly text: string
  readonly shared: readonly string[]
}

/** A term is rare when it stands in at most one line in fifty; in a short text, in at most three. */
export const isRare = (linesWithTerm: number, lines: number): boolean =>
  linesWithTerm > 0 && linesWithTerm <= Math.max(3, Math.floor(lines / 50))

interface Read {
  readonly lines: readonly Line[]
  /** Lines that are not blank, shared term or not. */
  readonly total: number
  readonly cut: boolean
}

/** A name that is shared whole counts once, not again for its parts. */
const whole = (terms: readonly string[]): string[] =>
  terms.filter((term) => !terms.some((other) => other !== term && other.includes(term)))

function read(files: readonly SubjectFile[], asked: ReadonlySet<string>): Read {
  const lines: Line[] = []
  let total = 0
  let left = MAX_READ
  for (const { path, text } of files) {
    for (const [i, line] of linesOf(text ?? '').entries()) {
      left -= line.length
      if (left < 0) return { lines, total, cut: true }
      if (line.trim() === '') continue
      total++
      const shared = whole([...termsOf(line.slice(0, MAX_LINE))].filter((term) => asked.has(term))).sort()
      if (shared.length > 0) lines.push({ path, number: i + 1, text: line, shared })
    }
  }
  return { lines, total, cut: false }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The passages worth reading first, and whether the context was too long to be read whole. */
export function passages(
  question: string,
  files: readonly SubjectFile[],
): { found: Passage[]; cut: boolean } {
  const { lines, total, cut } = read(files, termsOf(question.slice(0, 20_000)))
  const frequency = new Map<string, number>()
  for (const { shared } of lines)
    for (const term of shared) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  const rarest = (terms: readonly string[]) => Math.min(...terms.map((term) => frequency.get(term) ?? 0))
  const bearing = lines
    .map((line) => ({ ...line, rare: line.shared.filter((term) => isRare(frequency.get(term) ?? 0, total)) }))
    .filter(({ rare }) => rare.length > 0)
    .sort(
      (a, b) =>
        b.rare.length - a.rare.length ||
        rarest(a.rare) - rarest(b.rare) ||
        compare(a.path, b.path) ||
        a.number - b.number,
    )
  const taken = new Map<string, number>()
  const seen = new Set<string>()
  const found: Passage[] = []
  for (const { path, number, text, rare } of bearing) {
    const n = taken.get(path) ?? 0
    if (found.length === MAX_QUOTES || n === MAX_PER_FILE || seen.has(text.trim())) continue
    taken.set(path, n + 1)
    seen.add(text.trim())
    found.push({ path, line: number, terms: rare.map((term) => quoted(term)), quote: quoted(text) })
  }
  return { found, cut }
}
