// The registry is the first protocol: one trace for each home that says which key signs for which agent in
// which roles, since when and until when; what was erased, by whom and why; and how long finished traces
// were. Only the registrar writes here. Nothing in it can be erased, since everything else is judged by it.

import { type Occurrence, type Protocol, payloadReader, type Refusal } from '../../protocol.ts'
import { fromHex, isHash, type Sha256 } from '../bytes.ts'
import { type End, isAgentName, isRoleName, isTraceId, type Payload, REGISTRY_PROTOCOL } from '../event.ts'
import { admissibleKey, keyId } from '../signing.ts'
import { tryTreeHead } from '../tree/tree-head.ts'
import { KeyTable } from './key-table.ts'

export { REGISTRY_PROTOCOL } from '../event.ts'
/** The role that keeps the registry. */
export const REGISTRAR = 'registrar'

export const OPENED = 'registry_opened'
export const KEY_REGISTERED = 'key_registered'
export const KEY_ROTATED = 'key_rotated'
export const KEY_REVOKED = 'key_revoked'
export const REDACTION_RECORDED = 'redaction_recorded'
export const CHECKPOINT_RECORDED = 'checkpoint_recorded'

/** The events that decide which keys are valid; a registry checkpoint commits to all of them. */
export const KEY_EVENTS: readonly string[] = [OPENED, KEY_REGISTERED, KEY_ROTATED, KEY_REVOKED]

/** Whose key it is, and in which roles it may sign. */
export interface KeyBinding {
  readonly id: string
  readonly public_key: string
  readonly agent: string
  readonly roles: readonly string[]
  /** Where the private half was made. Unknown counts as here, where any program can use it. */
  readonly made?: 'here' | 'elsewhere'
  /** Never stored without a passphrase. */
  readonly locked?: true
  /** The key of the machine that requested and holds it; it is revoked together with that key. */
  readonly machine?: string
}

/** The size and head of a trace. */
export interface TraceHead extends End {
  readonly trace: string
}

/** The revocation of a key: why, and up to where its signatures still count. */
export interface Revocation {
  readonly seq: number
  readonly reason: string
  readonly heads: readonly TraceHead[]
  /** Registry size from which nothing by this key counts unless an earlier recorded checkpoint covers it. */
  readonly compromisedSince: number | null
  /** Recorded by a rotation to fix where the old key ends; it does not mean that anyone else has it. */
  readonly retired: boolean
  /** Earlier records about the same key; the key is valid only where all of them allow it. */
  readonly before: Revocation | null
}

/** A key with its status. */
export interface KeyRecord extends KeyBinding {
  readonly registered: number
  readonly rotated: number | null
  readonly revoked: Revocation | null
}

/** What was erased, by whom and why; never erased itself. */
export interface Redaction {
  readonly seq: number
  readonly target: { readonly trace: string; readonly seq: number | null; readonly artifact: string | null }
  readonly by: string
  readonly reason: string
}

/** A checkpoint of a finished trace, as the registry keeps it. */
export interface RecordedCheckpoint {
  readonly seq: number
  readonly trace: string
  readonly size: number
  readonly note: string
}

/** Grows by one link for each event: a registry of many traces folds in linear time. */
export type Chain<Item> = { readonly item: Item; readonly rest: Chain<Item> } | null

/** The registry after its events so far. */
export interface RegistryState {
  readonly registry: string | null
  /** Every key that was registrar, in order; the last is the current one. */
  readonly registrars: readonly string[]
  readonly keys: KeyTable<KeyRecord>
  readonly redactions: Chain<Redaction>
  readonly checkpoints: Chain<RecordedCheckpoint>
}

/** The key that was registrar when the registry had this many events. */
export const registrarAt = (state: RegistryState, size: number): string | undefined =>
  state.registrars.findLast((id) => (state.keys.get(id)?.registered ?? size) < size)

export function* each<Item>(chain: Chain<Item>): Generator<Item> {
  for (let link = chain; link; link = link.rest) yield link.item
}

/** Every record of a revocation of the key, newest first. */
export function* revocationsIn(newest: Revocation | null): Generator<Revocation> {
  for (let revocation = newest; revocation; revocation = revocation.before) yield revocation
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const isText = (value: unknown): value is string => typeof value === 'string' && value.length > 0

function isBinding(value: unknown): value is KeyBinding {
  const key = value as Partial<KeyBinding> | null | undefined
  return (
    isHash(key?.id) &&
    isHash(key.public_key) &&
    typeof key.agent === 'string' &&
    isAgentName(key.agent) &&
    Array.isArray(key.roles) &&
    key.roles.length > 0 &&
    key.roles.every((role) => typeof role === 'string' && isRoleName(role))
  )
}

const isHead = (value: unknown): value is TraceHead => {
  const head = value as Partial<TraceHead> | null | undefined
  return typeof head?.trace === 'string' && isTraceId(head.trace) && isCount(head.size) && isHash(head.hash)
}

/** A map, since an event may have the type `constructor`, which every plain object has. */
const SHAPES: ReadonlyMap<string, (p: Payload) => boolean> = new Map([
  [OPENED, (p: Payload) => isText(p.name) && isBinding(p.key)],
  [KEY_REGISTERED, (p: Payload) => isBinding(p.key)],
  [KEY_ROTATED, (p: Payload) => isHash(p.old) && isBinding(p.key)],
  [
    KEY_REVOKED,
    (p: Payload) =>
      isHash(p.key) &&
      isText(p.reason) &&
      Array.isArray(p.heads) &&
      p.heads.every(isHead) &&
      (p.compromised_since === null || isCount(p.compromised_since)) &&
      (p.retired === undefined || p.retired === true),
  ],
  [
    REDACTION_RECORDED,
    (p: Payload) =>
      isText(p.by) &&
      isText(p.reason) &&
      typeof p.trace === 'string' &&
      isTraceId(p.trace) &&
      (isCount(p.seq) ? p.artifact === null : p.seq === null && isHash(p.artifact)),
  ],
  [
    CHECKPOINT_RECORDED,
    (p: Payload) => typeof p.trace === 'string' && isTraceId(p.trace) && isCount(p.size) && isText(p.note),
  ],
])

function evolve(state: RegistryState, event: Occurrence): RegistryState {
  const p = event.payload
  if (!p || !SHAPES.get(event.type)?.(p)) return state
  const binding = bindingOf(event)
  const register = (): KeyTable<KeyRecord> =>
    state.keys.with({ ...binding, registered: event.seq, rotated: null, revoked: null })
  switch (event.type) {
    case OPENED:
      return { ...state, registry: event.trace, registrars: [binding.id], keys: register() }
    case KEY_REGISTERED:
      return { ...state, keys: register() }
    case KEY_ROTATED: {
      const added = register()
      const old = added.get(p.old as string)
      const keys = old ? added.with({ ...old, rotated: event.seq }) : added
      const wasRegistrar = state.registrars.at(-1) === p.old
      return {
        ...state,
        keys,
        registrars: wasRegistrar ? [...state.registrars, binding.id] : state.registrars,
      }
    }
    case KEY_REVOKED: {
      const key = state.keys.get(p.key as string)
      if (!key) return state
      const revoked: Revocation = {
        seq: event.seq,
        reason: p.reason as string,
        heads: readPayloadOf(event, KEY_REVOKED).heads,
        compromisedSince: p.compromised_since as number | null,
        retired: p.retired === true,
        before: key.revoked,
      }
      return { ...state, keys: state.keys.with({ ...key, revoked }) }
    }
    case REDACTION_RECORDED: {
      const target = { trace: p.trace, seq: p.seq, artifact: p.artifact } as Redaction['target']
      const item = { seq: event.seq, target, by: p.by as string, reason: p.reason as string }
      return { ...state, redactions: { item, rest: state.redactions } }
    }
    default: {
      const item = { seq: event.seq, trace: p.trace, size: p.size, note: p.note } as RecordedCheckpoint
      return { ...state, checkpoints: { item, rest: state.checkpoints } }
    }
  }
}

interface Payloads {
  [KEY_REGISTERED]: { readonly key: KeyBinding }
  [KEY_REVOKED]: { readonly heads: readonly TraceHead[] }
}

/** For events whose shape was checked. */
const readPayloadOf = payloadReader<Payloads>()

/** For an event that binds a key: a registration, a rotation or the opening. */
const bindingOf = ({ payload }: Pick<Occurrence, 'payload'>): KeyBinding =>
  readPayloadOf({ payload }, KEY_REGISTERED).key

const order = (message: string): Refusal => ({ code: 'ORDER_VIOLATION', message })
const violates = (message: string): Refusal => ({ code: 'ROLE_POLICY_VIOLATION', message })

/** A key that was only retired can still be revoked; a revoked one, only from an earlier size on. */
function reachesFurther(revoked: Revocation, p: Payload): boolean {
  if (p.retired) return false
  if (revoked.retired) return true
  return (
    p.compromised_since !== null && Number(p.compromised_since) < (revoked.compromisedSince ?? revoked.seq)
  )
}

function refuseKey(state: RegistryState, event: Occurrence, sha256: Sha256): Refusal | null {
  const p = event.payload as Payload
  if (event.type === KEY_REVOKED) {
    const key = state.keys.get(p.key as string)
    if (!key) return order('a key that was never registered cannot be revoked')
    if (p.retired && key.rotated === null) return order('only a key that was rotated out is retired')
    if (key.revoked && !reachesFurther(key.revoked, p)) return order('the key is revoked already')
    if (state.registrars.at(-1) === key.id)
      return order('the registrar must rotate its key before revoking it')
    // A future bound would let checkpoints made after the revocation count for the key.
    if (Number(p.compromised_since ?? 0) > event.seq) return order('compromised_since lies in the future')
    return null
  }
  const binding = bindingOf(event)
  const publicKey = fromHex(binding.public_key, 32)
  if (!publicKey || !admissibleKey(publicKey))
    return { code: 'SCHEMA_INVALID', message: 'not an acceptable Ed25519 key' }
  if (keyId(sha256, publicKey) !== binding.id)
    return { code: 'SCHEMA_INVALID', message: 'key id is not the hash of the key' }
  if (state.keys.has(binding.id)) return order('the key is registered already')
  const isRegistrar = binding.roles.includes(REGISTRAR)
  if (event.type === KEY_REGISTERED)
    return isRegistrar ? violates('there is one registrar; rotate its key instead') : null
  if (event.type === OPENED) return isRegistrar ? null : violates('the first key must be the registrar')
  const old = state.keys.get(p.old as string)
  if (!old || old.rotated !== null || old.revoked) return order('only a key in force can be rotated')
  const same = old.agent === binding.agent && old.roles.join() === binding.roles.join()
  return same ? null : violates('a rotation keeps agent and roles')
}

function refuse(state: RegistryState, event: Occurrence, sha256: Sha256): Refusal | null {
  const shape = SHAPES.get(event.type)
  if (!shape)
    return { code: 'SCHEMA_INVALID', message: `${event.type} is not an event of ${REGISTRY_PROTOCOL}` }
  if (!event.payload || !shape(event.payload)) {
    return { code: 'SCHEMA_INVALID', message: `payload of ${event.type} has the wrong shape` }
  }
  if (event.actor.role !== REGISTRAR) return violates('only the registrar writes to the registry')
  if ((event.type === OPENED) !== (state.registry === null)) {
    return order(state.registry ? 'the registry is open already' : `the first event must be ${OPENED}`)
  }
  const signer = state.registrars.at(-1) ?? bindingOf(event).id
  if (event.actor.key !== signer) return violates('signed by a key that is not the registrar now')
  if (KEY_EVENTS.includes(event.type)) return refuseKey(state, event, sha256)
  if (event.payload.trace === state.registry && event.type === REDACTION_RECORDED) {
    return violates('nothing in the registry can be erased')
  }
  return event.type === CHECKPOINT_RECORDED ? refuseCheckpoint(state, event.payload) : null
}

/** The values beside the note decide which events survive a revocation: they must be those of the note. */
function refuseCheckpoint(state: RegistryState, p: Payload): Refusal | null {
  const note = tryTreeHead(p.note as string)
  const same =
    typeof note === 'object' &&
    note.registry === state.registry &&
    note.trace === p.trace &&
    note.size === p.size
  return same ? null : { code: 'SCHEMA_INVALID', message: 'the note is no checkpoint of that trace and size' }
}

/** The rules of the registry itself: who may add, rotate and revoke keys. */
export function registryProtocol(sha256: Sha256): Protocol<RegistryState> {
  return {
    id: REGISTRY_PROTOCOL,
    initial: { registry: null, registrars: [], keys: KeyTable.empty(), redactions: null, checkpoints: null },
    evolve,
    refuse: (state, event) => refuse(state, event, sha256),
    decide: () => [],
    finished: () => false,
  }
}
