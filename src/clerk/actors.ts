// Which key an agent signs with now. A rotated key has a successor for the same agent and roles; naming the
// old one means the successor.

import { WitanError } from '../ledger/errors.ts'
import type { KeyRecord, RegistryState } from '../ledger/registry/registry.ts'
import type { Actor } from '../protocol.ts'
import type { Ports } from './ports.ts'

/** Whether the key still counts for new events. */
export const isInForce = (key: KeyRecord): boolean => key.rotated === null && key.revoked === null

/** If there are several, each on its own machine, the one that is here. */
function inForce(
  registry: RegistryState,
  agent: string,
  role: string,
  holds: Ports['holds'],
): KeyRecord | undefined {
  let first: KeyRecord | undefined
  for (const key of registry.keys.values()) {
    if (key.agent !== agent || !key.roles.includes(role) || !isInForce(key)) continue
    if (!holds || holds(key.id)) return key
    first ??= key
  }
  return first
}

/** The key of an agent that is in force now and allowed this role, as an actor to sign with. */
export function actorFor(
  registry: RegistryState,
  agent: string,
  role: string,
  holds?: Ports['holds'],
): Actor {
  const key = inForce(registry, agent, role, holds)
  if (key) return { agent, role, key: key.id }
  const retired = [...registry.keys.values()].some((k) => k.agent === agent && k.roles.includes(role))
  throw new WitanError(
    retired ? 'KEY_RETIRED' : 'KEY_NOT_FOUND',
    retired
      ? `the key of ${agent} for the role ${role} is no longer in force`
      : `${agent} has no key for the role ${role}`,
    `Run \`witan keys add ${agent} --role ${role}\`, or \`witan keys list\` to see who has which.`,
  )
}

/** The actor with the key that replaced the named one, if that was rotated. */
export function withCurrentKey(registry: RegistryState, actor: Actor, holds?: Ports['holds']): Actor {
  if (typeof registry.keys.get(actor.key)?.rotated !== 'number') return actor
  const successor = inForce(registry, actor.agent, actor.role, holds)
  return successor ? { ...actor, key: successor.id } : actor
}
