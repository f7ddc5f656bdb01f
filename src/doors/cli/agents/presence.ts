// How the person who decides shows that they are there, and what is recorded of it. A key that was made in this home is
// no proof by itself, wherever its file lies now, since any program here could take it: a person has to answer at a
// terminal, or enter the passphrase of the key.

import { PROOF_WORDS, proofFault } from '../../../agents/approval-proof.ts'
import type { Via } from '../../../agents/events.ts'
import type { PolicyInForce, Proof } from '../../../agents/task.ts'
import type { KeyAtHand } from '../../../app/agents/decide.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { askPassphrase, isAtTerminal } from '../passphrase.ts'
import { saysYes } from '../yes-or-no.ts'

const withFile = (name: string): string =>
  `sign with --key FILE, by a key that was made elsewhere and registered with \`witan keys add ${name} --role critic --public FILE\``

const NEXT: Readonly<Record<Proof, (name: string) => string>> = {
  terminal: (name) =>
    `Run this command at a terminal, or ${withFile(name)}. To take decisions of ${name} without a terminal, set \`agents: {approvals_without_terminal: true}\` in the home's config.yaml before the session begins.`,
  passphrase: (name) =>
    `Give the key of ${name} a passphrase with \`witan keys passphrase ${name}\` and run this command at a terminal, or ${withFile(name)}.`,
  'other-machine': (name) => `On this machine nobody can decide by a key of this home: ${withFile(name)}.`,
}

/** Nothing is decided: what a person can do instead. */
export function unproven(policy: PolicyInForce, why: string, name: string): WitanError {
  const wanted = policy.approval_proof ?? 'terminal'
  return new WitanError('APPROVAL_UNPROVEN', why, `Wanted: ${PROOF_WORDS[wanted]}. ${NEXT[wanted](name)}`)
}

/** The most that can be shown here with this key; throws when the policy wants more. */
export function bestMeans(policy: PolicyInForce, key: KeyAtHand, name: string): Via {
  const best: Via = key.isSafe ? 'passphrase' : isAtTerminal() ? 'terminal' : 'none'
  const fault = proofFault(policy, best)
  if (fault !== null) throw unproven(policy, best === 'none' ? `no terminal to ask ${name} on` : fault, name)
  if (key.isLocked && !isAtTerminal())
    throw unproven(policy, `no terminal to ask ${name} for the passphrase`, name)
  return best
}

/**
 * By what means the owner of this key says it, after having asked where someone can be asked. Throws when that is not
 * enough, and nothing is decided then.
 */
export async function meansOf(
  policy: PolicyInForce,
  key: KeyAtHand,
  { name, shown }: { readonly name: string; readonly shown: readonly string[] },
): Promise<Via> {
  const best = bestMeans(policy, key, name)
  if (best === 'none') return best
  for (const line of shown) process.stderr.write(`${line}\n`)
  if (key.isLocked) await key.unlock(await askPassphrase(`Passphrase of ${name}: `))
  else if (!(await saysYes(`Is that your decision, ${name}? [y/N] `))) {
    throw new WitanError('APPROVAL_UNPROVEN', 'nothing was decided', 'Answer yes to decide.')
  }
  return best
}
