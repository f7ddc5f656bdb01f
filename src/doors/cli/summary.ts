// What an event says, in one line. Events of the registry are told in words; of any other protocol the fields of the
// payload are listed, since this file must not know every protocol there will be.

import type { Json } from '../../ledger/canonical.ts'
import type { Payload } from '../../ledger/event.ts'
import {
  CHECKPOINT_RECORDED,
  KEY_REGISTERED,
  KEY_REVOKED,
  KEY_ROTATED,
  type KeyBinding,
  OPENED,
  REDACTION_RECORDED,
} from '../../ledger/registry.ts'
import { clip, plain } from './plain.ts'

export const shortKey = (id: string): string => id.slice(0, 16)

function binding(value: Json | undefined): string {
  const { id, agent, roles } = value as unknown as KeyBinding
  return `${agent} (${roles.join(', ')}) key ${shortKey(id)}`
}

const REGISTRY: Readonly<Record<string, (p: Payload) => string>> = {
  [OPENED]: (p) => `registry of ${p.name}: ${binding(p.key)}`,
  [KEY_REGISTERED]: (p) => binding(p.key),
  [KEY_ROTATED]: (p) => `${binding(p.key)} replaces ${shortKey(String(p.old))}`,
  [KEY_REVOKED]: (p) => `key ${shortKey(String(p.key))}: ${p.reason}`,
  [REDACTION_RECORDED]: (p) =>
    `${p.trace}/${p.seq ?? `artifact ${shortKey(String(p.artifact))}`} erased for ${p.by}: ${p.reason}`,
  [CHECKPOINT_RECORDED]: (p) => `${p.trace} at size ${p.size}`,
}

/** One long field must not hide the others. */
const MOST_OF_A_FIELD = 48

function brief(value: Json): string {
  if (Array.isArray(value)) {
    const words = value.map((item) =>
      typeof item === 'object' && item !== null ? (item as Payload).name : item,
    )
    const short = words.every((word) => typeof word === 'string' && word.length < 24)
    if (short && words.length < 6) return words.join(', ')
    return `${value.length} item${value.length === 1 ? '' : 's'}`
  }
  if (typeof value === 'object' && value !== null) return `{${Object.keys(value).join(', ')}}`
  return String(value)
}

const listed = (payload: Payload): string =>
  Object.entries(payload)
    .map(([name, value]) => clip(`${name}: ${brief(value)}`, MOST_OF_A_FIELD))
    .join(' · ')

/** Plain and at most `width` long. */
export function summarise(protocol: string, type: string, payload: Payload, width: number): string {
  const words = protocol.startsWith('registry/') ? REGISTRY[type] : undefined
  let text: string
  try {
    text = words ? words(payload) : listed(payload)
  } catch {
    // A registry event of the wrong shape: the verifier says so; here it is only shown.
    text = listed(payload)
  }
  return clip(plain(text), width)
}
