// What a verifier of an evaluation finds when something in its record is not what follows.
import { afterEach, describe, expect, it } from 'vitest'
import { evalProtocol } from '../../src/eval/eval.ts'
import type { Json } from '../../src/ledger/canonical.ts'
import { readHeader, readPayload } from '../../src/ledger/event.ts'
import type { Occurrence } from '../../src/protocol.ts'
import { sha256 } from '../../src/stores/digest.ts'
import type { CouncilServer } from '../fakes/council.ts'
import { simulate, simulatedSet } from '../fakes/simulated-members.ts'
import { type EvalHeld, evaluate } from '../support/eval-run.ts'

type Payload = { readonly [name: string]: Json }

let server: CouncilServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

async function recorded({
  storage,
  evaluation,
}: EvalHeld): Promise<{ events: Occurrence[]; content: (hash: string) => Uint8Array | null }> {
  const events: Occurrence[] = []
  const bytes = new Map<string, Uint8Array>()
  const { store } = storage.ports
  for await (const event of store.read(evaluation.trace)) {
    const header = readHeader(event.header)
    const payload = event.payload && readPayload(event.payload)
    if (typeof header === 'string' || typeof payload !== 'object') throw new Error('unreadable')
    const { trace, seq, at, type, actor } = header
    events.push({ trace, seq, at, type, actor, hash: '', payload })
    for (const { hash } of (payload?.artifacts ?? []) as { hash: string }[]) {
      const chunks: Uint8Array[] = []
      for await (const chunk of (await store.openArtifact(hash)) ?? []) chunks.push(chunk)
      bytes.set(hash, Buffer.concat(chunks))
    }
  }
  return { events, content: (hash) => bytes.get(hash) ?? null }
}

/** The first event of a type, changed; what the protocol says of it where it stands. */
const CHANGES: readonly (readonly [string, (payload: Payload) => Payload, RegExp])[] = [
  [
    'item_held',
    (p) => ({ ...p, council: { ...(p.council as Payload), trace: '01ARZ3NDEKTSV4RRFFQ69G5FAV' } }),
    /another name/,
  ],
  ['item_held', (p) => ({ ...p, grader: 'exact' }), /another grader/],
  ['item_held', (p) => ({ ...p, item: 1 }), /another action/],
  ['sample_given', (p) => ({ ...p, text: 'ANSWER: 7' }), /the answer is not the reply/],
  ['sample_given', (p) => ({ ...p, seat: 'ben' }), /another action/],
  [
    'item_graded',
    (p) => ({ ...p, grades: (p.grades as Payload[]).map((one) => ({ ...one, grade: true })) }),
    /not what follows from the answers/,
  ],
  ['item_graded', (p) => ({ ...p, id: 'another' }), /another item/],
  ['eval_closed', (p) => ({ ...p, verdict: 'better' }), /not what the grades say/],
  ['eval_opened', (p) => ({ ...p, primary: { arm: 'council', against: 'council' } }), /two of the arms/],
  ['eval_opened', (p) => ({ ...p, arms: ['council', 'oracle', 'vote'] }), /an arm is unknown/],
  ['eval_opened', (p) => ({ ...p, surplus: 1 }), /unknown member/],
]

describe('the record of an evaluation', () => {
  it('COU-X-4 holds as it is, and every change of what was asked, answered, graded or concluded is found', async () => {
    const members = Object.fromEntries(
      ['ada', 'ben', 'cyd'].map((name) => [name, { knows: (item: number) => -item }]),
    )
    server = await simulate({ members, chair: (item) => item })
    const held = await evaluate(server.url, ['ada', 'ben', 'cyd'], simulatedSet(2), {
      arms: ['council', 'vote', 'plain:ada'],
      concurrency: 1,
    })
    const { events, content } = await recorded(held)
    const protocol = evalProtocol(sha256)
    const judged = (state: typeof protocol.initial, event: Occurrence): string | null =>
      (protocol.refuse(state, event) ?? protocol.examine?.(state, event, content) ?? null)?.message ?? null
    let state = protocol.initial
    const met = new Set<number>()
    for (const event of events) {
      for (const [i, [type, change, words]] of CHANGES.entries()) {
        if (event.type !== type || met.has(i)) continue
        met.add(i)
        expect(judged(state, { ...event, payload: change(event.payload ?? {}) })).toMatch(words)
      }
      expect(judged(state, event)).toBeNull()
      state = protocol.evolve(state, event)
    }
    expect(met.size).toBe(CHANGES.length)
    expect(protocol.finished(state)).toBe(true)
  })
})
