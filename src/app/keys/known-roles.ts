// The roles that the protocols of this version know. Where a person types a role, or a host asks for one,
// another is probably a typing error; a program of your own registers others through the library.

import { WitanError } from '../../ledger/errors.ts'

const KNOWN_ROLES: readonly string[] = [
  ...['critic', 'observer', 'operator', 'planner', 'executor', 'auditor'],
  ...['convener', 'participant', 'chair', 'seat', 'mind', 'judge', 'policy', 'clerk', 'registrar', 'machine'],
]

export function checkKnownRoles(roles: readonly string[]): void {
  const strange = roles.find((role) => /^[a-z][a-z0-9_-]*$/.test(role) && !KNOWN_ROLES.includes(role))
  if (strange === undefined) return
  throw new WitanError(
    'USAGE',
    `no protocol knows the role '${strange}'`,
    'People decide in sessions as critic, and watch exchanges as observer: --role critic, or --role observer.',
  )
}
