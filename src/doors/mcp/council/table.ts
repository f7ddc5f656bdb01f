// Who sits at a council that a host convenes: whoever is configured or ready, and the host's own model where it takes
// a seat. With nobody else there the host takes three seats, which the report marks: one vendor agrees with itself.

import type { Settings } from '../../../app/config/config.ts'
import { councilTable, recordOf } from '../../../app/council/council-table.ts'
import { seatTable, type TableSeat } from '../../../app/seating/seat-table.ts'
import type { AskableSeat } from '../../../clerk/seat.ts'
import type { SeatRecord } from '../../../council/events.ts'
import type { Mode } from '../../../council/replies/opinion.ts'
import { HOST } from './host-seat.ts'

export interface HostTable {
  readonly records: readonly SeatRecord[]
  readonly chairs: readonly string[]
  readonly seats: ReadonlyMap<string, AskableSeat>
  /** To whom something leaves this machine besides the host. */
  readonly providers: readonly string[]
  /** They were named in a file whose word counts here; what a host names never does. */
  readonly chosen: boolean
  /** Only checks sit there. */
  readonly panel: boolean
}

export interface HostModel {
  readonly model: string | null
  seat(name: string): AskableSeat
}

const world = () => ({ env: process.env, signal: new AbortController().signal })
const ALONE = 3
const SEATED = ['participant', 'chair'] as const

const hostRecord = (n: number, model: string | null): SeatRecord => ({
  seat: n === 1 ? HOST : `${HOST}-${n}`,
  provider: HOST,
  vendor: HOST,
  model,
  roles: SEATED,
  embedded: false,
})

/** One seat of each provider: a provider that sat there three times only for want of others no longer has to. */
async function others(settings: Settings): Promise<readonly TableSeat[]> {
  const { from, seats } = await seatTable({ settings, ...world() })
  if (from === 'embedded') return []
  const free = seats.filter(({ seat }) => seat.provider !== HOST)
  if (from === 'configuration') return free
  return free.filter(({ seat }, i) => free.findIndex((other) => other.seat.provider === seat.provider) === i)
}

export async function withHost(host: HostModel, settings: Settings, isAlone: boolean): Promise<HostTable> {
  const beside = isAlone ? [] : await others(settings)
  const asked = beside.some(({ seat }) => seat.roles.includes('participant'))
  const own = Array.from({ length: asked ? 1 : ALONE }, (_, i) => hostRecord(i + 1, host.model))
  const records = [...own, ...beside.map(recordOf)]
  const chairs = records.filter(({ roles }) => roles.includes('chair')).map(({ seat }) => seat)
  // Whoever was named for the chair comes first; the host stands in.
  const ordered = [...chairs].sort((a, b) => Number(a === HOST) - Number(b === HOST))
  return {
    records,
    chairs: asked ? ordered : [HOST],
    seats: new Map<string, AskableSeat>([
      ...own.map(({ seat }) => [seat, host.seat(seat)] as const),
      ...beside.map(({ id, seat }) => [id, seat] as const),
    ]),
    providers: beside.map(({ seat }) => seat.provider),
    chosen: settings.chosen,
    panel: false,
  }
}

export async function withoutHost(
  seats: readonly string[],
  mode: Mode,
  settings: Settings,
): Promise<HostTable> {
  const table = await councilTable({ seats, chair: null, mode }, settings, world())
  const panel = table.from === 'embedded'
  return {
    records: table.records,
    chairs: table.chairs,
    seats: new Map(table.seats.map(({ id, seat }) => [id, seat])),
    providers: panel ? [] : table.records.map(({ provider }) => provider),
    chosen: table.from === 'configuration' && seats.length === 0 && settings.chosen,
    panel,
  }
}
