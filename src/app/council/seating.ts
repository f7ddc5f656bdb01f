// The seats of a council, for every entrance: seats by name or from the settings, the model of an MCP host
// beside them, seats that a program brings, a panel from the settings, or the recorded seats.

import type { AskableSeat } from '../../clerk/seat.ts'
import type { LeftOut, SeatRecord } from '../../council/events.ts'
import { type CouncilTimeouts, promptChars } from '../../council/policy.ts'
import { WitanError } from '../../ledger/errors.ts'
import { nearest } from '../../ledger/text/nearest-word.ts'
import type { Mode } from '../../models/embedded/terms.ts'
import type { Seat } from '../../models/seat/seat.ts'
import type { Tuning } from '../../models/tuning.ts'
import type { Settings } from '../config/config.ts'
import type { PanelSeat, PanelSettings } from '../config/panel.ts'
import { knownProvider, type ProviderSettings, type SeatManner } from '../config/provider.ts'
import type { Surroundings } from '../seating/environment.ts'
import { embeddedTable, seatTable, type TableSeat } from '../seating/seat-table.ts'
import { councilTable, findAskable, panelModel, recordSeat, type TableRequest } from './council-table.ts'

export type { AskableSeat } from '../../clerk/seat.ts'

export type World = Pick<Surroundings, 'env' | 'signal' | 'fetch'>

/** The real machine; a survey is never interrupted. */
export const worldHere = (signal: AbortSignal = new AbortController().signal): World => ({
  env: process.env,
  signal,
})

export interface Seating {
  readonly records: readonly SeatRecord[]
  readonly chairs: readonly string[]
  readonly seats: ReadonlyMap<string, AskableSeat>
  /** Seats that were requested and cannot be asked, with the reason. */
  readonly leftOut: readonly LeftOut[]
  /** The providers that something is sent to; a host only gets back its own content and does not count. */
  readonly providers: readonly string[]
  /** They were named by someone whose word counts here. */
  readonly chosen: boolean
  /** Only embedded checks have seats: there can be only one opinion. */
  readonly panel: boolean
  /** A person or a host answers at one of the seats, and needs longer than a vendor's server. */
  readonly slow: boolean
}

export async function namedSeating(wish: TableRequest, settings: Settings, world: World): Promise<Seating> {
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

/** The provider name for the model of a host. */
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

/** One seat for each provider: a provider that took three seats only for lack of others no longer has to. */
async function others(settings: Settings, world: World): Promise<readonly TableSeat[]> {
  const { from, seats } = await seatTable({ settings, ...world })
  if (from === 'embedded') return []
  const free = seats.filter(({ seat }) => seat.provider !== HOST)
  if (from === 'configuration') return free
  return free.filter(({ seat }, i) => free.findIndex((other) => other.seat.provider === seat.provider) === i)
}

/** If there is no other seat the host takes three, which the report marks: one vendor agrees with itself. */
export async function hostSeating(
  host: HostModel,
  settings: Settings,
  { isAlone, world }: { readonly isAlone: boolean; readonly world: World },
): Promise<Seating> {
  const { askable: beside, leftOut } = await findAskable(isAlone ? [] : await others(settings, world))
  const asked = beside.some(({ seat }) => seat.roles.includes('participant'))
  const own = Array.from({ length: asked ? 1 : ALONE }, (_, i) => hostRecord(i + 1, host.model))
  const records = [...own, ...(await Promise.all(beside.map(recordSeat)))]
  const chairs = records.filter(({ roles }) => roles.includes('chair')).map(({ seat }) => seat)
  // Those who were named for the chair come first; the host is the fallback.
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

// The seats of a council that was opened before, as they are set up on this machine now: the same names, each
// with its recorded model. A seat that cannot be set up any more is left out, and the trace says so.

function providerOf(record: SeatRecord, settings: Settings): ProviderSettings | null {
  const { provider, model } = record
  const configured = (settings.council.providers ?? []).filter(({ name }) => name === provider)
  const same = configured.find((one) => (one.model ?? null) === model) ?? configured[0]
  const base = same ?? (knownProvider(provider) === null ? null : { name: provider })
  if (base === null) return null
  return { ...base, ...(model !== null && { model }), role: ['participant', 'chair'], ...tuningOf(record) }
}

export async function seatsOnRecord(
  records: readonly SeatRecord[],
  { mode, timeouts }: { readonly mode: Mode; readonly timeouts: CouncilTimeouts },
  settings: Settings,
  world: World,
): Promise<ReadonlyMap<string, Seat>> {
  const seats = new Map<string, Seat>()
  const planned = records.flatMap((record) => {
    const provider = record.embedded ? null : providerOf(record, settings)
    return provider ? [{ seat: record.seat, provider }] : []
  })
  if (planned.length > 0) {
    const { r1_per_provider, r2_per_provider, r3_chair, cli_per_call } = timeouts
    // The current request overrides the recorded settings.
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

// A council that is requested by name: its seats and roles, its chair, and its limits, from the settings.
// Options of the request override it. Only a home's own file or a trusted one has panels: a name typed in
// good faith must not select models that a cloned repository chose.

/** What a panel provides for a request. */
export interface PanelRequest {
  readonly seats: readonly string[]
  /** For each of the seats. */
  readonly manners: readonly SeatManner[]
  readonly chair: string | null
  readonly shortCircuit: boolean
}

/** How a seat's model is to answer; empty if the seat does not say. */
function tuningOf({ temperature, thinking }: Tuning): Pick<SeatManner, 'tuning'> {
  const tuning = {
    ...(temperature !== undefined && { temperature }),
    ...(thinking !== undefined && { thinking }),
  }
  return Object.keys(tuning).length === 0 ? {} : { tuning }
}

const mannerOf = ({ stance, temperature, thinking }: PanelSeat): SeatManner => ({
  ...(stance !== undefined && { stance: stance.trim() }),
  ...tuningOf({ ...(temperature !== undefined && { temperature }), ...(thinking && { thinking }) }),
})

function panelNamed(name: string, panels: Readonly<Record<string, PanelSettings>>): PanelSettings {
  const settings = Object.hasOwn(panels, name) ? panels[name] : undefined
  if (settings) return settings
  const known = Object.keys(panels)
  const meant = nearest(name, known)
  const next =
    known.length === 0
      ? "Write it into the home's config.yaml: `panels: {NAME: {seats: [claude, openai]}}`."
      : `${meant ? `Did you mean ${meant}? ` : ''}There are: ${known.join(', ')}.`
  throw new WitanError('USAGE', `there is no panel '${name}'`, next)
}

/** The seats of a panel one by one, each as often as it is seated. */
const seatsOf = ({ seats = [] }: PanelSettings): readonly PanelSeat[] =>
  seats.flatMap((one) => Array.from({ length: one.count ?? 1 }, () => one))

/** The requested seats, and the settings under the limits of the panel. */
export function panelOf(
  name: string,
  settings: Settings,
): { readonly wish: PanelRequest; readonly settings: Settings } {
  const panel = panelNamed(name, settings.panels ?? {})
  const { council } = settings
  const { timeout } = panel
  const each = council.timeouts?.each ?? timeout
  const seats = seatsOf(panel)
  return {
    wish: {
      seats: seats.map(({ seat }) => seat),
      manners: seats.map(mannerOf),
      chair: panel.chair ?? null,
      shortCircuit: panel.short_circuit ?? false,
    },
    settings: {
      ...settings,
      council: {
        ...council,
        budget: { ...council.budget, ...panel.budget },
        ...(each !== undefined && { timeouts: { ...council.timeouts, each } }),
      },
    },
  }
}

/** A request and the settings under the panel of that name, if one is named; options of the request override it. */
export function withPanel<Asked extends Partial<PanelRequest>>(
  name: string | null,
  asked: Asked,
  settings: Settings,
): { readonly wish: Asked; readonly settings: Settings } {
  if (name === null) return { wish: asked, settings }
  if ((asked.seats ?? []).length > 0)
    throw new WitanError(
      'USAGE',
      'a panel cannot be combined with seats',
      'Give one of the two; a panel names its seats.',
    )
  const { wish, settings: limited } = panelOf(name, settings)
  const { seats, manners, chair, shortCircuit } = wish
  return {
    wish: {
      ...asked,
      seats,
      manners,
      chair: asked.chair ?? chair,
      shortCircuit: (asked.shortCircuit ?? false) || shortCircuit,
    },
    settings: limited,
  }
}
