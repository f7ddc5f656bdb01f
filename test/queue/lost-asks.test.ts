import { expect, it } from 'vitest'
import { asksBeyond, asksUnderWay } from './lost-asks.ts'
import type { Told } from './taken-up.ts'

const NONE = { trace: null, state: null, pool: null, name: null, slots: null, type: null, action: null }
const worker = (at: number, pool: string, name: string): Told => ({
  ...NONE,
  ...{ at, kind: 'worker', state: 'here', pool, name },
})
const running = (at: number, trace: string, pool: string): Told => ({
  ...NONE,
  ...{ at, kind: 'item', trace, state: 'running', pool },
})
const event = (at: number, trace: string, type: string, action: string): Told => ({
  ...NONE,
  ...{ at, kind: 'grown', trace, type, action },
})

const TOLD = [
  worker(1, 'p1', 'w1'),
  worker(1, 'p2', 'w2'),
  running(10, 'T', 'p1'),
  running(10, 'U', 'p2'),
  event(1_000, 'T', 'call_started', 'opinion/a/1'),
  event(1_000, 'T', 'call_started', 'opinion/b/1'),
  event(1_000, 'T', 'call_started', 'opinion/c/1'),
  event(1_000, 'U', 'call_started', 'mind/1/one/1'),
  event(1_000, 'U', 'call_started', 'embed/1/1/1'),
  event(1_500, 'T', 'opinion_given', 'opinion/a/1'),
]
const ASKS = [
  { at: 1_010, trace: 'T', about: 'opinion a' },
  { at: 1_020, trace: 'T', about: 'opinion b' },
  { at: 1_020, trace: 'U', about: 'mind one' },
]
const loss = (as: string, struck: number, name: string | null) => ({
  ...{ as, struck, worker: name, at: struck, until: Number.POSITIVE_INFINITY },
})

it('APP-14 counts as under way what a model heard and no outcome is on record of, in traces of the lost worker', () => {
  expect(asksUnderWay(TOLD, [loss('kill', 2_000, 'w1')], ASKS)).toEqual([
    { trace: 'T', action: 'opinion/b/1', as: 'kill', heard: true },
    { trace: 'T', action: 'opinion/c/1', as: 'kill', heard: false },
  ])
  // Before its outcome was on record, the answer to a was lost too; with the database, that of every trace.
  expect(asksUnderWay(TOLD, [loss('crash', 1_400, null)], ASKS).map(({ action }) => action)).toEqual([
    'opinion/a/1',
    'opinion/b/1',
    'opinion/c/1',
    'mind/1/one/1',
  ])
  expect(asksUnderWay(TOLD, [loss('stop', 900, 'w1')], ASKS)).toEqual([])
})

it('APP-14 counts a call that a stopped worker makes when it wakes as one that was not under way', () => {
  const late = [...ASKS, { at: 14_000, trace: 'T', about: 'opinion c' }]
  const heard = asksUnderWay(TOLD, [loss('stop', 2_000, 'w1')], late).filter((one) => one.heard)
  expect(heard.map(({ action }) => action)).toEqual(['opinion/b/1'])
})

it('APP-14 counts what each trace was asked beyond its need', () => {
  expect(asksBeyond(ASKS, (trace) => (trace === 'T' ? 1 : 2))).toEqual(
    new Map([
      ['T', 1],
      ['U', -1],
    ]),
  )
})
