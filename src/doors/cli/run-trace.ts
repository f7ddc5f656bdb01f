// A running clerk at the command line: events are printed as they are recorded, the first Ctrl-C stops
// cleanly (or offers to close, where there is something to close with), the second stops at once. In any case
// the reader learns how to continue.

import { refuseExisting, writeFileWhole } from '../../app/home/files.ts'
import type { Home } from '../../app/home/home.ts'
import { personName } from '../../app/home/signers.ts'
import { type Elsewhere, type RunEnd, stoppedBy } from '../../app/run.ts'
import { WitanError } from '../../ledger/errors.ts'
import { isAgentName } from '../../ledger/event.ts'
import { plain } from '../../render/plain.ts'
import { answerInterrupts, type Call, EXIT, locationOf, type Outcome, readTimeout, usage } from './command.ts'

interface Stopping {
  readonly trace: string
  /** What the first Ctrl-C offers instead of stopping; true when the run is to continue. */
  readonly offer?: (() => Promise<boolean>) | undefined
  /** Another process drives it. */
  readonly followed?: boolean
}

/** Leaving a followed trace ends nothing. */
const notFollowed = (trace: string): WitanError =>
  new WitanError(
    'INTERRUPTED',
    `no longer following ${trace}`,
    `It continues in the queue. Follow it again with: witan wait ${trace}`,
  )

/** Drives a trace under a signal that Ctrl-C aborts. */
export async function untilInterrupted(
  { trace, offer, followed = false }: Stopping,
  drive: (signal: AbortSignal) => Promise<RunEnd>,
): Promise<RunEnd> {
  const stop = new AbortController()
  let asked = false
  const interrupt = (): void => {
    // A second Ctrl-C: the next clerk closes what is still open.
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
  const release = answerInterrupts(interrupt)
  try {
    const end = await drive(stop.signal)
    if (end.status === 'interrupted') throw followed ? notFollowed(trace) : stoppedBy('Ctrl-C', trace)
    if (end.unnotified !== undefined)
      process.stderr.write(`not notified (notify: in the home's config.yaml): ${plain(end.unnotified)}\n`)
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

/** Saves the checkpoint that seals a finished trace where the person wants it. */
export async function saveCheckpoint(call: Call, checkpoint: string | null): Promise<void> {
  const file = call.text('checkpoint-out')
  if (file === null || checkpoint === null) return
  await writeFileWhole(file, Buffer.from(checkpoint), { replace: call.flag('force') })
}

// `--queue` and `--wait`: a trace that was begun here and is run by a worker. The command that began it says
// how to show it.

/** Shows a trace that is driven elsewhere, to its end. */
export type Follow = (home: Home, trace: string, call: Call, elsewhere: Elsewhere) => Promise<Outcome>

/** Checked before anything is recorded. */
export function checkQueueing(call: Call): void {
  const isQueued = call.flag('queue')
  for (const name of ['tenant', 'tag'] as const) {
    const value = call.text(name)
    if (value === null) continue
    if (!isQueued) throw usage(`--${name} is for --queue`, 'Add --queue, or leave it out.')
    if (!isAgentName(value))
      throw usage(`--${name} '${value}' is no name`, 'Use letters, digits and . _ @ - only.')
  }
}

/** What a worker drives continues by itself once someone has answered. */
export const queuedHints = (hints: readonly string[]): readonly string[] =>
  hints.map((hint) => hint.replace(/^Then: witan resume (\S+)$/, 'Then a worker continues it: witan wait $1'))

export async function followHere(home: Home, trace: string, call: Call, follow: Follow): Promise<Outcome> {
  const { awaitQueued, withQueue } = await import('../../app/queue/queue.ts')
  const outcome = await withQueue(locationOf(call), (queue) => follow(home, trace, call, awaitQueued(queue)))
  return { ...outcome, ...(outcome.hints && { hints: queuedHints(outcome.hints) }) }
}

/** Queues a trace that was begun here; with `--wait` it is followed. */
export async function queueTrace(home: Home, trace: string, call: Call, follow: Follow): Promise<Outcome> {
  const location = locationOf(call)
  const { enqueueTrace } = await import('../../app/queue/queue.ts')
  const protocol = (await home.store.head(trace))?.header.protocol ?? ''
  const timeoutMs = readTimeout(call.text('timeout'))
  const state = await enqueueTrace(
    location,
    { trace, protocol },
    {
      tenant: call.text('tenant') ?? personName(),
      tag: call.text('tag'),
      details: { ...(timeoutMs !== null && { timeoutMs }) },
    },
  )
  if (call.flag('wait')) return followHere(home, trace, call, follow)
  return {
    value: { trace, queued: state },
    lines: [trace],
    brief: [trace],
    hints: [`Queued. Follow it with: witan wait ${trace}`],
  }
}

/** Fails before anything is recorded where there is no queue. */
export async function requireQueue(call: Call): Promise<void> {
  if (!call.flag('queue')) return
  const { queueUrl } = await import('../../app/queue/queue.ts')
  await queueUrl(locationOf(call))
}
