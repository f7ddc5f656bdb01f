// Retention: erases the content of traces that ended before a given time, and records that in the registry.
// Headers, signatures and chains stay, so that the rest still verifies and says what was erased, by whom and
// why. The registry itself stays whole. What a kept trace is based on is also kept: the traces it was forked
// from, and artifacts that it names too.

import { redactMany } from '../../clerk/redact-many.ts'
import { isErasable, type RedactionTarget } from '../../clerk/redaction.ts'
import { TraceLog } from '../../clerk/trace-log.ts'
import { WitanError } from '../../ledger/errors.ts'
import { artifactsOf, type Payload, REGISTRY_PROTOCOL, readHeader, readPayload } from '../../ledger/event.ts'
import { FORKED, forkPointOf } from '../../ledger/fork.ts'
import type { Store, TraceSummary } from '../../stores/store.ts'
import { userName } from '../home/create-home.ts'
import { type Home, signingRegistrar } from '../home/home.ts'
import { withoutTypedSecrets } from '../person.ts'
import { protocolNamed } from '../protocols.ts'

/** A trace whose content is to be erased. */
interface PrunedTrace {
  readonly trace: string
  readonly protocol: string
  /** When its last event was recorded. */
  readonly last: string
  /** How many payloads and artifacts of it still exist. */
  readonly payloads: number
  readonly artifacts: number
}

/** A trace of that age that is kept, and why. */
interface KeptTrace {
  readonly trace: string
  readonly why: string
}

export interface PrunePlan {
  readonly before: string
  readonly traces: readonly PrunedTrace[]
  readonly kept: readonly KeptTrace[]
  readonly targets: readonly RedactionTarget[]
}

export interface PruneOptions {
  /** In the form of times in headers. */
  readonly before: string
  /** Include unfinished traces; they cannot be resumed afterwards. */
  readonly unfinished: boolean
  /** Traces that workers are still to drive. */
  readonly queued: ReadonlySet<string>
}

interface Read {
  readonly type: string
  readonly payload: Payload | null
}

async function* readEvents(store: Store, trace: string): AsyncGenerator<Read> {
  for await (const event of store.read(trace)) {
    const header = readHeader(event.header)
    const payload = event.payload && readPayload(event.payload)
    yield {
      type: typeof header === 'string' ? '' : header.type,
      payload: typeof payload === 'object' ? payload : null,
    }
  }
}

async function isFinished({ ports }: Home, trace: string, protocol: string): Promise<boolean> {
  const known = await protocolNamed(protocol)
  if (!known) return false
  const log = new TraceLog(ports, known, trace)
  await log.refresh()
  return known.finished(log.state)
}

async function isPartlyErased(store: Store, trace: string): Promise<boolean> {
  for await (const { payload } of store.read(trace)) if (payload === null) return true
  return false
}

/** Why a trace of that age is kept by itself; null when it may be erased. */
async function whyKept(
  home: Home,
  { trace, protocol }: TraceSummary,
  options: PruneOptions,
): Promise<string | null> {
  if (options.queued.has(trace)) return 'it is in the queue'
  if (options.unfinished) return null
  try {
    return (await isFinished(home, trace, protocol)) ? null : 'it is not finished'
  } catch {
    // What was erased cannot be folded, and cannot be continued. Anything else may be tampered with: evidence stays.
    const erased = await isPartlyErased(home.store, trace)
    return erased ? null : `it cannot be read as its protocol says; see witan verify ${trace}`
  }
}

async function findParent(store: Store, trace: string): Promise<string | null> {
  for await (const { type, payload } of readEvents(store, trace))
    return type === FORKED ? (forkPointOf(payload)?.trace ?? null) : null
  return null
}

/** What is left to erase of a trace, without artifacts that others need. */
async function findTargets(
  store: Store,
  trace: string,
  needed: ReadonlySet<string>,
): Promise<readonly RedactionTarget[]> {
  const targets: RedactionTarget[] = []
  const artifacts = new Set<string>()
  let seq = -1
  for await (const { type, payload } of readEvents(store, trace)) {
    seq++
    if (payload === null) continue
    for (const { hash } of artifactsOf(payload)) artifacts.add(hash)
    if (isErasable(type)) targets.push({ trace, seq, artifact: null })
  }
  for (const artifact of artifacts)
    if (!needed.has(artifact) && (await store.statArtifact(artifact)))
      targets.push({ trace, seq: null, artifact })
  return targets
}

/** What would be erased; nothing is changed. */
export async function planPrune(home: Home, options: PruneOptions): Promise<PrunePlan> {
  const { store } = home
  const all = (await store.traces()).filter(({ protocol }) => protocol !== REGISTRY_PROTOCOL)
  const why = new Map<string, string>()
  const old = new Set<string>()
  for (const summary of all) {
    if (summary.last.at >= options.before) continue
    old.add(summary.trace)
    const reason = await whyKept(home, summary, options)
    if (reason !== null) why.set(summary.trace, reason)
  }
  const isKept = (trace: string): boolean => !old.has(trace) || why.has(trace)
  for (const { trace } of all.filter((summary) => isKept(summary.trace)))
    for (
      let at = await findParent(store, trace);
      at !== null && !isKept(at);
      at = await findParent(store, at)
    )
      why.set(at, `${trace} was forked from it`)
  const needed = new Set<string>()
  for (const { trace } of all.filter((summary) => isKept(summary.trace)))
    for await (const { payload } of readEvents(store, trace))
      for (const { hash } of artifactsOf(payload ?? {})) needed.add(hash)
  const traces: PrunedTrace[] = []
  const targets: RedactionTarget[] = []
  for (const { trace, protocol, last } of all.filter((summary) => !isKept(summary.trace))) {
    const own = await findTargets(store, trace, needed)
    if (own.length === 0) continue
    const payloads = own.filter(({ seq }) => seq !== null).length
    traces.push({ trace, protocol, last: last.at, payloads, artifacts: own.length - payloads })
    targets.push(...own)
  }
  return { before: options.before, traces, kept: [...why].map(([trace, w]) => ({ trace, why: w })), targets }
}

/** Erases what was planned, each with its record. */
export async function prune(
  home: Home,
  plan: PrunePlan,
  request: { readonly by: string | null; readonly reason: string },
): Promise<{ readonly by: string; readonly reason: string }> {
  const { value: reason } = await withoutTypedSecrets(request.reason)
  if (reason.trim() === '')
    throw new WitanError('USAGE', 'a reason is needed: it is recorded permanently', 'Give it with --reason.')
  const by = request.by ?? userName()
  await redactMany(home.ports, await signingRegistrar(home), plan.targets, { by, reason })
  return { by, reason }
}
