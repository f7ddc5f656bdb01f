// The seats of a council: those named with `--seats`, otherwise those that `seatTable` finds; the chair
// is the seat named for it. A set of seats with which no council is possible is refused before anything
// is asked.

import type { LeftOut, SeatRecord } from '../../council/events.ts'
import { DEFAULT_POLICY, promptChars } from '../../council/policy.ts'
import { panelOpinion } from '../../council/replies/panel-opinion.ts'
import { leftOutInWords } from '../../council/seat-ids.ts'
import { WitanError } from '../../ledger/errors.ts'
import { nearest } from '../../ledger/text/nearest-word.ts'
import { embeddedModel } from '../../models/embedded/embedded-model.ts'
import type { Mode } from '../../models/embedded/terms.ts'
import type { Model } from '../../models/model.ts'
import type { Settings } from '../config/config.ts'
import { knownProvider, PROVIDERS, type ProviderSettings, type SeatManner } from '../config/provider.ts'
import type { CouncilSettings } from '../config/settings.ts'
import type { Surroundings } from '../seating/environment.ts'
import { embeddedTable, modelsHere, seatTable, type Table, type TableSeat } from '../seating/seat-table.ts'

// The embedded panel as a seat of a council: named checks whose report has the shape of an opinion.

/** The list of a pack's contents is not a file: it does not affect a question. */
const ACCOUNT = 'context'

export function panelModel(mode: Mode): Model {
  const inner = embeddedModel({ mode, answer: panelOpinion })
  return {
    ...inner,
    ask: (request) => inner.ask({ ...request, parts: request.parts.filter(({ name }) => name !== ACCOUNT) }),
  }
}

export interface TableRequest {
  /** As given with `--seats`: `claude`, `openai:gpt-5`, `embedded`; empty when nothing was given. */
  readonly seats: readonly string[]
  /** What a panel says about each of them. */
  readonly manners?: readonly SeatManner[]
  readonly chair: string | null
  readonly mode: Mode
}

export interface CouncilTable extends Omit<Table, 'seats'> {
  readonly seats: readonly TableSeat[]
  readonly records: readonly SeatRecord[]
  readonly chairs: readonly string[]
  /** A seat that was requested and cannot be asked. */
  readonly leftOut: readonly LeftOut[]
  /** A seat that was requested by name, on the command line or in a trusted file. */
  readonly chosen: boolean
}

type World = Pick<Surroundings, 'env' | 'signal' | 'fetch'>

// Seats that are not available, and what can be typed instead.

const unknownSeat = (name: string, known: readonly string[]): WitanError => {
  const meant = nearest(name, known)
  const hint = meant ? `Did you mean ${meant}? ` : ''
  return new WitanError(
    'USAGE',
    `no provider or seat is called '${name}'`,
    `${hint}There are: ${known.join(', ')}.`,
  )
}

const noChair = (chair: string): WitanError =>
  new WitanError(
    'USAGE',
    `no model is ready, so '${chair}' cannot chair`,
    'Set up a provider (`witan doctor`), or leave --chair out: checks need none.',
  )

const EMBEDDED = 'embedded'
const SEATS_ALONE = 3

/** `name` or `name:model`; the settings for that name apply here too. */
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
  wish: TableRequest,
  settings: Settings,
  world: World,
): Promise<readonly ProviderSettings[] | null> {
  if (wish.seats.length === 0) return settings.council.providers ?? null
  const plain = wish.seats.flatMap((seat, i) =>
    named(seat, settings).map(({ role: _, ...rest }) => ({ ...rest, ...wish.manners?.[i] })),
  )
  const [only, second] = plain
  if (only === undefined || second !== undefined) return plain
  // A single seat could not agree with anyone: it is asked three times, and marked; with several models, each once.
  const models = only.model === undefined ? await modelsHere(only, { settings, ...world }) : []
  return Array.from({ length: SEATS_ALONE }, (_, i) => {
    const model = models[i % Math.max(models.length, 1)]
    return { ...only, ...(model !== undefined && { model }) }
  })
}

/** The chair, by the name of a seat or a provider; a model from outside the council only takes the chair. */
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

/** The name as the trace has it. */
export async function recordSeat({
  id,
  seat,
  vendor,
  manner,
  contextWindow,
}: TableSeat): Promise<SeatRecord> {
  const embedded = seat.provider === EMBEDDED
  return {
    seat: id,
    provider: seat.provider,
    vendor,
    model: seat.model ?? seat.minds[0]?.model ?? null,
    roles: seat.roles,
    embedded,
    ...(!embedded && { prompt_chars: promptChars(await contextWindow()) }),
    ...(manner.stance !== undefined && { stance: manner.stance }),
    ...manner.tuning,
  }
}

function refuseAlone({ seats }: Table): void {
  const participants = seats.filter(({ seat }) => seat.roles.includes('participant'))
  if (participants.length >= 2) return
  const [only] = participants
  const alone = only
    ? `or ask this one three times: --seats ${only.id}`
    : 'or one alone, to ask it three times'
  throw new WitanError(
    'CONFIG_INVALID',
    `a council needs two participants, and ${participants.length === 1 ? 'there is only one' : 'there is none'}`,
    `Name several with --seats, ${alone}.`,
  )
}

export async function councilTable(
  wish: TableRequest,
  settings: Settings,
  world: World,
): Promise<CouncilTable> {
  const isNamed = wish.seats.length > 0
  const onlyPanel = isNamed && wish.seats.every((name) => name === EMBEDDED)
  if (isNamed && !onlyPanel && wish.seats.includes(EMBEDDED)) {
    const next = 'Name the models alone, or --seats embedded alone.'
    throw new WitanError('USAGE', 'the embedded checks cannot sit with models: they would count as one', next)
  }
  const table = onlyPanel ? await embeddedTable() : await tableFor(wish, settings, world)
  const whole =
    table.from === EMBEDDED ? { ...(await embeddedTable(panelModel(wish.mode))), from: table.from } : table
  const named = [...wish.seats, ...(wish.chair === null ? [] : [wish.chair])]
  const { table: sitting, leftOut } = await withoutUnaskable(whole, { named, settings: settings.council })
  if (sitting.from !== EMBEDDED) refuseAlone(sitting)
  const records = await Promise.all(sitting.seats.map(recordSeat))
  return {
    ...sitting,
    leftOut,
    records,
    chairs: records
      .filter(({ roles, embedded }) => roles.includes('chair') && !embedded)
      .map(({ seat }) => seat),
    chosen: isNamed || (sitting.from === 'configuration' && settings.chosen),
  }
}

async function tableFor(wish: TableRequest, settings: Settings, world: World): Promise<Table> {
  const providers = await providersFor(wish, settings, world)
  const seatWith = (council: Settings['council']): Promise<Table> =>
    seatTable({ settings: { ...settings, council }, ...world })
  const { chair } = wish
  if (providers !== null) {
    const sitting = chair === null ? providers : withChair(providers, chair, settings)
    return seatWith({ ...settings.council, providers: sitting })
  }
  const table = await seatTable({ settings, ...world })
  if (chair === null) return table
  if (table.from === EMBEDDED) throw noChair(chair)
  return rechaired(table, chair)
}

/** Seats that were found ready are kept; only the chair changes. */
function rechaired(table: Table, chair: string): Table {
  const at = table.seats.findIndex(({ id, seat }) => chair === id || chair === seat.provider)
  if (at < 0) {
    throw unknownSeat(
      chair,
      table.seats.map(({ id }) => id),
    )
  }
  const seats = table.seats.map((tableSeat, i): TableSeat => {
    const roles = tableSeat.seat.roles.filter((role) => role !== 'chair')
    return { ...tableSeat, seat: { ...tableSeat.seat, roles: i === at ? [...roles, 'chair'] : roles } }
  })
  return { ...table, seats }
}

// Seats that cannot be asked take no part: they are left out before anything is recorded, with the reason
// recorded. If such a seat was requested by name, or too few are left, the council is refused instead.

const inWords = (leftOut: readonly LeftOut[]): string =>
  leftOutInWords(leftOut)
    .map(({ seats, reason }) => `${seats} cannot be asked: ${reason.replace(/\.$/, '')}`)
    .join('; ')

const refused = (message: string): WitanError =>
  new WitanError('CONFIG_INVALID', message, 'See `witan doctor`; or name other seats with --seats.')

/** A remaining seat takes the chair if no other may. */
function chaired(seats: readonly TableSeat[]): readonly TableSeat[] {
  if (seats.some(({ seat }) => seat.roles.includes('chair'))) return seats
  return seats.map((tableSeat, i) =>
    i === 0
      ? { ...tableSeat, seat: { ...tableSeat.seat, roles: [...tableSeat.seat.roles, 'chair'] } }
      : tableSeat,
  )
}

/** Which of these can be asked, and why the others cannot. */
export async function findAskable(
  seats: readonly TableSeat[],
): Promise<{ readonly askable: readonly TableSeat[]; readonly leftOut: readonly LeftOut[] }> {
  const reasons = await Promise.all(seats.map((seat) => seat.whyUnaskable()))
  const leftOut = seats.flatMap(({ id, seat }, i): readonly LeftOut[] => {
    const reason = reasons[i] ?? null
    return reason === null ? [] : [{ seat: id, provider: seat.provider, model: seat.model, reason }]
  })
  return { askable: seats.filter((_, i) => reasons[i] === null), leftOut }
}

/** `named`: as typed with `--seats` and `--chair`; `least`: how many opinions the quorum needs. */
async function withoutUnaskable(
  table: Table,
  { named, settings }: { readonly named: readonly string[]; readonly settings: CouncilSettings },
): Promise<Pick<CouncilTable, 'leftOut'> & { readonly table: Table }> {
  if (table.from === 'embedded') return { table, leftOut: [] }
  const { askable, leftOut } = await findAskable(table.seats)
  if (leftOut.length === 0) return { table, leftOut }
  const isNamed = ({ seat, provider }: LeftOut): boolean =>
    named.some((name) => name === seat || name.split(':')[0] === provider)
  const wanted = leftOut.filter(isNamed)
  if (wanted.length > 0) throw refused(inWords(wanted))
  const participants = askable.filter(({ seat }) => seat.roles.includes('participant')).length
  const least = Math.max(2, settings.quorum?.r1_min ?? DEFAULT_POLICY.quorum.r1_min)
  if (participants < least)
    throw refused(
      `a council needs ${least} participants, and ${participants} can be asked: ${inWords(leftOut)}`,
    )
  return { table: { ...table, seats: chaired(askable) }, leftOut }
}
