// The cost of model calls over all traces of a home, from their events. Nothing is estimated: a call without
// a known price is counted separately. Answers taken over from another trace were paid there and are left
// out.

import { readHeader } from '../../ledger/event.ts'
import { payloadIn } from '../../stores/searched-text.ts'
import type { Store } from '../../stores/store.ts'
import { type HomeLocation, withStore } from '../home/home.ts'
import { findOpening } from './list-traces.ts'
import { type Asked, askedIn } from './outcome.ts'
import { sinceMoment } from './since.ts'

export const COST_GROUPS = ['day', 'seat', 'model', 'mode', 'protocol', 'trace'] as const
export type CostGroup = (typeof COST_GROUPS)[number]

/** The calls of one day, seat, model, mode of a council, protocol or trace. */
interface CostLine {
  readonly name: string
  readonly calls: number
  /** How many of them have no known price. */
  readonly unpriced: number
  readonly usd: number
  readonly input_tokens: number
  readonly output_tokens: number
}

export interface Costs {
  readonly by: CostGroup
  readonly since: string | null
  readonly total: CostLine
  /** Days in order, everything else the most expensive first. */
  readonly lines: readonly CostLine[]
}

type Placed = Asked & { readonly trace: string; readonly protocol: string; readonly mode: string }

const nameOf = (protocol: string): string => protocol.split('/')[0] ?? protocol

/** The mode of a council, in its forks too; other protocols have only one. */
async function readMode(store: Store, trace: string, protocol: string): Promise<string> {
  const opening = await findOpening(store, trace)
  const parent = (opening?.payload.parent ?? null) as { readonly trace?: unknown } | null
  if (typeof parent?.trace === 'string' && parent.trace !== trace)
    return readMode(store, parent.trace, protocol)
  const mode = opening?.payload.mode
  return typeof mode === 'string' ? mode : nameOf(protocol)
}

const NAMES: Readonly<Record<CostGroup, (asked: Placed) => string>> = {
  day: ({ at }) => at.slice(0, 10),
  seat: ({ seat }) => seat,
  model: ({ model }) => model ?? 'unknown model',
  mode: ({ mode }) => mode,
  protocol: ({ protocol }) => nameOf(protocol),
  trace: ({ trace }) => trace,
}

const none = (name: string): CostLine => ({
  name,
  calls: 0,
  unpriced: 0,
  usd: 0,
  input_tokens: 0,
  output_tokens: 0,
})

const added = (line: CostLine, { usd, input_tokens, output_tokens }: Asked): CostLine => ({
  name: line.name,
  calls: line.calls + 1,
  unpriced: line.unpriced + (usd === null ? 1 : 0),
  usd: line.usd + (usd ?? 0),
  input_tokens: line.input_tokens + (input_tokens ?? 0),
  output_tokens: line.output_tokens + (output_tokens ?? 0),
})

async function* askings(store: Store, since: string): AsyncGenerator<Placed> {
  for (const { trace, protocol, last } of await store.traces()) {
    if (last.at < since) continue
    const mode = await readMode(store, trace, protocol)
    for await (const event of store.read(trace)) {
      const header = readHeader(event.header)
      const payload = payloadIn(event.payload)
      if (typeof header === 'string' || payload === null || header.at < since) continue
      const asked = askedIn(header.at, header.actor.agent, payload)
      if (asked) yield { ...asked, trace, protocol, mode }
    }
  }
}

/** What was spent in a home, grouped by day, seat, model, mode, protocol or trace. */
export const costsOf = (
  location: HomeLocation,
  { by = 'day', since = null }: { readonly by?: CostGroup; readonly since?: string | null } = {},
): Promise<Costs> =>
  withStore(location, async (store) => {
    const from = sinceMoment(since)
    const lines = new Map<string, CostLine>()
    let total = none('total')
    for await (const asked of askings(store, from)) {
      const name = NAMES[by](asked)
      lines.set(name, added(lines.get(name) ?? none(name), asked))
      total = added(total, asked)
    }
    const sorted = [...lines.values()].sort((a, b) =>
      by === 'day' ? (a.name < b.name ? -1 : 1) : b.usd - a.usd || (a.name < b.name ? -1 : 1),
    )
    return { by, since: from || null, total, lines: sorted }
  })
