// What a queued trace has cost since that was last counted, as its events say: askings of its own, and those of the councils
// that an evaluation held in traces of their own, which are in no queue.

import { ITEM_HELD } from '../../eval/events.ts'
import { type Payload, readHeader } from '../../ledger/event.ts'
import type { Counted, QueueItem } from '../../stores/queue.ts'
import { payloadIn } from '../../stores/searched-text.ts'
import type { Store } from '../../stores/store.ts'
import { askedIn } from '../traces/outcome.ts'

interface Cost {
  readonly usd: number | null
  readonly calls: number
  readonly input: number
  readonly output: number
}

const heldCost = ({ spent }: Payload): Cost => {
  const { usd = null, calls = 0 } = (spent ?? {}) as { readonly usd?: number | null; readonly calls?: number }
  return { usd, calls, input: 0, output: 0 }
}

function costIn(type: string, at: string, agent: string, payload: Payload): Cost | null {
  if (type === ITEM_HELD) return heldCost(payload)
  const one = askedIn(at, agent, payload)
  return one && { usd: one.usd, calls: 1, input: one.input_tokens ?? 0, output: one.output_tokens ?? 0 }
}

export async function countQueued(
  store: Pick<Store, 'read'>,
  { trace, counted }: Pick<QueueItem, 'trace' | 'counted'>,
): Promise<Counted & { readonly size: number }> {
  let usd: number | null = null
  let size = counted
  const asked = { calls: 0, inputTokens: 0, outputTokens: 0 }
  for await (const event of store.read(trace, counted)) {
    size++
    const header = readHeader(event.header)
    const payload = payloadIn(event.payload)
    if (typeof header === 'string' || !payload) continue
    const one = costIn(header.type, header.at, header.actor.agent, payload)
    if (one === null) continue
    if (one.usd !== null) usd = (usd ?? 0) + one.usd
    asked.calls += one.calls
    asked.inputTokens += one.input
    asked.outputTokens += one.output
  }
  return { usd, asked, size }
}
