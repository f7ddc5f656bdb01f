// What a session came to, as a plain value: what was proven by which quotes, what was not, and what became of each
// proposal.

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
  // A claim whose audit failed, or never came, is not proven by having been stated.
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

/** What a session came to. */
export type SessionResult = ReturnType<typeof resultOf>

/** The audit passed, but no proposal succeeded. */
export const endedWithoutSuccess = ({ status, proposals }: SessionResult): boolean =>
  status === 'completed' && proposals.every(({ outcome }) => outcome !== 'succeeded')

/** What a session that is over came to, in a word. */
export function outcomeWords(result: SessionResult): string {
  if (!endedWithoutSuccess(result)) return result.status
  return result.proven.length === 0 ? 'nothing proven' : 'nothing succeeded'
}

/** As programs are given it: `status` is the word that lists say too, `phase` the state of the protocol. */
export const resultJson = (result: SessionResult) => ({
  ...result,
  status: outcomeWords(result),
  phase: result.status,
})

/** Something that waits for a person. */
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
  /** Where the session works, as far as that is known here. */
  readonly folder?: string | null
  /** What the tool says of itself, where its definition is available. */
  readonly about_tool?: string | null
}

/** How far a session came: to its end, or to someone it waits for. */
export type SessionOutcome =
  /** Signatures or chain do not hold: failed for every reader, wherever it stood. */
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
