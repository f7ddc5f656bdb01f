// Which lines of the context are relevant for the question: those that share a term which is rare in the
// context itself. Sentence vectors do not distinguish a relevant question from an unrelated one; a shared
// rare word does. Only whole numbers are compared, so the order is the same everywhere.

import { quoted } from '../../ledger/secrets/quote.ts'
import { linesOf } from '../../ledger/text/lines.ts'
import { type SubjectFile, termsOf } from './terms.ts'

// What a question leaves open, decided by readable lists of English words: a question with one of the words
// of a kind is taken to cover it. A word too many hides a gap, a word too few shows one that is filled;
// neither is a judgement of the content.

export interface Gap {
  readonly id: string
  /** What is missing. */
  readonly lacks: string
  /** What to answer. */
  readonly ask: string
}

interface GapRule extends Gap {
  readonly spokenOf: RegExp
}

const words = (list: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${list})(?![\\p{L}\\p{N}])`, 'iu')

const RULES: readonly GapRule[] = [
  {
    id: 'WITAN-ASK-ALTERNATIVES',
    lacks: 'No alternatives are named.',
    ask: 'Which alternatives are there, doing nothing included?',
    spokenOf: words(
      'or|vs\\.?|versus|instead|rather than|alternatives?|options?|between|compared?|either|which of|over',
    ),
  },
  {
    id: 'WITAN-ASK-CONSTRAINTS',
    lacks: 'No constraints are stated.',
    ask: 'What must hold in any case, and what is ruled out?',
    spokenOf: words(
      "must(?:n't)?|cannot|can't|may not|without|at most|at least|no more than|no less than|limit(?:s|ed)?|budgets?|requir\\w+|constrain\\w+|compl(?:y|iance|iant)|licen[cs]e\\w*|mandatory|forbidden|only|never|always|has to|have to|given that|already",
    ),
  },
  {
    id: 'WITAN-ASK-CRITERION',
    lacks: 'No criterion says what would make an answer good.',
    ask: 'What matters most, and how will it be measured?',
    spokenOf: words(
      'because|so that|in order to|goals?|aim\\w*|objectives?|optimi[sz]\\w+|criteri\\w+|priorit\\w+|matters?|important|fast\\w*|slow\\w*|cheap\\w*|costs?|secur\\w+|saf(?:e|er|est|ety)|simpl\\w+|reliab\\w+|maintain\\w+|success\\w*|measur\\w+|metrics?|latency|throughput|performan\\w+|quality|readab\\w+|durab\\w+|availab\\w+',
    ),
  },
  {
    id: 'WITAN-ASK-REVERSIBILITY',
    lacks: 'Nothing says whether the decision can be taken back.',
    ask: 'How hard is it to go back, and what is lost by waiting?',
    spokenOf: words(
      'revers\\w+|irreversib\\w+|undo\\w*|undone|roll(?:ed|ing)? ?back\\w*|go(?:ing)? back|switch(?:ing)? back|migrat\\w+|temporar\\w+|permanent\\w*|experiment\\w*|pilots?|prototyp\\w+|trial|one-way|two-way|lock(?:ed)?[- ]in|breaking|deprecat\\w+',
    ),
  },
  {
    id: 'WITAN-ASK-SCALE',
    lacks: 'No scale is given.',
    ask: 'How many users, requests, records or people does it concern, now and later?',
    spokenOf: words(
      '\\d[\\d.,]*\\s?(?:[kmgt]i?b?|users?|requests?|rows?|records?|events?|files?|services?|people|developers?|engineers?|customers?|ms|qps|rps|tps|%|per)|per (?:second|minute|hour|day)|millions?|thousands?|hundreds?|dozens?|billions?|traffic|load|scal(?:e|es|ing|able|ability)|team of \\w+|small team|large team|few users',
    ),
  },
  {
    id: 'WITAN-ASK-DEADLINE',
    lacks: 'No time is given.',
    ask: 'By when is the decision needed, and how long must it last?',
    spokenOf: words(
      'deadlines?|weeks?|months?|quarters?|years?|days?|today|tomorrow|tonight|soon|urgent\\w*|immediately|until|before|releases?|launch\\w*|sprints?|q[1-4]|(?:by|in|until) (?:20\\d\\d|\\d)|monday|tuesday|wednesday|thursday|friday|january|february|march|april|june|july|august|september|october|november|december|long[- ]term|short[- ]term',
    ),
  },
]

export function gapsIn(question: string): Gap[] {
  const text = question.normalize('NFKC').slice(0, 20_000)
  return RULES.filter(({ spokenOf }) => !spokenOf.test(text)).map(({ id, lacks, ask }) => ({
    id,
    lacks,
    ask,
  }))
}

const COMMON = new Set(
  'the a an is are do does should to of in for and or how what which why when can it we i our this that be use'.split(
    ' ',
  ),
)

/** The word lists are English; for a text with hardly any of its most common words they say little. */
export function readsAsEnglish(question: string): boolean {
  const all =
    question
      .slice(0, 20_000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  return all.filter((word) => COMMON.has(word)).length * 8 >= all.length
}

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

/** A term is rare when it is in at most one line in fifty; in a short text, in at most three. */
export const isRare = (linesWithTerm: number, lines: number): boolean =>
  linesWithTerm > 0 && linesWithTerm <= Math.max(3, Math.floor(lines / 50))

interface Read {
  readonly lines: readonly Line[]
  /** Lines that are not blank, shared term or not. */
  readonly total: number
  readonly cut: boolean
}

/** A name that is shared as a whole counts once, not again for its parts. */
const whole = (terms: readonly string[]): string[] =>
  terms.filter((term) => !terms.some((other) => other !== term && other.includes(term)))

function read(files: readonly SubjectFile[], asked: ReadonlySet<string>): Read {
  const lines: Line[] = []
  let total = 0
  let remaining = MAX_READ
  for (const { path, text } of files) {
    for (const [i, line] of linesOf(text ?? '').entries()) {
      remaining -= line.length
      if (remaining < 0) return { lines, total, cut: true }
      if (line.trim() === '') continue
      total++
      const shared = whole([...termsOf(line.slice(0, MAX_LINE))].filter((term) => asked.has(term))).sort()
      if (shared.length > 0) lines.push({ path, number: i + 1, text: line, shared })
    }
  }
  return { lines, total, cut: false }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The passages worth reading first, and whether the context was too long to be read completely. */
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
