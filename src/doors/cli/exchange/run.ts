// Verbs that run a pool: `witan exchange run` and `chat` open an exchange with terms or continue one;
// `resume` and `abort` take a recorded one.

import {
  type DriveOptions,
  driveThroughBranches,
  type Exchange,
  ROUNDS,
  resumeInHome,
  withExchange,
} from '../../../app/exchange/exchange.ts'
import { mindsFromSettings } from '../../../app/exchange/minds.ts'
import { observerAt } from '../../../app/exchange/observer.ts'
import { termsFor } from '../../../app/exchange/terms-file.ts'
import { withHome } from '../../../app/home/home.ts'
import { SHORT_GRACE_MS } from '../../../app/run.ts'
import { exchangeValue } from '../../../exchange/result.ts'
import type { Terms } from '../../../exchange/terms.ts'
import { isAgentName } from '../../../ledger/event.ts'
import type { Means } from '../../../ledger/means.ts'
import { endView, exchangeLines } from '../../../render/exchange.ts'
import { busyLine, poolLines } from '../../../render/pool-view.ts'
import {
  type Call,
  EXIT,
  locationOf,
  type Narration,
  type Outcome,
  type Place,
  usage,
  type Verb,
} from '../command.ts'
import {
  checkOutputs,
  checkQueueing,
  type Follow,
  queueTrace,
  requireQueue,
  saveCheckpoint,
  untilInterrupted,
} from '../run-trace.ts'
import { readSettings, tellRemoved } from '../terminal.ts'
import { observerProof } from './observer-key.ts'
import { canBeTyped, liveSheet, Telling } from './screen.ts'

function observerNamed(call: Call): string | null {
  const name = call.text('by')
  if (name === null || isAgentName(name)) return name
  throw usage(`--by '${name}' is no name`, 'Use letters, digits and . _ @ - only.')
}

/** `pace`: how fast scripted minds write, where there are any. */
export const exchangeRunOptions = (call: Call, fallback?: () => Means, pace = 1) => ({
  mindsFor: mindsFromSettings(() => readSettings(call), pace),
  by: observerNamed(call),
  ...observerProof(call, fallback),
})

/** The terms to begin with, or the name of the trace to continue. */
async function readStart(call: Call, chat: boolean): Promise<Terms | string> {
  const [name] = call.args
  const [file, demo] = [call.text('terms'), call.flag('demo')]
  const verb = chat ? 'chat' : 'run'
  if ((file !== null || demo) === (name !== undefined)) {
    throw usage(
      'name either a trace, or --terms FILE, or --demo',
      `Go on with \`witan exchange ${verb} TRACE\`, begin with --terms terms.yaml, or try --demo without a model.`,
    )
  }
  if (name !== undefined && /\.ya?ml$/i.test(name))
    throw usage(
      `${name} is a file, not a trace`,
      `Begin on its terms: witan exchange ${verb} --terms ${name}`,
    )
  if (name !== undefined) return name
  const auditEvery = call.count('audit-every')
  if (auditEvery !== null && auditEvery < 2) {
    throw usage('--audit-every is at least 2', 'Every round an audit would leave the pool none.')
  }
  const { value, removed } = await termsFor({ file, demo, chat, auditEvery, observer: observerNamed(call) })
  tellRemoved(removed, call)
  return value
}

export async function runAndPresent(first: Exchange, call: Call, isFollowed = false): Promise<Outcome> {
  const isQuiet = call.flag('quiet') || call.flag('json')
  const sheet = await liveSheet()
  const telling = new Telling()
  const { exchange, end } = await driveThroughBranches(first, async (branch) => {
    const show: DriveOptions['hear'] = (event, after) =>
      telling.print(poolLines(event, after, sheet), busyLine(after))
    const ended = await untilInterrupted({ trace: branch.trace, followed: isFollowed }, (signal) =>
      branch.drive({ signal, grace: SHORT_GRACE_MS, hear: isQuiet ? undefined : show }),
    )
    await saveCheckpoint(call, ended.checkpoint)
    return ended
  }).finally(() => telling.close())
  const { waits, ...view } = endView(exchange.state, end, call)
  return { ...view, brief: [exchange.trace], ...(waits && { exit: EXIT.waiting }) }
}

export const run: Verb = async (call) => {
  await checkOutputs(call)
  checkQueueing(call)
  await requireQueue(call)
  const rounds = call.count('rounds') ?? ROUNDS
  const start = await readStart(call, false)
  return withExchange(locationOf(call), start, exchangeRunOptions(call), async (exchange) => {
    await exchange.grant(rounds)
    if (!call.flag('queue')) return runAndPresent(exchange, call)
    return withHome({ ...locationOf(call), mode: 'write' }, (home) =>
      queueTrace(home, exchange.trace, call, follow),
    )
  })
}

export const chatting: Verb = async (call) => {
  const [{ chat }, start] = [await import('./chat.ts'), await readStart(call, true)]
  if (!(await canBeTyped())) {
    const words = call.args[0] ?? (call.flag('demo') ? '--demo' : `--terms ${call.text('terms')}`)
    throw usage(
      'a chat needs someone to type, and standard input is empty',
      `Nothing was begun. Run it at a terminal, or let the pool think without you: witan exchange run ${words}`,
    )
  }
  const rounds = call.count('rounds')
  return withExchange(locationOf(call), start, exchangeRunOptions(call), (exchange) =>
    chat(exchange, call, rounds),
  )
}

export async function resume({ home, trace, call }: Place, via: Narration): Promise<Outcome> {
  const manner = exchangeRunOptions(call, () => via)
  const exchange = await resumeInHome(home, trace, manner)
  try {
    return await runAndPresent(exchange, call)
  } finally {
    await exchange.close()
  }
}

/** An exchange that a worker drives, shown as it runs. */
export const follow: Follow = async (home, trace, call, elsewhere) => {
  const { followExchange } = await import('../../../app/queue/follow-exchange.ts')
  return runAndPresent(await followExchange(home, trace, elsewhere), call, true)
}

export async function abort({ home, trace, call }: Place, via: Narration): Promise<Outcome> {
  const observer = await observerAt(
    home,
    trace,
    observerProof(call, () => via),
  )
  await observer.halt(call.text('reason'))
  tellRemoved(observer.removed, call)
  const value = exchangeValue(observer.state)
  return { value, lines: exchangeLines(value, call), exit: EXIT.aborted }
}
