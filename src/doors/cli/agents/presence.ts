// How the person who decides shows that they are there, and what is recorded of it. A key of this home is no proof by
// itself, since whatever runs on this machine can use it: somebody has to answer at a terminal, or enter the passphrase
// of the key. A key that was brought along counts as one only if this home has it not.

import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { PROOF_WORDS, proofFault } from '../../../agents/approval-proof.ts'
import type { Via } from '../../../agents/events.ts'
import type { PolicyInForce } from '../../../agents/task.ts'
import type { Home } from '../../../app/home/home.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { saysYes } from '../yes-or-no.ts'

export const isAtTerminal = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY)

/** What is typed is not shown. */
export async function askPassphrase(question: string): Promise<string> {
  process.stderr.write(question)
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: unseen, terminal: true })
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}

/** Nothing is decided: what a person can do instead. */
export function unproven(policy: PolicyInForce, why: string, name: string): WitanError {
  const wanted = PROOF_WORDS[policy.approval_proof ?? 'terminal']
  const next = `Wanted: ${wanted}. A person runs this command at a terminal, or signs with --key FILE. A passphrase is set by \`witan keys add NAME --role critic --passphrase\`. To take decisions of ${name} without a terminal, set \`agents: {approvals_without_terminal: true}\` in the home's config.yaml before the session begins.`
  return new WitanError('APPROVAL_UNPROVEN', why, next)
}

/**
 * By what means the owner of this key of the home says it, after having asked where someone can be asked. Throws when
 * that is not enough, and nothing is decided then.
 */
export async function meansOf(
  home: Pick<Home, 'keyring'>,
  policy: PolicyInForce,
  { name, key, shown }: { readonly name: string; readonly key: string; readonly shown: readonly string[] },
): Promise<Via> {
  const locked = (await home.keyring.list()).some((entry) => entry.id === key && entry.locked)
  const best: Via = locked ? 'passphrase' : isAtTerminal() ? 'terminal' : 'none'
  const fault = proofFault(policy, best)
  if (fault !== null) throw unproven(policy, best === 'none' ? `no terminal to ask ${name} on` : fault, name)
  if (best === 'none') return best
  if (!isAtTerminal()) throw unproven(policy, `no terminal to ask ${name} for the passphrase`, name)
  for (const line of shown) process.stderr.write(`${line}\n`)
  if (locked) await home.keyring.unlock(key, await askPassphrase(`Passphrase of ${name}: `))
  else if (!(await saysYes(`Is that your decision, ${name}? [y/N] `))) {
    throw new WitanError('APPROVAL_UNPROVEN', 'nothing was decided', 'Answer yes to decide.')
  }
  return best
}
