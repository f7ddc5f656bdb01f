// Sealed events form one chain: numbers without gaps, each naming the one before, times that never run backwards.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../stores/digest.ts'
import { eventHash, GENESIS, type Header, payloadHash, readHeader, type SealedEvent } from './event.ts'
import { type Draft, EMPTY_TIP, eventMessage, type Seal, sealChain, type Tip } from './signing.ts'

const TRACE = '01KE0000000000000000000001'
const actor = { agent: 'sam', role: 'seat', key: 'a'.repeat(64) }
const draft = (n: number): Draft => ({ type: 'answer_given', actor, payload: { n } })

/** Signs with the message itself, so that the test can see what was signed. */
const seal: Seal = { sha256, salt: () => new Uint8Array(16).fill(7), sign: (_, message) => message }
const place = (at: string) => ({
  protocol: 'errand/1',
  trace: TRACE,
  registry: { size: 5, hash: 'b'.repeat(64) },
  at,
})
const headersOf = (events: readonly SealedEvent[]) =>
  events.map((event) => readHeader(event.header) as Header)

const times = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())

describe('sealing', () => {
  it('LED-1 makes one chain of any batches under any clock', () => {
    const batches = fc.array(fc.tuple(times, fc.integer({ min: 1, max: 4 })), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(batches, (given) => {
        const chain: SealedEvent[] = []
        let tip: Tip = EMPTY_TIP
        for (const [at, size] of given) {
          const events = sealChain(
            seal,
            place(at),
            tip,
            Array.from({ length: size }, (_, i) => draft(i)),
          )
          chain.push(...events)
          const last = headersOf(events).at(-1)
          tip = { size: chain.length, hash: events.at(-1)?.hash ?? '', at: last?.at ?? '' }
        }
        let [prev, at] = [GENESIS, '']
        headersOf(chain).forEach((header, seq) => {
          expect(header).toMatchObject({ seq, prev, trace: TRACE })
          expect(header.at >= at).toBe(true)
          ;[prev, at] = [chain[seq]?.hash ?? '', header.at]
        })
      }),
    )
  })

  it('LED-10 keeps the time of the trace when the clock is set back', () => {
    const tip = { size: 4, hash: 'c'.repeat(64), at: '2026-05-01T00:00:00.000Z' }
    const [early] = headersOf(sealChain(seal, place('2026-04-01T00:00:00.000Z'), tip, [draft(0)]))
    const [late] = headersOf(sealChain(seal, place('2026-06-01T00:00:00.000Z'), tip, [draft(0)]))
    expect([early?.at, late?.at]).toEqual([tip.at, '2026-06-01T00:00:00.000Z'])
  })

  it('LED-4 hashes and signs the very bytes that are kept', () => {
    const [event] = sealChain(seal, place('2026-06-01T00:00:00.000Z'), EMPTY_TIP, [draft(1)])
    if (!event?.payload || !event.salt) throw new Error('not sealed')
    expect(event.hash).toBe(eventHash(sha256, event.header))
    expect(event.signature).toEqual(eventMessage(event.header))
    expect(headersOf([event])[0]?.payload_hash).toBe(payloadHash(sha256, event.salt, event.payload))
  })

  it('LED-10 lets each registry event name its own predecessor as position', () => {
    const registry = { ...place('2026-06-01T00:00:00.000Z'), protocol: 'registry/1', registry: null }
    const headers = headersOf(sealChain(seal, registry, EMPTY_TIP, [draft(0), draft(1), draft(2)]))
    for (const { registry: position, seq, prev } of headers)
      expect(position).toEqual({ size: seq, hash: prev })
  })
})
