// The traces of a home as lines: what each came to, in the words of its report.

import { expect, it } from 'vitest'
import type { Payload } from '../ledger/event.ts'
import { NO_PAINT } from './plain.ts'
import { listJson, outcomeLines } from './trace-list.ts'

const AT = '2026-11-18T03:00:00.000Z'
const TRACE = '01KA4T2V5R8Q9XNBM7C3DYE1FZ'

const listed = (mode: string): string => {
  const trace = { trace: TRACE, protocol: 'council/1', size: 18, last: { at: AT, type: 'council_closed' } }
  const came = { status: 'reported', verdict: 'reject', cost_usd: null, mode }
  const sheet = { paint: NO_PAINT, width: 80 }
  return outcomeLines([trace], [{ ...trace, about: 'a' }], new Map([[TRACE, came]]), AT, sheet).join('\n')
}

it('COU-X-8 the list names the verdict of a review as its report does', () => {
  expect(listed('review')).toContain('council  request changes ')
  expect(listed('ask')).toContain('council  reject ')
})

it('APP-13 the list counts the one event of a trace that was just begun', () => {
  const trace = { trace: TRACE, protocol: 'exchange/1', size: 1, last: { at: AT, type: 'exchange_opened' } }
  const came = new Map([[TRACE, { status: 'open', verdict: null, cost_usd: null }]])
  const lines = outcomeLines([trace], [{ ...trace, about: 'a' }], came, AT, { paint: NO_PAINT, width: 80 })
  expect(lines.join('\n')).toContain('open, 1 event ')
})

it('EXC-BR-1 the list names a branch by the question of its root, for any depth of branches', () => {
  const [first, second, third] = ['1FZ', '2FZ', '3FZ'].map((end) => `01KA4T2V5R8Q9XNBM7C3DYE${end}`)
  const trace = (id = '', opening: { readonly type: string; readonly payload: Payload }) => ({
    ...{ trace: id, protocol: 'exchange/1', size: 9, last: { at: AT, type: 'round_closed' } },
    opening,
  })
  const branch = (parent = '', seq = 0) => ({
    type: 'trace_forked',
    payload: { parent: { trace: parent, seq, hash: 'a'.repeat(64) } },
  })
  const traces = [
    trace(third, branch(second, 12)),
    trace(second, branch(first, 84)),
    trace(first, {
      type: 'exchange_opened',
      payload: { terms: { pool: { prompt: 'Where shall the bus stop?' } } },
    }),
  ]
  expect(listJson('home', traces).traces.map(({ about }) => about)).toEqual([
    `Where shall the bus stop? (from event 12 of ${second})`,
    `Where shall the bus stop? (from event 84 of ${first})`,
    'Where shall the bus stop?',
  ])
  expect(listJson('home', traces.slice(1, 2)).traces[0]?.about).toBe(`continues from event 84 of ${first}`)
})
