// A person decides: approves or blocks an intent, reviews a proposal, says what became of a call that was cut off.
// The words are signed by that person's own key, in the home or in a file; nobody else's name can be used for them.

import { agentsProtocol } from '../../agents/agents.ts'
import type { Payloads, Via } from '../../agents/events.ts'
import type { SessionState } from '../../agents/state.ts'
import type { Ports, SignRequest } from '../../clerk/ports.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import { TraceLog } from '../../clerk/trace-log.ts'
import { askPassphrase } from '../../doors/cli/agents/presence.ts'
import type { Called } from '../../ledger/calls.ts'
import { isWitanError, WitanError } from '../../ledger/errors.ts'
import type { Payload } from '../../ledger/event.ts'
import type { Action, Actor } from '../../protocol.ts'
import { lookAtKeyFile, readPrivateKeyFile } from '../../stores/keyring.ts'
import type { Home } from '../home/home.ts'
import { withoutTypedSecrets } from '../typed-words.ts'

export type SessionLog = TraceLog<Called<SessionState>>

/** Someone who can sign as a critic: by a key of this home, or by one that they brought. */
export interface Person {
  readonly actor: Actor
  readonly via: Via
  readonly ports: Ports
}

const ROLE = 'critic'

/** Who decides, and how they show that it is them. */
export interface Decider {
  readonly name: string
  readonly keyFile: string | null
  readonly means: (actor: Actor) => Promise<Via>
}

export async function personOf(
  home: Home,
  registrar: Registrar,
  { name, keyFile, means }: Decider,
): Promise<Person> {
  if (keyFile === null) {
    try {
      const actor = registrar.actor(name, ROLE)
      return { actor, via: await means(actor), ports: home.ports }
    } catch (error) {
      if (!isWitanError(error, 'KEY_NOT_FOUND') && !isWitanError(error, 'KEY_RETIRED')) throw error
      const next = `Give them one: witan keys add ${name} --role ${ROLE}. Or sign with --key FILE.`
      throw new WitanError('KEY_NOT_FOUND', `${name} has no key to decide with`, next)
    }
  }
  const { id, locked } = await lookAtKeyFile(keyFile)
  const isOurs = (await home.keyring.list()).some((entry) => entry.id === id)
  const passphrase = locked && !isOurs ? await askPassphrase(`Passphrase of ${keyFile}: `) : null
  const known = registrar.log.state.keys.get(id)
  if (!known) {
    const next = `Register it first: witan keys add NAME --role ${ROLE} --public FILE`
    throw new WitanError('KEY_NOT_FOUND', `the key in ${keyFile} is not registered here`, next)
  }
  const actor = { agent: known.agent, role: ROLE, key: id }
  // A key that lies in this home was not brought along: any program here can name its file.
  if (isOurs) return { actor, via: await means(actor), ports: home.ports }
  const key = await readPrivateKeyFile(keyFile, passphrase)
  const sign = async (requests: readonly SignRequest[]): Promise<readonly Uint8Array[]> =>
    Promise.all(
      requests.map(async (request) =>
        request.actor.key === key.id
          ? key.sign(request.message)
          : ((await home.ports.sign([request]))[0] ?? new Uint8Array()),
      ),
    )
  return {
    actor,
    via: 'file',
    ports: { ...home.ports, sign },
  }
}

/** Something that waits for a person. */
export interface Pending {
  /** `judge/…`, `review/…`, `resolve/…`, `propose/…`. */
  readonly action: Action
  readonly kind: string
  /** What a person names to decide it: an intent or a proposal. */
  readonly subject: string
}

/** Everything that waits for a person in this session. */
export function pendingIn(log: SessionLog): readonly Pending[] {
  return log.protocol
    .decide(log.state)
    .filter(({ call }) => call === 'park')
    .map((action) => {
      const kind = action.id.slice(0, action.id.indexOf('/'))
      const { intent, proposal } = action.input
      return { action, kind, subject: String(intent ?? proposal ?? '') }
    })
}

export async function logOf(ports: Ports, trace: string): Promise<SessionLog> {
  const log = new TraceLog(ports, agentsProtocol(ports.sha256), trace)
  await log.refresh()
  return log
}

/** A person's word on what waits for it. */
export type Verdict =
  | { readonly as: 'approve'; readonly minutes: number; readonly reason: string }
  | { readonly as: 'block'; readonly reason: string }
  | { readonly as: 'failed' | 'again'; readonly reason: string }

function judged({ action }: Pending, verdict: Verdict, via: Via, now: string): [keyof Payloads, object] {
  const { seat, round: _, ...binding } = action.input
  if (verdict.as !== 'approve')
    return ['intent_blocked', { seat, intent: binding.intent, reason: verdict.reason, via }]
  const expires = new Date(Date.parse(now) + verdict.minutes * 60_000).toISOString()
  return ['intent_approved', { seat, ...binding, expires, reasons: [verdict.reason], via }]
}

function reviewed({ action }: Pending, verdict: Verdict, via: Via): [keyof Payloads, object] {
  const said = verdict.as === 'approve' ? 'approved' : 'rejected'
  return [
    'proposal_reviewed',
    { ...action.input, verdict: said, conditions: {}, reasons: [verdict.reason], via },
  ]
}

const misplaced = (pending: Pending, verdict: Verdict): WitanError =>
  new WitanError(
    'USAGE',
    `${pending.subject} cannot be answered with '${verdict.as}'`,
    pending.kind === 'resolve' ? 'Say --as failed or --as again.' : 'Approve or block it.',
  )

function sayingOf(pending: Pending, verdict: Verdict, via: Via, now: string): [keyof Payloads, object] {
  const resolves = verdict.as === 'failed' || verdict.as === 'again'
  if (pending.kind === 'judge' && !resolves) return judged(pending, verdict, via, now)
  if (pending.kind === 'review' && !resolves) return reviewed(pending, verdict, via)
  if (pending.kind === 'resolve' && resolves) {
    return ['execution_resolved', { intent: pending.subject, as: verdict.as, reason: verdict.reason, via }]
  }
  throw misplaced(pending, verdict)
}

/** Finds what is meant: an id, or the only thing that waits. */
export function pendingNamed(log: SessionLog, subject: string | null): Pending {
  const waiting = pendingIn(log)
  const found = waiting.filter((pending) => subject === null || pending.subject === subject)
  const [one] = found
  if (one && found.length === 1) return one
  const names = waiting.map((pending) => pending.subject).filter((name) => name !== '')
  const message =
    subject === null
      ? 'it is not clear what is meant'
      : `nothing in ${log.trace} waits for a word on ${subject}`
  const next = names.length > 0 ? `Waiting: ${names.join(', ')}.` : 'Nothing waits for anybody here.'
  throw new WitanError('USAGE', message, next)
}

export async function decideAs(
  person: Person,
  trace: string,
  subject: string | null,
  typed: Verdict,
): Promise<{ readonly pending: Pending; readonly event: keyof Payloads; readonly removed: number }> {
  const log = await logOf(person.ports, trace)
  const { value: reason, removed } = await withoutTypedSecrets(typed.reason)
  const verdict = { ...typed, reason }
  const pending = pendingNamed(log, subject)
  const [type, payload] = sayingOf(pending, verdict, person.via, person.ports.now())
  const said = { action: pending.action.id, ...payload } as Payload
  await log.append([{ type, actor: person.actor, payload: said }])
  return { pending, event: type, removed }
}
