// A decision that waits, as the server tells it.

import type { Plan } from '../../../../agents/task.ts'
import type { Json } from '../../../../ledger/canonical.ts'

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
