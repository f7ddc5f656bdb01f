// Who sits at the table. A configured council sits as it was configured, ready or not: nobody ever takes the place of
// a seat that fails. With nothing configured, what is ready sits down; a provider that is alone takes three seats and
// is marked, since its agreement with itself counts little; with nothing ready there are the named checks.

import { vendors } from '../../models/default-models.ts'
import type { Model } from '../../models/model.ts'
import { createSeat, type Role, type Seat } from '../../models/seat/seat.ts'
import type { Timeouts } from '../../models/seat/time.ts'
import { isLoopback } from '../config/loopback-address.ts'
import type { ProviderSettings } from '../config/provider.ts'
import { knownProvider } from '../config/providers.ts'
import type { Surroundings } from './environment.ts'
import { addressesOf, findServer } from './local-servers.ts'
import { othersThan, type Station, survey } from './survey.ts'
import { apiKindOf, waysTo } from './transports.ts'

export interface Table {
  readonly from: 'configuration' | 'ready' | 'embedded'
  readonly seats: readonly TableSeat[]
  readonly oneVendor: boolean
  /** What has to be said wherever its results are shown. */
  readonly note: string | null
}

export interface TableSeat {
  /** One of its own, also for seats of the same provider. */
  readonly id: string
  readonly seat: Seat
  /** Whose models answer there: agreement within one vendor counts less. */
  readonly vendor: string
}

export const ONE_VENDOR = 'one vendor: agreement counts little'

const SEATS_ALONE = 3

function timeoutsOf({ settings }: Surroundings): Timeouts {
  const {
    r1_per_provider: R1,
    r2_per_provider: R2,
    r3_chair: R3,
    cli_per_call: cli,
  } = settings.council.timeouts ?? {}
  return { ...(R1 && { R1 }), ...(R2 && { R2 }), ...(R3 && { R3 }), ...(cli && { cli }) }
}

/** Whose models answer there; an address of one's own is a vendor of its own. */
const vendorOf = ({ name, base_url }: ProviderSettings): string =>
  base_url === undefined ? (knownProvider(name)?.vendor ?? name) : new URL(base_url).host

interface Planned {
  readonly provider: ProviderSettings
  readonly minds: readonly Model[]
}

/** Whoever is to take the chair when nobody was named for it: the first at the table. */
function rolesAt(planned: readonly Planned[]): readonly (readonly Role[])[] {
  const named = planned.map(({ provider }): readonly Role[] => provider.role ?? ['participant'])
  const first = named.some((roles) => roles.includes('chair'))
    ? -1
    : named.findIndex((roles) => roles.length > 0)
  return named.map((roles, i) => (i === first ? [...roles, 'chair'] : roles))
}

function tableOf(from: Table['from'], planned: readonly Planned[], surroundings: Surroundings): Table {
  const roles = rolesAt(planned)
  const count = new Map<string, number>()
  const seats = planned.map(({ provider, minds }, i): TableSeat => {
    const { name, model = null } = provider
    const nth = (count.get(name) ?? 0) + 1
    count.set(name, nth)
    const options = {
      provider: name,
      model,
      roles: roles[i] ?? [],
      minds,
      timeouts: timeoutsOf(surroundings),
    }
    return { id: nth === 1 ? name : `${name}-${nth}`, seat: createSeat(options), vendor: vendorOf(provider) }
  })
  const oneVendor = new Set(planned.map(({ provider }) => vendorOf(provider))).size === 1
  return { from, seats, oneVendor, note: oneVendor ? ONE_VENDOR : null }
}

/** The panel of named checks, when nothing else is there or someone asks for it. */
export async function embeddedTable(panel?: Model): Promise<Table> {
  const [{ embeddedModel }, { BANNER }] = await Promise.all([
    import('../../models/embedded/embedded-model.ts'),
    import('../../models/embedded/report.ts'),
  ])
  const seat = createSeat({
    provider: 'embedded',
    model: null,
    roles: ['participant', 'chair'],
    minds: [panel ?? embeddedModel()],
  })
  const seats = [{ id: 'embedded', seat, vendor: 'embedded' }]
  return { from: 'embedded', seats, oneVendor: false, note: BANNER }
}

const localAddresses = (name: string): readonly string[] => {
  const addresses = knownProvider(name)?.addresses ?? []
  return addresses.every(isLoopback) ? addresses : []
}

/** What a model server on this machine offers; empty for everyone else. */
export async function modelsHere(
  { name, base_url }: ProviderSettings,
  surroundings: Surroundings,
): Promise<readonly string[]> {
  const addresses = base_url === undefined ? addressesOf(localAddresses(name), surroundings.env) : []
  return (await findServer(addresses, null, surroundings))?.models ?? []
}

/** Whoever is meant by a name: a seat, its provider, or `local` for any server on this machine. Never the checks. */
export function seatNamed({ from, seats }: Table, name: string): TableSeat | undefined {
  if (from === 'embedded') return undefined
  const isLocal = ({ seat }: TableSeat): boolean => localAddresses(seat.provider).length > 0
  const own = seats.find(({ id, seat }) => id === name || seat.provider === name)
  return own ?? (name === 'local' ? seats.find(isLocal) : undefined)
}

/** The models that one provider offers for several seats; empty where it is not known and the choice is its own. */
async function modelsOf(first: Station, surroundings: Surroundings): Promise<readonly string[]> {
  const { provider, mind } = first
  if (mind.transport !== 'api') return []
  const kind = apiKindOf(provider)
  return kind === 'openai-compatible' ? modelsHere(provider, surroundings) : vendors[kind].models
}

async function alone(ready: readonly Station[], surroundings: Surroundings): Promise<readonly Planned[]> {
  const [first] = ready
  if (first === undefined) return []
  const models = await modelsOf(first, surroundings)
  const open = ready.map(({ mind }) => mind.transport)
  const seats = Array.from({ length: SEATS_ALONE }, async (_, i): Promise<Planned> => {
    const model = models[i % Math.max(models.length, 1)]
    const provider = { ...first.provider, ...(model !== undefined && { model }) }
    const ways = await waysTo(provider, surroundings)
    return { provider, minds: ways.filter(({ transport }) => open.includes(transport)) }
  })
  return Promise.all(seats)
}

/** `looked` is a survey of everybody, where one was made already. */
export async function seatTable(surroundings: Surroundings, looked?: readonly Station[]): Promise<Table> {
  const configured = surroundings.settings.council.providers
  if (configured !== undefined) {
    const planned = configured.map(async (provider) => {
      const known = looked?.filter((station) => station.provider === provider).map(({ mind }) => mind)
      return { provider, minds: known ?? (await waysTo(provider, surroundings)) }
    })
    return tableOf('configuration', await Promise.all(planned), surroundings)
  }
  const stations = looked ?? (await survey(othersThan([]), surroundings))
  const ready = stations.filter(({ found }) => found.ready)
  const providers = [...new Set(ready.map(({ provider }) => provider))]
  if (providers.length === 0) return embeddedTable()
  if (providers.length === 1) return tableOf('ready', await alone(ready, surroundings), surroundings)
  const planned = providers.map((provider) => ({
    provider,
    minds: ready.filter((station) => station.provider === provider).map(({ mind }) => mind),
  }))
  return tableOf('ready', planned, surroundings)
}
