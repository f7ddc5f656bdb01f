// The first Ctrl-C once round one has borne something: the person may have a report of what there is instead of
// leaving. Anything but a yes stops, as Ctrl-C does elsewhere.

import { createInterface } from 'node:readline/promises'
import type { CouncilLog } from '../../../app/council/open-council.ts'
import { isR1Complete } from '../../../council/stage.ts'
import { isConvened } from '../../../council/state.ts'
import { isYes } from '../yes-or-no.ts'
import type { Live } from './live.ts'

/** True when the run goes on, to its early close. */
export async function offerToClose(
  log: CouncilLog,
  live: Live,
  close: () => Promise<void>,
): Promise<boolean> {
  const { inner } = log.state
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true
  if (!isTerminal || !isConvened(inner) || !isR1Complete(inner)) return false
  live.pause()
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await new Promise<string>((resolve) => {
    terminal.on('SIGINT', () => resolve('n'))
    terminal.on('close', () => resolve('n'))
    void terminal.question('Close now with a report of what there is? [y/N] ').then(resolve)
  })
  terminal.close()
  live.resume()
  if (!isYes(answer)) return false
  await close()
  return true
}
