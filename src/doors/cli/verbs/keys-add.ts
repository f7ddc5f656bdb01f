// `witan keys add`: a name, its roles and its key. The private key is on disk before the registry knows the public
// one, so that no registered key is ever without its owner.

import { signingRegistrar, withHome } from '../../../app/home/home.ts'
import { pinSuccessor } from '../../../app/home/registry-pin.ts'
import { readNewKey } from '../../../app/keys/find-key.ts'
import { isInForce } from '../../../clerk/registrar.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { isAgentName, isRoleName } from '../../../ledger/event.ts'
import { REGISTRAR, type RegistryState } from '../../../ledger/registry/registry.ts'
import type { Verb } from '../command.ts'
import { usage } from '../parse.ts'
import { newPassphrase } from '../passphrase.ts'

function checkNames(agent: string, roles: readonly string[]): void {
  if (!isAgentName(agent)) {
    throw usage(
      `'${agent}' cannot be a name`,
      'Use letters, digits and . _ @ -, at most 64, a letter or digit first.',
    )
  }
  for (const role of roles) {
    if (!isRoleName(role)) {
      throw usage(
        `'${role}' cannot be a role`,
        'Use lower-case letters, digits, _ and -, at most 32, a letter first.',
      )
    }
  }
  if (agent === REGISTRAR || roles.includes(REGISTRAR)) {
    throw usage(
      'there is one registrar, and it has its key',
      'Replace that key with `witan keys rotate registrar`.',
    )
  }
}

/** A further key is for further roles, and for someone whose other keys are here: nobody's name is lent to others. */
function refuseTaken(
  registry: RegistryState,
  agent: string,
  roles: readonly string[],
  here: readonly string[],
): void {
  const own = [...registry.keys.values()].filter((key) => key.agent === agent && isInForce(key))
  const same = own.find((key) => key.roles.some((role) => roles.includes(role)))
  const away = own.find(({ id }) => !here.includes(id))
  if (!same && !away) return
  throw new WitanError(
    'KEY_EXISTS',
    same ? `${agent} has a key in force as ${same.roles.join(', ')}` : `the key of ${agent} is elsewhere`,
    `Replace it with \`witan keys rotate ${agent}\`; for other roles revoke it first.`,
  )
}

function whereItIs(publicFile: string | null, isProtected: boolean): string {
  if (publicFile !== null) return '  The private key stays with its owner.'
  return isProtected
    ? '  The private key is in this home, protected by the passphrase: nobody can recover it without.'
    : '  The private key is in this home. Any program that runs as you can use it.'
}

export const run: Verb = (call) =>
  withHome({ directory: call.home, mode: 'write', postgres: call.postgres }, async (home) => {
    const agent = call.args[0] ?? ''
    const roles = [...new Set(call.texts('role').flatMap((role) => role.split(',')))]
    checkNames(agent, roles)
    const registrar = await signingRegistrar(home)
    const { state } = registrar.log
    const here = (await home.keyring.list()).map(({ id }) => id)
    refuseTaken(state, agent, roles, here)
    const file = call.text('public')
    if (file !== null && call.flag('passphrase'))
      throw usage('the private key is not here to be protected', 'Leave --passphrase or --public out.')
    const passphrase = call.flag('passphrase') ? await newPassphrase(agent) : undefined
    const { publicKey, made } =
      file === null
        ? { ...(await home.keyring.create(agent, passphrase)), made: 'here' as const }
        : await readNewKey(state, file, here)
    const key = await registrar.register(agent, roles, publicKey, { made, locked: passphrase !== undefined })
    await pinSuccessor(call.home, registrar.log.state)
    return {
      value: { id: key.id, public_key: key.public_key, agent, roles, private_key_here: file === null },
      lines: [
        `${agent} may sign as ${roles.join(', ')}`,
        `  key  ${key.id}`,
        whereItIs(file, passphrase !== undefined),
      ],
      brief: [key.id],
    }
  })
