// An exchange from its beginning, along all branches that led here, as flat rows: one for each message, in
// order. The fold keeps only a window; this reads the whole ledger.

import { followTrace } from '../../clerk/follow.ts'
import type { Embedded } from '../../exchange/events.ts'
import { payloadOf } from '../../exchange/events.ts'
import { VECTORS } from '../../exchange/examine.ts'
import { exchangeProtocol } from '../../exchange/exchange.ts'
import type { Message } from '../../exchange/messages.ts'
import { noteOf } from '../../exchange/result.ts'
import type { SignalState } from '../../exchange/signal/dominance.ts'
import { type ExchangeState, visible } from '../../exchange/state.ts'
import { WitanError } from '../../ledger/errors.ts'
import { artifactsOf } from '../../ledger/event.ts'
import { FORKED, forkPointOf } from '../../ledger/fork.ts'
import { dimensionOf, type Vector, vectorFrom } from '../../ledger/vector.ts'
import type { Occurrence } from '../../protocol.ts'
import type { Home } from '../home/home.ts'

/** The location of the recorded vector of a message. */
interface Place {
  readonly encoder: string
  readonly hash: string
  readonly at: number
}

export interface Row {
  readonly message: Message
  /** What its author was shown; nothing for messages that no mind wrote. */
  readonly sampled: readonly string[]
  readonly cluster: string | null
  readonly score: number | null
  /** Whether a judge found that it asks for a restart; null where no judge was asked. */
  readonly judged: boolean | null
  readonly place: Place | null
  /** Of the whole reply, on the first of its messages. */
  readonly tokens: { readonly input: number | null; readonly output: number | null } | null
}

export interface History {
  readonly rows: readonly Row[]
  readonly series: readonly SignalState[]
  /** The latest label of every theme. */
  readonly labels: ReadonlyMap<string, string>
  readonly state: ExchangeState
  /** `trace/seq` of every event, in order. */
  readonly events: readonly string[]
}

type Kit = Pick<Home, 'ports'>

async function* eventsUpTo({ ports }: Kit, trace: string, end: number): AsyncGenerator<Occurrence> {
  for await (const event of followTrace(ports, trace, { signal: AbortSignal.abort() })) {
    if (event.seq >= end) return
    yield event
  }
}

/** The parent's events up to the fork come first. A store could contain forks that name each other. */
async function* lineage(
  kit: Kit,
  trace: string,
  end: number,
  offspring: readonly string[] = [],
): AsyncGenerator<Occurrence> {
  for await (const event of eventsUpTo(kit, trace, end)) {
    const parent = event.seq === 0 && event.type === FORKED ? forkPointOf(event.payload) : null
    if (parent && !offspring.includes(parent.trace)) {
      yield* lineage(kit, parent.trace, parent.seq + 1, [...offspring, trace])
    }
    yield event
  }
}

class Reader {
  readonly rows = new Map<string, Row>()
  readonly labels = new Map<string, string>()
  readonly series: SignalState[] = []
  #samples: ReadonlyMap<string, readonly string[]> = new Map()
  readonly #tokens = new Map<string, Row['tokens']>()

  note(event: Occurrence, state: ExchangeState): void {
    const { payload } = event
    if (payload && event.type === 'round_opened') {
      const { samples } = payloadOf({ payload }, 'round_opened')
      this.#samples = new Map(samples.map(({ mind, messages }) => [mind, messages]))
    }
    if (payload && 'input_tokens' in payload) {
      const { input_tokens: input, output_tokens: output } = payload as Record<string, number | null>
      this.#tokens.set(`${event.trace}/${event.seq}`, { input: input ?? null, output: output ?? null })
    }
    this.#enter(state)
    if (payload && (event.type === 'messages_embedded' || event.type === 'reembedded')) {
      this.#judge(payloadOf({ payload }, 'messages_embedded'), event)
    }
    if (event.type === 'restart_judged') {
      for (const { id, judged } of state.scored) if (judged !== undefined) this.#set(id, { judged })
    }
    if (state.level.round > (this.series.at(-1)?.round ?? 0)) this.series.push(state.level)
  }

  #enter(state: ExchangeState): void {
    for (const message of [...visible(state), ...state.pending]) {
      if (this.rows.has(message.id)) continue
      const tokens = this.#tokens.get(message.event) ?? null
      this.#tokens.delete(message.event)
      const sampled = message.kind === 'mind' ? (this.#samples.get(message.author) ?? []) : []
      this.rows.set(message.id, {
        message,
        sampled,
        cluster: null,
        score: null,
        judged: null,
        place: null,
        tokens,
      })
    }
  }

  #judge({ encoder, messages, assigned, clusters }: Embedded, event: Occurrence): void {
    const hash = artifactsOf(event.payload ?? {}).find(({ name }) => name === VECTORS)?.hash ?? ''
    for (const [at, { id, score }] of messages.entries()) {
      // A message that only gets another vector keeps its first scores.
      this.#set(id, { score: score ?? this.rows.get(id)?.score ?? null, place: { encoder, hash, at } })
    }
    for (const { id, cluster } of assigned) this.#set(id, { cluster })
    for (const { id, label } of clusters) this.labels.set(id, label)
  }

  #set(id: string, more: Partial<Row>): void {
    const row = this.rows.get(id)
    if (row) this.rows.set(id, { ...row, ...more })
  }
}

export async function readHistory(kit: Kit, trace: string): Promise<History> {
  const protocol = exchangeProtocol(kit.ports.sha256)
  const own = (await kit.ports.store.head(trace))?.header.protocol
  if (own !== undefined && own !== protocol.id) {
    const next = '`witan list` shows which trace is of which protocol.'
    throw new WitanError('PROTOCOL_UNKNOWN', `${trace} is a trace of ${own}, not of ${protocol.id}`, next)
  }
  const reader = new Reader()
  const events: string[] = []
  let state = protocol.initial
  for await (const event of lineage(kit, trace, Number.MAX_SAFE_INTEGER)) {
    state = protocol.evolve(state, event)
    events.push(`${event.trace}/${event.seq}`)
    if (!event.type.startsWith('call_')) reader.note(event, state.inner)
  }
  const { rows, series, labels } = reader
  return { rows: [...rows.values()], series, labels, state: state.inner, events }
}

/** Reads the recorded vectors of these rows; null for those that were never computed, or are erased. */
export async function* withVectors(
  { ports: { store } }: Kit,
  rows: readonly Row[],
): AsyncGenerator<readonly [Row, Vector | null]> {
  let [hash, bytes]: [string, Uint8Array | null] = ['', null]
  for (const row of rows) {
    const { place } = row
    if (place && place.hash !== hash) {
      const artifact = await store.openArtifact(place.hash)
      const chunks: Uint8Array[] = []
      if (artifact) for await (const chunk of artifact) chunks.push(chunk)
      ;[hash, bytes] = [place.hash, artifact ? Buffer.concat(chunks) : null]
    }
    const size = place ? dimensionOf(place.encoder) * 2 : 0
    const own = place && bytes?.subarray(place.at * size, (place.at + 1) * size)
    yield [row, place && own?.length === size ? vectorFrom(place.encoder, own) : null]
  }
}

/** A message as one JSON object. Text of a mind is data here as everywhere: it is quoted, never run. */
export interface FlatRow {
  readonly round: number
  /** The trace in which it was written: rows of a branch name its parents too. */
  readonly branch: string
  readonly id: string
  readonly kind: string
  readonly author: string
  readonly text: string
  readonly sampled: readonly string[]
  readonly cluster: string | null
  readonly score: number | null
  readonly encoder: string | null
  readonly vector: readonly number[] | null
  /** Of the whole reply, on its first message; null on the others, so that sums are right. */
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly event: string
  /** That no language model was asked, where this is so. */
  readonly note?: string
}

/** An exchange as rows for analysis, without nesting, so that a table can hold them. */
export async function* exchangeRows(kit: Kit, trace: string): AsyncGenerator<FlatRow> {
  const { rows, state } = await readHistory(kit, trace)
  const note = noteOf(state)
  for await (const [{ message, sampled, cluster, score, tokens }, vector] of withVectors(kit, rows)) {
    yield {
      round: message.round,
      branch: message.event.split('/')[0] ?? '',
      id: message.id,
      kind: message.kind,
      author: message.author,
      text: message.text,
      sampled,
      cluster,
      score,
      encoder: vector?.encoder ?? null,
      vector: vector ? [...vector.values] : null,
      input_tokens: tokens?.input ?? null,
      output_tokens: tokens?.output ?? null,
      event: message.event,
      ...(note !== null && { note }),
    }
  }
}
