// A machine without the registrar's key requests the keys of its agents: it makes them, signs the request
// with its own registered key, and waits until the registrar's machine has registered them.

import { utf8 } from '../ledger/bytes.ts'
import { canonicalize } from '../ledger/canonical.ts'
import { WitanError } from '../ledger/errors.ts'
import type { KeyRecord, RegistryState } from '../ledger/registry/registry.ts'
import { type KeyRequest, keyRequestMessage } from '../ledger/signing.ts'
import type { Ports } from './ports.ts'
import { isInForce, type Registrar } from './registrar.ts'
import { within } from './take-turns.ts'

/** The role of a machine's own key. */
export const MACHINE = 'machine'

/** Roles in which a person decides: a name that has a key elsewhere is not given to a machine in them. */
export const PERSONAL: readonly string[] = ['operator', 'observer']

const ANSWER_MS = 30_000
const LOOK_MS = 500

/** What a machine signs. */
export const requestMessage = (
  registry: string,
  { id, agent, roles, machine }: Omit<KeyRequest, 'signature' | 'publicKey'>,
) => keyRequestMessage(utf8(canonicalize({ agent, key: id, machine, registry, roles: [...roles] })))

/** The key by which this machine was admitted; KEY_NOT_FOUND where there is none, or it was revoked. */
export function machineHere({ keys }: RegistryState, holds: Ports['holds'] = () => true): KeyRecord {
  const machineKey = [...keys.values()].find(
    (key) => key.roles.includes(MACHINE) && isInForce(key) && holds(key.id),
  )
  if (machineKey) return machineKey
  throw new WitanError(
    'KEY_NOT_FOUND',
    "this machine neither holds the registrar's key nor was admitted by it",
    'Make its key with `witan keys join NAME`, and have it registered where the registrar is.',
  )
}

/** A requested key: its agent, and its roles. */
interface WantedKey {
  readonly agent: string
  readonly roles: readonly string[]
}

/** What a machine needs for a request. */
interface KeyAsking {
  readonly ports: Ports
  readonly keyring: { create(agent: string): Promise<Pick<KeyRequest, 'id' | 'publicKey'>> }
  readonly queue: {
    requestKey(request: KeyRequest): Promise<void>
    /** Why the registrar will not register it; null when nothing was refused. */
    refusal(id: string): Promise<string | null>
  }
}

/** Asks for keys and waits until they are registered. */
export async function requestKeys(
  { ports, keyring, queue }: KeyAsking,
  registrar: Registrar,
  wanted: readonly WantedKey[],
): Promise<void> {
  const { sign, store } = ports
  const machine = machineHere(registrar.log.state, ports.holds)
  const ids: string[] = []
  for (const { agent, roles } of wanted) {
    const { id, publicKey } = await keyring.create(agent)
    const request = { id, agent, roles, machine: machine.id }
    const message = requestMessage(registrar.trace, request)
    const actor = { agent: machine.agent, role: MACHINE, key: machine.id }
    const [signature = new Uint8Array()] = await sign([{ actor, message }])
    await queue.requestKey({ ...request, publicKey, signature })
    ids.push(id)
  }
  const signal = AbortSignal.timeout(ANSWER_MS)
  for (;;) {
    await registrar.log.refresh()
    const open = ids.filter((id) => !registrar.log.state.keys.has(id))
    if (open.length === 0) return
    for (const id of open) {
      const refused = await queue.refusal(id)
      if (refused !== null)
        throw new WitanError(
          'KEY_NOT_FOUND',
          `the registrar refused a key: ${refused}`,
          'See `witan keys list`.',
        )
    }
    if (signal.aborted) {
      throw new WitanError(
        'KEY_NOT_FOUND',
        'the keys that this machine requested were not registered',
        "Run a worker on the machine that holds the registrar's key.",
      )
    }
    await within(signal, LOOK_MS, (ends) => store.watch(registrar.trace, registrar.log.size, ends))
  }
}
