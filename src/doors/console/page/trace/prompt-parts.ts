// A recorded request to a model is kept as parts, each with what it quotes. Anything else is not a request.

import type { PromptPart } from '../../../../ledger/prompt.ts'

const isPart = (value: unknown): value is PromptPart => {
  const { name, text, quotes } = (value ?? {}) as Partial<Record<keyof PromptPart, unknown>>
  if (typeof name !== 'string' || typeof text !== 'string') return false
  if (quotes === null || quotes === undefined) return true
  const { kind, id } = quotes as { readonly kind?: unknown; readonly id?: unknown }
  return typeof kind === 'string' && typeof id === 'string'
}

/** Null for a text that is not a request. */
export function readPromptParts(text: string): readonly PromptPart[] | null {
  if (!text.startsWith('{')) return null
  try {
    const { parts } = JSON.parse(text) as { readonly parts?: unknown }
    return Array.isArray(parts) && parts.length > 0 && parts.every(isPart) ? parts : null
  } catch {
    // Not JSON, so not a request.
    return null
  }
}
