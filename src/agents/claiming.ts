// Which claims are made once the work is over, and which of them hold. A claim contains what a plan wrote or
// a model answered, never more; when none of these holds, the session claims only the plain facts of what was
// run.

import { utf8 } from '../ledger/bytes.ts'
import { canonicalize } from '../ledger/canonical.ts'
import { isAttached } from './attached/attached.ts'
import { attachedClaim } from './attached/claim.ts'
import { claimJudges } from './critics.ts'
import type { ThoughtClaim } from './replies.ts'
import { type Claim, type Intent, intentsOf, isQuotable, type Proposal, type SessionState } from './state.ts'
import type { Confidence, Task } from './task.ts'

/** A quote, and the artifacts that may contain it. */
export interface Quote {
  readonly artifacts: readonly string[]
  readonly quote: string
}

export interface ClaimWanted {
  readonly id: string
  readonly proposal: string
  readonly text: string
  readonly confidence: Confidence
  readonly evidence: readonly Quote[]
  readonly revises: string | null
  /** Why it cannot even be issued. */
  readonly fault: string | null
}

const outputs = ({ artifacts, inputHash }: Intent): readonly string[] => {
  const others = artifacts.filter((hash) => hash !== inputHash)
  return others.length > 0 ? others : artifacts
}

function faultOf(state: SessionState, evidence: readonly Quote[], missing: string | null): string | null {
  if (missing !== null) return missing
  const least = state.task?.evidence_min ?? 1
  const distinct = new Set(evidence.map(({ artifacts, quote }) => canonicalize([artifacts, quote]))).size
  if (distinct < least) return `it has ${distinct} pieces of evidence, ${least} are the least`
  const known = evidence.every(({ artifacts }) => artifacts.every((hash) => isQuotable(state, hash)))
  return known
    ? null
    : 'its evidence was left by no execution of this session, or is too long to be looked into'
}

function claimsOfPlan(state: SessionState, proposal: Proposal): readonly ClaimWanted[] {
  const own = intentsOf(state, proposal.id)
  return (proposal.plan.claims ?? []).map(({ text, confidence, evidence }, i) => {
    const ran = evidence.map(({ step, quote }) => {
      const intent = own.findLast((candidate) => candidate.step === step && candidate.status === 'completed')
      return { step, quote, artifacts: intent ? outputs(intent) : [] }
    })
    const absent = ran.find(({ artifacts }) => artifacts.length === 0)
    const grounds = ran.map(({ artifacts, quote }) => ({ artifacts, quote }))
    const fault = faultOf(state, grounds, absent ? `step ${absent.step} did not complete` : null)
    const id = `${proposal.id}-c${i + 1}`
    return { id, proposal: proposal.id, text, confidence, evidence: grounds, revises: null, fault }
  })
}

const quotesOf = ({ evidence }: ThoughtClaim): readonly Quote[] =>
  evidence.map(({ artifact, quote }) => ({ artifacts: [artifact], quote }))

const claimOfReply = (
  state: SessionState,
  claim: ThoughtClaim,
  place: Pick<ClaimWanted, 'id' | 'proposal' | 'revises'>,
): ClaimWanted => {
  const { text, confidence } = claim
  const evidence = quotesOf(claim)
  return { ...place, text, confidence, evidence, fault: faultOf(state, evidence, null) }
}

/** Of an attached session: what the record itself shows, and nothing of what the host says. */
function attachedWanted(state: SessionState, proposal: string): readonly ClaimWanted[] {
  const { task } = state
  const { text, evidence } = task ? attachedClaim(state, task) : { text: '', evidence: [] }
  if (evidence.length === 0) return []
  const fault = faultOf(state, evidence, null)
  return [{ id: `${proposal}-c1`, proposal, text, confidence: 'high', evidence, revises: null, fault }]
}

/** All claims from plans and models, without revisions. */
export function claimsWanted(state: SessionState): readonly ClaimWanted[] {
  const closed = [...state.proposals.values()].filter(({ status }) => status === 'closed')
  if (state.task && isAttached(state.task)) return closed.flatMap(({ id }) => attachedWanted(state, id))
  return closed.flatMap((proposal) => [
    ...claimsOfPlan(state, proposal),
    ...proposal.claims.map((claim, i) => {
      const id = `${proposal.id}-c${(proposal.plan.claims?.length ?? 0) + i + 1}`
      return claimOfReply(state, claim, { id, proposal: proposal.id, revises: null })
    }),
  ])
}

/** How often this claim was revised before. */
export function claimDepth(state: SessionState, claim: Claim): number {
  let depth = 0
  for (let id = claim.revises; id !== null; id = state.claims.get(id)?.revises ?? null) depth++
  return depth
}

/** A model's revision of a claim that was challenged. */
export function mendedClaim(state: SessionState, claim: Claim): ClaimWanted | null {
  if (!claim.mending) return null
  const id = `${claim.id.replace(/-r\d+$/, '')}-r${claimDepth(state, claim) + 1}`
  return claimOfReply(state, claim.mending, { id, proposal: claim.proposal, revises: claim.id })
}

const QUOTED = 1_000

/** The input itself proves that a tool was called with it. */
export function factsWanted(state: SessionState): readonly ClaimWanted[] {
  const ran = [...state.intents.values()].filter(
    ({ status, input, artifacts, inputHash }) =>
      (status === 'completed' || status === 'failed') && input !== null && artifacts.includes(inputHash),
  )
  return ran.map((intent) => {
    const quote = [...canonicalize(intent.input)].slice(0, QUOTED).join('')
    const evidence = [{ artifacts: [intent.inputHash], quote }]
    const text = `${intent.tool} was called with this input and ${intent.status}.`
    const fault = faultOf(state, evidence, null)
    const { proposal } = intent
    return { id: `${intent.id}-fact`, proposal, text, confidence: 'high', evidence, revises: null, fault }
  })
}

/** Accepted by every critic that reviews claims, and challenged by none. */
const isAccepted = (task: Task, claim: Claim): boolean =>
  claim.status === 'issued' && claimJudges(task).every(({ seat }) => claim.accepted.includes(seat))

export const isSettled = (task: Task, claim: Claim): boolean =>
  claim.status === 'revised' || claim.status === 'withdrawn' || isAccepted(task, claim)

export const acceptedClaims = (state: SessionState): readonly Claim[] => {
  const { task } = state
  return task ? [...state.claims.values()].filter((claim) => isAccepted(task, claim)) : []
}

/** The byte range [start, end) of a quote; null when it is not found. */
export function findQuote(bytes: Uint8Array, quote: string): readonly [number, number] | null {
  const wanted = utf8(quote)
  if (wanted.length === 0) return null
  const last = bytes.length - wanted.length
  const [first = 0] = wanted
  for (let at = bytes.indexOf(first); at >= 0 && at <= last; at = bytes.indexOf(first, at + 1)) {
    if (standsAt(bytes, at, wanted)) return [at, at + wanted.length]
  }
  return null
}

function standsAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false
  return true
}

/** Whether a quote stands exactly in this range. */
function standsIn(bytes: Uint8Array, [start, end]: readonly [number, number], quote: string): boolean {
  const wanted = utf8(quote)
  return end - start === wanted.length && end <= bytes.length && standsAt(bytes, start, wanted)
}

export interface QuoteCheck {
  /** Why the evidence does not contain what the claim quotes. */
  readonly contradicted: string | null
  /** Artifacts that were not available. */
  readonly unchecked: readonly string[]
}

/** What the policy says about a claim's quotes; missing bytes are left to the audit. */
export function checkQuotes(
  evidence: Claim['evidence'],
  content: (hash: string) => Uint8Array | null,
): QuoteCheck {
  const unchecked: string[] = []
  for (const { artifact, range, quote } of evidence) {
    const bytes = content(artifact)
    if (!bytes) unchecked.push(artifact)
    else if (range === null || !standsIn(bytes, range, quote))
      return { contradicted: `a quote is not in the artifact ${artifact} where it should be`, unchecked }
  }
  return { contradicted: null, unchecked }
}
