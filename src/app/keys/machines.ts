// Machines that share a ledger. The registrar's key stays on one of them; every other has its own key, which
// a person registered in the role `machine`, and signs its requests with it: for keys of the agents that it
// acts for. The registrar gives no machine a name that belongs to a person or another machine: roles in which
// people decide are given only to new names. Revoking a machine's key revokes every key that it requested.

import type { Registrar } from '../../clerk/registrar.ts'
import { isInForce } from '../../clerk/registrar.ts'
import { MACHINE, PERSONAL, requestMessage } from '../../clerk/request-keys.ts'
import { fromHex, toHex } from '../../ledger/bytes.ts'
import { WitanError } from '../../ledger/errors.ts'
import { isAgentName, isRoleName } from '../../ledger/event.ts'
import { type KeyRecord, REGISTRAR, type RegistryState } from '../../ledger/registry/registry.ts'
import { admissibleKey, keyId, shortKey } from '../../ledger/signing.ts'
import { sha256 } from '../../stores/digest.ts'
import type { KeyRequest, Queue } from '../../stores/queue.ts'
import { isMachineCritic } from '../agents/open-session.ts'
import type { Home } from '../home/home.ts'

/** Why a request is not granted; null when it is. */
function faultIn(home: Home, registrar: Registrar, request: KeyRequest): string | null {
  const { keys } = registrar.log.state
  const { id, agent, roles, publicKey, signature } = request
  const machine = keys.get(request.machine)
  if (!machine?.roles.includes(MACHINE) || !isInForce(machine))
    return 'no machine that is admitted asked for it'
  const own = fromHex(machine.public_key, 32) ?? new Uint8Array()
  if (!home.ports.verify(own, requestMessage(registrar.trace, request), signature))
    return `it is not signed by ${machine.agent}`
  if (!admissibleKey(publicKey) || keyId(sha256, publicKey) !== id) return 'it is no acceptable key'
  if (!isAgentName(agent) || roles.length === 0 || !roles.every(isRoleName)) return 'it has no name or role'
  if (roles.includes(REGISTRAR) || roles.includes(MACHINE)) return 'only a person registers that role'
  if (roles.includes('critic') && !isMachineCritic(agent))
    return `${agent} would be a person among the critics`
  const isTaken = [...keys.values()].some((key) => key.agent === agent && key.machine !== machine.id)
  if (isTaken && roles.some((role) => PERSONAL.includes(role))) return `${agent} has a key elsewhere`
  return null
}

/** On the machine with the registrar's key: registers what admitted machines requested, and refuses the rest. */
export async function answerRequests(home: Home, registrar: Registrar, queue: Queue): Promise<number> {
  const open = await queue.keyRequests()
  if (open.length === 0) return 0
  await registrar.log.refresh()
  for (const request of open) {
    const { id, agent, roles, machine } = request
    const isKnown = registrar.log.state.keys.has(id)
    const fault = isKnown ? null : faultIn(home, registrar, request)
    if (!isKnown && fault === null)
      await registrar.register(agent, roles, new Uint8Array(request.publicKey), { made: 'here', machine })
    await queue.answerRequest(id, fault)
  }
  return open.length
}

/** Seals finished traces that machines without the registrar's key drove. */
export async function sealFinished(registrar: Registrar, queue: Queue): Promise<void> {
  for (const trace of await queue.unsealed()) {
    await registrar.checkpoint(trace)
    await queue.sealed(trace)
  }
}

/** The keys that a machine requested and that are still in force. */
export const keysOfMachine = ({ keys }: RegistryState, machine: string): readonly KeyRecord[] =>
  [...keys.values()].filter((key) => key.machine === machine && isInForce(key))

export interface Joined {
  readonly id: string
  readonly name: string
  readonly registry: string
  readonly public_key: string
}

/** Makes the key that will identify this machine; its public half goes to the registrar's machine. */
export async function joinMachine(home: Home, name: string): Promise<Joined> {
  if (!isAgentName(name))
    throw new WitanError(
      'USAGE',
      `'${name}' cannot be a name`,
      'Use letters, digits and . _ @ -, at most 64.',
    )
  if (home.postgres === null)
    throw new WitanError(
      'USAGE',
      'only machines that share a PostgreSQL join each other',
      'See docs/workers.md.',
    )
  const registrar = await home.registrar()
  if (registrar.holdsKey)
    throw new WitanError(
      'USAGE',
      "this machine holds the registrar's key",
      'It needs no other; run `witan worker`.',
    )
  const { state } = registrar.log
  const taken = [...state.keys.values()].find((key) => key.agent === name)
  if (taken)
    throw new WitanError(
      'KEY_EXISTS',
      `${name} has key ${shortKey(taken.id)} already`,
      'Choose another name.',
    )
  const { id, publicKey } = await home.keyring.create(name)
  return { id, name, registry: registrar.trace, public_key: toHex(publicKey) }
}
