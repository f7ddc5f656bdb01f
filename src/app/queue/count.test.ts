import { describe, expect, it } from 'vitest'
import { makeChain, makeTrace } from '../../../test/support/events.ts'
import { GENESIS, type Payload } from '../../ledger/event.ts'
import { MemoryStore } from '../../stores/memory.ts'
import { countQueued } from './count.ts'

const asking = (usd: number | null): Payload => ({
  latency_ms: 10,
  cost: usd === null ? null : { usd, from: 'vendor' },
  input_tokens: 100,
  output_tokens: 10,
})

async function traceOf(type: string, payloads: readonly Payload[], store = new MemoryStore()) {
  const trace = makeTrace()
  const payload = (seq: number): Payload => payloads[seq] ?? {}
  const events = makeChain({ trace, count: payloads.length, type, payload })
  await store.append(trace, { size: 0, hash: GENESIS }, events)
  return { store, trace }
}

describe('the cost of a queued trace', () => {
  it('APP-14 is read from the events since the last count', async () => {
    const { store, trace } = await traceOf('mind_wrote', [
      asking(0.5),
      { text: 'x' },
      asking(0.25),
      asking(null),
    ])
    expect(await countQueued(store, { trace, counted: 0 })).toEqual({
      usd: 0.75,
      asked: { calls: 3, inputTokens: 300, outputTokens: 30 },
      size: 4,
    })
    expect(await countQueued(store, { trace, counted: 2 })).toMatchObject({ usd: 0.25, size: 4 })
    expect(await countQueued(store, { trace, counted: 3 })).toMatchObject({ usd: null, asked: { calls: 1 } })
    expect(await countQueued(store, { trace, counted: 4 })).toMatchObject({
      usd: null,
      asked: { calls: 0 },
      size: 4,
    })
  })

  it('APP-14 includes the cost of the councils of an evaluation', async () => {
    const held = await traceOf('opinion_given', [asking(0.1), { text: 'x' }, asking(0.1)])
    const spent = { usd: 0.2, unknown: 0, calls: 2, tokens: 220 }
    const council = { trace: held.trace, size: 3 }
    const free = { spent: { ...spent, usd: 0, calls: 0, tokens: 0 }, council }
    const unpriced = { spent: { ...spent, usd: null }, council: { trace: makeTrace(), size: 3 } }
    const { store, trace } = await traceOf('item_held', [{ spent, council }, free, unpriced], held.store)
    expect(await countQueued(store, { trace, counted: 0 })).toEqual({
      usd: 0.2,
      asked: { calls: 4, inputTokens: 200, outputTokens: 20 },
      size: 3,
    })
  })
})
