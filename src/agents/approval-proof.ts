// By what a person shows that it was a person. A terminal is unproven presence: a program can make one. A passphrase
// shows someone who knows it, a key file someone who has it. What is enough stands in the policy of the session.

import type { Via } from './events.ts'
import type { PolicyInForce, Proof } from './task.ts'

const ENOUGH: Readonly<Record<Proof, readonly Via[]>> = {
  terminal: ['terminal', 'passphrase', 'file', 'key-file', 'host'],
  passphrase: ['passphrase', 'file', 'key-file'],
  'other-machine': ['file', 'key-file'],
}

/** Why what was said this way does not count as a person's under the policy; null when it does. */
export function proofFault(policy: PolicyInForce, via: Via): string | null {
  const wanted = policy.approval_proof ?? 'terminal'
  if (via === 'host' && !policy.via_host) return 'the policy takes no approval through a host'
  if (ENOUGH[wanted].includes(via)) return null
  if (via === 'none')
    return policy.unproven && wanted === 'terminal' ? null : 'nothing shows that a person said it'
  return `the policy wants more than ${VIA_WORDS[via]}: ${PROOF_WORDS[wanted]}`
}

/** What is wanted, in words. */
export const PROOF_WORDS: Readonly<Record<Proof, string>> = {
  terminal: 'an answer at a terminal, a passphrase or a key that was made elsewhere',
  passphrase: 'a key that a passphrase protects, or one that was made elsewhere',
  'other-machine': 'a key that was made elsewhere (--key FILE)',
}

/** How it was said, in words. */
export const VIA_WORDS: Readonly<Record<Via, string>> = {
  terminal: 'at a terminal (presence not proven)',
  passphrase: 'with a passphrase',
  'key-file': 'with a key file',
  file: 'with a key file',
  host: 'through a host (presence not proven)',
  console: 'in the console',
  none: 'without a terminal (nothing shows a person)',
}
