// What the minutes keep of asking a mind, in the payload of whatever event tells of it: by which way, which model
// answered as it says itself, what it took and cost, and every try. Request and reply stand beside it as artifacts.

import type { Artifact } from './event.ts'

/** What a payload tells of an asking: who answered, how, at what cost, and where request and reply are kept. */
export interface AskingFields<Way extends string = string> {
  /** `request.json` and `reply.json`. */
  readonly artifacts: readonly Artifact[]
  readonly transport: Way
  readonly model: string | null
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly cost: { readonly usd: number; readonly from: string } | null
  readonly latency_ms: number
  readonly attempts: readonly {
    readonly transport: Way
    readonly error_type: string | null
    readonly cause: string | null
    readonly error_message: string | null
    readonly latency_ms: number
    readonly waited_ms: number
  }[]
}
