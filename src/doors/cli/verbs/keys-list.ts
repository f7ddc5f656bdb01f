// `witan keys list`: who may sign in which role, and whose private keys are in this home.

import { withHome } from '../../../app/home/home.ts'
import { statusOf } from '../../../app/keys/find-key.ts'
import type { KeyRecord } from '../../../ledger/registry/registry.ts'
import { plain } from '../../../render/plain.ts'
import { shortKey } from '../../../render/story/registry.ts'
import type { Verb } from '../command.ts'

function detail({ rotated, revoked }: KeyRecord): string {
  if (revoked && !revoked.retired) return `revoked at ${revoked.seq}: ${revoked.reason}`
  return rotated === null ? 'in force' : `rotated at ${rotated}`
}

const revocationOf = ({ revoked }: KeyRecord): object | null =>
  revoked && !revoked.retired
    ? { seq: revoked.seq, reason: revoked.reason, compromised_since: revoked.compromisedSince }
    : null

export const run: Verb = ({ home: directory, postgres, paint }) =>
  withHome({ directory, mode: 'read', postgres }, async (home) => {
    const { trace, log } = await home.registrar()
    const here = new Set((await home.keyring.list()).map(({ id }) => id))
    const keys = [...log.state.keys.values()]
    const width = Math.max(...keys.map(({ agent, roles }) => `${agent} (${roles.join(', ')})`.length))
    return {
      value: {
        registry: trace,
        keys: keys.map((key) => ({
          id: key.id,
          public_key: key.public_key,
          agent: key.agent,
          roles: key.roles,
          status: statusOf(key),
          registered: key.registered,
          rotated: key.rotated,
          revoked: revocationOf(key),
          private_key_here: here.has(key.id),
          made: key.made ?? null,
          locked: key.locked === true,
        })),
      },
      lines: keys.map((key) => {
        const who = `${key.agent} (${key.roles.join(', ')})`.padEnd(Math.min(width, 34))
        const mark = here.has(key.id) ? '*' : ' '
        const text = plain(detail(key))
        return `${shortKey(key.id)} ${mark} ${who}  ${statusOf(key) === 'in force' ? text : paint.yellow(text)}`
      }),
      brief: keys.map((key) => key.id),
      hints: ['', '* the private key is in this home. Full ids: witan keys list --json'],
    }
  })
