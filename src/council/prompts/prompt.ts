// The three prompts of a council, all with the same structure: preamble, context, opinions, reviews,
// instructions. A prompt is a function of the trace and the pack, so that a verifier can build it again and
// compare it with what was sent.

import { type Sha256, utf8 } from '../../ledger/bytes.ts'
import { type PromptPart, renderPrompt } from '../../ledger/prompt.ts'
import type { JsonSchema } from '../../ledger/schema.ts'
import { MAX_READ_BYTES } from '../../protocol.ts'
import { readAction } from '../actions.ts'
import type { PackText } from '../context.ts'
import { editionOf } from '../editions.ts'
import type { CouncilOpened } from '../events.ts'
import { SHAPES } from '../replies/schemas.ts'
import { unknownCitations } from '../report/citations.ts'
import { seatOf } from '../seat-ids.ts'
import { lengthKey, portionsOf } from '../size/parts.ts'
import { inPortions, type Portioned } from '../size/portions.ts'
import { lastReport } from '../stage.ts'
import { INITIAL, type OpenedCouncil } from '../state.ts'
import { type Completes, completingSections } from './completing.ts'
import { condenseMaterial1, type Material } from './condensed-1.ts'
import { materialWithin } from './condensed-2.ts'
import { asData } from './escape-data.ts'
import { contextSection, contextSections, questionSections, wordsOf } from './quoted.ts'
import { renderReport } from './rendering.ts'
import { partsOf, type Section, sizeOfGuard, sizeOfSection } from './sections.ts'
import { type Absent, shownTo, shownToChair } from './shown-opinions.ts'

export interface CouncilPrompt {
  readonly system: string
  readonly parts: readonly PromptPart[]
  readonly schema: JsonSchema
}

/** The seat that a prompt is for, the action that it answers, and the incomplete answer that it asks to complete. */
export type Asking = {
  readonly action: string
  readonly seat: string
  readonly completes?: Completes | null
  /** For a verifier: what it showed that was erased since. */
  readonly absent?: Absent
  /** Its length limit in characters, where its length was refused before. */
  readonly limit?: number
} & (
  | { readonly round: 'R1' }
  | { readonly round: 'R2' }
  | { readonly round: 'R3'; readonly n: number; readonly mend: boolean }
)

const shapesOf = (state: OpenedCouncil) => SHAPES[editionOf(state).shapes]

/**
 * R1 is one prompt for all seats, so it has one code; it contains no text of a model. Derived from the round
 * alone, a chair in a fork was shown the same code as another chair before.
 */
function purposeOf(state: OpenedCouncil, asking: Asking): string {
  const isOfAsking = editionOf(state).marks === 'asking'
  if (asking.round === 'R1' && !asking.completes && !isShortened(state, asking)) {
    const part = partOf(asking)
    return isOfAsking ? `${state.trace} R1${part === null ? '' : ` p${part}`}` : 'R1'
  }
  if (isOfAsking || asking.round === 'R1') return `${state.trace} ${asking.action}`
  return asking.round === 'R2' ? `R2 ${asking.seat}` : `R3 ${asking.n}`
}

/** Which part of round one is asked about; null where there is one prompt for all of it. */
const partOf = ({ action }: Asking): number | null => readAction(action)?.part ?? null

/** Whether this seat refused the length of this prompt before. */
const isShortened = ({ shortened }: OpenedCouncil, asking: Asking): boolean =>
  shortened.has(lengthKey(asking.round, asking.seat, partOf(asking)))

/** A prompt without context and opinions: those go in between, as far as they fit. */
interface Frame {
  readonly system: string
  readonly schema: JsonSchema
  readonly before: readonly Section[]
  readonly after: readonly Section[]
}

const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** The length limit of a prompt to this seat, in characters. */
const limitOf = (state: OpenedCouncil, seat: string): number => seatOf(state, seat)?.prompt_chars ?? NO_LIMIT

/** For a prompt whose length was refused: no one says how much would be accepted, and it is asked only once more. */
const SHORTER = 4

/** What a participant is told first: our own text, and the role of this seat. */
function systemOf(state: OpenedCouncil, own: string, seat: string): string {
  const stance = seatOf(state, seat)?.stance
  return stance === undefined ? own : `${own}\n\n${wordsOf(state).stance(stance)}`
}

const sizeOfPrompt = ({ system, schema, parts }: CouncilPrompt): number =>
  system.length + JSON.stringify(schema).length + renderPrompt(parts).length

/** The space that the frame leaves. */
function roomIn(state: OpenedCouncil, { system, schema, before, after }: Frame, limit: number): number {
  const frame = [...before, ...after].reduce((sum, section) => sum + sizeOfSection(section), 0)
  return limit - system.length - JSON.stringify(schema).length - sizeOfGuard(editionOf(state).words) - frame
}

function framed(
  sha256: Sha256,
  state: OpenedCouncil,
  asking: Asking,
  frame: Frame,
  fill: (room: number) => readonly Section[],
): CouncilPrompt {
  const { seed } = state.opened
  const { words } = editionOf(state)
  const completing = completingSections(wordsOf(state), asking.completes ?? null)
  const whole = { ...frame, after: [...frame.after, ...completing] }
  const limit = asking.limit ?? limitOf(state, asking.seat)
  const material = fill(roomIn(state, whole, limit))
  const sections = [...whole.before, ...material, ...whole.after]
  const parts = partsOf(sha256, { seed, purpose: purposeOf(state, asking), words }, sections)
  return { system: frame.system, parts, schema: frame.schema }
}

const materialFor = (
  state: OpenedCouncil,
  round: 'R2' | 'R3',
  material: Material,
  room: number,
): readonly Section[] =>
  editionOf(state).condensing === 1
    ? condenseMaterial1(state, round, material)
    : materialWithin(state, material, room)

function reviewPrompt(sha256: Sha256, state: OpenedCouncil, asking: Asking, pack: PackText): CouncilPrompt {
  const { mode } = state.opened
  const { instructions, preamble } = wordsOf(state)
  const opinions = shownTo(sha256, state, asking.seat, asking.absent)
  const frame: Frame = {
    system: systemOf(state, preamble.R2(mode), asking.seat),
    schema: shapesOf(state).review[mode],
    before: questionSections(state),
    after: [{ name: 'instructions', own: instructions.R2(mode) }],
  }
  return framed(sha256, state, asking, frame, (room) =>
    materialFor(state, 'R2', { pack, opinions, reviews: [] }, room),
  )
}

/** What the chair is told when it is asked for a correction: its report, and the places that cite nothing. */
function mendSections(state: OpenedCouncil): readonly Section[] {
  const report = lastReport(state)
  if (!report?.outcome.ok || !report.outcome.answer) return []
  const { answer, took } = report.outcome
  const quotes = { kind: 'event', id: took.event } as const
  const places = unknownCitations(state, answer).map(({ place, cited }) => ({ place, cited }))
  return [
    { name: 'report', text: renderReport(answer), quotes, tag: 'report' },
    { name: 'unknown', text: asData(places), quotes, tag: 'unknown-citations' },
  ]
}

function reportPrompt(
  sha256: Sha256,
  state: OpenedCouncil,
  asking: Asking & { readonly round: 'R3' },
  pack: PackText,
): CouncilPrompt {
  const { n, mend } = asking
  const { mode } = state.opened
  const { instructions, preamble } = wordsOf(state)
  const frame: Frame = {
    system: preamble.R3(mode),
    schema: shapesOf(state).report[mode],
    before: questionSections(state),
    after: [
      ...(mend ? mendSections(state) : []),
      { name: 'instructions', own: instructions.R3(mode) },
      ...(mend ? [{ name: 'mend', own: instructions.mend }] : []),
    ],
  }
  const material = { pack, ...shownToChair(sha256, state, n, asking.absent) }
  return framed(sha256, state, asking, frame, (room) => materialFor(state, 'R3', material, room))
}

/** Of round one; `part` where it is asked in parts. */
function opinionFrame(state: OpenedCouncil, seat: string, part: number | null, of: number): Frame {
  const { mode } = state.opened
  const { instructions, preamble } = wordsOf(state)
  return {
    system: systemOf(state, preamble.R1(mode), seat),
    schema: shapesOf(state).opinion[mode],
    before: questionSections(state),
    after: [
      ...(part === null ? [] : [{ name: 'part', own: instructions.part(part, of) }]),
      { name: 'instructions', own: instructions.R1(mode) },
    ],
  }
}

function opinionPrompt(sha256: Sha256, state: OpenedCouncil, asking: Asking, pack: PackText): CouncilPrompt {
  const part = partOf(asking)
  const parts = pack.parts.filter(({ portion }) => part === null || (portion ?? part) === part)
  // One prompt for all; a seat that is asked again also reads its own answer, or less than the others.
  const isAgain = Boolean(asking.completes) || asking.limit !== undefined
  const isBound = editionOf(state).condensing === 2 && isAgain
  const frame = opinionFrame(state, asking.seat, part, portionsOf(state))
  return framed(sha256, state, asking, frame, (room) =>
    isBound
      ? materialWithin(state, { pack: { ...pack, parts }, opinions: [], reviews: [] }, room)
      : contextSections(state, parts, false),
  )
}

function promptOf(sha256: Sha256, state: OpenedCouncil, asking: Asking, pack: PackText): CouncilPrompt {
  if (asking.round === 'R1') return opinionPrompt(sha256, state, asking, pack)
  if (asking.round === 'R2') return reviewPrompt(sha256, state, asking, pack)
  return reportPrompt(sha256, state, asking, pack)
}

export function promptFor(
  sha256: Sha256,
  state: OpenedCouncil,
  asking: Asking,
  pack: PackText,
): CouncilPrompt {
  if (!isShortened(state, asking)) return promptOf(sha256, state, asking, pack)
  const refused = promptOf(sha256, state, { ...asking, completes: null }, pack)
  const limit = Math.floor(sizeOfPrompt(refused) / SHORTER)
  return promptOf(sha256, state, { ...asking, limit }, pack)
}

const MANY = 9_999
/** Reserved for the list of a pack's contents, which is in every part, and for the text around the parts. */
const OVERHEAD_BYTES = 200_000

/** A council that is about to be opened. */
const planned = (opened: CouncilOpened): OpenedCouncil => ({ ...INITIAL, opened, seats: opened.seats })

/** The context of a council in parts that fit its smallest window, at most this many. */
export function portionedFor(opened: CouncilOpened, { parts, condensed }: PackText, most: number): Portioned {
  const state = planned(opened)
  const asked = opened.seats.filter(({ roles, embedded }) => roles.includes('participant') && !embedded)
  const rooms = asked.map(({ seat }) =>
    roomIn(state, opinionFrame(state, seat, MANY, MANY), limitOf(state, seat)),
  )
  const room = Math.min(NO_LIMIT, ...rooms)
  const bytes = MAX_READ_BYTES - utf8(JSON.stringify(condensed)).length - OVERHEAD_BYTES
  return inPortions(parts, { room, most, bytes, cost: (part) => sizeOfSection(contextSection(state, part)) })
}

/** The prompts of round one as this seat will be sent them, except the code of their tags, which is drawn at the opening. */
export function promptsOfR1(
  sha256: Sha256,
  opened: CouncilOpened,
  pack: PackText,
  seat: string,
): readonly CouncilPrompt[] {
  const state = planned(opened)
  const of = portionsOf(state)
  const marks = of === 1 ? [''] : Array.from({ length: of }, (_, i) => `/p${i + 1}`)
  return marks.map((mark) =>
    promptFor(sha256, state, { round: 'R1', seat, action: `opinion/${seat}${mark}/1` }, pack),
  )
}
