// Asks a model for what its answer lacks: with the prompt that it answered, its answer as data between the
// tags of this prompt, and what is missing. Its own text is quoted as data here too, even if it imitates a
// prompt.

import { asJson } from '../../ledger/canonical.ts'
import { type PromptPart, renderPrompt } from '../../ledger/prompt.ts'
import type { RawReply } from '../../ledger/raw-reply.ts'
import { asData } from './escape-data.ts'
import { clipped } from './rendering.ts'
import type { Section } from './sections.ts'
import type { Words } from './words.ts'

/** An answer that lacks something. */
export interface Completes {
  /** `trace/seq` of its event. */
  readonly event: string
  readonly missing: readonly string[]
  /** The hash of the raw reply, and the reply; null once it was erased. */
  readonly raw: string | null
  readonly answer: RawReply | null
}

const ANSWER = 'answer'
/** A model that wrote a very long answer need not read all of it again. */
const ANSWER_CHARS = 24_000
const MOST_CALLS = 8

function renderAnswer({ text, tool_calls = [] }: RawReply): string {
  const calls = tool_calls.slice(0, MOST_CALLS).map((call) => ({
    name: clipped(call.name.toWellFormed()),
    arguments: clipped(call.arguments.toWellFormed(), ANSWER_CHARS),
  }))
  const shown = clipped(text.toWellFormed(), ANSWER_CHARS)
  return asData(asJson(calls.length > 0 ? { text: shown, calls } : { text: shown }))
}

export function completingSections({ instructions }: Words, completes: Completes | null): readonly Section[] {
  if (completes === null) return []
  const { event, missing, raw, answer } = completes
  const quoted =
    answer && raw
      ? [
          {
            name: ANSWER,
            text: renderAnswer(answer),
            quotes: { kind: 'artifact', id: raw } as const,
            tag: 'your-answer',
          },
        ]
      : []
  return [
    ...quoted,
    { name: 'missing', text: asData([...missing]), quotes: { kind: 'event', id: event }, tag: 'missing' },
    { name: 'complete', own: instructions.complete },
  ]
}

/** What others showed to the model: a value from there is not its answer, one from its own first answer may be. */
export const shownBefore = (parts: readonly PromptPart[]): string =>
  renderPrompt(parts.filter(({ name }) => name !== ANSWER))
