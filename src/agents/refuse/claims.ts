// Guards of claims: a claim is based on artifacts of executions that have ended, as many as the task
// requires; it is what was planned or answered; and the final statement bundles all that hold once nothing is
// open.

import { canonicalize } from '../../ledger/canonical.ts'
import type { Occurrence, Refusal } from '../../protocol.ts'
import { isAttached } from '../attached/attached.ts'
import { type ClaimWanted, claimsWanted, factsWanted, isSettled, mendedClaim } from '../claiming.ts'
import { claimJudges, opinionOf } from '../critics.ts'
import { statementOf } from '../decide.ts'
import { CLAIMS, EXECUTIONS, OPINIONS, PLANS, PROGRESS } from '../erased-evidence.ts'
import type { Evidence, Payloads } from '../events.ts'
import { type Intent, isExecuting, isQuotable, type SessionState } from '../state.ts'
import { malformed, notAllowed, notFinal, outOfOrder, unproven } from './refusals.ts'

/** Which claims are due follows from the plans, from what was done and from the outcome of other claims. */
const WANTED = [...PLANS, ...PROGRESS, ...CLAIMS, 'gap_recorded']

function refuseEvidence(state: SessionState, evidence: readonly Evidence[]): Refusal | null {
  const least = state.task?.evidence_min ?? 1
  const distinct = new Set(evidence.map(({ artifact, quote }) => `${artifact} ${quote}`)).size
  if (distinct < least) return unproven(`${distinct} pieces of evidence, ${least} are the least`)
  const strange = evidence.find(({ artifact }) => !isQuotable(state, artifact))
  if (strange)
    return unproven(
      `no ended execution left an artifact ${strange.artifact} that can be quoted`,
      ...EXECUTIONS,
    )
  const backwards = evidence.some(({ range }) => range !== null && range[0] >= range[1])
  return backwards ? malformed('a range ends before it starts') : null
}

function wantedClaim(state: SessionState, id: string): ClaimWanted | undefined {
  const mended = [...state.claims.values()].flatMap((claim) => mendedClaim(state, claim) ?? [])
  return [...claimsWanted(state), ...mended, ...factsWanted(state)].find((wanted) => wanted.id === id)
}

export function refuseClaim(state: SessionState, claim: Payloads['claim_issued']): Refusal | null {
  const refused = refuseEvidence(state, claim.evidence)
  if (refused) return refused
  if (state.claims.has(claim.claim)) return outOfOrder(`${claim.claim} was issued already`)
  const wanted = wantedClaim(state, claim.claim)
  if (!wanted) return outOfOrder(`${claim.claim} is not a claim that is due`, ...WANTED)
  const quotes = claim.evidence.map(({ quote }) => quote)
  const isSaid =
    claim.text === wanted.text &&
    claim.confidence === wanted.confidence &&
    claim.proposal === wanted.proposal &&
    claim.revises === wanted.revises &&
    canonicalize(quotes) === canonicalize(wanted.evidence.map(({ quote }) => quote))
  const other = 'the claim is not what was planned or answered'
  // A written claim is known with its plan; only what its steps left may be missing.
  const isPlanned = isWritten(state, wanted)
  if (!isSaid) return malformed(other, ...(isPlanned ? [] : WANTED))
  const isSupported = claim.evidence.every(({ artifact }, i) =>
    wanted.evidence[i]?.artifacts.includes(artifact),
  )
  return isSupported ? null : malformed(other, ...(isPlanned ? EXECUTIONS : WANTED))
}

function isWritten(state: SessionState, { id, proposal }: ClaimWanted): boolean {
  const claims = state.proposals.get(proposal)?.plan.claims ?? []
  return claims.some((_, i) => id === `${proposal}-c${i + 1}`)
}

export function refuseWithdrawal(
  state: SessionState,
  { claim: id }: Payloads['claim_withdrawn'],
): Refusal | null {
  const claim = state.claims.get(id)
  if (!claim) {
    const wanted = wantedClaim(state, id)
    if (!wanted) return outOfOrder(`there is no claim ${id}`, ...WANTED)
    return wanted.fault === null ? outOfOrder(`nothing keeps ${id} from being issued`, 'claim_issued') : null
  }
  return claim.status === 'challenged' ? null : outOfOrder(`${id} is not challenged`, 'claim_challenged')
}

export function refuseWeighing(
  state: SessionState,
  event: Occurrence,
  payload: Payloads['claim_accepted'] | Payloads['claim_challenged'],
): Refusal | null {
  const { task } = state
  const claim = state.claims.get(payload.claim)
  if (!task || !claim) return outOfOrder(`${payload.claim} was never issued`, 'claim_issued')
  if (claim.status === 'revised' || claim.status === 'withdrawn')
    return outOfOrder(`${claim.id} is ${claim.status} already`)
  const before = [...claim.accepted, ...claim.challenges.map(({ seat }) => seat)]
  if (before.includes(payload.seat)) return outOfOrder(`${payload.seat} has weighed ${claim.id} already`)
  const seat = claimJudges(task).find((weigher) => weigher.seat === payload.seat)
  const accepts = event.type === 'claim_accepted'
  if (!seat) return accepts ? notAllowed(`the seat ${payload.seat} is not asked about claims`) : null
  if (seat.kind !== 'mind') return null
  const opinion = opinionOf(state, claim.id, seat.seat, 1)
  if (opinion === undefined) return outOfOrder(`${seat.seat} was not heard on it`, ...OPINIONS)
  const approves = opinion !== 'failed' && opinion.verdict === 'approve'
  return approves === accepts ? null : notAllowed(`${seat.seat} is known to think otherwise`)
}

const sorted = (items: readonly string[]): string => [...items].sort().join('\n')

/** Checks what folding decides; the audit checks bytes of artifacts. */
export function refuseStatement(
  state: SessionState,
  { claims, unproven: left }: Payloads['final_statement_signed'],
): Refusal | null {
  const { task } = state
  if (!task) return outOfOrder('nothing was opened', 'session_initialized')
  if (claims.length === 0) return notFinal('a final statement bundles at least one claim')
  const open = [...state.claims.values()].find(({ status }) => status === 'challenged')
  if (open) return notFinal(`the challenge of ${open.id} is open`, 'claim_issued', 'claim_withdrawn')
  // The outcome of what a host left unfinished stays unknown, and the claim says so.
  const isLeft = ({ status }: Intent): boolean => status === 'indeterminate' && isAttached(task)
  if ([...state.intents.values()].some((intent) => isExecuting(intent) && !isLeft(intent)))
    return notFinal('an execution is open', ...EXECUTIONS, 'execution_resolved')
  const unweighed = [...state.claims.values()].find((claim) => !isSettled(task, claim))
  if (unweighed) return notFinal(`${unweighed.id} is not weighed by every critic`, 'claim_accepted')
  const wanted = claimsWanted(state).find(({ id }) => !state.claims.has(id))
  if (wanted)
    return notFinal(`${wanted.id} is neither issued nor withdrawn`, 'claim_issued', 'claim_withdrawn')
  const right = statementOf(state)
  if (sorted(claims) !== sorted(right.claims))
    return notFinal('it does not bundle exactly the claims that stand', 'claim_issued', 'claim_accepted')
  return sorted(left.map(({ text }) => text)) === sorted(right.unproven.map(({ text }) => text))
    ? null
    : notFinal('it does not list what was withdrawn', 'claim_withdrawn')
}

export function refuseAudit(
  state: SessionState,
  payload: Payloads['verification_run_completed'],
): Refusal | null {
  const { audit } = state
  if (!audit) return outOfOrder('no verification was started', 'verification_run_started')
  const { trace, size, head, report, artifacts } = payload
  if (trace !== audit.trace || size !== audit.size || head !== audit.hash)
    return outOfOrder('it verified something else than the trace up to verification_run_started')
  const hasReport = artifacts.some(({ hash }) => hash === report)
  return hasReport ? null : malformed('the report is not among the artifacts')
}
