// Events under a checkpoint need not be verified signature by signature: it was signed only after all of them
// verified, and commits to events and signatures alike. So opening a long trace costs only hashing it.

import { fromHex, toBase64, toHex } from '../../ledger/bytes.ts'
import type { SealedEvent } from '../../ledger/event.ts'
import { each, type RegistryState } from '../../ledger/registry/registry.ts'
import { noteMessage } from '../../ledger/signing.ts'
import { noteKeyHash } from '../../ledger/tree/checkpoint.ts'
import { frontierRoot } from '../../ledger/tree/merkle.ts'
import { count, type Tally, type TraceCheckpoint, tryTreeHead } from '../../ledger/tree/tree-head.ts'
import type { Ports } from '../ports.ts'

/** Signed by a key that is or was registrar: its record in the registry alone would prove nothing here. */
function isSigned(ports: Ports, registry: RegistryState, checkpoint: TraceCheckpoint): boolean {
  return registry.registrars.some((id) => {
    const publicKey = fromHex(registry.keys.get(id)?.public_key ?? '', 32)
    if (!publicKey) return false
    const hash = toHex(noteKeyHash(ports.sha256, checkpoint.registry, publicKey))
    const line = checkpoint.signatures.find(
      ({ name, keyHash }) => name === checkpoint.registry && toHex(keyHash) === hash,
    )
    return line !== undefined && ports.verify(publicKey, noteMessage(checkpoint.text), line.signature)
  })
}

function longest(
  ports: Ports,
  registry: RegistryState,
  trace: string,
  within: number,
): TraceCheckpoint | null {
  const sizes = [...each(registry.checkpoints)].filter((item) => item.trace === trace && item.size <= within)
  for (const { note } of sizes.sort((a, b) => b.size - a.size)) {
    const checkpoint = tryTreeHead(note)
    if (typeof checkpoint === 'string' || checkpoint.size > within) continue
    const isOwn = checkpoint.registry === registry.registry && checkpoint.trace === trace
    if (isOwn && isSigned(ports, registry, checkpoint)) return checkpoint
  }
  return null
}

/** Compares a trace, event by event from the end of its tally, with the longest recorded checkpoint of it. */
export class CheckpointedEvents {
  readonly #ports: Ports
  readonly #checkpoint: TraceCheckpoint | null
  #tally: Tally

  /** `within`: how many events of the trace will be given at least, as far as the caller knows. */
  constructor(ports: Ports, registry: RegistryState, trace: string, within: number, tally: Tally) {
    this.#ports = ports
    this.#checkpoint = longest(ports, registry, trace, within)
    this.#tally = tally
  }

  /** Whether further events are needed before it is known that the given ones match the checkpoint. */
  get isPending(): boolean {
    return this.#tally.events.size < (this.#checkpoint?.size ?? 0)
  }

  /** `unknown`: beyond the checkpoint. `contradicted`: the events up to this one are not those of the checkpoint. */
  take({ hash, signature }: SealedEvent): 'vouched' | 'unknown' | 'contradicted' {
    if (!this.#checkpoint || !this.isPending) return 'unknown'
    const { sha256 } = this.#ports
    this.#tally = count(sha256, this.#tally, [{ hash, signature, isKeyEvent: false }])
    if (this.isPending) return 'vouched'
    const { events, signatures } = this.#tally
    const agrees =
      toHex(frontierRoot(sha256, events)) === toHex(this.#checkpoint.root) &&
      toBase64(frontierRoot(sha256, signatures)) === this.#checkpoint.signaturesRoot
    return agrees ? 'vouched' : 'contradicted'
  }
}
