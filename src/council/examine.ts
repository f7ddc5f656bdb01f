// Judges what was shown to whom, from the recorded requests: every prompt is built again from the minutes and the pack
// and held against what was sent, and every answer against the reply it is said to come from. The first difference is
// told in the words of the rule that it breaks.

import type { AskingFields } from '../ledger/asking.ts'
import { fromUtf8, type Sha256 } from '../ledger/bytes.ts'
import { canonicalize, type Json, parseCanonical } from '../ledger/canonical.ts'
import { artifactsOf } from '../ledger/event.ts'
import type { PromptPart } from '../ledger/prompt.ts'
import type { Occurrence, Refusal } from '../protocol.ts'
import { NO_PACK, PACK, type PackText, REPLY, REQUEST } from './context.ts'
import { editionOf } from './editions.ts'
import * as is from './events.ts'
import { readAction } from './evolve.ts'
import { readable } from './payload-check.ts'
import { type Asking, type CouncilPrompt, promptFor } from './prompts/prompt.ts'
import { labelsFor } from './prompts/shown.ts'
import { READERS, type Read } from './replies/normalise.ts'
import { standing } from './stage.ts'
import { type Convened, type CouncilState, isConvened } from './state.ts'

type Content = (hash: string) => Uint8Array | null

const fault = (message: string, ...lacks: readonly string[]): Refusal =>
  lacks.length > 0 ? { code: 'ORDER_VIOLATION', message, lacks } : { code: 'ORDER_VIOLATION', message }

/** What prompts quote: where one of these was erased, a prompt that showed it cannot be built again. */
const QUOTED = [is.OPINION_GIVEN, is.REVIEW_GIVEN, is.REPORT_GIVEN]

/** What differs, and which events, once erased, could be why. */
interface Difference {
  readonly message: string
  readonly lacks: readonly string[]
}

const differs = (message: string, ...lacks: readonly string[]): Difference => ({ message, lacks })

const ASKED: ReadonlySet<string> = new Set([
  is.OPINION_GIVEN,
  is.OPINION_FAILED,
  is.REVIEW_GIVEN,
  is.REVIEW_FAILED,
  is.REPORT_GIVEN,
  is.REPORT_FAILED,
])

const hashOf = (artifacts: AskingFields['artifacts'], name: string): string | null =>
  artifacts.find((artifact) => artifact.name === name)?.hash ?? null

export function reads(event: Occurrence): readonly string[] {
  if (event.type !== is.OPENED && !ASKED.has(event.type)) return []
  const { payload } = readable(event)
  return payload === null ? [] : artifactsOf(payload).map(({ hash }) => hash)
}

/** Undefined when it is not there; null when it cannot be read. */
function load(content: Content, hash: string | null): Json | null | undefined {
  const bytes = hash === null ? null : content(hash)
  if (bytes === null) return undefined
  return fromUtf8(bytes) === null ? null : (parseCanonical(bytes) ?? null)
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

/** Null when the pack is not at hand: what quotes it is then not judged. */
function packOf(state: Convened, content: Content): PackText | null {
  const hash = hashOf(state.opened.artifacts, PACK)
  if (hash === null) return NO_PACK
  const pack = load(content, hash) as Partial<PackText> | null | undefined
  const lists = [pack?.parts, pack?.condensed]
  return lists.every((list) => Array.isArray(list) && list.every(isPart)) ? (pack as PackText) : null
}

function askingOf(state: Convened, action: string): Asking | null {
  const call = readAction(action)
  if (!call) return null
  if (call.round === 'R1') return { action, round: 'R1' }
  if (call.round === 'R2') return { action, round: 'R2', seat: call.subject }
  return { action, round: 'R3', n: Number(call.subject), mend: standing(state) !== null }
}

const eventsIn = (parts: readonly PromptPart[]): readonly string[] =>
  parts.flatMap(({ quotes, name }) => (quotes?.kind === 'event' && name === 'opinions' ? [quotes.id] : []))

/** What differs, in the words of the rule; null when only our own wording could differ, which is compared last. */
function differenceOf(
  state: Convened,
  asking: Asking,
  seat: string,
  sent: CouncilPrompt,
  built: CouncilPrompt,
): Difference | null {
  const [shown, due] = [eventsIn(sent.parts), eventsIn(built.parts)]
  const own = state.opinions.get(seat)?.took.event
  if (asking.round === 'R1' && shown.length > 0) return differs('an opinion of another was shown in R1')
  if (asking.round === 'R2' && own !== undefined && shown.includes(own))
    return differs(`${seat} was shown its own opinion`)
  const missing = due.find((id) => !shown.includes(id))
  if (missing) return differs(`the opinion ${missing} was not shown`)
  if (sent.system !== built.system) return differs('the system prompt is not the one of this edition')
  if (shown.length !== due.length) return differs('more opinions were shown than there are', is.OPINION_GIVEN)
  if (shown.some((id, i) => id !== due[i]))
    return differs('opinions were shown in another order than the seed gives', is.OPINION_GIVEN)
  const at = built.parts.findIndex((part, i) => canonicalize(part) !== canonicalize(sent.parts[i] ?? null))
  if (at !== -1)
    return differs(`part ${at} (${built.parts[at]?.name}) is not what it should quote`, ...QUOTED)
  return sent.parts.length === built.parts.length
    ? null
    : differs('the prompt has parts that nothing accounts for', ...QUOTED)
}

const isPrompt = (value: Json | CouncilPrompt | null): value is CouncilPrompt => {
  const prompt = value as { system?: unknown; parts?: unknown } | null
  return typeof prompt?.system === 'string' && Array.isArray(prompt.parts) && prompt.parts.every(isPart)
}

/** Where the pack is not at hand, the parts that quote it are left out on both sides. */
function withoutPack(prompt: CouncilPrompt): CouncilPrompt {
  const marked = prompt.parts.map(({ quotes }) => quotes?.kind === 'artifact')
  const isOfPack = (i: number): boolean => Boolean(marked[i - 1] || marked[i] || marked[i + 1])
  const parts = prompt.parts.filter(({ name }, i) => !isOfPack(i) && name !== 'condensed')
  return { ...prompt, parts }
}

function examineRequest(
  sha256: Sha256,
  state: Convened,
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
  const built = promptFor(sha256, state, asking, pack ?? NO_PACK)
  const found = pack
    ? differenceOf(state, asking, seat, sent, built)
    : differenceOf(state, asking, seat, withoutPack(sent), withoutPack(built))
  return found && fault(found.message, ...found.lacks)
}

function readAnswer(
  sha256: Sha256,
  state: Convened,
  event: Occurrence,
  object: Json,
): { readonly read: Read<unknown>; readonly said: unknown } | null {
  const { mode } = state.opened
  const reader = READERS[editionOf(state).reader]
  switch (event.type) {
    case is.OPINION_GIVEN:
      return { read: reader.opinion(mode, object), said: is.payloadOf(event, is.OPINION_GIVEN).opinion }
    case is.REPORT_GIVEN:
      return { read: reader.report(mode, object), said: is.payloadOf(event, is.REPORT_GIVEN).report }
    case is.REVIEW_GIVEN: {
      const { seat, review } = is.payloadOf(event, is.REVIEW_GIVEN)
      return { read: reader.review(mode, object, labelsFor(sha256, state, seat)), said: review }
    }
    default:
      return null
  }
}

function examineReply(sha256: Sha256, state: Convened, event: Occurrence, content: Content): Refusal | null {
  const { artifacts, failure } = is.payloadOf(event, is.OPINION_FAILED)
  const hash = hashOf(artifacts, REPLY)
  if (hash === null) return fault('what was replied is not recorded')
  const reply = load(content, hash) as { ok?: unknown; type?: unknown; object?: Json } | null | undefined
  if (reply === undefined) return null
  if (failure) {
    const isSame =
      reply?.ok === true ? failure.error_type === 'parse_error' : failure.error_type === reply?.type
    return isSame ? null : fault('the failure is not the one that the reply tells of')
  }
  const found = readAnswer(sha256, state, event, reply?.object ?? null)
  if (!found) return null
  const isSame = found.read.ok && canonicalize(found.read.answer) === canonicalize(found.said)
  // Whom a reviewer meant follows from the labels, and those from the opinions that there are.
  const lacks = event.type === is.REVIEW_GIVEN ? [is.OPINION_GIVEN] : []
  return isSame ? null : fault('what is recorded as said is not what the reply says', ...lacks)
}

export function examine(
  sha256: Sha256,
  state: CouncilState,
  given: Occurrence,
  content: Content,
): Refusal | null {
  const event = readable(given)
  if (event.payload === null || !ASKED.has(event.type) || !isConvened(state)) return null
  const asking = askingOf(state, String(event.payload.action))
  if (!asking) return null
  const shown = examineRequest(sha256, state, asking, event, content)
  // What may be due to an erasure hides nothing that is not.
  return shown && !shown.lacks ? shown : (examineReply(sha256, state, event, content) ?? shown)
}
