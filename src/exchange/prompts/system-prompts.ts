// The system prompts of minds, auditor and judge, for everyone to read: the pool and the auditor in their
// prompts, the observer beside the terms. They are quoted as data, so that no model takes another's for its
// own.

import { type Sha256, toHex, utf8 } from '../../ledger/bytes.ts'
import type { PromptPart } from '../../ledger/prompt.ts'
import { type Fence, fenced } from '../../ledger/text/fence.ts'
import { editionOf } from '../editions.ts'
import type { ExchangeState } from '../state.ts'
import { judgeOf, type Terms } from '../terms.ts'
import { ourWords, WORDS, type Words } from './words.ts'

export interface SystemPrompt {
  readonly of: 'minds' | 'auditor' | 'judge'
  /** The text by its id and version. */
  readonly id: string
  readonly text: string
}

function inUse(words: Words, terms: Terms): readonly SystemPrompt[] {
  const isJudged = judgeOf(terms) !== null
  const used = [
    { of: 'minds', id: words.mindSystem },
    { of: 'auditor', id: words.auditorSystem },
    ...(isJudged ? [{ of: 'judge', id: words.judgeSystem } as const] : []),
  ] as const
  return used.map(({ of, id }) => ({ of, id, text: ourWords(id) }))
}

/** Those of an exchange under the current terms. */
export const systemPrompts = (state: ExchangeState): readonly SystemPrompt[] =>
  state.terms ? inUse(WORDS[editionOf(state).words], state.terms) : []

/** As everyone is shown them, since edition 2. */
export function systemParts(
  sha256: Sha256,
  fence: Fence,
  state: ExchangeState,
  terms: Terms,
): readonly PromptPart[] {
  const { legible, words } = editionOf(state)
  if (legible === 'none') return []
  return inUse(WORDS[words], terms).map(({ of, id, text }) => ({
    name: `system/${of}`,
    text: fenced(fence, 'system', `system prompt of the ${of}`, text),
    quotes: null,
    template: { id, hash: toHex(sha256(utf8(text))) },
  }))
}
