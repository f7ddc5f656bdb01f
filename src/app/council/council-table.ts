// Who sits at the table of a council that someone convenes at a door: those named with `--seats`, else as
// `seatTable` finds them; the chair is whoever was named for it. A table at which no council can be held is refused
// before anything is asked.

import type { SeatRecord } from '../../council/events.ts'
import type { Mode } from '../../council/replies/opinion.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Settings } from '../config/config.ts'
import { nearest } from '../config/nearest-word.ts'
import type { ProviderSettings } from '../config/provider.ts'
import { knownProvider, PROVIDERS } from '../config/providers.ts'
import type { Surroundings } from '../seating/environment.ts'
import { embeddedTable, modelsHere, seatTable, type Table, type TableSeat } from '../seating/seat-table.ts'
import { panelModel } from './panel-model.ts'

export interface Wish {
  /** As given with `--seats`: `claude`, `openai:gpt-5`, `embedded`; empty when nothing was said. */
  readonly seats: readonly string[]
  readonly chair: string | null
  readonly mode: Mode
}

export interface CouncilTable extends Omit<Table, 'seats'> {
  readonly seats: readonly TableSeat[]
  readonly records: readonly SeatRecord[]
  readonly chairs: readonly string[]
  /** Someone named who is to sit here, on the command line or in a file that counts. */
  readonly chosen: boolean
}

type World = Pick<Surroundings, 'env' | 'signal' | 'fetch'>

const EMBEDDED = 'embedded'
const SEATS_ALONE = 3

const unknownSeat = (name: string, known: readonly string[]): WitanError => {
  const meant = nearest(name, known)
  const hint = meant ? `Did you mean ${meant}? ` : ''
  return new WitanError('USAGE', `nobody is known as '${name}'`, `${hint}There are: ${known.join(', ')}.`)
}

/** `name` or `name:model`; what the settings say of that name counts here too. */
function named(text: string, settings: Settings): readonly ProviderSettings[] {
  const [name = '', ...rest] = text.split(':')
  const model = rest.join(':')
  const configured = (settings.council.providers ?? []).filter((provider) => provider.name === name)
  const [first] = configured
  if (first === undefined && knownProvider(name) === null) {
    const others = (settings.council.providers ?? []).map((provider) => provider.name)
    throw unknownSeat(name, [...new Set([...others, ...Object.keys(PROVIDERS), EMBEDDED])])
  }
  if (model !== '') return [{ ...(first ?? { name }), model }]
  return configured.length > 0 ? configured : [{ name }]
}

async function providersFor(
  wish: Wish,
  settings: Settings,
  world: World,
): Promise<readonly ProviderSettings[] | null> {
  if (wish.seats.length === 0) return settings.council.providers ?? null
  const plain = wish.seats.flatMap((seat) => named(seat, settings)).map(({ role: _, ...rest }) => rest)
  const [only, second] = plain
  if (only === undefined || second !== undefined) return plain
  // One alone could agree with nobody: it is asked three times, and marked; of several models each once.
  const models = only.model === undefined ? await modelsHere(only, { settings, ...world }) : []
  return Array.from({ length: SEATS_ALONE }, (_, i) => {
    const model = models[i % Math.max(models.length, 1)]
    return { ...only, ...(model !== undefined && { model }) }
  })
}

/** Whoever is to chair, by the name of a seat or a provider; someone from outside takes the chair and nothing else. */
function withChair(
  providers: readonly ProviderSettings[],
  chair: string,
  settings: Settings,
): readonly ProviderSettings[] {
  const [name = ''] = chair.split(':')
  const plain = providers.map(
    (provider): ProviderSettings => ({
      ...provider,
      role: (provider.role ?? ['participant']).filter((role) => role !== 'chair'),
    }),
  )
  const at = plain.findIndex((provider, i) => name === provider.name || chair === seatIdAt(plain, i))
  const chaired = plain.map(
    (provider, i): ProviderSettings =>
      i === at ? { ...provider, role: [...(provider.role ?? []), 'chair'] } : provider,
  )
  const sits = chaired.filter(({ role = [] }) => role.length > 0)
  if (at >= 0) return sits
  const [outsider] = named(chair, settings)
  return outsider ? [...sits, { ...outsider, role: ['chair'] }] : sits
}

/** The id that the seat at this place will get. */
const seatIdAt = (providers: readonly ProviderSettings[], place: number): string => {
  const name = providers[place]?.name ?? ''
  const nth = providers.slice(0, place + 1).filter((provider) => provider.name === name).length
  return nth === 1 ? name : `${name}-${nth}`
}

/** As the minutes name it. */
export const recordOf = ({ id, seat, vendor }: TableSeat): SeatRecord => ({
  seat: id,
  provider: seat.provider,
  vendor,
  model: seat.model ?? seat.minds[0]?.model ?? null,
  roles: seat.roles,
  embedded: seat.provider === EMBEDDED,
})

function refuseAlone({ seats }: Table): void {
  const participants = seats.filter(({ seat }) => seat.roles.includes('participant'))
  if (participants.length >= 2) return
  throw new WitanError(
    'CONFIG_INVALID',
    `a council needs two participants, and ${participants.length === 1 ? 'only one sits' : 'nobody sits'} there`,
    'Name several with --seats, or give one alone to let it be asked three times.',
  )
}

export async function councilTable(wish: Wish, settings: Settings, world: World): Promise<CouncilTable> {
  const isNamed = wish.seats.length > 0
  const onlyPanel = isNamed && wish.seats.every((name) => name === EMBEDDED)
  if (isNamed && !onlyPanel && wish.seats.includes(EMBEDDED)) {
    const next = 'Name the models alone, or --seats embedded alone.'
    throw new WitanError('USAGE', 'the checks never sit with models: they would count as one', next)
  }
  const table = onlyPanel ? await embeddedTable() : await tableFor(wish, settings, world)
  const sitting =
    table.from === EMBEDDED ? { ...(await embeddedTable(panelModel(wish.mode))), from: table.from } : table
  if (sitting.from !== EMBEDDED) refuseAlone(sitting)
  const records = sitting.seats.map(recordOf)
  return {
    ...sitting,
    records,
    chairs: records
      .filter(({ roles, embedded }) => roles.includes('chair') && !embedded)
      .map(({ seat }) => seat),
    chosen: isNamed || (sitting.from === 'configuration' && settings.chosen),
  }
}

async function tableFor(wish: Wish, settings: Settings, world: World): Promise<Table> {
  const providers = await providersFor(wish, settings, world)
  const seatWith = (council: Settings['council']): Promise<Table> =>
    seatTable({ settings: { ...settings, council }, ...world })
  const { chair } = wish
  if (providers !== null) {
    const sitting = chair === null ? providers : withChair(providers, chair, settings)
    return seatWith({ ...settings.council, providers: sitting })
  }
  const found = await seatTable({ settings, ...world })
  if (chair === null || found.from === EMBEDDED) return found
  return rechaired(found, chair)
}

/** Seats that were found ready are asked as they are; only who chairs changes. */
function rechaired(table: Table, chair: string): Table {
  const at = table.seats.findIndex(({ id, seat }) => chair === id || chair === seat.provider)
  if (at < 0) {
    throw unknownSeat(
      chair,
      table.seats.map(({ id }) => id),
    )
  }
  const seats = table.seats.map((one, i): TableSeat => {
    const roles = one.seat.roles.filter((role) => role !== 'chair')
    return { ...one, seat: { ...one.seat, roles: i === at ? [...roles, 'chair'] : roles } }
  })
  return { ...table, seats }
}
