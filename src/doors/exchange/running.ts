// A pool at work: rounds as far as the observer granted them, told as they are recorded. Where it waits for the
// observer, the reader learns for what and what to type; nothing is ever decided for them.

import { exchangePerformer } from '../../clerk/exchange/perform.ts'
import { regardWith } from '../../clerk/exchange/regard.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import type { AskableSeat } from '../../clerk/seat.ts'
import { OBSERVER } from '../../exchange/events.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import type { Terms } from '../../exchange/terms.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Payload } from '../../ledger/event.ts'
import type { Occurrence } from '../../protocol.ts'
import type { Sense } from '../../senses/sense.ts'
import type { Call, Outcome } from '../cli/command.ts'
import { EXIT } from '../cli/exit-codes.ts'
import { plain } from '../cli/plain.ts'
import { runTrace, saveCheckpoint, waitingOutcome } from '../cli/run-trace.ts'
import { loadSettings } from '../config.ts'
import type { Home } from '../home.ts'
import type { Place, Running } from '../place.ts'
import { employ } from '../signers.ts'
import { judgeWith } from './judging.ts'
import { bookOf, type ExchangeBook, mindsIn, signersOf } from './opening.ts'
import { openSense } from './senses.ts'
import { tell } from './story.ts'

/** The seats that the terms name, as they are set up on this machine. */
export async function seatsFor(
  home: Home,
  terms: Terms,
): Promise<{
  readonly minds: ReadonlyMap<string, AskableSeat>
  readonly models: readonly { name: string; model: string | null }[]
}> {
  const settings = await loadSettings({ home: home.directory, from: process.cwd(), file: null })
  const { seatTable } = await import('../seating.ts')
  const table = await seatTable({ settings, env: process.env, signal: AbortSignal.timeout(30_000) })
  const names = mindsIn(terms)
  const found = names.map((name) => {
    const own = table.seats.find(({ id, seat }) => id === name || seat.provider === name)
    if (own && table.from !== 'embedded') return [name, own.seat] as const
    const there = table.from === 'embedded' ? 'none' : table.seats.map(({ id }) => id).join(', ')
    const next = `Ready now: ${there}. See \`witan doctor\`, and name minds that are there under pool.minds.`
    throw new WitanError('CONFIG_INVALID', `the terms name ${name}, and no such mind is ready`, next)
  })
  return { minds: new Map(found), models: found.map(([name, seat]) => ({ name, model: seat.model })) }
}

/** What every command that runs rounds needs. */
export interface PoolRun {
  readonly home: Home
  readonly registrar: Registrar
  readonly book: ExchangeBook
  readonly minds: ReadonlyMap<string, AskableSeat>
  readonly sense: Sense
  readonly call: Call
}

/** The observer grants rounds; the pool takes none by itself. */
export async function grant(
  registrar: Registrar,
  book: ExchangeBook,
  rounds: number,
  mode: 'run' | 'chat',
): Promise<void> {
  const { terms, closed } = book.state.inner
  const actor = registrar.actor(terms?.observer.name ?? '', OBSERVER)
  const payload = { until: closed + rounds, mode } as Payload
  await book.append([{ type: 'continued', actor, payload }])
}

function teller({ paint }: Call): (event: Occurrence) => void {
  const tones = { plain: (text: string) => text, good: paint.green, bad: paint.red, quiet: paint.dim }
  return (event) => {
    const line = tell(event)
    if (line) process.stderr.write(`${tones[line.tone](plain(line.text))}\n`)
  }
}

export function exchangeValue(trace: string, state: ExchangeState) {
  const { closed, until, phase, signal, level, clusters, totals, halted, movedTo, stopped, encoder } = state
  return {
    trace,
    status: halted ? 'halted' : movedTo !== null ? 'moved' : stopped !== null ? 'stopped' : 'open',
    round: closed,
    granted: until,
    moved_to: movedTo,
    stopped,
    phase: phase ? 'structured' : 'free-running',
    signal: signal ? { number: signal.number, round: signal.round, asked: signal.asked } : null,
    level: level.level,
    encoder,
    clusters: clusters?.notes ?? [],
    totals,
  }
}

export function exchangeLines(trace: string, state: ExchangeState, { paint }: Call): readonly string[] {
  const { closed, level, clusters, totals, signal, phase, movedTo, stopped, halted } = state
  const themes = [...(clusters?.notes ?? [])].sort((a, b) => b.share - a.share).slice(0, 5)
  const standing = halted
    ? 'halted'
    : movedTo !== null
      ? `goes on in ${movedTo}`
      : (stopped ?? (phase ? 'structured exchange' : 'free-running'))
  return [
    `${paint.bold(`round ${closed}`)}  ${plain(standing)}`,
    `  messages  ${totals.messages}   asked ${totals.asked}, failed ${totals.failed}   $${totals.usd.toFixed(4)} known`,
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
  if (state.signal) {
    return [
      `witan exchange answer ${trace} --with acknowledge|halt --reason "…"`,
      `witan exchange rollback ${trace} --to ROUND --reason "…"`,
      `witan exchange branch ${trace} --at ${state.closed} --terms FILE`,
    ]
  }
  if (state.movedTo !== null) return [`witan exchange run ${state.movedTo} --rounds N`]
  return [`witan exchange run ${trace} --rounds N`]
}

export async function runPool({ home, registrar, book, minds, sense, call }: PoolRun): Promise<Outcome> {
  const { office } = home
  const regard = regardWith({ vault: office.vault, sense, judge: judgeWith(sense) })
  const perform = exchangePerformer({ office, registrar, book, minds, regard })
  const isQuiet = call.flag('quiet') || call.flag('json')
  const end = await runTrace({
    home,
    registrar,
    book,
    perform,
    from: book.size,
    ...(!isQuiet && { tell: teller(call) }),
  })
  await saveCheckpoint(call, end.checkpoint)
  const state = book.state.inner
  const value = exchangeValue(book.trace, state)
  const lines = exchangeLines(book.trace, state, call)
  const hints = commandsFor(book.trace, state)
  // Rounds that were granted and are over are a good end; a signal or a stop is not.
  const waits = end.status === 'waiting' && (state.signal !== null || state.stopped !== null)
  if (!waits) return { value, lines, brief: [book.trace], hints: hints.map((line) => `  ${line}`) }
  const waiting = waitingOutcome(book.trace, end, hints)
  return {
    ...waiting,
    value: { ...value, ...waiting.value },
    lines: [...lines, ...waiting.lines],
    exit: EXIT.waiting,
  }
}

async function resume({ home, trace, call }: Place): Promise<Outcome> {
  const book = await bookOf(home, trace)
  const { terms } = book.state.inner
  if (!terms) throw new WitanError('TRACE_NOT_FOUND', `${trace} is not open`, 'See `witan show`.')
  const registrar = await employ(home, signersOf(terms))
  const { minds } = await seatsFor(home, terms)
  const sense = await openSense(home.directory)
  try {
    return await runPool({ home, registrar, book, minds, sense, call })
  } finally {
    await sense.close()
  }
}

async function abort({ home, trace, call }: Place): Promise<Outcome> {
  const book = await bookOf(home, trace)
  const { terms } = book.state.inner
  const registrar = await employ(home, terms ? signersOf(terms) : [])
  const payload = { reason: call.text('reason') } as Payload
  const actor = registrar.actor(terms?.observer.name ?? '', OBSERVER)
  await book.append([{ type: 'exchange_halted', actor, payload }])
  const state = book.state.inner
  return { value: exchangeValue(trace, state), lines: exchangeLines(trace, state, call), exit: EXIT.aborted }
}

export const exchangeRunning: Running = { resume, abort }
