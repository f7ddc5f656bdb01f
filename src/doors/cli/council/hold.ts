// A council held before a person's eyes, from where its trace stands to its end, and its result as an outcome of the
// command. The first Ctrl-C once round one has borne something offers a report of what there is instead of leaving.

import { createInterface } from 'node:readline/promises'
import type { Council } from '../../../app/council/council.ts'
import type { Gate } from '../../../app/council/gate.ts'
import { SHORT_GRACE_MS } from '../../../app/run.ts'
import { isR1Complete } from '../../../council/stage.ts'
import { isConvened } from '../../../council/state.ts'
import type { Call, Outcome } from '../command.ts'
import { paintFor } from '../paint.ts'
import { saveCheckpoint, untilInterrupted } from '../run-trace.ts'
import { isYes } from '../yes-or-no.ts'
import { type Live, showLive } from './live.ts'
import { present } from './present.ts'

/** True when the run goes on, to its early close. Anything but a yes stops, as Ctrl-C does elsewhere. */
async function offerToClose(council: Council, live: Live): Promise<boolean> {
  const { state } = council
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true
  if (!isTerminal || !isConvened(state) || !isR1Complete(state)) return false
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
  await council.close('closed by the convener with what there was')
  return true
}

export async function hold(council: Council, call: Call, gate: Gate | null): Promise<Outcome> {
  const machine = call.flag('json') || call.flag('quiet')
  const live = showLive(process.stderr, await paintFor(process.stderr), machine)
  const offer = machine ? undefined : () => offerToClose(council, live)
  call.progress('')
  try {
    const end = await untilInterrupted({ trace: council.trace, offer }, (signal) =>
      council.drive({ signal, grace: SHORT_GRACE_MS, hear: live.tell.bind(live) }),
    )
    live.end()
    await saveCheckpoint(call, end.checkpoint)
    return await present(council.result(), { call, gate, checkpoint: end.checkpoint })
  } finally {
    live.end()
  }
}
