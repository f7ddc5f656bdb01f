import { expect, it } from 'vitest'
import { NO_PAINT } from './plain.ts'
import { queueLines, tenantLine, type WorkerLine } from './queue.ts'

const worker = (name: string, more: Partial<WorkerLine> = {}): WorkerLine => ({
  ...{ name, slots: 2, running: 1, tags: [], stopping: false, silent: 1 },
  ...more,
})

const listed = (...workers: readonly WorkerLine[]): readonly string[] =>
  queueLines(
    { items: [], workers, held: [], tenants: [] },
    { paint: NO_PAINT, now: '2026-11-18T12:00:00.000Z' },
  )

it('APP-14 counts only workers with a recent heartbeat, and says how long others were silent', () => {
  expect(listed(worker('a'), worker('b', { silent: 75, tags: ['shop'] }))).toEqual([
    '1 worker, 1 of 2 slots in use',
    '  a  1 of 2',
    '  b  1 of 2  (tags shop; not heard of for 75 s)',
    '',
    'Nothing is in the queue.',
  ])
  expect(listed(worker('b', { silent: 600 })).slice(0, 2)).toEqual([
    'No worker is there. Start one with: witan worker',
    '  b  1 of 2  (not heard of for 10 min)',
  ])
})

it('APP-14 says how much tenants use of their limits', () => {
  const limits = { slots: 2, usdPerDay: 5, running: 1, usd: 0.5 }
  expect(tenantLine({ tenant: 'ana', ...limits })).toBe('ana: 1 of 2 at once, $0.50 of $5 within a day')
  expect(tenantLine({ tenant: 'ana', ...limits, slots: null })).toBe('ana: $0.50 of $5 within a day')
  expect(tenantLine({ tenant: 'ana', ...limits, slots: null, usdPerDay: 0.4 })).toBe(
    'ana: $0.50 of $0.40 within a day',
  )
  const paint = { ...NO_PAINT, yellow: (text: string) => `!${text}` }
  const tenants = [
    { tenant: 'ana', ...limits },
    { tenant: 'bob', ...limits, running: 2 },
    { tenant: 'cy', ...limits, usd: 5 },
  ]
  const lines = queueLines({ items: [], workers: [], held: [], tenants }, { paint, now: '' })
  expect(lines.slice(1, 4).map((line) => line.slice(0, 6))).toEqual(['  ana:', '!  bob', '!  cy:'])
})
