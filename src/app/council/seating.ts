// Who sits in a council, whichever entrance it is planned at: seats by name or from the settings, the model of an MCP
// host beside them, or seats that a program brings.

import type { AskableSeat } from '../../clerk/seat.ts'
import type { LeftOut, SeatRecord } from '../../council/events.ts'
import { promptChars } from '../../council/policy.ts'
import type { Settings } from '../config/config.ts'
import type { Surroundings } from '../seating/environment.ts'
import { seatTable, type TableSeat } from '../seating/seat-table.ts'
import { askableOf, councilTable, recordOf, type Wish } from './council-table.ts'

export type { AskableSeat } from '../../clerk/seat.ts'

export type World = Pick<Surroundings, 'env' | 'signal' | 'fetch'>

/** The machine as it is; whoever looks around is not stopped. */
export const worldHere = (signal: AbortSignal = new AbortController().signal): World => ({
  env: process.env,
  signal,
})

export interface Seating {
  readonly records: readonly SeatRecord[]
  readonly chairs: readonly string[]
  readonly seats: ReadonlyMap<string, AskableSeat>
  /** Who was to sit there and cannot be asked, with the reason. */
  readonly leftOut: readonly LeftOut[]
  /** To whom something leaves this machine; a host hears what it gave itself and does not count. */
  readonly providers: readonly string[]
  /** They were named by someone whose word counts here. */
  readonly chosen: boolean
  /** Only checks sit there: one opinion is all there can be. */
  readonly panel: boolean
  /** A person or a host answers at one of the seats, and needs longer than a vendor's server. */
  readonly slow: boolean
}

export async function namedSeating(wish: Wish, settings: Settings, world: World): Promise<Seating> {
  const table = await councilTable(wish, settings, world)
  const panel = table.from === 'embedded'
  return {
    records: table.records,
    chairs: table.chairs,
    seats: new Map(table.seats.map(({ id, seat }) => [id, seat])),
    providers: panel ? [] : table.records.map(({ provider }) => provider),
    leftOut: table.leftOut,
    chosen: table.chosen,
    panel,
    slow: false,
  }
}

/** The provider under which the model of a host sits. */
export const HOST = 'host'

export interface HostModel {
  readonly model: string | null
  seat(name: string): AskableSeat
}

const ALONE = 3
const SEATED = ['participant', 'chair'] as const

const hostRecord = (n: number, model: string | null): SeatRecord => ({
  prompt_chars: promptChars(null),
  seat: n === 1 ? HOST : `${HOST}-${n}`,
  provider: HOST,
  vendor: HOST,
  model,
  roles: SEATED,
  embedded: false,
})

/** One seat of each provider: a provider that sat there three times only for want of others no longer has to. */
async function others(settings: Settings, world: World): Promise<readonly TableSeat[]> {
  const { from, seats } = await seatTable({ settings, ...world })
  if (from === 'embedded') return []
  const free = seats.filter(({ seat }) => seat.provider !== HOST)
  if (from === 'configuration') return free
  return free.filter(({ seat }, i) => free.findIndex((other) => other.seat.provider === seat.provider) === i)
}

/** With no one else there the host takes three seats, which the report marks: one vendor agrees with itself. */
export async function hostSeating(
  host: HostModel,
  settings: Settings,
  { isAlone, world }: { readonly isAlone: boolean; readonly world: World },
): Promise<Seating> {
  const { left: beside, leftOut } = await askableOf(isAlone ? [] : await others(settings, world))
  const asked = beside.some(({ seat }) => seat.roles.includes('participant'))
  const own = Array.from({ length: asked ? 1 : ALONE }, (_, i) => hostRecord(i + 1, host.model))
  const records = [...own, ...(await Promise.all(beside.map(recordOf)))]
  const chairs = records.filter(({ roles }) => roles.includes('chair')).map(({ seat }) => seat)
  // Those who were named for the chair come first; the host stands in.
  const ordered = [...chairs].sort((a, b) => Number(a === HOST) - Number(b === HOST))
  return {
    records,
    chairs: asked ? ordered : [HOST],
    seats: new Map<string, AskableSeat>([
      ...own.map(({ seat }) => [seat, host.seat(seat)] as const),
      ...beside.map(({ id, seat }) => [id, seat] as const),
    ]),
    providers: beside.map(({ seat }) => seat.provider),
    leftOut,
    chosen: settings.chosen,
    panel: false,
    slow: true,
  }
}
