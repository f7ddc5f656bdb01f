// The seats of a council that was opened before, as they are set up on this machine now: the same names, each with
// the model that is on record. A seat that cannot be set up any more is left out, and the minutes will say so.

import type { SeatRecord } from '../../council/events.ts'
import type { CouncilTimeouts } from '../../council/policy.ts'
import type { Mode } from '../../models/embedded/terms.ts'
import type { Seat } from '../../models/seat/seat.ts'
import type { Settings } from '../config/config.ts'
import { knownProvider, type ProviderSettings } from '../config/provider.ts'
import type { Surroundings } from '../seating/environment.ts'
import { embeddedTable, seatTable } from '../seating/seat-table.ts'
import { panelModel } from './council-table.ts'

function providerOf({ provider, model }: SeatRecord, settings: Settings): ProviderSettings | null {
  const configured = (settings.council.providers ?? []).filter(({ name }) => name === provider)
  const same = configured.find((one) => (one.model ?? null) === model) ?? configured[0]
  const base = same ?? (knownProvider(provider) === null ? null : { name: provider })
  return base && { ...base, ...(model !== null && { model }), role: ['participant', 'chair'] }
}

export async function seatsOnRecord(
  records: readonly SeatRecord[],
  { mode, timeouts }: { readonly mode: Mode; readonly timeouts: CouncilTimeouts },
  settings: Settings,
  world: Pick<Surroundings, 'env' | 'signal' | 'fetch'>,
): Promise<ReadonlyMap<string, Seat>> {
  const seats = new Map<string, Seat>()
  const planned = records.flatMap((record) => {
    const provider = record.embedded ? null : providerOf(record, settings)
    return provider ? [{ seat: record.seat, provider }] : []
  })
  if (planned.length > 0) {
    const { r1_per_provider, r2_per_provider, r3_chair, cli_per_call } = timeouts
    // What is said now comes before what was said then.
    const each = settings.council.timeouts?.each ?? timeouts.each
    const table = await seatTable({
      ...world,
      settings: {
        ...settings,
        council: {
          ...settings.council,
          providers: planned.map(({ provider }) => provider),
          timeouts: { r1_per_provider, r2_per_provider, r3_chair, cli_per_call, ...(each && { each }) },
        },
      },
    })
    for (const [i, { seat }] of table.seats.entries()) seats.set(planned[i]?.seat ?? '', seat)
  }
  for (const record of records.filter(({ embedded }) => embedded)) {
    const [panel] = (await embeddedTable(panelModel(mode))).seats
    if (panel) seats.set(record.seat, panel.seat)
  }
  return seats
}
