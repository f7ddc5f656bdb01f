// What a command alone says is nobody's word: who sits at the terminal is asked, and only an answer counts as theirs.

import { WitanError } from '../../ledger/errors.ts'
import { isAtTerminal } from './passphrase.ts'
import { saysYes } from './yes-or-no.ts'

/** How it was said: `none` where there is no terminal to ask on. Throws when the answer is no. */
export async function saidHere(question: string): Promise<'terminal' | 'none'> {
  if (!isAtTerminal()) return 'none'
  if (await saysYes(question)) return 'terminal'
  throw new WitanError('APPROVAL_UNPROVEN', 'nothing was recorded', 'Answer yes to go on.')
}
