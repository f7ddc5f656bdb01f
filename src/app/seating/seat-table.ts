// The seats of a table. A configured council keeps its seats, ready or not: no other model ever replaces a
// seat that fails. Without a configuration, every ready model takes a seat; a single provider takes three and
// is marked, since its agreement with itself means little; if nothing is ready the embedded checks are used.

import type { Timeouts } from '../../models/deadline.ts'
import { isVendor, vendors } from '../../models/default-models.ts'
import { redact } from '../../models/hide-secrets.ts'
import { makerOf } from '../../models/maker.ts'
import type { Availability, Model } from '../../models/model.ts'
import { createSeat, type Role, type Seat } from '../../models/seat/seat.ts'
import { knownProvider, LOOKED_FOR, type ProviderSettings, type SeatManner } from '../config/provider.ts'
import { isLoopback } from '../config/small-shapes.ts'
import { addressesOf, findServer, type Surroundings } from './environment.ts'
import { secretsIn } from './keys.ts'
import { apiKindOf, unknownModel, waysTo } from './transports.ts'

// Checks every way to every provider at once and says of each whether it is ready. A way that does not answer
// in time is not ready; no model is asked anything.

export interface Candidate {
  readonly provider: ProviderSettings
  readonly mind: Model
  readonly availability: Availability
}

/** Vendors' commands can start slowly the first time. */
const LOOK_MS = 10_000

async function look(mind: Model, { signal }: Surroundings): Promise<Availability> {
  const limit = new AbortController()
  const both = AbortSignal.any([signal, limit.signal])
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Availability>((resolve) => {
    const detail = `did not say within ${LOOK_MS / 1000} s whether it is ready`
    timer = setTimeout(() => resolve({ ready: false, detail, next: null }), LOOK_MS)
  })
  try {
    return await Promise.race([mind.available(both), late])
  } catch (error) {
    return { ready: false, detail: error instanceof Error ? error.message : String(error), next: null }
  } finally {
    clearTimeout(timer)
    limit.abort()
  }
}

const sameVendor = (a: string, b: string): boolean =>
  a === b || (knownProvider(a)?.cli != null && knownProvider(a)?.vendor === knownProvider(b)?.vendor)

/** Providers that are not configured and would be tried if none were. */
export function othersThan(configured: readonly ProviderSettings[]): readonly ProviderSettings[] {
  const rest = LOOKED_FOR.filter((name) => configured.every((one) => !sameVendor(one.name, name)))
  return rest.map((name) => ({ name }))
}

export async function findTransports(
  providers: readonly ProviderSettings[],
  surroundings: Surroundings,
): Promise<readonly Candidate[]> {
  const secrets = secretsIn(surroundings)
  const stations = providers.map(async (provider) => {
    const ways = await waysTo(provider, surroundings)
    return Promise.all(
      ways.map(async (mind): Promise<Candidate> => {
        const availability = await look(mind, surroundings)
        const clean = {
          ...availability,
          detail: redact(availability.detail, secrets),
          next: availability.next && redact(availability.next, secrets),
        }
        return { provider, mind, availability: clean }
      }),
    )
  })
  return (await Promise.all(stations)).flat()
}

export interface Table {
  readonly from: 'configuration' | 'ready' | 'embedded'
  readonly seats: readonly TableSeat[]
  readonly oneVendor: boolean
  /** What must be shown with its results. */
  readonly note: string | null
}

export interface TableSeat {
  /** Its own name, also for seats of the same provider. */
  readonly id: string
  readonly seat: Seat
  /** The vendor of its models: agreement within one vendor counts less. */
  readonly vendor: string
  /** What a panel says about it. */
  readonly manner: SeatManner
  /** How many tokens its model reads and writes in one call. */
  contextWindow(): Promise<number>
  /** Why it cannot be asked at all; null where it may answer. */
  whyUnaskable(): Promise<string | null>
}

export const ONE_VENDOR = 'one vendor: agreement counts little'

const SEATS_ALONE = 3

function timeoutsOf({ timeouts: own = {} }: ProviderSettings, { settings }: Surroundings): Timeouts {
  const {
    r1_per_provider: R1,
    r2_per_provider: R2,
    r3_chair: R3,
    cli_per_call: cli,
    each,
  } = settings.council.timeouts ?? {}
  return {
    ...(each && { each }),
    ...(R1 && { R1 }),
    ...(R2 && { R2 }),
    ...(R3 && { R3 }),
    ...(cli && { cli }),
    own: {
      ...(own.each && { each: own.each }),
      ...(own.r1 && { R1: own.r1 }),
      ...(own.r2 && { R2: own.r2 }),
      ...(own.r3 && { R3: own.r3 }),
      ...(own.cli && { cli: own.cli }),
    },
  }
}

/** The vendor of its models; an address of your own is a vendor of its own. */
interface Planned {
  readonly provider: ProviderSettings
  readonly minds: readonly Model[]
}

const GATEWAYS: readonly string[] = ['openai-compatible', 'bedrock']

/** The vendor of a model. A gateway or a server of your own offers models of many vendors: there the model's name tells. */
function vendorOf({ provider: { name, base_url, model }, minds }: Planned): string {
  const known = knownProvider(name)
  if (known && base_url === undefined && !GATEWAYS.includes(known.api)) return known.vendor
  const id = model ?? minds.find(({ absent }) => !absent)?.model ?? null
  const host = base_url === undefined ? (known?.vendor ?? name) : new URL(base_url).host
  return (id === null ? null : makerOf(id)) ?? host
}

/** Where neither the settings nor the price list say it: for a vendor's models, and for a server on this machine. */
const UNKNOWN_WINDOW = 128_000
const UNKNOWN_LOCAL_WINDOW = 32_000

async function findWindow(
  { name, base_url, context_window }: ProviderSettings,
  model: string | null,
): Promise<number> {
  if (context_window !== undefined) return context_window
  const known = knownProvider(name)
  const address = base_url ?? known?.addresses[0]
  if (address !== undefined && isLoopback(address)) return UNKNOWN_LOCAL_WINDOW
  const vendor = base_url === undefined && known && isVendor(known.api) ? known.api : null
  if (vendor === null && address === undefined) return UNKNOWN_WINDOW
  const seller = vendor ? { vendor } : { baseUrl: address ?? '' }
  const { findContextWindow } = await import('../../models/prices.ts')
  return (await findContextWindow(seller, model)) ?? UNKNOWN_WINDOW
}

/** Takes the chair when none was named for it: the first seat. */
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
    const { name, model = null, max_output_tokens: maxOutputTokens } = provider
    const nth = (count.get(name) ?? 0) + 1
    count.set(name, nth)
    const options = {
      provider: name,
      model,
      roles: roles[i] ?? [],
      minds,
      timeouts: timeoutsOf(provider, surroundings),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(surroundings.settings.pace && { pace: surroundings.settings.pace }),
    }
    const seat = createSeat(options)
    const open = minds.filter(({ absent }) => !absent)
    const [only] = open.length === 1 ? open : []
    return {
      id: nth === 1 ? name : `${name}-${nth}`,
      seat,
      vendor: vendorOf({ provider, minds }),
      manner: provider,
      contextWindow: () => findWindow(provider, seat.model ?? open[0]?.model ?? null),
      whyUnaskable: async () =>
        (await seat.whyUnaskable(surroundings.signal)) ??
        (only ? await unknownModel(provider, only, surroundings) : null),
    }
  })
  const oneVendor = new Set(planned.map(vendorOf)).size === 1
  return { from, seats, oneVendor, note: oneVendor ? ONE_VENDOR : null }
}

/** The panel of named checks, when nothing else is available or it is requested. */
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
  const seats = [
    {
      id: 'embedded',
      seat,
      vendor: 'embedded',
      manner: {},
      contextWindow: async () => UNKNOWN_WINDOW,
      whyUnaskable: async () => null,
    },
  ]
  return { from: 'embedded', seats, oneVendor: false, note: BANNER }
}

const localAddresses = (name: string): readonly string[] => {
  const addresses = knownProvider(name)?.addresses ?? []
  return addresses.every(isLoopback) ? addresses : []
}

/** What a model server on this machine offers; empty for all others. */
export async function modelsHere(
  { name, base_url }: ProviderSettings,
  surroundings: Surroundings,
): Promise<readonly string[]> {
  const addresses = base_url === undefined ? addressesOf(localAddresses(name), surroundings.env) : []
  return (await findServer(addresses, null, surroundings))?.models ?? []
}

/** What a name means: a seat, its provider, or `local` for any server on this machine. Never the checks. */
export function seatNamed({ from, seats }: Table, name: string): TableSeat | undefined {
  if (from === 'embedded') return undefined
  const isLocal = ({ seat }: TableSeat): boolean => localAddresses(seat.provider).length > 0
  const own = seats.find(({ id, seat }) => id === name || seat.provider === name)
  return own ?? (name === 'local' ? seats.find(isLocal) : undefined)
}

/** The models that one provider offers for several seats; empty where that is unknown and the provider chooses. */
async function findModels(first: Candidate, surroundings: Surroundings): Promise<readonly string[]> {
  const { provider, mind } = first
  if (mind.transport !== 'api') return []
  const kind = apiKindOf(provider)
  if (knownProvider(provider.name)?.cloud !== undefined) return []
  return isVendor(kind) ? vendors[kind].models : modelsHere(provider, surroundings)
}

async function soloSeats(
  ready: readonly Candidate[],
  surroundings: Surroundings,
): Promise<readonly Planned[]> {
  const [first] = ready
  if (first === undefined) return []
  const models = await findModels(first, surroundings)
  const open = ready.map(({ mind }) => mind.transport)
  const seats = Array.from({ length: SEATS_ALONE }, async (_, i): Promise<Planned> => {
    const model = models[i % Math.max(models.length, 1)]
    const provider = { ...first.provider, ...(model !== undefined && { model }) }
    const ways = await waysTo(provider, surroundings)
    return { provider, minds: ways.filter(({ transport }) => open.includes(transport)) }
  })
  return Promise.all(seats)
}

/** `looked` is a survey of all providers, where one was made already. */
export async function seatTable(surroundings: Surroundings, looked?: readonly Candidate[]): Promise<Table> {
  const configured = surroundings.settings.council.providers
  if (configured !== undefined) {
    const planned = configured.map(async (provider) => {
      const known = looked?.filter((station) => station.provider === provider).map(({ mind }) => mind)
      return { provider, minds: known ?? (await waysTo(provider, surroundings)) }
    })
    return tableOf('configuration', await Promise.all(planned), surroundings)
  }
  const stations = looked ?? (await findTransports(othersThan([]), surroundings))
  const ready = stations.filter(({ availability }) => availability.ready)
  const providers = [...new Set(ready.map(({ provider }) => provider))]
  if (providers.length === 0) return embeddedTable()
  if (providers.length === 1) return tableOf('ready', await soloSeats(ready, surroundings), surroundings)
  const planned = providers.map((provider) => ({
    provider,
    minds: ready.filter((station) => station.provider === provider).map(({ mind }) => mind),
  }))
  return tableOf('ready', planned, surroundings)
}
