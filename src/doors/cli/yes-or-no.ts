// A question to the person at the terminal, whose answer is no unless it is yes.

import { createInterface } from 'node:readline/promises'

export const isYes = (answer: string): boolean => /^\s*y(es)?\s*$/i.test(answer)

export async function saysYes(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // The interface takes Ctrl-C for itself; whoever presses it wants to leave.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return isYes(await terminal.question(question))
  } finally {
    terminal.close()
  }
}
