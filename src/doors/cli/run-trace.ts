// A clerk at work while a person looks on: what is recorded is told as it is recorded, the first Ctrl-C stops cleanly
// (or offers to close, where there is something to close with), the second stops at once. Whatever happens the
// reader learns how to go on.

import { refuseExisting, writeFileWhole } from '../../app/home/files.ts'
import type { RunEnd } from '../../app/run.ts'
import { WitanError } from '../../ledger/errors.ts'
import { plain } from '../../render/plain.ts'
import type { Call, Outcome } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { answerInterrupts } from './interrupt.ts'

interface Stopping {
  readonly trace: string
  /** What the first Ctrl-C offers instead of stopping; true when the run is to go on. */
  readonly offer?: (() => Promise<boolean>) | undefined
  /** Stops the run instead of Ctrl-C, which then belongs to the caller. */
  readonly signal?: AbortSignal | undefined
}

const interrupted = (trace: string, by: string): WitanError =>
  new WitanError(
    'INTERRUPTED',
    `stopped by ${by} in ${trace}`,
    `Nothing was lost: what was answered is kept. Go on with: witan resume ${trace}`,
  )

/** Drives a trace under a signal that Ctrl-C gives. */
export async function untilInterrupted(
  { trace, offer, signal: stopped }: Stopping,
  drive: (signal: AbortSignal) => Promise<RunEnd>,
): Promise<RunEnd> {
  const stop = new AbortController()
  let asked = false
  const interrupt = (): void => {
    // Impatience: whatever is still open is closed by the next clerk.
    if (asked) process.exit(EXIT.interrupted)
    asked = true
    if (!offer) {
      stop.abort()
      return
    }
    void offer()
      .catch(() => false)
      .then((goesOn) => {
        asked = false
        if (!goesOn) stop.abort()
      })
  }
  const release = stopped ? () => undefined : answerInterrupts(interrupt)
  try {
    const end = await drive(stopped ? AbortSignal.any([stop.signal, stopped]) : stop.signal)
    if (end.status === 'interrupted') throw interrupted(trace, stopped ? 'the host' : 'Ctrl-C')
    return end
  } finally {
    release()
  }
}

/** Refused before anything is paid for. */
export async function checkOutputs(call: Call): Promise<void> {
  for (const name of ['output', 'checkpoint-out']) {
    const file = call.text(name)
    if (file !== null) await refuseExisting(file, call.flag('force'))
  }
}

/** Keeps the checkpoint that seals a finished trace where the person wants it. */
export async function saveCheckpoint(call: Call, checkpoint: string | null): Promise<void> {
  const file = call.text('checkpoint-out')
  if (file === null || checkpoint === null) return
  await writeFileWhole(file, Buffer.from(checkpoint), { replace: call.flag('force') })
}

/** What to tell of a trace that goes on only when someone else has answered. */
export function waitingOutcome(trace: string, end: RunEnd, commands: readonly string[] = []): Outcome {
  const whom = end.parked.map(({ waitsFor }) => waitsFor ?? 'an answer')
  return {
    value: {
      trace,
      status: 'waiting',
      waits_for: whom,
      actions: end.parked.map(({ id }) => id),
      next: commands,
    },
    lines: [`${trace} waits for ${plain(whom.join(', ') || 'nobody known')}`],
    brief: [trace],
    hints: [...commands.map((command) => `  ${plain(command)}`), `Then: witan resume ${trace}`],
    exit: EXIT.waiting,
  }
}
