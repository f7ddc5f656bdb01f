// A person decides: approves or blocks an intent, reviews a proposal, says what became of a call that was cut off.
// The words are signed by that person's own key, in the home or in a file; nobody else's name can be used for them.

import { agentsProtocol } from '../../agents/agents.ts'
import type { Payloads, Via } from '../../agents/events.ts'
import type { SessionState } from '../../agents/state.ts'
import type { Ports, SignRequest } from '../../clerk/ports.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import { TraceLog } from '../../clerk/trace-log.ts'
import type { Called } from '../../ledger/calls.ts'
import { isWitanError, WitanError } from '../../ledger/errors.ts'
import type { Payload } from '../../ledger/event.ts'
import type { Action, Actor } from '../../protocol.ts'
import { lookAtKeyFile, type PrivateKey, readPrivateKeyFile } from '../../stores/keyring.ts'
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

/** The key that a person would sign with, as far as it is on this machine. */
export interface KeyAtHand {
  readonly isLocked: boolean
  /** Whether the passphrase shows a person: nobody ever had the key without it. */
  readonly isSafe: boolean
  readonly unlock: (passphrase: string) => Promise<void>
}

/** Who decides, and how they show that it is them. */
export interface Decider {
  readonly name: string
  readonly keyFile: KeyFile | null
  readonly means: (actor: Actor, key: KeyAtHand) => Promise<Via>
}

/** A key that was brought along, and how its passphrase is asked for. */
export interface KeyFile {
  readonly path: string
  readonly askPassphrase: (question: string) => Promise<string>
}

type Keys = Pick<Home, 'keyring' | 'ports'>

/** Null when the private key is not in this home. */
export async function keyAtHand(home: Keys, registrar: Registrar, id: string): Promise<KeyAtHand | null> {
  const entry = (await home.keyring.list()).find((one) => one.id === id)
  if (!entry) return null
  return {
    isLocked: entry.locked,
    isSafe: entry.locked && registrar.log.state.keys.get(id)?.locked === true,
    unlock: (passphrase) => home.keyring.unlock(id, passphrase),
  }
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

export async function personOf(home: Home, registrar: Registrar, decider: Decider): Promise<Person> {
  const { name, keyFile, means } = decider
  if (keyFile !== null) return personWith(home, registrar, keyFile, means)
  const actor = criticNamed(registrar, name)
  const key = await keyAtHand(home, registrar, actor.key)
  if (!key) {
    const next = 'Name the file of the key: --key FILE.'
    throw new WitanError('KEY_NOT_FOUND', `the private key of ${name} is not in this home`, next)
  }
  return { actor, via: await means(actor, key), ports: home.ports }
}

/** By the key in a file. One that was made in this home was not brought along, wherever its file lies. */
async function personWith(
  home: Home,
  registrar: Registrar,
  { path: file, askPassphrase }: KeyFile,
  means: Decider['means'],
): Promise<Person> {
  const { id, locked } = await lookAtKeyFile(file)
  const known = registrar.log.state.keys.get(id)
  if (!known) {
    const next = `Register it first: witan keys add NAME --role ${ROLE} --public FILE`
    throw new WitanError('KEY_NOT_FOUND', `the key in ${file} is not registered here`, next)
  }
  const actor = { agent: known.agent, role: ROLE, key: id }
  const own = await keyAtHand(home, registrar, id)
  if (own) return { actor, via: await means(actor, own), ports: home.ports }
  let key: PrivateKey | null = null
  const unlock = async (passphrase: string | null): Promise<void> => {
    key = await readPrivateKeyFile(file, passphrase)
  }
  if (!locked) await unlock(null)
  const isBrought = known.made === 'elsewhere'
  if (isBrought && locked) await unlock(await askPassphrase(`Passphrase of ${file}: `))
  const isSafe = locked && known.locked === true
  const via = isBrought ? 'file' : await means(actor, { isLocked: locked, isSafe, unlock })
  const sign = async (requests: readonly SignRequest[]): Promise<readonly Uint8Array[]> =>
    Promise.all(
      requests.map(async (request) =>
        request.actor.key === id && key
          ? key.sign(request.message)
          : ((await home.ports.sign([request]))[0] ?? new Uint8Array()),
      ),
    )
  return { actor, via, ports: { ...home.ports, sign } }
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
