// Who acts does not judge, where others are ready.

import { describe, expect, it } from 'vitest'
import type { CouncilTable } from '../council/council-table.ts'
import { judgingTable } from './council-critic.ts'
import { actingCritics } from './open-session.ts'

const seat = (id: string, model: string, roles: readonly string[] = ['participant']) => ({
  id,
  vendor: id,
  seat: { provider: id.split('-')[0], model, roles, minds: [] },
})

const tableOf = (...seats: readonly ReturnType<typeof seat>[]): CouncilTable =>
  ({
    from: 'configuration',
    seats,
    records: seats.map(({ id, seat: { roles } }) => ({ seat: id, roles })),
    chairs: [],
    leftOut: [],
    chosen: true,
  }) as unknown as CouncilTable

const BOTH = ['participant', 'chair']

describe('a council that judges a session', () => {
  it('AGT-X-5 is held without the models that plan and act, by a chair of its own', () => {
    const table = tableOf(seat('claude', 'opus', BOTH), seat('openai', 'gpt'), seat('local', 'qwen'))
    const { table: held, acting } = judgingTable(table, ['claude'], 2)
    expect(acting).toEqual([])
    expect(held.records.map((one) => one.seat)).toEqual(['openai', 'local'])
    expect(held.chairs).toEqual(['openai'])
  })

  it('AGT-X-5 counts a second seat of the same model as the same', () => {
    const table = tableOf(seat('a', 'm'), seat('a-2', 'm'), seat('b', 'n', BOTH), seat('c', 'o'))
    expect(judgingTable(table, ['a'], 2).table.records.map((one) => one.seat)).toEqual(['b', 'c'])
  })

  it('AGT-X-5 includes them if too few others are ready, and says so', () => {
    const table = tableOf(seat('claude', 'opus', BOTH), seat('openai', 'gpt'))
    expect(judgingTable(table, ['claude', 'openai'], 2)).toEqual({ table, acting: ['claude', 'openai'] })
    expect(judgingTable(table, ['claude'], 2).acting).toEqual(['claude'])
    expect(judgingTable(table, [], 2)).toEqual({ table, acting: [] })
  })

  it('AGT-X-5 names critics of the task that are the planner or executor, under any name', () => {
    const one = {}
    const minds = new Map([
      ['claude', one],
      ['opus', one],
      ['openai', {}],
    ])
    expect(actingCritics(['policy', 'opus', 'openai', 'human'], ['claude'], minds)).toEqual(['opus'])
    expect(actingCritics(['policy', 'human'], ['written'], minds)).toEqual([])
  })
})
