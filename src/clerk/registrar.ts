// Keeps the registry: opens it, binds keys to agents and roles, rotates and revokes them, records what is erased,
// and signs how long traces were. A checkpoint is signed only over signatures that this process has verified.

import { fromHex, toHex } from '../ledger/bytes.ts'
import { composeNote, noteSignature } from '../ledger/checkpoint.ts'
import { WitanError } from '../ledger/errors.ts'
import { readHeader } from '../ledger/event.ts'
import {
  CHECKPOINT_RECORDED,
  each,
  KEY_EVENTS,
  KEY_REGISTERED,
  KEY_REVOKED,
  KEY_ROTATED,
  type KeyBinding,
  type KeyRecord,
  OPENED,
  REDACTION_RECORDED,
  REGISTRAR,
  type RegistryState,
  registryProtocol,
} from '../ledger/registry.ts'
import { eventMessage, keyId, noteMessage } from '../ledger/signing.ts'
import { count, EMPTY_TALLY, type Tally, treeHeadText } from '../ledger/tree-head.ts'
import type { Actor } from '../protocol.ts'
import { Book } from './book.ts'
import type { Office } from './office.ts'

export class Registrar {
  readonly book: Book<RegistryState>
  readonly #office: Office
  /** Per trace the commitments over events whose signatures were verified here. */
  readonly #tallies = new Map<string, Tally>()

  private constructor(office: Office, trace: string) {
    this.#office = office
    this.book = new Book(office, registryProtocol(office.sha256), trace)
  }

  /** Opens a new registry under this key, with the first other keys in the same commit: it is there whole or not. */
  static async create(
    office: Office,
    name: string,
    publicKey: Uint8Array,
    others: readonly {
      readonly agent: string
      readonly roles: readonly string[]
      publicKey: Uint8Array
    }[] = [],
  ): Promise<Registrar> {
    const registrar = new Registrar(office, office.newTrace())
    const key = binding(office, REGISTRAR, [REGISTRAR], publicKey)
    const actor = { agent: REGISTRAR, role: REGISTRAR, key: key.id }
    const bindings = others.map((other) => binding(office, other.agent, other.roles, other.publicKey))
    await registrar.book.append([
      { type: OPENED, actor, payload: { name, key } as never },
      ...bindings.map((other) => ({ type: KEY_REGISTERED, actor, payload: { key: other } as never })),
    ])
    return registrar
  }

  static async open(office: Office): Promise<Registrar> {
    const trace = await office.vault.registry()
    if (!trace)
      throw new WitanError('HOME_MISSING', 'this home has no registry of keys yet', 'Run `witan init` first.')
    const registrar = new Registrar(office, trace)
    await registrar.book.refresh()
    return registrar
  }

  get trace(): string {
    return this.book.trace
  }

  /** The key of an agent that is in force now and allowed this role, as an actor to sign with. */
  actor(agent: string, role: string): Actor {
    const keys = [...this.book.state.keys.values()].filter((key) => key.agent === agent && isInForce(key))
    const key = keys.find((candidate) => candidate.roles.includes(role))
    if (key) return { agent, role, key: key.id }
    throw new WitanError(
      keys.length > 0 ? 'KEY_RETIRED' : 'KEY_NOT_FOUND',
      keys.length > 0 ? `${agent} has no key for the role ${role}` : `no key in force belongs to ${agent}`,
      `Run \`witan keys add ${agent} --role ${role}\`, or \`witan keys list\` to see who has which.`,
    )
  }

  async register(agent: string, roles: readonly string[], publicKey: Uint8Array): Promise<KeyBinding> {
    const key = binding(this.#office, agent, roles, publicKey)
    await this.#append(KEY_REGISTERED, { key })
    return key
  }

  async rotate(old: KeyRecord, publicKey: Uint8Array): Promise<KeyBinding> {
    const key = binding(this.#office, old.agent, old.roles, publicKey)
    await this.#append(KEY_ROTATED, { old: old.id, key })
    return key
  }

  /** Records where every trace stands, so that nothing by this key can be added behind them. */
  async revoke(key: KeyRecord, reason: string, compromisedSince: number | null): Promise<void> {
    const traces = await this.#office.vault.traces()
    const heads = traces.map(({ trace, size, last }) => ({ trace, size, hash: last.hash }))
    await this.#append(KEY_REVOKED, { key: key.id, reason, heads, compromised_since: compromisedSince })
  }

  /** Says who erases what and why, then erases it. Saying it twice finishes an erasure that was cut short. */
  async redact(
    target: { trace: string; seq: number | null; artifact: string | null },
    by: string,
    reason: string,
  ): Promise<void> {
    await this.book.refresh()
    const same = (r: { target: typeof target }): boolean =>
      r.target.artifact === target.artifact &&
      (target.artifact !== null || (r.target.trace === target.trace && r.target.seq === target.seq))
    let recorded = [...each(this.book.state.redactions)].find(same)
    if (!recorded) {
      await this.#append(REDACTION_RECORDED, { ...target, by, reason })
      recorded = [...each(this.book.state.redactions)].find(same)
    }
    if (recorded)
      await this.#office.vault.erase({ ...target, registry: { trace: this.trace, seq: recorded.seq } })
  }

  /** A signed note over the trace as it stands; nothing is recorded. */
  async sign(trace: string): Promise<string> {
    await this.book.refresh()
    const text = treeHeadText(this.#office.sha256, this.trace, trace, await this.#tally(trace))
    const id = this.book.state.registrars.at(-1) ?? ''
    const signature = this.#office.sign({ agent: REGISTRAR, role: REGISTRAR, key: id }, noteMessage(text))
    return composeNote(text, [noteSignature(this.#office.sha256, this.trace, this.#publicKey(id), signature)])
  }

  /** Signs a checkpoint of the trace and records it, unless that size is recorded already. */
  async checkpoint(trace: string): Promise<string> {
    await this.book.refresh()
    const size = (await this.#office.vault.head(trace))?.size ?? 0
    for (const recorded of each(this.book.state.checkpoints)) {
      if (recorded.trace === trace && recorded.size === size) return recorded.note
    }
    const note = await this.sign(trace)
    await this.#append(CHECKPOINT_RECORDED, { trace, size, note })
    return note
  }

  async #tally(trace: string): Promise<Tally> {
    let tally = this.#tallies.get(trace) ?? EMPTY_TALLY
    for await (const event of this.#office.vault.read(trace, tally.events.size)) {
      const header = readHeader(event.header)
      const key = typeof header === 'string' ? null : this.book.state.keys.get(header.actor.key)
      const publicKey = key && fromHex(key.public_key, 32)
      if (!publicKey || !this.#office.verify(publicKey, eventMessage(event.header), event.signature)) {
        throw new WitanError(
          'VAULT_CORRUPT',
          `a signature in ${trace} does not verify: no checkpoint is signed over it`,
          `Run \`witan verify ${trace}\` to see which.`,
        )
      }
      const isKeyEvent = typeof header === 'object' && KEY_EVENTS.includes(header.type)
      tally = count(this.#office.sha256, tally, [
        { hash: event.hash, signature: event.signature, isKeyEvent },
      ])
    }
    this.#tallies.set(trace, tally)
    return tally
  }

  #publicKey(id: string): Uint8Array {
    return fromHex(this.book.state.keys.get(id)?.public_key ?? '', 32) ?? new Uint8Array()
  }

  async #append(type: string, payload: object): Promise<void> {
    const actor = { agent: REGISTRAR, role: REGISTRAR, key: this.book.state.registrars.at(-1) ?? '' }
    await this.book.append([{ type, actor, payload: payload as never }])
  }
}

export const isInForce = (key: KeyRecord): boolean => key.rotated === null && key.revoked === null

function binding(office: Office, agent: string, roles: readonly string[], publicKey: Uint8Array): KeyBinding {
  return { id: keyId(office.sha256, publicKey), public_key: toHex(publicKey), agent, roles }
}
