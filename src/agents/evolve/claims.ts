// Folds claims: the claims, verdicts of critics on them, their revision or withdrawal, and the statement that
// bundles those that are left.

import type { Payloads } from '../events.ts'
import { phaseAfter } from '../lifecycle.ts'
import type { Claim, SessionState } from '../state.ts'
import { replaced } from './plans.ts'

export function foldClaim(state: SessionState, payload: Payloads['claim_issued']): SessionState {
  if (state.claims.has(payload.claim)) return state
  const claim: Claim = {
    id: payload.claim,
    proposal: payload.proposal,
    text: payload.text,
    confidence: payload.confidence,
    evidence: payload.evidence,
    revises: payload.revises,
    status: 'issued',
    accepted: [],
    challenges: [],
    mending: null,
    mendingAsked: 0,
    reason: null,
  }
  const before =
    payload.revises === null
      ? state.claims
      : replaced(state.claims, payload.revises, { status: 'revised', mending: null })
  return { ...state, claims: new Map(before).set(claim.id, claim) }
}

export function foldWithdrawal(
  state: SessionState,
  { claim: id, text, reason }: Payloads['claim_withdrawn'],
): SessionState {
  if (state.claims.has(id)) {
    return { ...state, claims: replaced(state.claims, id, { status: 'withdrawn', reason }) }
  }
  const claim: Claim = {
    id,
    proposal: '',
    text,
    confidence: 'low',
    evidence: [],
    revises: null,
    status: 'withdrawn',
    accepted: [],
    challenges: [],
    mending: null,
    mendingAsked: 0,
    reason,
  }
  return { ...state, claims: new Map(state.claims).set(id, claim) }
}

export function foldWeighing(
  state: SessionState,
  payload: Payloads['claim_accepted'] | Payloads['claim_challenged'],
): SessionState {
  const claim = state.claims.get(payload.claim)
  if (!claim || claim.status === 'revised' || claim.status === 'withdrawn') return state
  const part: Partial<Claim> =
    'ground' in payload
      ? { status: 'challenged', challenges: [...claim.challenges, payload] }
      : { accepted: [...claim.accepted, payload.seat] }
  return { ...state, claims: replaced(state.claims, claim.id, part) }
}

export function foldStatement(
  state: SessionState,
  statement: Payloads['final_statement_signed'],
): SessionState {
  const phase = statement.claims.length > 0 ? phaseAfter(state.phase, 5) : state.phase
  return { ...state, phase, statement }
}
