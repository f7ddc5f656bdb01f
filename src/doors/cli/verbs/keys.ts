// The commands of `witan keys`: who may sign in which role.

import { addKey, listKeys, revokeKey, rotateKey } from '../../../app/keys/keys.ts'
import { checkKnownRoles } from '../../../app/keys/known-roles.ts'
import { setPassphrase } from '../../../app/keys/passphrase.ts'
import { addedLines, keyLines, protectedLines, revokedLines, rotatedLines } from '../../../render/keys.ts'
import { plain } from '../../../render/plain.ts'
import { locationOf, type Verb } from '../command.ts'
import { askPassphrase, newPassphrase } from '../terminal.ts'

const passphrases = {
  ask: (agent: string) => askPassphrase(`Passphrase of ${agent}: `),
  choose: newPassphrase,
}

export const list: Verb = async (call) => {
  const value = await listKeys(locationOf(call))
  return {
    value,
    lines: keyLines(value.keys, call.paint),
    brief: value.keys.map(({ id }) => id),
    hints: ['', '* the private key is in this home. Full ids: witan keys list --json'],
  }
}

export const add: Verb = async (call) => {
  const roles = call.texts('role').flatMap((role) => role.split(','))
  checkKnownRoles(roles)
  const key = await addKey(locationOf(call), call.args[0] ?? '', {
    roles,
    publicKeyFile: call.text('public'),
    passphrase: call.flag('passphrase') ? passphrases : null,
  })
  const { locked: _, ...value } = key
  return { value, lines: addedLines(key), brief: [key.id] }
}

/** The home is opened, or made without keys; registration happens elsewhere. */
export const join: Verb = async (call) => {
  const [{ joinMachine }, { openOrCreateHome: openOrFound }] = await Promise.all([
    import('../../../app/keys/machines.ts'),
    import('../../../app/home/signers.ts'),
  ])
  const home = await openOrFound(locationOf(call))
  try {
    const joined = await joinMachine(home, call.args[0] ?? '')
    return {
      value: joined,
      lines: [`Made the key of ${plain(joined.name)}. Its public half:`, joined.public_key],
      brief: [joined.public_key],
      hints: [
        `Save it as ${plain(joined.name)}.key on the machine with the registrar's key, and there:`,
        `  witan keys add ${plain(joined.name)} --role machine --public ${plain(joined.name)}.key`,
      ],
    }
  } finally {
    await home.close()
  }
}

export const rotate: Verb = async (call) => {
  const options = { publicKeyFile: call.text('public'), passphrases }
  const key = await rotateKey(locationOf(call), call.args[0] ?? '', options)
  const { pin: _, ...value } = key
  return { value, lines: rotatedLines(key), brief: [key.id] }
}

export const passphrase: Verb = async (call) => {
  const remove = call.flag('remove')
  const value = await setPassphrase(locationOf(call), call.args[0] ?? '', { remove, passphrases })
  return { value, lines: protectedLines(value), brief: [value.id] }
}

export const revoke: Verb = async (call) => {
  const value = await revokeKey(locationOf(call), call.args[0] ?? '', {
    reason: call.text('reason') ?? '',
    compromisedSince: call.count('compromised-since'),
  })
  return { value, lines: revokedLines(value), brief: [] }
}
