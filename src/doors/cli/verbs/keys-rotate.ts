// `witan keys rotate`: a new key in the place of an old one. A key whose private half is elsewhere is replaced by one
// that its owner made, never by one of ours under his name. The registrar signs here, so its key is made here.

import { signingRegistrar, withHome } from '../../../app/home/home.ts'
import { pinFile, pinSuccessor } from '../../../app/home/registry-pin.ts'
import { findKey, readNewKey } from '../../../app/keys/find-key.ts'
import { isInForce } from '../../../clerk/registrar.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { REGISTRAR } from '../../../ledger/registry/registry.ts'
import { plain } from '../../../render/plain.ts'
import { shortKey } from '../../../render/story/registry.ts'
import type { Verb } from '../command.ts'
import { usage } from '../parse.ts'
import { newPassphrase } from '../passphrase.ts'

export const run: Verb = (call) =>
  withHome({ directory: call.home, mode: 'write', postgres: call.postgres }, async (home) => {
    const registrar = await signingRegistrar(home)
    const { state } = registrar.log
    const old = findKey(state, call.args[0] ?? '')
    if (!isInForce(old)) {
      throw new WitanError(
        'KEY_RETIRED',
        `key ${shortKey(old.id)} is no longer in force`,
        'See `witan keys list`.',
      )
    }
    const file = call.text('public')
    const entries = await home.keyring.list()
    const entry = entries.find(({ id }) => id === old.id)
    if (file === null && !entry) {
      throw new WitanError(
        'KEY_NOT_FOUND',
        `the private key of ${old.agent} is not in this home`,
        `Give the new public key that its owner made, with --public FILE. If the key is lost, run \`witan keys revoke ${old.agent} --reason TEXT\`, then \`witan keys add\`.`,
      )
    }
    const isRegistrar = old.roles.includes(REGISTRAR)
    if (file !== null && isRegistrar) {
      throw usage('the key of the registrar is made in its home', 'Run `witan keys rotate registrar`.')
    }
    const ids = entries.map(({ id }) => id)
    // What a passphrase protected stays protected by one.
    const passphrase = file === null && entry?.locked ? await newPassphrase(old.agent) : undefined
    const { publicKey, made } =
      file === null
        ? { ...(await home.keyring.create(old.agent, passphrase)), made: 'here' as const }
        : await readNewKey(state, file, ids)
    const key = await registrar.rotate(old, publicKey, { made, locked: passphrase !== undefined })
    await pinSuccessor(call.home, registrar.log.state)
    return {
      value: { id: key.id, public_key: key.public_key, agent: key.agent, roles: key.roles, replaces: old.id },
      lines: [
        `${key.agent} has a new key`,
        `  key       ${key.id}`,
        `  replaces  ${old.id}`,
        '  What the old key signed stays valid; nothing can be added by it.',
        ...(isRegistrar ? [`  Give others the new ${plain(pinFile(call.home))}`] : []),
      ],
      brief: [key.id],
    }
  })
