// A pending decision, as the server sends it.

import type { Plan } from '../../../../agents/task.ts'
import type { Json } from '../../../../ledger/canonical.ts'
import { actOf } from '../../../../render/call-words.ts'

export interface Decision {
  readonly trace: string
  readonly action: { readonly id: string }
  readonly kind: string
  readonly subject: string
  readonly objective: string
  readonly about: readonly string[]
  readonly tool: string | null
  readonly input: Json | null
  readonly diff: readonly string[] | null
  readonly reason: string
  /** Why the call that this one revises was blocked; null where there was none. */
  readonly blocked: string | null
  readonly policy: {
    readonly decision: string
    readonly needs: string
    readonly risk: string
    readonly reasons: readonly string[]
  } | null
  readonly plan: Plan | null
  readonly claim: {
    readonly text: string
    readonly confidence: string
    readonly evidence: readonly { readonly artifact: string; readonly quote: string }[]
  } | null
  readonly proof: string | null
  readonly commands: readonly string[]
  readonly said: readonly {
    readonly seat: string
    readonly verdict: string
    readonly reasons: readonly string[]
    /** Of an approval: when it ends. */
    readonly expires: string | null
  }[]
  readonly definition: string | null
  /** The artifact with the policies in force. */
  readonly policy_text: string | null
}

/** The file, command or address of a call: a change is meaningless without its place. */
export const targetOf = ({ tool, input }: Pick<Decision, 'tool' | 'input'>): string | null =>
  (tool === null ? null : actOf(tool, input))?.target ?? null

/** In one line, the place first: the content may be long. */
export function objectText(decision: Decision): string {
  const target = targetOf(decision)
  return target === null ? (decision.about[0] ?? '') : `${decision.tool} ${target}`
}
