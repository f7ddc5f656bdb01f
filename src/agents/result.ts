// The result of a session as a plain value: what was proven by which quotes, what was not, and the outcome of
// each proposal.

import type { Action } from '../protocol.ts'
import type { SessionState } from './state.ts'

const UNAUDITED: Readonly<Record<string, string>> = {
  failed: 'the audit failed',
  aborted: 'the session was aborted before its audit',
}

export function resultOf(
  trace: string,
  { phase, claims, statement, proposals, limit, cost, task }: SessionState,
) {
  const bundled = statement?.claims ?? []
  const stated = [...claims.values()]
    .filter(({ id }) => bundled.includes(id))
    .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }))
  // A claim whose audit failed or never took place is not proven by being stated.
  const isAudited = phase === 'completed'
  return {
    trace,
    status: phase,
    proven: isAudited
      ? stated.map(({ id, text, confidence, evidence }) => ({ id, text, confidence, evidence }))
      : [],
    unproven: [
      ...(statement?.unproven ?? []),
      ...(isAudited
        ? []
        : stated.map(({ text }) => ({ text, reason: UNAUDITED[phase] ?? 'not audited yet' }))),
    ],
    proposals: [...proposals.values()].map(({ id, plan, status, closed }) => ({
      id,
      objective: plan.objective,
      status,
      outcome: closed?.outcome ?? null,
      reason: closed?.reason ?? null,
    })),
    limit,
    cost,
    ...(task?.scripted && { scripted: true as const }),
  }
}

/** The outcome of a session. */
export type SessionResult = ReturnType<typeof resultOf>

/** The audit passed, but no proposal succeeded. */
export const endedWithoutSuccess = ({ status, proposals }: SessionResult): boolean =>
  status === 'completed' && proposals.every(({ outcome }) => outcome !== 'succeeded')

/** The outcome of a finished session in one word. */
export function outcomeWords(result: SessionResult): string {
  if (!endedWithoutSuccess(result)) return result.status
  return result.proven.length === 0 ? 'nothing proven' : 'nothing succeeded'
}

/** As programs receive it: `status` is the word that lists also use, `phase` the state of the protocol. */
export const resultJson = (result: SessionResult) => ({
  ...result,
  status: outcomeWords(result),
  phase: result.status,
})

/** A pending decision of a person. */
export interface Pending {
  /** `judge/…`, `review/…`, `resolve/…`, `propose/…`, `weigh/…`. */
  readonly action: Action
  readonly kind: string
  /** What a person names to decide it: an intent, a proposal or a claim. */
  readonly subject: string
  /** Of a write, what it would change, where that is known. */
  readonly diff?: readonly string[] | null
  /** Of a write, whether there is such a file now; null where that is not known. */
  readonly exists?: boolean | null
  /** For a write: whether the file exists now; null where that is not known. */
  readonly folder?: string | null
  /** The tool's own description, where its definition is available. */
  readonly about_tool?: string | null
}

/** How far a session came: to its end, or to a person's pending decision. */
export type SessionOutcome =
  /** Signatures or chain are invalid: failed for every reader, in any phase. */
  | { readonly kind: 'unsound'; readonly trace: string; readonly reason: string }
  | {
      readonly kind: 'over'
      readonly trace: string
      readonly state: SessionState
      readonly result: SessionResult
    }
  | {
      readonly kind: 'waiting'
      readonly trace: string
      readonly state: SessionState
      readonly pending: readonly Pending[]
      readonly parked: readonly Action[]
      /** What a person types to answer. */
      readonly commands: readonly string[]
      /** Everything that was proposed is rejected, or a step was blocked and waits for its revision. */
      readonly rejected: boolean
    }
