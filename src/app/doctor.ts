// The result of the doctor: every way to every provider, the seats that would be used now, what is about to
// go wrong, and, on request, one real answer of each ready seat. Settings are read before anything else: an
// untrusted file runs and contacts nothing. It reports even when nothing is ready, and never contains a key.

import { listModels } from '../models/api/listing.ts'
import { modelsAsOf } from '../models/default-models.ts'
import { redact } from '../models/hide-secrets.ts'
import type { Model } from '../models/model.ts'
import type { Attempt } from '../models/seat/seat.ts'
import { type HeldLimits, limitsHeldHere } from '../tools/shell/held-limits.ts'
import { loadSettings, type Settings } from './config/config.ts'
import { knownProvider, type ProviderSettings } from './config/provider.ts'
import { lookAtPanels, type PanelFound } from './council/look-at-panels.ts'
import type { Person } from './person.ts'
import type { Surroundings } from './seating/environment.ts'
import { secretsIn } from './seating/keys.ts'
import {
  type Candidate,
  findTransports,
  othersThan,
  seatTable,
  type Table,
  type TableSeat,
} from './seating/seat-table.ts'
import { makeListing } from './seating/transports.ts'

interface Way {
  readonly provider: string
  readonly configured: boolean
  readonly transport: string
  readonly ready: boolean
  readonly detail: string
  readonly next: string | null
  /** The command that makes it ready, where there is one. */
  readonly type?: string
}

interface Sitting {
  readonly seat: string
  readonly provider: string
  /** As configured or chosen for this seat; null where each way has its own. */
  readonly model: string | null
  readonly roles: readonly string[]
  /** In the order in which they are tried; a model of null is the transport's own choice. */
  readonly ways: readonly { readonly transport: string; readonly model: string | null }[]
  readonly ready: boolean
}

interface Asking {
  readonly seat: string
  readonly ok: boolean
  readonly transport: string
  /** The model that the vendor says answered. */
  readonly model: string | null
  readonly latency_ms: number
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly cost_usd: number | null
  readonly error: { readonly type: string; readonly cause: string | null; readonly message: string } | null
  /** Earlier attempts, and why they failed. */
  readonly earlier: readonly { readonly transport: string; readonly message: string }[]
}

/** What the doctor found. */
export interface Findings {
  /** The files of settings that count, the home's first. */
  readonly files: readonly string[]
  readonly providers: readonly Way[]
  readonly table: {
    readonly from: Table['from']
    readonly one_vendor: boolean
    readonly note: string | null
    readonly seats: readonly Sitting[]
  }
  /** The councils that the settings keep under names. */
  readonly panels: readonly PanelFound[]
  readonly warnings: readonly string[]
  /** How limits of agents' commands and servers are enforced here. */
  readonly sandbox: HeldLimits
  /** Null when no one was asked. */
  readonly asked: readonly Asking[] | null
}

const UNMAPPED = {
  ready: false,
  detail: 'no tool is mapped',
  next: 'Map one with mcp: in the settings.',
}

/** A provider that could also be reached by a tool of an MCP server, if one were configured. */
const unmapped = (provider: ProviderSettings, configured: boolean): readonly Way[] =>
  provider.mcp === undefined && provider.transport === undefined && knownProvider(provider.name)?.cli != null
    ? [{ provider: provider.name, configured, transport: 'mcp', ...UNMAPPED }]
    : []

function waysOf(
  providers: readonly ProviderSettings[],
  stations: readonly Candidate[],
  configured: boolean,
): readonly Way[] {
  return providers.flatMap((provider) => [
    ...unmapped(provider, configured),
    ...stations
      .filter((station) => station.provider === provider)
      .map(({ mind, availability }) => ({
        provider: provider.name,
        configured,
        transport: mind.transport,
        ...availability,
      })),
  ])
}

const QUESTION = 'This is a test of the connection. Answer with the single word: ready'
const part = { name: 'question', text: QUESTION, quotes: null, template: null }
const LIMITS = { maxOutputTokens: 1_024, maxReplyBytes: 1 << 16 }

const earlierThan = (attempts: readonly Attempt[]) =>
  attempts
    .slice(0, -1)
    .map(({ transport, failure }) => ({ transport, message: failure?.message ?? 'no answer' }))

async function askSeat({ id, seat }: TableSeat, signal: AbortSignal): Promise<Asking> {
  const asking = { round: 'doctor', system: 'Be brief.', parts: [part], schema: null, limits: LIMITS, signal }
  const { outcome, attempts } = await seat.ask(asking)
  const { transport, latencyMs, usage } = outcome
  return {
    seat: id,
    ok: outcome.ok,
    transport,
    model: outcome.ok ? outcome.model : null,
    latency_ms: Math.round(latencyMs),
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cost_usd: outcome.ok ? (outcome.cost?.usd ?? null) : null,
    error: outcome.ok ? null : { type: outcome.type, cause: outcome.cause, message: outcome.message },
    earlier: earlierThan(attempts),
  }
}

/** Whether the vendor still lists the model; null when that is unknown. */
async function modelWarning(
  provider: ProviderSettings,
  mind: Model,
  surroundings: Surroundings,
): Promise<string | null> {
  try {
    const listing = await makeListing(provider, mind, surroundings)
    if (listing === null) return null
    const { model } = listing
    const listed = await listModels(listing)
    if (listed.length === 0 || listed.includes(model)) return null
    const whose = provider.model === undefined ? `the default model (as of ${modelsAsOf})` : 'the model'
    return `${provider.name}: ${whose} ${model} is not listed by the vendor; set another with model:`
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    const clean = redact(words, secretsIn(surroundings))
    return `${provider.name}: the vendor's list of models cannot be read: ${clean}`
  }
}

/** No key is in any text, wherever it comes from. */
function withoutSecrets<Value>(value: Value, secrets: readonly string[]): Value {
  if (typeof value === 'string') return redact(value, secrets) as Value
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, secrets)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutSecrets(member, secrets)]),
  ) as Value
}

/** What the doctor inspects. */
export interface DoctorOptions {
  /** The directory of the home. */
  readonly home: string
  /** The settings of a project; without, the nearest from this folder upward. */
  readonly file?: string | null
  readonly from: string
  /** Where keys of vendors are looked up. */
  readonly env: Surroundings['env']
  /** Asks each ready seat one tiny question. */
  readonly ask?: boolean
  /** Asked when a file names what only a trusted one may. */
  readonly person?: Person
  readonly signal?: AbortSignal
  readonly progress?: (words: string) => void
}

async function examine(
  surroundings: Surroundings & { readonly settings: Settings },
  options: { readonly ask: boolean; readonly progress: (words: string) => void },
): Promise<Omit<Findings, 'files'>> {
  const { settings, ...world } = surroundings
  const configured = settings.council.providers ?? []
  const others = othersThan(configured)
  options.progress('Looking for providers …')
  const stations = await findTransports([...configured, ...others], surroundings)
  const table = await seatTable(surroundings, stations)

  const isReady = ({ seat }: TableSeat): boolean =>
    table.from !== 'configuration' ||
    stations.some(({ mind, availability }) => availability.ready && seat.minds.includes(mind))
  const seated = stations.filter(
    ({ mind, availability }) =>
      availability.ready && table.seats.some(({ seat }) => seat.provider === mind.provider),
  )
  const warnings = await Promise.all(
    seated.map(({ provider, mind }) => modelWarning(provider, mind, surroundings)),
  )
  const asks = options.ask && table.from !== 'embedded'
  if (asks) options.progress('Asking each ready seat …')
  const asked = asks
    ? await Promise.all(table.seats.filter(isReady).map((one) => askSeat(one, surroundings.signal)))
    : null

  const sittings = table.seats.map((tableSeat): Sitting => {
    const { provider, model, roles, minds } = tableSeat.seat
    const ways = minds.map(({ transport, model }) => ({ transport, model }))
    return { seat: tableSeat.id, provider, model, roles, ways, ready: isReady(tableSeat) }
  })
  const findings = {
    providers: [...waysOf(configured, stations, true), ...waysOf(others, stations, false)],
    table: { from: table.from, one_vendor: table.oneVendor, note: table.note, seats: sittings },
    panels: await lookAtPanels(settings, world),
    warnings: warnings.flatMap((warning) => warning ?? []),
    sandbox: await limitsHeldHere(surroundings.env.PATH ?? ''),
    asked,
  }
  return withoutSecrets(findings, secretsIn(surroundings))
}

/** Finds out which models could be asked from here, and what prevents the others. */
export async function doctor(options: DoctorOptions): Promise<Findings> {
  const { home, from, file = null, env, ask = false, person, progress = () => undefined } = options
  const settings = await loadSettings({ home, from, file, ...(person && { person }) })
  const signal = options.signal ?? new AbortController().signal
  return { files: settings.files, ...(await examine({ settings, env, signal }, { ask, progress })) }
}
