// What a command that runs rounds starts from: a trace to go on with or terms to begin on, everyone who is to think
// seated, the encoder at hand and the right one. Whatever is missing is said before a round is granted.

import type { Registrar } from '../../clerk/registrar.ts'
import type { AskableSeat } from '../../clerk/seat.ts'
import type { Call } from '../../doors/cli/command.ts'
import { usage } from '../../doors/cli/parse.ts'
import type { CachedEmbedder } from '../../embeddings/cache.ts'
import type { Terms } from '../../exchange/terms.ts'
import { WitanError } from '../../ledger/errors.ts'
import { isAgentName } from '../../ledger/event.ts'
import { loadSettings } from '../config/config.ts'
import type { Home } from '../home/home.ts'
import { employ, openOrFound, personName } from '../home/signers.ts'
import { findTrace } from '../traces/trace-name.ts'
import { heard } from '../typed-words.ts'
import { demoSeat, demoTerms, isDemoMind } from './demo-minds.ts'
import { openEmbedder } from './embedder.ts'
import { Observer } from './observer.ts'
import { type ExchangeLog, logOf, mindsIn, openExchange, signersOf } from './open-exchange.ts'
import { readTermsFile } from './terms-file.ts'

/** What every command that runs rounds needs. */
export interface PoolRun {
  readonly home: Home
  readonly registrar: Registrar
  readonly log: ExchangeLog
  readonly minds: ReadonlyMap<string, AskableSeat>
  readonly embedder: CachedEmbedder
  readonly call: Call
}

type SeatWithModel = AskableSeat & { readonly model: string | null }

async function tableSeats(
  home: Home,
  names: readonly string[],
  file: string | null,
): Promise<readonly SeatWithModel[]> {
  if (names.length === 0) return []
  const settings = await loadSettings({ home: home.directory, from: process.cwd(), file })
  const { seatNamed, seatTable } = await import('../seating/seat-table.ts')
  const table = await seatTable({ settings, env: process.env, signal: AbortSignal.timeout(30_000) })
  return names.map((name) => {
    const own = seatNamed(table, name)
    if (own) return own.seat
    if (table.from === 'embedded') {
      const next =
        'See `witan doctor` for what to set up; `witan exchange run --demo` shows the mechanics without a model.'
      throw new WitanError('CONFIG_INVALID', `no mind is ready, and the terms name ${name}`, next)
    }
    const there = table.seats.map(({ id }) => id).join(', ')
    const next = `Ready now: ${there}. See \`witan doctor\`, and name minds that are there under pool.minds.`
    throw new WitanError('CONFIG_INVALID', `the terms name ${name}, and no such mind is ready`, next)
  })
}

/** The seats that the terms name, as they are set up on this machine. */
export async function seatsFor(
  home: Home,
  terms: Terms,
  config: string | null,
): Promise<{
  readonly minds: ReadonlyMap<string, AskableSeat>
  readonly models: readonly { name: string; model: string | null }[]
}> {
  const names = mindsIn(terms)
  const real = names.filter((name) => !isDemoMind(name))
  const seats = new Map<string, SeatWithModel>(names.filter(isDemoMind).map((name) => [name, demoSeat(name)]))
  for (const [i, seat] of (await tableSeats(home, real, config)).entries()) seats.set(real[i] ?? '', seat)
  const models = names.map((name) => ({ name, model: seats.get(name)?.model ?? null }))
  return { minds: seats, models }
}

/** Vectors of one exchange come from one encoder. */
function sameEncoder({ state, trace }: ExchangeLog, embedder: { readonly encoder: string }): void {
  const { encoder } = state.inner
  if (encoder === embedder.encoder) return
  throw new WitanError(
    'ENCODER_MISMATCH',
    `${trace} has vectors of ${encoder}, and here is ${embedder.encoder}`,
    state.inner.round
      ? `Round ${state.inner.round.round} is open: end it with ${encoder}, then make all vectors anew.`
      : `Make its vectors anew first: witan exchange reembed ${trace}`,
  )
}

/** Seats everyone of a trace that exists. The sense is closed by whoever asked. */
export async function reseat(home: Home, trace: string, call: Call): Promise<PoolRun> {
  await (await Observer.at(home, trace)).finish()
  const log = await logOf(home, trace)
  const { terms } = log.state.inner
  if (!terms) throw new WitanError('TRACE_NOT_FOUND', `${trace} is no open exchange`, 'See `witan list`.')
  checkObserver(terms, call)
  const { minds } = await seatsFor(home, terms, call.text('config'))
  const registrar = await employ(home, signersOf(terms))
  const embedder = await openEmbedder(home.directory)
  try {
    sameEncoder(log, embedder)
  } catch (error) {
    await embedder.close()
    throw error
  }
  return { home, registrar, log, minds, embedder, call }
}

/** Who says that they observe: nobody else's words are signed in their name. */
function namedObserver(call: Call): string | null {
  const name = call.text('by')
  if (name === null || isAgentName(name)) return name
  throw usage(`--by '${name}' is no name`, 'Use letters, digits and . _ @ - only.')
}

function checkObserver({ observer }: Terms, call: Call): void {
  const name = namedObserver(call)
  if (name === null || name === observer.name) return
  throw usage(
    `the terms name ${observer.name} as their observer, not ${name}`,
    'Leave --by out, or amend observer.name in the terms first.',
  )
}

async function termsOf(call: Call, chat: boolean): Promise<Terms | null> {
  const file = call.text('terms')
  const read = file === null ? null : await heard(await readTermsFile(file, { chat }), call)
  const begun = call.flag('demo') ? demoTerms(read, namedObserver(call) ?? personName()) : read
  const every = call.count('audit-every')
  if (!begun || every === null) return begun
  if (every < 2) throw usage('--audit-every is at least 2', 'Every round an audit would leave the pool none.')
  return { ...begun, auditor: { ...begun.auditor, every } }
}

async function open(home: Home, terms: Terms, call: Call): Promise<PoolRun> {
  checkObserver(terms, call)
  const { minds, models } = await seatsFor(home, terms, call.text('config'))
  const registrar = await employ(home, signersOf(terms))
  const embedder = await openEmbedder(home.directory)
  try {
    const log = await openExchange(home, registrar, terms, { encoder: embedder.encoder, seats: models })
    return { home, registrar, log, minds, embedder, call }
  } catch (error) {
    await embedder.close()
    throw error
  }
}

/** Begins on --terms or --demo, or goes on with the trace that is named; closes whatever happens. */
export async function withPool<Result>(
  call: Call,
  { chat }: { readonly chat: boolean },
  work: (pool: PoolRun) => Promise<Result>,
): Promise<Result> {
  const [name] = call.args
  const begins = call.text('terms') !== null || call.flag('demo')
  if (begins === (name !== undefined)) {
    throw usage(
      'name either a trace, or --terms FILE, or --demo',
      'A trace goes on; terms begin a new exchange; --demo shows one without a model.',
    )
  }
  const terms = await termsOf(call, chat)
  const home = await openOrFound({ directory: call.home, postgres: call.postgres })
  try {
    const pool = terms
      ? await open(home, terms, call)
      : await reseat(home, await findTrace(home.store, name ?? ''), call)
    try {
      return await work(pool)
    } finally {
      await pool.embedder.close()
    }
  } finally {
    await home.close()
  }
}
