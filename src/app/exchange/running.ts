// A pool at work: rounds as far as the observer granted them, told as they are recorded. Where it waits for the
// observer, the reader learns for what and what to type; nothing is ever decided for them.

import type { Perform } from '../../clerk/clerk.ts'
import { regardWith } from '../../clerk/performers/exchange/judge-messages.ts'
import { exchangePerformer } from '../../clerk/performers/exchange/performer.ts'
import type { Call, Outcome } from '../../doors/cli/command.ts'
import { EXIT } from '../../doors/cli/exit-codes.ts'
import { saveCheckpoint, untilInterrupted, waitingOutcome } from '../../doors/cli/run-trace.ts'
import { OBSERVER } from '../../exchange/events.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import type { Payload } from '../../ledger/event.ts'
import type { Occurrence } from '../../protocol.ts'
import { plain } from '../../render/plain.ts'
import { tell } from '../../render/story/exchange.ts'
import { wrap } from '../../render/wrap.ts'
import { employ } from '../home/signers.ts'
import type { Place, Running } from '../place.ts'
import { driveTrace, SHORT_GRACE_MS } from '../run.ts'
import { exchangeValue, noteOf } from './exchange-result.ts'
import { judgeWith } from './judge-messages.ts'
import { logOf, signersOf } from './open-exchange.ts'
import { type PoolRun, reseat } from './pool-run.ts'
import { scorerIn } from './scorer-cache.ts'

export { exchangeValue, noteOf } from './exchange-result.ts'
export { grant } from './open-exchange.ts'

/** What a round is announced with: how many themes there are, how loudly a restart is asked for, what it cost. */
function gauge({ clusters, level, totals }: ExchangeState): string {
  const themes = clusters?.notes.length ?? 0
  return `${themes} theme${themes === 1 ? '' : 's'} · restart ${level.level.toFixed(2)} · $${totals.usd.toFixed(4)}`
}

/** What the messages of this event are called, once everyone of their round has written. */
function idsOf({ trace, seq }: Occurrence, state: ExchangeState): readonly string[] {
  const event = `${trace}/${seq}`
  return [...state.pool, ...state.pending].flatMap((message) => (message.event === event ? message.id : []))
}

/** An event as lines for a terminal; none where there is nothing to tell. */
export function told(event: Occurrence, state: ExchangeState, { paint, width }: Call): readonly string[] {
  const tones = { plain: (text: string) => text, good: paint.green, bad: paint.red, quiet: paint.dim }
  const line = tell(event, idsOf(event, state))
  if (!line) return []
  const aside = event.type === 'round_opened' ? ` · ${gauge(state)}` : ''
  const more = line.tone === 'plain' || line.tone === 'quiet' ? [] : line.more
  const fitted = (text: string, indent: number): string => wrap(plain(text), indent, width)
  return [tones[line.tone](fitted(line.text + aside, 0)), ...more.map((text) => `  ${fitted(text, 2)}`)]
}

export function exchangeLines(trace: string, state: ExchangeState, { paint }: Call): readonly string[] {
  const { closed, level, clusters, totals, signal, phase, movedTo, stopped, halted } = state
  const themes = [...(clusters?.notes ?? [])].sort((a, b) => b.share - a.share).slice(0, 5)
  const standing = halted
    ? 'halted'
    : movedTo !== null
      ? `goes on in ${movedTo}`
      : stopped !== null
        ? `stopped: ${stopped}`
        : phase
          ? 'structured exchange'
          : 'free-running'
  const note = noteOf(state)
  return [
    ...(note === null ? [] : [paint.bold(note)]),
    `${paint.bold(`round ${closed}`)}  ${plain(standing)}`,
    `  messages  ${totals.messages}   asked ${totals.asked}, failed ${totals.failed}   known cost $${totals.usd.toFixed(4)}`,
    `  restart   level ${level.level.toFixed(2)}${signal ? paint.red(`  signal ${signal.number} waits for an answer`) : ''}`,
    ...themes.map(
      ({ id, label, share }) =>
        `  ${id.padEnd(8)}  ${String(Math.round(share * 100)).padStart(3)} %  ${plain(label)}`,
    ),
    `trace ${trace}`,
  ]
}

/** Commands that answer what an exchange waits for. */
export function commandsFor(trace: string, state: ExchangeState): readonly string[] {
  // Ordered, and cut short before it was made.
  if (state.forks.length > 0) return [`witan resume ${trace}`]
  if (state.signal) {
    return [
      `witan exchange answer ${trace} --with acknowledge --reason "…"`,
      `witan exchange rollback ${trace} --reason "…"`,
      `witan exchange branch ${trace} --reason "…"`,
      `witan exchange terms ${trace} --set FILE --reason "…"`,
    ]
  }
  if (state.movedTo !== null) return [`witan exchange run ${state.movedTo}`]
  return [`witan exchange run ${trace}`]
}

export function performerOf({ home, registrar, log, minds, embedder }: PoolRun): Perform {
  const { ports, directory } = home
  const judge = judgeWith(embedder, () => scorerIn(directory, embedder))
  const regard = regardWith({ store: ports.store, embedder, judge })
  return exchangePerformer({ ports, registrar, log, minds, regard })
}

/** Where a policy led the exchange elsewhere, what was granted is run there. */
async function follow({ home, call }: PoolRun, into: string): Promise<Outcome> {
  const pool = await reseat(home, into, call)
  try {
    return await runPool(pool)
  } finally {
    await pool.embedder.close()
  }
}

export async function runPool(pool: PoolRun): Promise<Outcome> {
  const { home, registrar, log, call } = pool
  const isQuiet = (call.flag('quiet') || call.flag('json')) && !call.tell
  const say = call.tell ?? ((line: string) => process.stderr.write(`${line}\n`))
  const before = log.state.inner.movedTo
  const show = (event: Occurrence): void => {
    for (const line of told(event, log.state.inner, call)) say(line)
  }
  const from = log.size
  const end = await untilInterrupted({ trace: log.trace, signal: call.signal }, (signal) =>
    driveTrace({
      ports: home.ports,
      registrar,
      log,
      perform: performerOf(pool),
      signal,
      grace: SHORT_GRACE_MS,
      from,
      hear: isQuiet ? undefined : show,
    }),
  )
  await saveCheckpoint(call, end.checkpoint)
  const state = log.state.inner
  if (state.movedTo !== null && before === null) return follow(pool, state.movedTo)
  const value = exchangeValue(log.trace, state)
  const lines = exchangeLines(log.trace, state, call)
  const hints = commandsFor(log.trace, state)
  // Rounds that were granted and are over are a good end; a signal or a stop is not.
  const waits = end.status === 'waiting' && (state.signal !== null || state.stopped !== null)
  if (!waits) return { value, lines, brief: [log.trace], hints: hints.map((line) => `  ${line}`) }
  const waiting = waitingOutcome(log.trace, end, hints)
  return {
    ...waiting,
    value: { ...value, ...waiting.value },
    lines: [...lines, ...waiting.lines],
    exit: EXIT.waiting,
  }
}

async function resume({ home, trace, call }: Place): Promise<Outcome> {
  const pool = await reseat(home, trace, call)
  try {
    return await runPool(pool)
  } finally {
    await pool.embedder.close()
  }
}

async function abort({ home, trace, call }: Place): Promise<Outcome> {
  const log = await logOf(home, trace)
  const { terms } = log.state.inner
  const registrar = await employ(home, terms ? signersOf(terms) : [])
  const payload = { reason: call.text('reason') } as Payload
  const actor = registrar.actor(terms?.observer.name ?? '', OBSERVER)
  await log.append([{ type: 'exchange_halted', actor, payload }])
  const state = log.state.inner
  return { value: exchangeValue(trace, state), lines: exchangeLines(trace, state, call), exit: EXIT.aborted }
}

export const exchangeRunning: Running = { resume, abort }
