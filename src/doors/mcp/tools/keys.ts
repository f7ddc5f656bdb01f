// Who may sign, inside a host. Only the person at the host changes keys, after being shown exactly what would
// be done; a passphrase is never typed through a host.

import { z } from 'zod'
import { addKey, listKeys, revokeKey, rotateKey } from '../../../app/keys/keys.ts'
import { checkKnownRoles } from '../../../app/keys/known-roles.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { MEANS_WORDS } from '../../../ledger/means.ts'
import { addedLines, keyLines, revokedLines, rotatedLines } from '../../../render/keys.ts'
import { fileInside } from '../inside-folder.ts'
import { personMustType, refusedBy } from '../left-to-person.ts'
import { type Answer, type Kit, locationOf, PAGE, tool } from '../tool.ts'
import { answer } from './traces.ts'

const keysList = tool({
  name: 'keys_list',
  title: 'List keys',
  description: 'Who may sign in which role, and what became of each key.',
  input: z.object({}),
  readOnly: true,
  async run(_, { kit }) {
    const value = await listKeys(locationOf(kit))
    return answer(value, keyLines(value.keys, PAGE.paint))
  },
})

const ACTS = ['add', 'rotate', 'revoke', 'passphrase'] as const

interface Asked {
  readonly act: (typeof ACTS)[number]
  readonly name: string
  readonly roles: readonly string[]
  /** As the host named it, in the working folder. */
  readonly file: string | null
  readonly reason: string
  readonly since: number | null
  readonly passphrase: boolean
  readonly remove: boolean
}

/** What a person would type instead. */
function commandOf({ act, name, roles, file, reason, since, passphrase, remove }: Asked): string {
  const publicKey = file === null ? [] : ['--public', JSON.stringify(file)]
  const options = {
    add: [
      ...roles.flatMap((role) => ['--role', role]),
      ...publicKey,
      ...(passphrase ? ['--passphrase'] : []),
    ],
    rotate: publicKey,
    revoke: [
      ...(since === null ? [] : ['--compromised-since', String(since)]),
      ...['--reason', JSON.stringify(reason)],
    ],
    passphrase: remove ? ['--remove'] : [],
  }[act]
  return ['witan keys', act, name, ...options].join(' ')
}

/** A key under a passphrase is changed at a terminal. */
const NO_PASSPHRASES = {
  choose: async (agent: string): Promise<never> => {
    const next = `A person types: witan keys rotate ${agent}`
    throw new WitanError('USAGE', `a passphrase protects the key of ${agent}`, next)
  },
}

async function change(kit: Kit, { act, name, roles, file, reason, since }: Asked): Promise<Answer> {
  const publicKeyFile = file === null ? null : await fileInside(process.cwd(), file)
  if (act === 'add') {
    const key = await addKey(locationOf(kit), name, { roles, publicKeyFile })
    const { locked: _, ...value } = key
    return answer(value, addedLines(key))
  }
  if (act === 'rotate') {
    const key = await rotateKey(locationOf(kit), name, { publicKeyFile, passphrases: NO_PASSPHRASES })
    const { pin: _, ...value } = key
    return answer(value, rotatedLines(key))
  }
  const value = await revokeKey(locationOf(kit), name, {
    reason: `${reason} (allowed ${MEANS_WORDS.host})`,
    compromisedSince: since,
  })
  return answer(value, revokedLines(value))
}

function checkAsked({ act, roles, reason }: Asked): void {
  if (act === 'add' && roles.length === 0)
    throw new WitanError('USAGE', 'a key is for a role', 'Give roles, such as critic or observer.')
  if (act === 'revoke' && reason === '')
    throw new WitanError('USAGE', 'a key is revoked for a reason', 'Give reason; it is recorded permanently.')
  checkKnownRoles(roles)
}

const keysChange = tool({
  name: 'keys_change',
  title: 'Ask a person to change a key',
  description: 'Have the person before you asked to add, replace or end a key. Your own word never counts.',
  input: z.object({
    act: z.enum(ACTS),
    name: z.string().min(1).max(100).describe('whose key; of revoke also its id'),
    roles: z.array(z.string().min(1).max(32)).max(8).optional().describe('add'),
    public: z.string().min(1).max(500).optional().describe('add, rotate: public key file here'),
    reason: z.string().trim().max(500).optional().describe('revoke'),
    compromised_since: z.int().min(0).optional().describe('revoke: registry size'),
    passphrase: z.boolean().optional().describe('add: protect it by one'),
    remove: z.boolean().optional().describe('passphrase: let the key be used without one'),
  }),
  readOnly: false,
  async run(input, session) {
    const asked: Asked = {
      act: input.act,
      name: input.name,
      roles: input.roles ?? [],
      file: input.public ?? null,
      reason: input.reason ?? '',
      since: input.compromised_since ?? null,
      passphrase: input.passphrase ?? false,
      remove: input.remove ?? false,
    }
    checkAsked(asked)
    const command = commandOf(asked)
    if (asked.act === 'passphrase' || asked.passphrase)
      return personMustType(null, 'A passphrase is typed at a terminal, never through a host', [command])
    const lines = [`Change who may sign in this home, as this command would: ${command}`]
    return (await refusedBy(session, null, lines, [command])) ?? change(session.kit, asked)
  },
})

export const KEYS_TOOLS = [keysList, keysChange]
