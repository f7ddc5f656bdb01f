// Resolves the name of a trace: its id, the beginning of one, `last` (for an exchange: the branch where it
// continues) or `registry`; or, where allowed, a file.

import { stat } from 'node:fs/promises'
import { WitanError } from '../../ledger/errors.ts'
import {
  isTraceId,
  REGISTRY_PROTOCOL,
  readHeader,
  readPayload,
  type SealedEvent,
} from '../../ledger/event.ts'
import type { Store, TraceSummary } from '../../stores/store.ts'
import { type HomeLocation, withStore } from '../home/home.ts'

const notFound = (name: string, next: string): WitanError =>
  new WitanError('TRACE_NOT_FOUND', `there is no trace '${name}' in this home`, next)

/** Newest first, and the registry, which every run adds to, last. */
export function byActivity(traces: readonly TraceSummary[]): readonly TraceSummary[] {
  const placeOf = ({ protocol, last, trace }: TraceSummary): string =>
    `${protocol === REGISTRY_PROTOCOL ? 0 : 1}${last.at}${trace}`
  return [...traces].sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1))
}

// Where an exchange continues. One that was rolled back or continues elsewhere records this in its last
// events: they are read without folding the whole trace. `continued` returns to it.

/** An order is followed only by what it changes and by its fork. */
const LAST = 12

/** The trace that this event leads to; null where it returns, undefined where it says nothing about that. */
function leadsTo(event: SealedEvent): string | null | undefined {
  const header = readHeader(event.header)
  if (typeof header === 'string') return undefined
  if (header.type === 'continued') return null
  if (header.type !== 'branch_ordered' && header.type !== 'signal_answered') return undefined
  const payload = event.payload && readPayload(event.payload)
  if (typeof payload !== 'object' || payload === null) return undefined
  const order = payload.branch as { readonly current?: unknown; readonly into?: unknown } | null | undefined
  return order?.current === true && typeof order.into === 'string' ? order.into : undefined
}

/** The trace itself, unless it is an exchange that continues in another one of these. */
async function currentBranch(
  store: Store,
  summary: TraceSummary,
  all: readonly TraceSummary[],
): Promise<string> {
  // By name: loading the protocol itself would slow down every command.
  if (!summary.protocol.startsWith('exchange/')) return summary.trace
  let into: string | null = null
  for await (const event of store.read(summary.trace, Math.max(0, summary.size - LAST))) {
    const led = leadsTo(event)
    if (led !== undefined) into = led
  }
  const next = all.find(({ trace }) => trace === into)
  return next ? currentBranch(store, next, all) : summary.trace
}

/** The outcome of a council is a trace of the evaluations' protocol, but not an evaluation. */
const isOutcome = ({ last }: TraceSummary): boolean => last.type === 'outcome_recorded'

const KINDS = ['council', 'agents', 'exchange', 'eval']

/** `last:council` and the like; null for any other name. */
const kindIn = (name: string): string | null => /^last:(.*)$/s.exec(name)?.[1] ?? null

async function lastOfKind(store: Store, kind: string): Promise<string> {
  if (!KINDS.includes(kind)) {
    const next = `Say ${KINDS.map((one) => `last:${one}`).join(', ')}, or last.`
    throw new WitanError('USAGE', `'${kind}' is not a protocol`, next)
  }
  const all = await store.traces()
  const [last] = byActivity(all).filter((one) => one.protocol.split('/')[0] === kind && !isOutcome(one))
  if (last) return currentBranch(store, last, all)
  throw notFound(`last:${kind}`, 'See `witan list` for those there are.')
}

async function lastTrace(store: Store): Promise<string> {
  const all = await store.traces()
  const summaries = byActivity(all).filter(({ protocol }) => protocol !== REGISTRY_PROTOCOL)
  const last = summaries.find((one) => !isOutcome(one)) ?? summaries[0]
  if (last) return currentBranch(store, last, all)
  throw new WitanError(
    'TRACE_NOT_FOUND',
    'this home holds no trace yet besides its registry',
    'Name the registry itself with `registry`.',
  )
}

async function registryTrace(store: Store): Promise<string> {
  const trace = await store.registry()
  if (trace) return trace
  throw new WitanError('HOME_MISSING', 'this home has no registry of keys yet', 'Run `witan init` first.')
}

export async function findTrace(store: Store, name: string): Promise<string> {
  if (name === 'last') return lastTrace(store)
  if (name === 'registry') return registryTrace(store)
  const kind = kindIn(name)
  if (kind !== null) return lastOfKind(store, kind)
  const prefix = name.toUpperCase()
  // A whole id is looked up directly, so that a damaged neighbour does not prevent a trace from being checked.
  if (isTraceId(prefix) && (await store.hashes(prefix, 0, 1)).length > 0) return prefix
  const list = 'See `witan list` for those there are.'
  if (!/^[0-9A-HJKMNP-TV-Z]{1,26}$/.test(prefix)) throw notFound(name, list)
  const matches = (await store.traces()).map(({ trace }) => trace).filter((trace) => trace.startsWith(prefix))
  const [first, second] = matches
  if (!first) throw notFound(name, list)
  if (!second) return first
  throw new WitanError(
    'TRACE_AMBIGUOUS',
    `${matches.length} traces begin with '${name}': ${matches.slice(0, 3).join(', ')}${matches.length > 3 ? ', …' : ''}`,
    'Give more of the id.',
  )
}

/** The id of a trace of this home. A name that could be a file is only looked up here. */
export const traceNamed = (location: HomeLocation, name: string): Promise<string> =>
  withStore(location, (store) => findTrace(store, name))

/** The ids that begin like this, newest first. */
export const tracesLike = (location: HomeLocation, begun: string): Promise<readonly string[]> =>
  withStore(location, async (store) =>
    byActivity(await store.traces())
      .map(({ trace }) => trace)
      .filter((trace) => trace.startsWith(begun.toUpperCase())),
  )

/** Whether a name that may be either means a file: no trace has a dot or a slash in it. */
export async function isFile(name: string): Promise<boolean> {
  if (name === 'last' || name === 'registry' || kindIn(name) !== null || isTraceId(name)) return false
  if (/[./\\]/.test(name)) return true
  return stat(name).then(
    () => true,
    () => false,
  )
}
