// What a session came to, as a plain value: what was proven by which quotes, what was not, and what became of each
// proposal.

import type { SessionState } from '../../agents/state.ts'

export function sessionValue(
  trace: string,
  { phase, claims, statement, proposals, limit, cost }: SessionState,
) {
  const bundled = statement?.claims ?? []
  return {
    trace,
    status: phase,
    proven: [...claims.values()]
      .filter(({ id }) => bundled.includes(id))
      .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }))
      .map(({ id, text, confidence, evidence }) => ({ id, text, confidence, evidence })),
    unproven: statement?.unproven ?? [],
    proposals: [...proposals.values()].map(({ id, plan, status, closed }) => ({
      id,
      objective: plan.objective,
      status,
      outcome: closed?.outcome ?? null,
      reason: closed?.reason ?? null,
    })),
    limit,
    cost,
  }
}
