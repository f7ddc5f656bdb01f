// Whether an outcome follows from the raw reply, read again by the recorded version of the reader.

import { canonicalize, type Json } from '../ledger/canonical.ts'
import { artifactsOf } from '../ledger/event.ts'
import type { PromptPart } from '../ledger/prompt.ts'
import { RAW, type RawReply, readRaw } from '../ledger/raw-reply.ts'
import type { Occurrence } from '../protocol.ts'
import { isReaderVersion } from '../reply/read-reply.ts'
import { isSameReading, type ReadingRecord } from '../reply/reading-record.ts'
import type { ReadAudit } from './audit.ts'
import type { ReadJudgement } from './judgement.ts'
import { incompleteFor } from './prompts/completing.ts'
import { judgedTexts } from './prompts/request.ts'
import { type Concluded, concludeAudit, concludeJudgement, concludeMessages } from './read-answer.ts'
import type { Written } from './split-reply.ts'
import type { ExchangeState } from './state.ts'

type Content = (hash: string) => Uint8Array | null

/** Who was asked: for an audit the mind that the terms name. */
const askedMind = ({ round }: ExchangeState, { type, payload }: Occurrence): string =>
  type.startsWith('audit_') ? (round?.under?.auditor.mind ?? '') : String(payload?.mind)

const isOfJudge = (type: string): boolean => /^(?:judge_|restart_)/.test(type)

/** What the call that the event answers completes; null for a first one. */
function completedBy(state: ExchangeState, event: Occurrence) {
  const open = isOfJudge(event.type) ? state.judging : state.round
  return incompleteFor(open, askedMind(state, event), String(event.payload?.action))
}

/** The earlier answer that this call completes, where it is available. */
export function earlierAnswer(state: ExchangeState, event: Occurrence, content: Content): RawReply | null {
  const hash = completedBy(state, event)?.raw
  const bytes = hash ? content(hash) : null
  return bytes && readRaw(bytes)
}

const ENDS = { given: /_(?:wrote|written|judged)$/, incomplete: /_incomplete$/, failed: /_failed$/ } as const

function otherThan(
  conclusion: Concluded<Written | ReadAudit | ReadJudgement>,
  { type, payload }: Occurrence,
): string | null {
  const recorded = (payload ?? {}) as { readonly [name: string]: Json }
  const { reading, messages, dropped, private_chars, message } = recorded
  if (!isSameReading(conclusion.reading, reading as Json & ReadingRecord))
    return 'it was not read as recorded'
  if (!ENDS[conclusion.is].test(type)) return 'something else follows from it'
  if (conclusion.is === 'incomplete') return null
  if (conclusion.is === 'failed') return message === conclusion.message ? null : 'it fails for another reason'
  const { value } = conclusion
  if (!('private' in value)) {
    const recordedPart = Object.fromEntries(Object.keys(value).map((name) => [name, recorded[name] ?? null]))
    const isSame = canonicalize(recordedPart) === canonicalize(value)
    return isSame ? null : `it is not what the ${'asks' in value ? 'judge' : 'auditor'} replied`
  }
  if (canonicalize(value.messages) !== canonicalize(messages))
    return 'its messages are not those of the reply'
  if (value.dropped !== dropped) return 'what was dropped is counted wrongly'
  return value.private.length === private_chars ? null : 'what is private is counted wrongly'
}

/** What follows from the reply; null where the state does not know what was open. */
function concluded(
  state: ExchangeState,
  event: Occurrence,
  raw: RawReply,
  parts: readonly PromptPart[],
): Concluded<Written | ReadAudit | ReadJudgement> | null {
  const isCompleting = completedBy(state, event) !== null
  const { round, judging } = state
  if (isOfJudge(event.type)) return judging && concludeJudgement(raw, judgedTexts(state), isCompleting)
  if (!round?.under) return null
  const ground = { material: round.material, clusters: state.clusters?.notes ?? [] }
  return event.type.startsWith('mind_')
    ? concludeMessages(raw, round.under.pool, isCompleting)
    : concludeAudit(raw, parts, ground, isCompleting)
}

/** `parts`: the recorded request. Null where it is right, or where the reply is not available. */
export function readingProblem(
  state: ExchangeState,
  event: Occurrence,
  content: Content,
  parts: readonly PromptPart[],
): string | null {
  const reading = event.payload?.reading as (Json & ReadingRecord) | null | undefined
  const isFailed = event.type.endsWith('_failed')
  if (!reading) return isFailed ? null : 'how the reply was read is not recorded'
  if (!isReaderVersion(reading.reader)) return `there is no reader ${String(reading.reader)} here`
  const artifact = artifactsOf(event.payload ?? {}).find(({ name }) => name === RAW)
  if (!artifact) return 'there was no reply'
  const bytes = content(artifact.hash)
  if (!bytes) return null
  const raw = readRaw(bytes)
  if (!raw) return 'the recorded reply cannot be read'
  const conclusion = concluded(state, event, raw, parts)
  return conclusion && otherThan(conclusion, event)
}
