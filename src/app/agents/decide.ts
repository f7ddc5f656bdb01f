// A person decides: approves or blocks an intent, reviews a proposal, or says how an interrupted call ended.
// The decision is signed by that person's own key, in the home or in a file; no other name can be used.

import { agentsProtocol } from '../../agents/agents.ts'
import type { Payloads, Via } from '../../agents/events.ts'
import type { Pending } from '../../agents/result.ts'
import type { SessionState } from '../../agents/state.ts'
import type { Conditions } from '../../agents/task.ts'
import type { Ports } from '../../clerk/ports.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import { TraceLog } from '../../clerk/trace-log.ts'
import type { WithOpenCalls } from '../../ledger/calls.ts'
import { minutesAfter } from '../../ledger/clock.ts'
import { isWitanError, WitanError } from '../../ledger/errors.ts'
import type { Payload } from '../../ledger/event.ts'
import type { Actor } from '../../protocol.ts'
import type { Home } from '../home/home.ts'
import { findHolder, type KeyAtHand, type KeyFile, keyAtHand } from '../keys/person-key.ts'
import { withoutTypedSecrets } from '../person.ts'
import { withWaitingInputs } from './attached-inputs.ts'

export type { Pending } from '../../agents/result.ts'
export { APPROVAL_MINUTES } from '../../clerk/performers/agents/ports.ts'
export type { KeyAtHand } from '../keys/person-key.ts'

export type SessionLog = TraceLog<WithOpenCalls<SessionState>>

/** Someone who can sign as a critic: by a key of this home, or by one in a file. */
export interface Person {
  readonly actor: Actor
  readonly via: Via
  readonly ports: Ports
}

const ROLE = 'critic'

/** Who decides, and how they prove it. */
export interface Decider {
  readonly name: string
  readonly keyFile: KeyFile | null
  readonly means: (actor: Actor, key: KeyAtHand) => Promise<Via>
}

function criticNamed(registrar: Registrar, name: string): Actor {
  try {
    return registrar.actor(name, ROLE)
  } catch (error) {
    if (!isWitanError(error, 'KEY_NOT_FOUND') && !isWitanError(error, 'KEY_RETIRED')) throw error
    const next = `Give them one: witan keys add ${name} --role ${ROLE}. Or sign with --key FILE.`
    throw new WitanError('KEY_NOT_FOUND', `${name} has no key to decide with`, next)
  }
}

export async function openPerson(home: Home, { name, keyFile, means }: Decider): Promise<Person> {
  const registrar = await home.registrar()
  if (keyFile !== null) return findHolder(home, { role: ROLE, keyFile, means })
  const actor = criticNamed(registrar, name)
  const key = await keyAtHand(home, registrar, actor.key)
  if (!key) {
    const next = 'Name the file of the key: --key FILE.'
    throw new WitanError('KEY_NOT_FOUND', `the private key of ${name} is not in this home`, next)
  }
  return { actor, via: await means(actor, key), ports: home.ports }
}

/** All pending decisions of a person in this session. */
export function pendingIn(log: SessionLog): readonly Pending[] {
  return (
    log.protocol
      .decide(log.state)
      // No person can answer what a host has to.
      .filter(({ call, input }) => call === 'park' && input.host === undefined)
      .map((action) => {
        const kind = action.id.slice(0, action.id.indexOf('/'))
        const { intent, proposal, claim } = action.input
        return { action, kind, subject: String(intent ?? claim ?? proposal ?? '') }
      })
  )
}

export async function openLog(ports: Ports, trace: string): Promise<SessionLog> {
  const log = new TraceLog(ports, agentsProtocol(ports.sha256), trace)
  await log.refresh()
  return log
}

/** A person's answer to a pending decision. */
export type Verdict =
  | {
      readonly as: 'approve'
      readonly minutes: number
      readonly reason: string
      /** Of a proposal: what is approved of it. */
      readonly conditions?: Conditions
    }
  /** For a claim, the same as challenging it as weak. */
  | { readonly as: 'block'; readonly reason: string }
  | { readonly as: 'challenge'; readonly ground: 'weak' | 'contradicted'; readonly reason: string }
  | { readonly as: 'failed' | 'again'; readonly reason: string }

function intentEvent({ action }: Pending, verdict: Verdict, via: Via, now: string): [keyof Payloads, object] {
  const { seat, round: _, ...binding } = action.input
  if (verdict.as !== 'approve')
    return ['intent_blocked', { seat, intent: binding.intent, reason: verdict.reason, via }]
  const expires = minutesAfter(now, verdict.minutes)
  return ['intent_approved', { seat, ...binding, expires, reasons: [verdict.reason], via }]
}

function reviewEvent({ action }: Pending, verdict: Verdict, via: Via): [keyof Payloads, object] {
  const conditions = verdict.as === 'approve' ? (verdict.conditions ?? {}) : {}
  const approved = Object.keys(conditions).length > 0 ? 'conditional' : 'approved'
  const recordedVerdict = verdict.as === 'approve' ? approved : 'rejected'
  return [
    'proposal_reviewed',
    { ...action.input, verdict: recordedVerdict, conditions, reasons: [verdict.reason], via },
  ]
}

function claimEvent({ action }: Pending, verdict: Verdict, via: Via): [keyof Payloads, object] {
  const { claim, seat } = action.input
  if (verdict.as === 'approve') return ['claim_accepted', { claim, seat, unchecked: [], via }]
  const ground = verdict.as === 'challenge' ? verdict.ground : 'weak'
  return ['claim_challenged', { claim, seat, ground, reason: verdict.reason, via }]
}

const NEXT_WORDS: Readonly<Record<string, string>> = {
  resolve: 'Say --as failed or --as again.',
  propose: 'Make a proposal: witan agents propose TRACE FILE.',
  weigh: 'Approve the claim, or challenge it.',
}

const unfitVerdict = (pending: Pending, verdict: Verdict): WitanError =>
  new WitanError(
    'USAGE',
    `${pending.subject} cannot be answered with '${verdict.as}'`,
    NEXT_WORDS[pending.kind] ?? 'Approve or block it.',
  )

export function eventOfVerdict(
  pending: Pending,
  verdict: Verdict,
  via: Via,
  now: string,
): [keyof Payloads, object] {
  const resolves = verdict.as === 'failed' || verdict.as === 'again'
  const isConditional = verdict.as === 'approve' && Object.keys(verdict.conditions ?? {}).length > 0
  if (isConditional && pending.kind !== 'review')
    throw new WitanError(
      'USAGE',
      `${pending.subject} is no proposal: only those are approved on conditions`,
      'Approve it as it is, or block it.',
    )
  if (pending.kind === 'weigh' && !resolves) return claimEvent(pending, verdict, via)
  if (verdict.as === 'challenge') throw unfitVerdict(pending, verdict)
  if (pending.kind === 'judge' && !resolves) return intentEvent(pending, verdict, via, now)
  if (pending.kind === 'review' && !resolves) return reviewEvent(pending, verdict, via)
  if (pending.kind === 'resolve' && resolves) {
    return ['execution_resolved', { intent: pending.subject, as: verdict.as, reason: verdict.reason, via }]
  }
  throw unfitVerdict(pending, verdict)
}

/** A claim that was issued and is not in the final statement yet: a person may challenge it unasked. */
function challengeable({ state }: SessionLog, subject: string | null): Pending | null {
  const { claims, phase } = state.inner
  if (subject === null || phase !== 'claiming' || claims.get(subject)?.status !== 'issued') return null
  const input = { claim: subject, seat: 'human' }
  return { action: { id: `weigh/${subject}/human/1`, call: 'park', input }, kind: 'weigh', subject }
}

/** Finds what the argument means: an id, or the only pending decision. */
export function pendingNamed(log: SessionLog, subject: string | null): Pending {
  const waiting = pendingIn(log)
  const unasked = waiting.some((pending) => pending.subject === subject) ? null : challengeable(log, subject)
  if (unasked) return unasked
  const matching = waiting.filter((pending) => subject === null || pending.subject === subject)
  const [first] = matching
  if (first && matching.length === 1) return first
  const names = waiting.map((pending) => pending.subject).filter((name) => name !== '')
  const message =
    subject === null
      ? `several decisions are pending in ${log.trace}, or none`
      : `no pending decision ${subject} in ${log.trace}`
  const next =
    names.length > 0
      ? `Name one of: ${names.join(', ')}.`
      : 'Nothing is pending there. List what is: witan agents pending'
  throw new WitanError('USAGE', message, next)
}

export async function decideAs(
  person: Person,
  trace: string,
  subject: string | null,
  typed: Verdict,
): Promise<{ readonly pending: Pending; readonly event: keyof Payloads; readonly removed: number }> {
  const log = await openLog(person.ports, trace)
  const { value: reason, removed } = await withoutTypedSecrets(typed.reason)
  const verdict = { ...typed, reason }
  const pending = pendingNamed(log, subject)
  const [type, payload] = eventOfVerdict(pending, verdict, person.via, person.ports.now())
  const fullPayload = { action: pending.action.id, ...payload } as Payload
  await log.append([{ type, actor: person.actor, payload: fullPayload }])
  return { pending, event: type, removed }
}

/** A person's decision, and how they prove presence once they know what it is about. */
export interface Deciding extends Pick<Decider, 'name' | 'keyFile'> {
  /** Null for the only pending decision. */
  readonly subject: string | null
  readonly verdict: Verdict
  readonly means: (
    about: { readonly pending: Pending; readonly state: SessionState },
    agent: string,
    key: KeyAtHand,
  ) => Promise<Via>
}

export interface Decided {
  readonly trace: string
  readonly subject: string
  readonly event: keyof Payloads
  readonly by: string
  readonly via: Via
  /** How many secrets were removed from the reason. */
  readonly removed: number
}

/** One decision of a person, signed with their own key. */
export async function decide(
  home: Home,
  trace: string,
  { subject, verdict, name, keyFile, means }: Deciding,
): Promise<Decided> {
  const log = await openLog(home.ports, trace)
  const pending = pendingNamed(log, subject)
  const about = { pending, state: await withWaitingInputs(home.ports, log.state.inner) }
  const person = await openPerson(home, {
    name,
    keyFile,
    means: ({ agent }, key) => means(about, agent, key),
  })
  const { event, removed } = await decideAs(person, trace, pending.subject, verdict)
  return { trace, subject: pending.subject, event, by: person.actor.agent, via: person.via, removed }
}
