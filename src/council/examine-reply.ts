// Compares recorded content with the reply that it is said to come from. In the first edition the parsed
// value is beside the reply; since then the raw reply is read again, and must give the same.

import { fromUtf8, type Sha256 } from '../ledger/bytes.ts'
import { canonicalize, type Json, parseCanonical } from '../ledger/canonical.ts'
import { type AskingFields, RAW, readRaw } from '../ledger/raw-reply.ts'
import type { Lack, Occurrence, Refusal } from '../protocol.ts'
import { isReaderVersion } from '../reply/read-reply.ts'
import { isSameReading } from '../reply/reading-record.ts'
import { REPLY } from './context.ts'
import { editionOf } from './editions.ts'
import { erasedOpinions, lackOpinions } from './erased-evidence.ts'
import * as is from './events.ts'
import { shownBefore } from './prompts/completing.ts'
import type { CouncilPrompt } from './prompts/prompt.ts'
import { absentFrom, labelsFor, NOTHING_ABSENT } from './prompts/shown-opinions.ts'
import { type Conclusion, concludeReply } from './replies/conclude.ts'
import { type Read, readOpinion, readReport, readReview } from './replies/normalise.ts'
import { type OpenedCouncil, pendingOf } from './state.ts'

const answerIn = (event: Occurrence): unknown => {
  const { opinion, review, report } = event.payload ?? {}
  return opinion ?? review ?? report
}

/** The labels tell which opinion a reviewer meant; they follow from the opinions that it was shown. */
interface Labelled {
  readonly labels: ReadonlyMap<string, string>
  /** Why they may differ, where what was shown is not available. */
  readonly lacks: readonly Lack[]
}

function labelled(
  sha256: Sha256,
  state: OpenedCouncil,
  reviewer: string,
  shown: CouncilPrompt | null,
): Labelled {
  const absent = shown ? absentFrom(state, shown) : NOTHING_ABSENT
  const erased = shown ? [] : erasedOpinions(state).filter(({ seat }) => seat !== reviewer)
  return { labels: labelsFor(sha256, state, reviewer, absent), lacks: lackOpinions(erased) }
}

function readObject(
  state: OpenedCouncil,
  event: Occurrence,
  object: Json,
  { labels }: Labelled,
): Read<unknown> | null {
  const { mode } = state.opened
  if (event.type === is.OPINION_GIVEN) return readOpinion(mode, object)
  if (event.type === is.REPORT_GIVEN) return readReport(mode, object)
  if (event.type !== is.REVIEW_GIVEN) return null
  return readReview(mode, object, labels)
}

const OTHER = 'what is recorded as said is not what the reply says'
const OTHER_FAILURE = 'the failure is not the one that the reply tells of'

function examineObject(
  sha256: Sha256,
  state: OpenedCouncil,
  event: Occurrence,
  content: Content,
  shown: CouncilPrompt | null,
): Refusal | null {
  const { artifacts, failure, seat } = is.payloadOf(event, is.OPINION_FAILED)
  const hash = hashOf(artifacts, REPLY)
  if (hash === null) return fault('what was replied is not recorded')
  const reply = load(content, hash) as { ok?: unknown; type?: unknown; object?: Json } | null | undefined
  if (reply === undefined) return null
  if (failure) {
    const isSame =
      reply?.ok === true ? failure.error_type === 'parse_error' : failure.error_type === reply?.type
    return isSame ? null : fault(OTHER_FAILURE)
  }
  const meant = labelled(sha256, state, seat, shown)
  const read = readObject(state, event, reply?.object ?? null, meant)
  if (!read) return null
  const isSame = read.ok && canonicalize(read.answer) === canonicalize(answerIn(event))
  return isSame ? null : fault(OTHER, ...(event.type === is.REVIEW_GIVEN ? meant.lacks : []))
}

/** Nothing was read: then no reply came, and the outcome says why. */
function examineNoReply(event: Occurrence, content: Content): Refusal | null {
  const { artifacts, failure } = is.payloadOf(event, is.OPINION_FAILED)
  const hash = hashOf(artifacts, REPLY)
  if (hash === null) return fault('what was replied is not recorded')
  const reply = load(content, hash) as { ok?: unknown; type?: unknown } | null | undefined
  if (reply === undefined) return null
  return reply?.ok === false && reply.type === failure?.error_type ? null : fault(OTHER_FAILURE)
}

const KINDS: Readonly<Record<Conclusion['is'], string>> = {
  given: '_given',
  incomplete: '_incomplete',
  failed: '_failed',
}

function differenceFrom(conclusion: Conclusion, event: Occurrence): string | null {
  const { reading, failure, prose } = (event.payload ?? {}) as unknown as is.Failed & is.OpinionIncomplete
  if (!isSameReading(conclusion.reading, reading)) return 'the reply was not read as recorded'
  if (!event.type.endsWith(KINDS[conclusion.is])) return 'something else follows from the reply'
  if (conclusion.is === 'given')
    return canonicalize(conclusion.answer) === canonicalize(answerIn(event)) ? null : OTHER
  if (conclusion.is === 'incomplete') {
    const isSame = canonicalize(conclusion.prose) === canonicalize(prose ?? null)
    return isSame ? null : OTHER
  }
  const isSame =
    failure.error_type === 'parse_error' &&
    failure.cause === conclusion.cause &&
    failure.error_message === conclusion.message
  return isSame ? null : OTHER_FAILURE
}

function examineRaw(
  sha256: Sha256,
  state: OpenedCouncil,
  event: Occurrence,
  content: Content,
  shown: CouncilPrompt | null,
): Refusal | null {
  const { artifacts, seat, reading, action } = is.payloadOf(event, is.OPINION_FAILED)
  if (!reading) return examineNoReply(event, content)
  if (!isReaderVersion(reading.reader)) return fault(`there is no reader ${reading.reader} here`)
  const hash = hashOf(artifacts, RAW)
  if (hash === null) return fault('what was replied is not recorded')
  const bytes = content(hash)
  if (bytes === null || shown === null) return null
  const raw = readRaw(bytes)
  if (raw === null) return fault('the recorded reply cannot be read')
  const round = state.open.get(action)?.round ?? 'R1'
  const pending = pendingOf(state, round, seat)
  const conclusion = concludeReply({
    round,
    mode: state.opened.mode,
    raw,
    prompt: shownBefore(shown.parts),
    labels: round === 'R2' ? labelled(sha256, state, seat, shown).labels : new Map(),
    completes: pending && { prose: pending.prose },
  })
  const other = differenceFrom(conclusion, event)
  if (other === null) return null
  // Of two answers in prose one is kept: only then does the first matter.
  const isErased = pending?.raw === null && conclusion.reading.outcome === 'prose'
  return fault(other, ...(isErased ? [{ types: [is.OPINION_INCOMPLETE], by: [seat] }] : []))
}

/** `shown`: the request as it was recorded; null when it is not available. */
export const examineReply = (
  sha256: Sha256,
  state: OpenedCouncil,
  event: Occurrence,
  content: Content,
  shown: CouncilPrompt | null,
): Refusal | null =>
  editionOf(state).reader === 1
    ? examineObject(sha256, state, event, content, shown)
    : examineRaw(sha256, state, event, content, shown)

// The artifacts of an event, as a verifier has them available.

/** Null for what is absent, altered or erased. */
export type Content = (hash: string) => Uint8Array | null

/** `lacks`: events that may explain it, once they are erased. */
export const fault = (message: string, ...lacks: readonly Lack[]): Refusal =>
  lacks.length > 0 ? { code: 'ORDER_VIOLATION', message, lacks } : { code: 'ORDER_VIOLATION', message }

export const hashOf = (artifacts: AskingFields['artifacts'], name: string): string | null =>
  artifacts.find((artifact) => artifact.name === name)?.hash ?? null

/** Undefined when it does not exist; null when it cannot be read. */
export function load(content: Content, hash: string | null): Json | null | undefined {
  const bytes = hash === null ? null : content(hash)
  if (bytes === null) return undefined
  return fromUtf8(bytes) === null ? null : (parseCanonical(bytes) ?? null)
}
