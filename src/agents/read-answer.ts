// How the answer of a model is read in a session: against what its role may answer and what it was shown. The
// result is an answer, an incomplete answer whose missing part is asked for once more, or none. An ambiguous
// answer never approves.

import { type PromptPart, renderPrompt } from '../ledger/prompt.ts'
import type { RawReply } from '../ledger/raw-reply.ts'
import { misfit } from '../ledger/schema-fault.ts'
import { fitted, lackingWords, READER_VERSION, readReply } from '../reply/read-reply.ts'
import { type ReadingRecord, recordOf } from '../reply/reading-record.ts'
import type { ReplyContext, WantedValue } from '../reply/wanted.ts'
import { ANSWER } from './prompts/completing.ts'
import type { AskedRole } from './prompts/material.ts'
import {
  type CriticReply,
  type ExecutorReply,
  PAGE_TOOL,
  type PlannerReply,
  RECORDED_REPLIES,
  WANTED_PLAN,
  WANTED_TURN,
  WANTED_VERDICT,
} from './replies.ts'
import { quotableArtifacts, type SessionState } from './state.ts'

export const WANTED: Readonly<Record<AskedRole, WantedValue>> = {
  planner: WANTED_PLAN,
  executor: WANTED_TURN,
  critic: WANTED_VERDICT,
}

/**
 * `state`: the session as it was when the model was asked. The model's own first answer is not part of the
 * material of others.
 */
export function replyContext(state: SessionState, parts: readonly PromptPart[]): ReplyContext {
  const tools = state.task?.tools.map(({ name }) => name) ?? []
  return {
    prompt: renderPrompt(parts.filter(({ name }) => name !== ANSWER)),
    artifacts: quotableArtifacts(state),
    tools: [...tools, PAGE_TOOL],
  }
}

export type Concluded = { readonly reading: ReadingRecord } & (
  | { readonly is: 'answered'; readonly reply: PlannerReply | ExecutorReply | CriticReply }
  | { readonly is: 'incomplete' }
  | { readonly is: 'failed'; readonly message: string }
)

const MESSAGE_CHARS = 300

export function concludeAnswer(
  role: AskedRole,
  raw: RawReply,
  context: ReplyContext,
  isCompleting: boolean,
): Concluded {
  const read = readReply(READER_VERSION, WANTED[role], raw, context)
  const reading = recordOf(READER_VERSION, read)
  if (read.outcome === 'kept' && misfit(RECORDED_REPLIES[role], read.value) === null)
    return { is: 'answered', reply: fitted<PlannerReply>(read.value), reading }
  if (read.outcome === 'refused') {
    const words = (raw.refusal || raw.text).trim().toWellFormed().slice(0, MESSAGE_CHARS).toWellFormed()
    return {
      is: 'failed',
      message: words === '' ? 'declined to answer' : `declined to answer: ${words}`,
      reading,
    }
  }
  const missing = read.outcome === 'missing' ? read.missing : ['answer']
  const lacking = { ...reading, outcome: 'missing', missing } as const
  if (!isCompleting) return { is: 'incomplete', reading: lacking }
  const message = lackingWords(missing)
  return { is: 'failed', message, reading: lacking }
}
