// Checks what each seat was shown, from the recorded requests: every prompt is built again from the trace and
// the pack and compared with what was sent, and every answer with the reply that it is said to come from. The
// first difference is reported in the words of the rule that it breaks.

import type { Sha256 } from '../ledger/bytes.ts'
import { canonicalize, type Json } from '../ledger/canonical.ts'
import { artifactsOf } from '../ledger/event.ts'
import type { PromptPart } from '../ledger/prompt.ts'
import { readRaw } from '../ledger/raw-reply.ts'
import type { Lack, Occurrence, Refusal } from '../protocol.ts'
import { readAction } from './actions.ts'
import { NO_PACK, PACK, type PackText, REQUEST } from './context.ts'
import { editionOf } from './editions.ts'
import { erasedOpinions, erasedReviews, lackOpinions, lackReviews } from './erased-evidence.ts'
import * as is from './events.ts'
import { type Content, examineReply, fault, hashOf, load } from './examine-reply.ts'
import { readable } from './payload-check.ts'
import type { Completes } from './prompts/completing.ts'
import { type Asking, type CouncilPrompt, promptFor } from './prompts/prompt.ts'
import {
  type Absent,
  absentFrom,
  eventsIn,
  NOTHING_ABSENT,
  type Quoting,
  quotedFor,
  quotedForChair,
} from './prompts/shown-opinions.ts'
import { missingIn } from './replies/conclude.ts'
import { lastReport } from './stage.ts'
import { type CouncilState, isOpenedCouncil, type OpenedCouncil, pendingOf } from './state.ts'

/** What differs, and which events, once erased, could explain it. */
interface Difference {
  readonly message: string
  readonly lacks: readonly Lack[]
}

const differs = (message: string, ...lacks: readonly Lack[]): Difference => ({ message, lacks })

const ASKED: ReadonlySet<string> = new Set([
  is.OPINION_GIVEN,
  is.OPINION_FAILED,
  is.OPINION_INCOMPLETE,
  is.REVIEW_GIVEN,
  is.REVIEW_FAILED,
  is.REVIEW_INCOMPLETE,
  is.REPORT_GIVEN,
  is.REPORT_FAILED,
  is.REPORT_INCOMPLETE,
])

export function reads(event: Occurrence): readonly string[] {
  if (event.type !== is.OPENED && !ASKED.has(event.type)) return []
  const { payload } = readable(event)
  return payload === null ? [] : artifactsOf(payload).map(({ hash }) => hash)
}

const isPart = (value: unknown): value is { name: string; text: string } => {
  const part = value as { name?: unknown; text?: unknown } | null
  return (
    typeof part === 'object' &&
    part !== null &&
    typeof part.name === 'string' &&
    typeof part.text === 'string'
  )
}

/** Null when the pack is not available: what quotes it is then not judged. */
function packOf(state: OpenedCouncil, content: Content): PackText | null {
  const hash = hashOf(state.opened.artifacts, PACK)
  if (hash === null) return NO_PACK
  const pack = load(content, hash) as Partial<PackText> | null | undefined
  const lists = [pack?.parts, pack?.condensed]
  return lists.every((list) => Array.isArray(list) && list.every(isPart)) ? (pack as PackText) : null
}

/** What the call completes, as far as it is available. */
function completesIn(
  state: OpenedCouncil,
  round: is.Round,
  seat: string,
  content: Content,
): Completes | null {
  const pending = pendingOf(state, round, seat)
  if (!pending) return null
  const { event, raw, took } = pending
  const bytes = raw === null ? null : content(raw)
  const missing = took.reading ? missingIn(took.reading) : []
  return { event, raw, missing, answer: bytes && readRaw(bytes) }
}

function askingOf(state: OpenedCouncil, event: Occurrence, content: Content): Asking | null {
  const { action, seat } = is.payloadOf(event, is.OPINION_FAILED)
  const call = readAction(action)
  if (!call) return null
  const completes = completesIn(state, call.round, seat, content)
  if (call.round !== 'R3') return { action, seat, completes, round: call.round }
  const mend = completes ? state.reports.at(-1)?.purpose === 'mend' : lastReport(state) !== null
  return { action, seat, completes, round: 'R3', n: Number(call.subject), mend }
}

function quotedIn(sha256: Sha256, state: OpenedCouncil, asking: Asking): Quoting {
  const { absent = NOTHING_ABSENT } = asking
  if (asking.round === 'R1') return { opinions: [], reviews: [] }
  return asking.round === 'R2'
    ? quotedFor(sha256, state, asking.seat, absent)
    : quotedForChair(sha256, state, asking.n, absent)
}

/** Why a prompt cannot be built again exactly, once content is erased. */
function unbuildable(state: OpenedCouncil, asking: Asking, seat: string): readonly Lack[] {
  const { absent = NOTHING_ABSENT } = asking
  const isMend = asking.round === 'R3' && asking.mend
  // The places whose citations name nothing follow from all that can be cited.
  const cited: Absent = { opinions: erasedOpinions(state), reviews: erasedReviews(state) }
  const { opinions, reviews } = isMend ? cited : absent
  const changed = asking.round === 'R3' ? cited.opinions : opinions
  const pending = asking.completes ? pendingOf(state, asking.round, seat) : null
  const outcome = isMend ? lastReport(state)?.outcome : null
  return [
    ...lackOpinions(changed),
    ...lackReviews(reviews),
    ...(outcome?.ok && outcome.answer === null ? [is.REPORT_GIVEN] : []),
    ...(pending?.raw === null ? [{ types: [...INCOMPLETE], by: [seat] }] : []),
  ]
}

const INCOMPLETE = [is.OPINION_INCOMPLETE, is.REVIEW_INCOMPLETE, is.REPORT_INCOMPLETE]

/** Quoted exactly from one event each: the erasure of another changes nothing in them. */
const OF_ONE_EVENT: readonly string[] = ['question', 'constraints', 'opinions', 'reviews']
const MEASURED: readonly string[] = ['opinions', 'reviews']
const isOwn = ({ name, quotes }: PromptPart): boolean =>
  quotes === null && !['tag', 'condensed'].includes(name)
const isBrief = ({ parts }: CouncilPrompt): boolean => parts.some(({ name }) => name === 'condensed')

/** Whether a reviewer changed its position is stated with its review, and is unknown once its own opinion was erased. */
const MOVED = /"changed_position":\s*(?:true|false)/
const unmoved = (part: PromptPart): PromptPart =>
  part.name === 'reviews' ? { ...part, text: part.text.replace(MOVED, '') } : part

/** Whether something differs that no erasure explains: our own text, or what is quoted from an available event. */
function differsInKnown(
  state: OpenedCouncil,
  { completes }: Asking,
  sent: CouncilPrompt,
  built: CouncilPrompt,
): boolean {
  const own = ({ parts }: CouncilPrompt): string => canonicalize(parts.filter(isOwn))
  if (own(sent) !== own(built)) return true
  // The amount of material decides how much it is shortened, and that may depend on what was erased.
  if (isBrief(sent) !== isBrief(built)) return false
  if (editionOf(state).condensing === 2 && isBrief(sent)) return false
  const read = erasedOpinions(state).length > 0 ? unmoved : (part: PromptPart) => part
  const shown = new Set(sent.parts.map((part) => canonicalize(read(part))))
  const quoted = completes && completes.raw !== null ? [...OF_ONE_EVENT, 'missing'] : OF_ONE_EVENT
  return built.parts.some(
    (part) => part.quotes !== null && quoted.includes(part.name) && !shown.has(canonicalize(read(part))),
  )
}

/** A difference in who was shown. */
function differenceInShown(
  sha256: Sha256,
  state: OpenedCouncil,
  asking: Asking,
  seat: string,
  sent: CouncilPrompt,
): Difference | null {
  const shown = eventsIn(sent.parts, 'opinions')
  const own = state.opinions.get(seat)?.took.event
  if (asking.round === 'R1' && shown.length > 0) return differs('an opinion of another was shown in R1')
  if (asking.round === 'R2' && own !== undefined && shown.includes(own))
    return differs(`${seat} was shown its own opinion`)
  const due = quotedIn(sha256, state, asking)
  const missing = due.opinions.find((id) => !shown.includes(id))
  if (missing) return differs(`the opinion ${missing} was not shown`)
  if (shown.length !== due.opinions.length) return differs('more opinions were shown than there are')
  if (shown.some((id, i) => id !== due.opinions[i]))
    return differs('opinions were shown in another order than the seed gives')
  const isSame = canonicalize([...due.reviews]) === canonicalize([...eventsIn(sent.parts, 'reviews')])
  return isSame ? null : differs('other reviews were shown than there are, or in another order')
}

/** What differs, in the words of the rule; null when only our own wording could differ, which is compared last. */
function differenceOf(
  sha256: Sha256,
  state: OpenedCouncil,
  asking: Asking,
  seat: string,
  sent: CouncilPrompt,
  built: CouncilPrompt,
): Difference | null {
  const other = differenceInShown(sha256, state, asking, seat, sent)
  if (other) return other
  if (sent.system !== built.system) return differs('the system prompt is not the one of this edition')
  if (editionOf(state).shapes !== 1 && canonicalize(sent.schema) !== canonicalize(built.schema))
    return differs('another shape was asked for than in this edition')
  const lacks = differsInKnown(state, asking, sent, built) ? [] : unbuildable(state, asking, seat)
  const at = built.parts.findIndex((part, i) => canonicalize(part) !== canonicalize(sent.parts[i] ?? null))
  if (at !== -1) return differs(`part ${at} (${built.parts[at]?.name}) is not what it should quote`, ...lacks)
  return sent.parts.length === built.parts.length
    ? null
    : differs('the prompt has parts that nothing accounts for', ...lacks)
}

const isPrompt = (value: Json | CouncilPrompt | null): value is CouncilPrompt => {
  const prompt = value as { system?: unknown; parts?: unknown } | null
  return typeof prompt?.system === 'string' && Array.isArray(prompt.parts) && prompt.parts.every(isPart)
}

/** Where an artifact is not available, the parts that quote it are left out on both sides. */
function withoutAbsent(prompt: CouncilPrompt, isGone: (hash: string) => boolean): CouncilPrompt {
  const marked = prompt.parts.map(({ quotes }) => quotes?.kind === 'artifact' && isGone(quotes.id))
  const isAbsent = (i: number): boolean => Boolean(marked[i - 1] || marked[i] || marked[i + 1])
  const parts = prompt.parts.filter(({ name }, i) => !isAbsent(i) && name !== 'condensed')
  return { ...prompt, parts }
}

/** How much of a text was shown cannot be checked without everything that was shown beside it. */
const withoutMeasure = (prompt: CouncilPrompt): CouncilPrompt => ({
  ...prompt,
  parts: prompt.parts.map((part) => (MEASURED.includes(part.name) ? { ...part, text: '' } : part)),
})

function examineRequest(
  sha256: Sha256,
  state: OpenedCouncil,
  asking: Asking,
  event: Occurrence,
  content: Content,
): Refusal | null {
  const { artifacts, seat } = is.payloadOf(event, is.OPINION_FAILED)
  const hash = hashOf(artifacts, REQUEST)
  if (hash === null) return fault('what was asked is not recorded')
  const sent = load(content, hash)
  if (sent === undefined) return null
  if (!isPrompt(sent)) return fault('the recorded request is no prompt')
  const pack = packOf(state, content)
  const again = { ...asking, absent: absentFrom(state, sent) }
  const built = promptFor(sha256, state, again, pack ?? NO_PACK)
  const packHash = hashOf(state.opened.artifacts, PACK)
  const isGone = (id: string): boolean => content(id) === null || (pack === null && id === packHash)
  const isWhole = pack !== null && (!asking.completes || asking.completes.answer !== null)
  const isMeasured = editionOf(state).condensing === 2 && isBrief(sent)
  const rest = (prompt: CouncilPrompt): CouncilPrompt => {
    const present = withoutAbsent(prompt, isGone)
    return isMeasured ? withoutMeasure(present) : present
  }
  const difference = isWhole
    ? differenceOf(sha256, state, again, seat, sent, built)
    : differenceOf(sha256, state, again, seat, rest(sent), rest(built))
  return difference && fault(difference.message, ...difference.lacks)
}

export function examine(
  sha256: Sha256,
  state: CouncilState,
  occurrence: Occurrence,
  content: Content,
): Refusal | null {
  const event = readable(occurrence)
  if (event.payload === null || !ASKED.has(event.type) || !isOpenedCouncil(state)) return null
  const asking = askingOf(state, event, content)
  if (!asking) return null
  const shown = examineRequest(sha256, state, asking, event, content)
  // Differences that an erasure may explain hide no other fault.
  if (shown && !shown.lacks) return shown
  const sent = load(content, hashOf(is.payloadOf(event, is.OPINION_FAILED).artifacts, REQUEST)) ?? null
  return examineReply(sha256, state, event, content, isPrompt(sent) ? sent : null) ?? shown
}
