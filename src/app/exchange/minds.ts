// The minds of an exchange, by the names in its terms: seats as they are set up on this machine, the prepared
// minds of a demonstration, or seats that a program brings. A missing mind is reported before a round is
// granted.

import type { AskableSeat } from '../../clerk/seat.ts'
import type { ExchangeOpened } from '../../exchange/events.ts'
import { isDemoMind } from '../../exchange/result.ts'
import { isScriptedMind, judgeOf, type Terms } from '../../exchange/terms.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Settings } from '../config/config.ts'
import { demoSeat } from './demo-minds.ts'

export type { AskableSeat } from '../../clerk/seat.ts'

/** A seat that writes or audits, and the name of its model. */
export type MindGiven = AskableSeat & { readonly model?: string | null }

export interface Minds {
  readonly seats: ReadonlyMap<string, AskableSeat>
  /** As the first event of an exchange names them. */
  readonly records: ExchangeOpened['seats']
}

export type MindsFor = (terms: Terms) => Promise<Minds>

/** Every name of a mind, auditor or judge in the terms. */
const namesIn = (terms: Terms): readonly string[] => {
  const judge = judgeOf(terms)
  return [...new Set([...terms.pool.minds, terms.auditor.mind, ...(judge === null ? [] : [judge])])]
}

const LOOK_MS = 30_000

async function configured(names: readonly string[], settings: Settings): Promise<readonly MindGiven[]> {
  const { seatNamed, seatTable } = await import('../seating/seat-table.ts')
  const table = await seatTable({ settings, env: process.env, signal: AbortSignal.timeout(LOOK_MS) })
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

function mindsOf(terms: Terms, seats: ReadonlyMap<string, MindGiven>): Minds {
  const records = namesIn(terms).map((name) => ({ name, model: seats.get(name)?.model ?? null }))
  return { seats, records }
}

/** Those of the demo without a model; no other mind may have such a name. */
async function scriptedAmong(
  names: readonly string[],
  pace: number,
): Promise<readonly (readonly [string, MindGiven])[]> {
  const wanted = names.filter(isScriptedMind)
  if (wanted.length === 0) return []
  const { scriptedPool } = await import('../demo/exchange-script.ts')
  const seats = await scriptedPool(pace)
  return wanted.map((name) => {
    const seat = seats.get(name)
    if (seat) return [name, { ...seat, model: name }] as const
    const next = `Names that begin with scripted- are for the demo: ${[...seats.keys()].join(', ')}.`
    throw new WitanError('CONFIG_INVALID', `the terms name ${name}, and no such mind is scripted`, next)
  })
}

/** From the settings, which are read only where the terms name more than prepared minds. */
export const mindsFromSettings =
  (settings: () => Promise<Settings>, pace = 1): MindsFor =>
  async (terms) => {
    const names = namesIn(terms)
    const real = names.filter((name) => !isDemoMind(name) && !isScriptedMind(name))
    const seats = real.length === 0 ? [] : await configured(real, await settings())
    return mindsOf(
      terms,
      new Map<string, MindGiven>([
        ...names.filter(isDemoMind).map((name) => [name, demoSeat(name)] as const),
        ...(await scriptedAmong(names, pace)),
        ...seats.map((seat, i) => [real[i] ?? '', seat] as const),
      ]),
    )
  }

/** Those that a program brings. */
export const mindsGiven =
  (mindsByName: Readonly<Record<string, MindGiven>>): MindsFor =>
  async (terms) => {
    const missing = namesIn(terms).find((name) => !Object.hasOwn(mindsByName, name))
    if (missing === undefined) return mindsOf(terms, new Map(Object.entries(mindsByName)))
    const next = `Give it a seat under minds, which names ${Object.keys(mindsByName).join(', ') || 'none'}.`
    throw new WitanError('CONFIG_INVALID', `the terms name ${missing}, and no such mind is given`, next)
  }
