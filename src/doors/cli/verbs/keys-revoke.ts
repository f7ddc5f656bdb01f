// `witan keys revoke`: ends a key. Where every trace stands is recorded with it, so that nothing can be added by the
// key behind that.

import { signingRegistrar, withHome } from '../../../app/home/home.ts'
import { pinSuccessor } from '../../../app/home/registry-pin.ts'
import { findKey } from '../../../app/keys/find-key.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { shortKey } from '../../../render/story/registry.ts'
import type { Verb } from '../command.ts'
import { usage } from '../parse.ts'

export const run: Verb = (call) =>
  withHome({ directory: call.home, mode: 'write', postgres: call.postgres }, async (home) => {
    const since = call.count('compromised-since')
    const reason = call.text('reason') ?? ''
    const registrar = await signingRegistrar(home)
    const { state } = registrar.log
    const key = findKey(state, call.args[0] ?? '')
    const earlier = key.revoked && !key.revoked.retired ? key.revoked : null
    if (earlier && (since === null || since >= (earlier.compromisedSince ?? earlier.seq))) {
      throw new WitanError(
        'KEY_RETIRED',
        `key ${shortKey(key.id)} is revoked already`,
        'Nothing was changed. If it was stolen before that, say since when: --compromised-since SIZE',
      )
    }
    if (state.registrars.at(-1) === key.id) {
      throw new WitanError(
        'EVENT_REFUSED',
        'the registrar cannot revoke the key it signs with',
        `Run \`witan keys rotate registrar\`, then \`witan keys revoke ${shortKey(key.id)} --reason TEXT\`.`,
      )
    }
    if (since !== null && since > registrar.log.size) {
      throw usage(`the registry has ${registrar.log.size} events, not yet ${since}`, 'Give a size it had.')
    }
    const voided = await registrar.revoke(key, reason, since)
    await pinSuccessor(call.home, registrar.log.state)
    return {
      value: { id: key.id, agent: key.agent, roles: key.roles, reason, compromised_since: since, voided },
      lines: [
        `Revoked key ${shortKey(key.id)} of ${key.agent}`,
        since === null
          ? '  What it signed until now stays valid; nothing can be added by it.'
          : `  Nothing by it counts from registry size ${since} on, unless checkpointed before.`,
        ...(voided.length > 0 ? [`  Void, since it was signed in that moment: ${voided.join(', ')}`] : []),
      ],
      brief: [],
    }
  })
