// Keeps the registry: opens it, binds keys to agents and roles, rotates and revokes them, and signs
// checkpoints. A checkpoint is signed only over a chain and signatures that this process has verified, or
// that were verified before a snapshot was signed by the registrar in force.

import { fromHex, toHex } from '../ledger/bytes.ts'
import type { Payload } from '../ledger/event.ts'
import {
  CHECKPOINT_RECORDED,
  KEY_REGISTERED,
  KEY_REVOKED,
  KEY_ROTATED,
  type KeyBinding,
  type KeyRecord,
  OPENED,
  REGISTRAR,
  type RecordedCheckpoint,
  type RegistryState,
  registryProtocol,
  type TraceHead,
} from '../ledger/registry/registry.ts'
import { type Draft, keyId, noteMessage, statementMessage } from '../ledger/signing.ts'
import { composeNote, noteSignature } from '../ledger/tree/checkpoint.ts'
import { type Counted, readTreeHead, treeHeadText } from '../ledger/tree/tree-head.ts'
import type { Actor } from '../protocol.ts'
import { actorFor } from './actors.ts'
import type { Ports } from './ports.ts'
import { type RedactionTarget, redact } from './redaction.ts'
import { eventsBy, notFound, Tallies } from './reliance/growing-trees.ts'
import { waitForTurn } from './take-turns.ts'
import { openRegistryLog, TraceLog } from './trace-log.ts'

export { isInForce } from './actors.ts'

/** A key to be registered: its agent and its roles. */
export interface NewKey {
  readonly agent: string
  readonly roles: readonly string[]
  readonly publicKey: Uint8Array
  readonly made?: KeyBinding['made']
  readonly locked?: boolean
  readonly machine?: string
}

/** What is recorded about where a private key was made and how it is protected. */
export type KeyOrigin = Pick<NewKey, 'made' | 'locked' | 'machine'>

/** Keeps the registry: registers, rotates and revokes keys, and knows who may sign now. */
export class Registrar {
  readonly log: TraceLog<RegistryState>
  readonly #ports: Ports
  readonly #tallies: Tallies
  readonly #latest = new Map<string, RecordedCheckpoint>()
  /** The newest link of the chain of checkpoints that `#latest` has seen. */
  #seen: RegistryState['checkpoints'] = null

  private constructor(ports: Ports, log: TraceLog<RegistryState>) {
    this.#ports = ports
    this.log = log
    this.#tallies = new Tallies(ports)
  }

  /**
   * Opens a new registry under this key, with the first other keys in the same commit: it exists completely or not at all.
   * VAULT_REFUSED when another process was faster: theirs is the registry to open, and it does not contain these keys.
   */
  static async create(
    ports: Ports,
    name: string,
    publicKey: Uint8Array,
    others: readonly NewKey[] = [],
  ): Promise<Registrar> {
    const key = binding(ports, { agent: REGISTRAR, roles: [REGISTRAR], publicKey })
    const actor = { agent: REGISTRAR, role: REGISTRAR, key: key.id }
    const log = new TraceLog(ports, registryProtocol(ports.sha256), ports.newTrace())
    const keys = others.map((other) => ({ key: binding(ports, other) }))
    await log.append([
      { type: OPENED, actor, payload: payloadOf({ name, key }) },
      ...keys.map((added) => ({ type: KEY_REGISTERED, actor, payload: payloadOf(added) })),
    ])
    return Registrar.open(ports)
  }

  static async open(ports: Ports): Promise<Registrar> {
    const registrar = new Registrar(ports, await openRegistryLog(ports))
    await registrar.log.refresh()
    return registrar
  }

  get trace(): string {
    return this.log.trace
  }

  /** The key of an agent that is in force now and allowed this role, as an actor to sign with. */
  actor(agent: string, role: string): Actor {
    return actorFor(this.log.state, agent, role, this.#ports.holds)
  }

  /** Whether the registrar's own key is here: only then can anything be registered or sealed. */
  get holdsKey(): boolean {
    return this.#ports.holds?.(this.#signer().key) ?? true
  }

  async register(
    agent: string,
    roles: readonly string[],
    publicKey: Uint8Array,
    making: KeyOrigin = {},
  ): Promise<KeyBinding> {
    const key = binding(this.#ports, { agent, roles, publicKey, ...making })
    await this.#append(KEY_REGISTERED, { key })
    return key
  }

  /**
   * Registers these in one commit, except those whose agent has or had a key here for one of the roles by then: if
   * several processes try at once only the first succeeds. Returns what was registered.
   */
  async enrol(keys: readonly NewKey[]): Promise<readonly KeyBinding[]> {
    let otherKeys: readonly KeyBinding[] = []
    await this.log.refresh()
    await this.log.append(async () => {
      const known = [...this.log.state.keys.values()].filter(({ machine }) => machine === undefined)
      const isKnown = ({ agent, roles }: NewKey): boolean =>
        known.some((key) => key.agent === agent && key.roles.some((role) => roles.includes(role)))
      otherKeys = keys.filter((key) => !isKnown(key)).map((key) => binding(this.#ports, key))
      return otherKeys.map((key) => ({
        type: KEY_REGISTERED,
        actor: this.#signer(),
        payload: payloadOf({ key }),
      }))
    })
    return otherKeys
  }

  /**
   * A new registrar signs a checkpoint at once: a reader does not trust one that was merely named. Then the head
   * of every open trace is recorded, so that the old key, if it is found later, can add nothing. The heads are
   * read after the rotation is recorded: no honest append by the old key commits after that, so none is affected.
   */
  async rotate(old: KeyRecord, publicKey: Uint8Array, making: KeyOrigin = {}): Promise<KeyBinding> {
    const key = binding(this.#ports, { agent: old.agent, roles: old.roles, publicKey, ...making })
    await this.#append(KEY_ROTATED, { old: old.id, key })
    if (old.roles.includes(REGISTRAR)) await this.checkpoint(this.trace)
    await this.#append(KEY_REVOKED, async () => ({
      key: old.id,
      reason: 'rotated out',
      heads: await this.#openHeads(),
      compromised_since: null,
      retired: true,
    }))
    return key
  }

  /**
   * Records the head of every open trace, so that nothing by this key can be added after it. What the key signs
   * once the heads are read is void, also in the moment before the revocation itself is recorded; the heads are
   * therefore read again for every attempt. An honest append commits only if the registry is still the one that
   * its key was judged by, so at most one in that moment can be affected. Rotating first prevents even that: no
   * honest process signs with the old key then. Returns the events that were voided in that moment.
   */
  async revoke(key: KeyRecord, reason: string, compromisedSince: number | null): Promise<readonly string[]> {
    let heads: readonly TraceHead[] = []
    await this.#append(KEY_REVOKED, async () => {
      heads = await this.#openHeads()
      return { key: key.id, reason, heads, compromised_since: compromisedSince }
    })
    const recorded = new Map(heads.map((head) => [head.trace, head.size]))
    const voided: string[] = []
    for (const { trace, size } of await this.#openHeads()) {
      const from = recorded.get(trace) ?? this.#checkpointOf(trace)?.size ?? 0
      if (trace !== this.trace && size > from)
        voided.push(...(await eventsBy(this.#ports.store, key.id, trace, from)))
    }
    return voided
  }

  /**
   * A recorded checkpoint that covers the whole trace protects it already; listing it would only make the revocation long.
   */
  async #openHeads(): Promise<readonly TraceHead[]> {
    const traces = await this.#ports.store.traces()
    return traces
      .filter(({ trace, size }) => this.#checkpointOf(trace)?.size !== size)
      .map(({ trace, size, last }) => ({ trace, size, hash: last.hash }))
  }

  /** Records who erases what and why, then erases it. Repeating it finishes an interrupted erasure. */
  async redact(target: RedactionTarget, by: string, reason: string): Promise<void> {
    await redact(this.#ports.store, this.log, target, this.#append.bind(this), { by, reason })
    await this.#ports.snapshots?.clear()
  }

  /** A signed note over the current trace; nothing is recorded. */
  async sign(trace: string): Promise<string> {
    await this.log.refresh()
    return (await this.#sign(trace)).note
  }

  /** The registrar's signature over a statement about a trace, and the id of its key. */
  async signStatement(body: Uint8Array): Promise<{ readonly key: string; readonly signature: Uint8Array }> {
    const actor = this.#signer()
    const [signature = new Uint8Array()] = await this.#ports.sign([
      { actor, message: statementMessage(body) },
    ])
    return { key: actor.key, signature }
  }

  /** How much of the trace has been verified up to now, as this process counts it. */
  async counted(trace: string, base?: Counted): Promise<Counted> {
    return this.#tallies.of(trace, this.log, base)
  }

  async #sign(trace: string, base?: Counted): Promise<{ readonly note: string; readonly size: number }> {
    const { sha256 } = this.#ports
    const { tally } = await this.#tallies.of(trace, this.log, base)
    const text = treeHeadText(sha256, this.trace, trace, tally)
    const signer = this.#signer()
    const publicKey = fromHex(this.log.state.keys.get(signer.key)?.public_key ?? '', 32) ?? new Uint8Array()
    const [signature = new Uint8Array()] = await this.#ports.sign([
      { actor: signer, message: noteMessage(text) },
    ])
    const note = composeNote(text, [noteSignature(sha256, this.trace, publicKey, signature)])
    return { note, size: tally.events.size }
  }

  /** Signs a checkpoint of the trace and records it, unless that size is recorded already. */
  async checkpoint(trace: string, base?: Counted): Promise<string> {
    let newestNote = ''
    await this.#append(
      CHECKPOINT_RECORDED,
      async () => {
        // Checkpoints that wait for the registry are written one after the other.
        await waitForTurn()
        const head = await this.#ports.store.head(trace)
        if (!head) throw notFound(trace)
        const recorded = this.#checkpointOf(trace)
        if (recorded?.size === head.size) {
          newestNote = recorded.note
          return null
        }
        const { note, size } = await this.#sign(trace, base)
        newestNote = note
        return { trace, size, note }
      },
      true,
    )
    // Where many traces end at once, one flush serves all their checkpoints.
    await this.#ports.store.settled()
    return newestNote
  }

  /** Records a checkpoint again, with the lines that others added below it since. */
  async recordNote(note: string): Promise<void> {
    const { trace, size } = readTreeHead(note)
    await this.#append(CHECKPOINT_RECORDED, { trace, size, note })
  }

  /** Checkpoints the trace when it passed a multiple of `every` since the last checkpoint anyone recorded of it. */
  async checkpointIfDue(trace: string, size: number, every: number, base?: Counted): Promise<void> {
    const isDue = (): boolean =>
      Math.floor(size / every) > Math.floor((this.#checkpointOf(trace)?.size ?? 0) / every)
    if (!isDue()) return
    await this.log.refresh()
    if (isDue()) await this.checkpoint(trace, base)
  }

  #checkpointOf(trace: string): RecordedCheckpoint | undefined {
    const newest = this.log.state.checkpoints
    const fresh: RecordedCheckpoint[] = []
    for (let link = newest; link && link !== this.#seen; link = link.rest) fresh.push(link.item)
    for (const item of fresh.reverse()) this.#latest.set(item.trace, item)
    this.#seen = newest
    return this.#latest.get(trace)
  }

  #signer(): Actor {
    return { agent: REGISTRAR, role: REGISTRAR, key: this.log.state.registrars.at(-1) ?? '' }
  }

  /** Appends one event; a payload made by a function is made again for every head, and null appends nothing. */
  async #append(
    type: string,
    payload: object | (() => Promise<object | null>),
    later = false,
  ): Promise<void> {
    await this.log.refresh()
    await this.log.append(async (): Promise<readonly Draft[]> => {
      const resolved = typeof payload === 'function' ? await payload() : payload
      return resolved ? [{ type, actor: this.#signer(), payload: payloadOf(resolved) }] : []
    }, later)
  }
}

/** Interfaces have no index signature; their content here is plain JSON. */
const payloadOf = (value: object): Payload => value as Payload

function binding(ports: Ports, { agent, roles, publicKey, made, locked, machine }: NewKey): KeyBinding {
  const bound = { id: keyId(ports.sha256, publicKey), public_key: toHex(publicKey), agent, roles }
  return { ...bound, ...(made && { made }), ...(locked && { locked }), ...(machine && { machine }) }
}
