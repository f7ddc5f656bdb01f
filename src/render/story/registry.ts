// The registry told: who may sign from when, whose key was revoked and why, what was erased, and which checkpoints
// were recorded.

import {
  CHECKPOINT_RECORDED,
  KEY_REGISTERED,
  KEY_REVOKED,
  KEY_ROTATED,
  type KeyBinding,
  OPENED,
  REDACTION_RECORDED,
} from '../../ledger/registry/registry.ts'
import { shortKey } from '../../ledger/signing.ts'
import type { Occurrence } from '../../protocol.ts'
import { line, type StoryLine } from './story-line.ts'

type Payload = NonNullable<Occurrence['payload']>

function binding(value: Payload[string] | undefined): string {
  const { id, agent, roles, made, locked } = value as Payload[string] & KeyBinding
  const where = made === 'elsewhere' ? ', made elsewhere' : ''
  return `${agent} (${roles.join(', ')}) key ${shortKey(id)}${where}${locked === true ? ', under a passphrase' : ''}`
}

const TELLERS: Readonly<Record<string, (p: Payload) => StoryLine>> = {
  [OPENED]: (p) => line('plain', `registry of ${p.name}: ${binding(p.key)}`),
  [KEY_REGISTERED]: (p) => line('plain', `registered: ${binding(p.key)}`),
  [KEY_ROTATED]: (p) => line('plain', `${binding(p.key)} replaces ${shortKey(String(p.old))}`),
  [KEY_REVOKED]: (p) =>
    p.retired === true
      ? line('quiet', `key ${shortKey(String(p.key))} ends here: nothing more by it counts`)
      : line('bad', `revoked: key ${shortKey(String(p.key))}`, [String(p.reason)]),
  [REDACTION_RECORDED]: (p) => {
    const what = p.artifact === null ? `${p.trace}/${p.seq}` : `artifact ${shortKey(String(p.artifact))}`
    return line('bad', `${what} erased for ${p.by}`, [String(p.reason)])
  },
  [CHECKPOINT_RECORDED]: (p) => line('quiet', `checkpoint of ${p.trace} at size ${p.size}`),
}

export function tell({ type, payload }: Occurrence): StoryLine | null {
  const teller = Object.hasOwn(TELLERS, type) ? TELLERS[type] : undefined
  return teller && payload ? teller(payload) : null
}
