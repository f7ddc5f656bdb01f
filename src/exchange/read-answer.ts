// What follows from a reply, by rule: messages, an audit or a judgement, an incomplete answer whose missing
// part is asked for once more, or none. The performer records it, and a verifier gets the same from the raw
// reply.

import { type PromptPart, renderPrompt } from '../ledger/prompt.ts'
import type { RawReply } from '../ledger/raw-reply.ts'
import { fitted, lackingWords, READER_VERSION, readReply } from '../reply/read-reply.ts'
import type { Reading } from '../reply/reading.ts'
import { type ReadingRecord, recordOf } from '../reply/reading-record.ts'
import { type AuditGround, type ReadAudit, readAudit } from './audit.ts'
import { judgementIn, type ReadJudgement } from './judgement.ts'
import { ANSWER } from './prompts/completing.ts'
import { WANTED_AUDIT, WANTED_JUDGEMENT, wantedMessages } from './replies.ts'
import type { Written } from './split-reply.ts'
import type { PoolTerms } from './terms.ts'

export type Concluded<Value> = { readonly reading: ReadingRecord } & (
  | { readonly is: 'given'; readonly value: Value }
  | { readonly is: 'incomplete' }
  | { readonly is: 'failed'; readonly message: string }
)

const MESSAGE_CHARS = 300

function without<Value>(read: Reading, raw: RawReply, isCompleting: boolean): Concluded<Value> {
  const reading = recordOf(READER_VERSION, read)
  if (read.outcome === 'refused') {
    const words = (raw.refusal || raw.text).trim().toWellFormed().slice(0, MESSAGE_CHARS).toWellFormed()
    const message = words === '' ? 'declined to answer' : `declined to answer: ${words}`
    return { is: 'failed', message, reading }
  }
  const missing = read.outcome === 'missing' ? read.missing : ['answer']
  const lacking = { ...reading, outcome: 'missing', missing } as const
  if (!isCompleting) return { is: 'incomplete', reading: lacking }
  const message = lackingWords(missing)
  return { is: 'failed', message, reading: lacking }
}

/** The messages of a mind: hidden reasoning and private notes reach no other mind. */
export function concludeMessages(raw: RawReply, pool: PoolTerms, isCompleting: boolean): Concluded<Written> {
  const read = readReply(READER_VERSION, wantedMessages(pool), raw, { prompt: '' })
  if (read.outcome !== 'kept') return without(read, raw, isCompleting)
  return { is: 'given', value: fitted<Written>(read.value), reading: recordOf(READER_VERSION, read) }
}

export function concludeAudit(
  raw: RawReply,
  parts: readonly PromptPart[],
  ground: AuditGround,
  isCompleting: boolean,
): Concluded<ReadAudit> {
  const prompt = renderPrompt(parts.filter(({ name }) => name !== ANSWER))
  const read = readReply(READER_VERSION, WANTED_AUDIT, raw, { prompt })
  const audit = read.outcome === 'kept' ? readAudit(read.value, ground) : 'it cannot be read'
  if (typeof audit === 'string') return without(read, raw, isCompleting)
  return { is: 'given', value: audit, reading: recordOf(READER_VERSION, read) }
}

/** `texts`: what the judge was shown, by id. An example from our own prompt text is an answer like any other. */
export function concludeJudgement(
  raw: RawReply,
  texts: ReadonlyMap<string, string>,
  isCompleting: boolean,
): Concluded<ReadJudgement> {
  const read = readReply(READER_VERSION, WANTED_JUDGEMENT, raw, { prompt: [...texts.values()].join('\n') })
  if (read.outcome !== 'kept') return without(read, raw, isCompleting)
  return { is: 'given', value: judgementIn(read.value, texts), reading: recordOf(READER_VERSION, read) }
}
