// What a queued trace has cost since the last count, according to its events: its own calls, and those of an
// evaluation's councils, which are separate traces and in no queue.

import { ITEM_HELD } from '../../eval/events.ts'
import { type Payload, readHeader } from '../../ledger/event.ts'
import type { ModelUse, QueueItem, RecordedUse } from '../../stores/queue.ts'
import { payloadIn } from '../../stores/searched-text.ts'
import type { Store } from '../../stores/store.ts'
import { askedIn } from '../traces/outcome.ts'

type Reader = Pick<Store, 'read'>

interface Cost extends ModelUse {
  readonly usd: number | null
}

/** The evaluation's own figure for a council; the numbers of tokens are in the council. */
async function heldCost(store: Reader, { spent, council }: Payload): Promise<Cost> {
  const { usd = null, calls = 0 } = (spent ?? {}) as { readonly usd?: number | null; readonly calls?: number }
  const { trace = null } = (council ?? {}) as { readonly trace?: string }
  const { asked } = trace === null || calls === 0 ? NOTHING : await countQueued(store, { trace, counted: 0 })
  return { ...asked, usd, calls }
}

const NOTHING: { readonly asked: ModelUse } = { asked: { calls: 0, inputTokens: 0, outputTokens: 0 } }

async function costIn(store: Reader, type: string, agent: string, payload: Payload): Promise<Cost | null> {
  if (type === ITEM_HELD) return heldCost(store, payload)
  const costs = askedIn('', agent, payload)
  return (
    costs && {
      usd: costs.usd,
      calls: 1,
      inputTokens: costs.input_tokens ?? 0,
      outputTokens: costs.output_tokens ?? 0,
    }
  )
}

export async function countQueued(
  store: Reader,
  { trace, counted }: Pick<QueueItem, 'trace' | 'counted'>,
): Promise<RecordedUse & { readonly size: number }> {
  let usd: number | null = null
  let size = counted
  const asked = { ...NOTHING.asked }
  for await (const event of store.read(trace, counted)) {
    size++
    const header = readHeader(event.header)
    const payload = payloadIn(event.payload)
    if (typeof header === 'string' || !payload) continue
    const costs = await costIn(store, header.type, header.actor.agent, payload)
    if (costs === null) continue
    if (costs.usd !== null) usd = (usd ?? 0) + costs.usd
    asked.calls += costs.calls
    asked.inputTokens += costs.inputTokens
    asked.outputTokens += costs.outputTokens
  }
  return { usd, asked, size }
}
