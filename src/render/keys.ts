// Keys for people: who may sign in which role, the status of a key, and where its private half is.

import { shortKey } from '../ledger/signing.ts'
import { type Paint, plain } from './plain.ts'

interface ListedKey {
  readonly id: string
  readonly agent: string
  readonly roles: readonly string[]
  readonly status: string
  readonly rotated: number | null
  readonly revoked: { readonly seq: number; readonly reason: string } | null
  readonly private_key_here: boolean
}

function detail({ rotated, revoked }: ListedKey): string {
  if (revoked) return `revoked at ${revoked.seq}: ${revoked.reason}`
  return rotated === null ? 'in force' : `rotated at ${rotated}`
}

export function keyLines(keys: readonly ListedKey[], paint: Paint): readonly string[] {
  const named = keys.map((key) => ({ ...key, who: `${key.agent} (${key.roles.join(', ')})` }))
  const width = Math.min(Math.max(...named.map(({ who }) => who.length)), 34)
  return named.map((key) => {
    const mark = key.private_key_here ? '*' : ' '
    const text = plain(detail(key))
    const state = key.status === 'in force' ? text : paint.yellow(text)
    return `${shortKey(key.id)} ${mark} ${key.who.padEnd(width)}  ${state}`
  })
}

interface AddedKey {
  readonly id: string
  readonly agent: string
  readonly roles: readonly string[]
  readonly private_key_here: boolean
  readonly locked: boolean
}

function keyPlace({ private_key_here, locked }: AddedKey): string {
  if (!private_key_here) return '  The private key stays with its owner.'
  return locked
    ? '  The private key is in this home, protected by the passphrase: it cannot be recovered without it.'
    : '  The private key is in this home. Any program that runs as you can use it.'
}

export const addedLines = (key: AddedKey): readonly string[] => [
  `${key.agent} may sign as ${key.roles.join(', ')}`,
  `  key  ${key.id}`,
  keyPlace(key),
]

const OLD_KEY_NOTE = '  What the old key signed stays valid; nothing can be added by it.'

export const rotatedLines = (key: {
  readonly id: string
  readonly agent: string
  readonly replaces: string
  readonly pin: string | null
}): readonly string[] => [
  `${key.agent} has a new key`,
  `  key       ${key.id}`,
  `  replaces  ${key.replaces}`,
  OLD_KEY_NOTE,
  ...(key.pin === null ? [] : [`  Give others the new ${plain(key.pin)}`]),
]

export const protectedLines = (key: {
  readonly id: string
  readonly agent: string
  readonly passphrase: boolean
  readonly replaces: string | null
}): readonly string[] => [
  key.passphrase
    ? `A passphrase protects the key of ${key.agent}`
    : `No passphrase protects the key of ${key.agent} any more`,
  `  key       ${key.id}`,
  ...(key.replaces === null ? [] : [`  replaces  ${key.replaces}`, OLD_KEY_NOTE]),
  key.passphrase
    ? '  It cannot be used or recovered without the passphrase.'
    : '  Any program that runs as you can use it.',
]

export const revokedLines = (key: {
  readonly id: string
  readonly agent: string
  readonly compromised_since: number | null
  readonly voided: readonly string[]
}): readonly string[] => [
  `Revoked key ${shortKey(key.id)} of ${key.agent}`,
  key.compromised_since === null
    ? '  What it signed until now stays valid; nothing can be added by it.'
    : `  Nothing by it counts from registry size ${key.compromised_since} on, unless checkpointed before.`,
  ...(key.voided.length > 0 ? [`  Void, since it was signed in that moment: ${key.voided.join(', ')}`] : []),
]
