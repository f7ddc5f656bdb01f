// A report as a document without a form: its content and order. Text, Markdown and HTML are made of the same
// blocks, so that all say the same. All texts are raw; each renderer neutralises them.

import type { CouncilResult } from '../../council/council-result.ts'
import type { ContextRecord } from '../../council/events.ts'
import { type Finding, SEVERITIES, type Severity } from '../../council/replies/finding.ts'
import { placeOf, withPlace } from '../../council/report/open-points.ts'
import type { CouncilFinalReport, Unsupported } from '../../council/report/report.ts'
import type { SeatFailure } from '../../council/stage.ts'
import { diffIn } from '../plain.ts'

export type Tone = 'good' | 'bad' | 'open' | 'plain'

/** The colour of a decision. */
export const TONES: Readonly<Record<string, Tone>> = { adopt: 'good', answer: 'good', reject: 'bad' }
/** The text of a decision. */
const LABELS: Readonly<Record<string, string>> = {
  adopt: 'Adopt',
  reject: 'Reject',
  answer: 'Answer',
  'need-info': 'More information needed',
}

/** Its text where a change is reviewed. */
const REVIEW_LABELS: Readonly<Record<string, string>> = {
  adopt: 'Approve',
  reject: 'Request changes',
  'need-info': 'Needs info',
}

interface OfMode {
  readonly mode: string | null
}

export const labelOf = ({ mode }: OfMode, decision: string): string =>
  (mode === 'review' ? REVIEW_LABELS : LABELS)[decision] ?? decision

/** A stance within a line. */
export const stanceOf = ({ mode }: OfMode, stance: string): string =>
  mode === 'review' ? (REVIEW_LABELS[stance] ?? stance).toLowerCase() : stance

/** The stance that a person means: in a review `request changes` is recorded as `reject`. An unknown word is kept. */
export function recordedStance(recorded: string): { readonly stance: string; readonly mode: string | null } {
  const word = recorded.toLowerCase().replaceAll('-', ' ')
  const labelled = Object.entries(REVIEW_LABELS).find(([, label]) => label.toLowerCase() === word)
  return labelled ? { stance: labelled[0], mode: 'review' } : { stance: recorded, mode: null }
}

/** `approve 1, request changes 2` */
export const tallyOf = (view: OfMode, counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([stance, count]) => `${stanceOf(view, stance)} ${count}`)
    .join(', ')

/** Most severe first; within a severity in their order. */
export const bySeverity = <Item extends { readonly severity: Severity }>(items: readonly Item[]): Item[] =>
  [...items].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
export const toneOf = (severity: Severity): Tone =>
  severity === 'critical' || severity === 'high' ? 'bad' : severity === 'medium' ? 'open' : 'plain'

/** A source of a note, and the item or event of that id where a reader finds it. */
interface Source {
  readonly label: string
  /** Null where there is nothing to link to. */
  readonly id: string | null
}

export interface Note {
  readonly name: string
  readonly text: string
  /** The names in `text`, one by one: pages link each to its place. */
  readonly sources?: readonly Source[]
  /** The lines of `text` where it is a change to files: they are shown as they are. */
  readonly diff?: readonly string[]
}

/** One item of a list: its label, its text, and its notes. */
export interface Item {
  /** The target of links. */
  readonly id?: string
  /** `trace/seq` of the event that recorded it. */
  readonly event?: string
  readonly lead?: string
  readonly tone?: Tone
  readonly text: string
  readonly notes?: readonly Note[]
}

const MARK = 18

/** Short enough to be beside what it marks: a severity, a priority. */
export const isMark = (lead: string): boolean => lead.length <= MARK

export type Block =
  | {
      readonly kind: 'verdict'
      readonly tone: Tone
      readonly label: string
      readonly detail: string
      /** The question, shortened. */
      readonly about: string
      /** What the council was shown; empty when nothing was. */
      readonly basis: string
    }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  /** The lead belongs to the verdict on a page. */
  | { readonly kind: 'prose'; readonly text: string; readonly leads?: true }
  /** A folded one shows the leads of its items alone on a page, until each is opened. */
  | { readonly kind: 'list'; readonly items: readonly Item[]; readonly folded?: true }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: 'command'; readonly text: string }

/** The verdict together with the lead, and what comes after. */
export function withLead(blocks: readonly Block[]): {
  readonly lead: string
  readonly rest: readonly Block[]
} {
  const leading = blocks.find((block) => block.kind === 'prose' && block.leads)
  return {
    lead: leading?.kind === 'prose' ? leading.text : '',
    rest: blocks.filter((block) => block !== leading),
  }
}

export const heading = (text: string): Block => ({ kind: 'heading', text })
export const prose = (text: string): Extract<Block, { kind: 'prose' }>[] =>
  text.trim() === '' ? [] : [{ kind: 'prose', text }]

/** A section with its heading; nothing at all when there is nothing to list. */
export const section = (title: string, items: readonly Item[]): Block[] =>
  items.length === 0 ? [] : [heading(title), { kind: 'list', items }]

/** A note when there is something to note. */
export const note = (name: string, text: string): Note[] => (text.trim() === '' ? [] : [{ name, text }])

/** A note of a suggested fix. */
export function fixNote(fix: string): Note[] {
  const diff = diffIn(fix)
  return note('fix', fix).map((each) => (diff === null ? each : { ...each, diff }))
}

/** The place of each seat's contributions, by the name of the seat. */
export type SeatPlaces = ReadonlyMap<string, string>

/** A note that names seats. */
export const seatNote = (name: string, seats: readonly string[], places: SeatPlaces): Note[] =>
  seats.length === 0
    ? []
    : [
        {
          name,
          text: names(seats),
          sources: seats.map((label) => ({ label, id: places.get(label) ?? null })),
        },
      ]

export const names = (list: readonly string[]): string => list.join(', ')

// The input of a report: the report and the results of the rounds, as they are folded from the trace. Every
// text in it may be a model's, and is data.

export type ReportView = CouncilResult

/** What several seats said in the same words, joined; in the order of the first. */
function groupByWords<Said>(all: readonly Said[], words: (statement: Said) => string): [Said, ...Said[]][] {
  const groups = new Map<string, [Said, ...Said[]]>()
  for (const statement of all) {
    const key = words(statement).replace(/\s+/g, ' ').trim()
    const group = groups.get(key)
    if (group) group.push(statement)
    else groups.set(key, [statement])
  }
  return [...groups.values()]
}

/**
 * `op-2` and `rv-2.c1` are the second seat's: ids of opinions or reviews become the name of its seat. A point that
 * several left open in the same words is listed once, with all their names.
 */
export function withNames(view: ReportView): CouncilFinalReport | null {
  const {
    report,
    rounds: [first, second],
  } = view
  if (report === null) return null
  const place = (id: string): string => /^(?:op|rv)-(\d+)/.exec(id)?.[1] ?? ''
  const seats = new Map([...first.opinions, ...second.reviews].map(({ id, seat }) => [place(id), seat]))
  const named = (id: string): string => seats.get(place(id)) ?? id
  const uniqueNames = (ids: readonly string[]): readonly string[] => [...new Set(ids.map(named))]
  return {
    ...report,
    rationale: report.rationale.map((one) => ({ ...one, supported_by: uniqueNames(one.supported_by) })),
    risks: report.risks.map((one) => ({ ...one, mentioned_by: uniqueNames(one.mentioned_by) })),
    disagreements: report.disagreements.map((disagreement) => ({
      ...disagreement,
      positions: disagreement.positions.map((each) => ({ ...each, held_by: uniqueNames(each.held_by) })),
    })),
    answered_critiques: report.answered_critiques.map((one) => ({ ...one, critique: named(one.critique) })),
    unresolved: groupByWords(
      report.unresolved.map((one) => withPlace(view, one)),
      ({ severity, description }) => `${severity} ${description}`,
    ).map(([first, ...more]) => {
      const voices = uniqueNames([first, ...more].map(({ id }) => id))
      const often = more.length + 1 > voices.length ? ` (said ${more.length + 1} times)` : ''
      return { ...first, id: `${names(voices)}${often}` }
    }),
  }
}

// Why there was no answer, in one word: the cause where it says more than the type, which has only five values.

const EXACT_CAUSES: ReadonlyMap<unknown, string> = new Map([
  ['billing', 'billing'],
  ['context_too_long', 'context too long'],
  ['refused', 'refused'],
  ['model_not_found', 'model not found'],
  ['server', 'server error'],
])

export const failureKind = ({
  error_type,
  cause,
}: {
  readonly error_type?: unknown
  readonly cause?: unknown
}): string => EXACT_CAUSES.get(cause) ?? (typeof error_type === 'string' ? error_type : '')

/** Who failed in which round and why; seats with the same failure are named together. */
export const failuresIn = ({ rounds }: ReportView): readonly (SeatFailure & { readonly who: string })[] =>
  rounds
    .flatMap((round) =>
      groupByWords(round?.failed_providers ?? [], ({ seat: _, ...why }) => JSON.stringify(why)),
    )
    .map((group) => ({ ...group[0], who: names([...new Set(group.map(({ seat }) => seat))]) }))

// What a council was shown, in one line: a reader of the report must see whether it was the change or the
// whole file, and that something was left out.

const NAMED = 4

const counted = (excluded: ContextRecord['excluded']): string => {
  const reasons = Object.entries(excluded)
  const total = reasons.reduce((sum, [, count]) => sum + count, 0)
  return total === 0
    ? ''
    : `; left out ${total}: ${names(reasons.map(([reason, count]) => `${reason} ${count}`))}`
}

/** Empty when nothing was shown to it. */
export function basisOf({ kind, files, excluded, diff }: ContextRecord): string {
  if (kind === 'none') return ''
  const first = names(files.slice(0, NAMED).map(({ path }) => path))
  const more = files.length > NAMED ? ` and ${files.length - NAMED} more` : ''
  const what = `${kind === 'summary' ? 'a summary of ' : ''}${first}${more}`
  return `${diff === null ? what : `${diff}: ${what}`}${counted(excluded)}`
}

const CITES_NOTHING = 'names nothing it rests on'
const DEPARTS = 'departs from the majority and cites nothing that refutes it'

export function unsupportedItem({ place, cited }: Unsupported): Item {
  const withoutCitations = place === 'decision' ? DEPARTS : CITES_NOTHING
  return {
    lead: place,
    tone: 'open',
    text: cited.length === 0 ? withoutCitations : `names what does not exist: ${names(cited)}`,
  }
}

const DOUBTS = {
  ok: '',
  none: '',
  'unknown-file': 'not among the files reviewed',
  'beyond-end': 'beyond the end of the file',
} as const

/** What is wrong with the place that a finding names; empty where the place exists. */
export const doubtfulPlace = ({ location_checked }: Finding): string => DOUBTS[location_checked]

/** `src/a.ts:12 high CWE-89`: the place comes first, as in compilers and linters. */
export function findingLead(finding: Finding): string {
  const { severity, rule } = finding
  return [placeOf(finding) || '(no file)', severity, rule].filter((word) => word !== '').join(' ')
}
