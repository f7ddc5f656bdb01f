import { describe, expect, it } from 'vitest'
import { MIND, plannedTask, task } from '../../test/support/agents-world.ts'
import { refuseOpening } from './refuse/roles.ts'

describe('APP-1 a scripted session', () => {
  const base = plannedTask()
  const named = (planner: string, critic: string) => {
    const { roles } = base
    const seat = { ...MIND, seat: critic }
    return {
      ...base,
      edition: 2,
      scripted: true as const,
      roles: {
        ...roles,
        planner: { ...roles.planner, mind: planner },
        executor: { ...roles.executor, mind: 'scripted-eve' },
        critics: [...roles.critics.slice(0, 1), seat],
      },
    }
  }

  it('has scripted models only: no session that says "no model was asked" rests on one', () => {
    expect(refuseOpening(named('scripted-pia', 'scripted-cal'))).toBeNull()
    for (const mixed of [named('ollama', 'scripted-cal'), named('scripted-pia', 'claude')])
      expect(refuseOpening(mixed)).toMatchObject({ message: 'a model of a scripted demo is not scripted' })
  })

  it('does not exist in edition 1', () => {
    const { edition: _, ...first } = task()
    expect(refuseOpening({ ...first, scripted: true })).toMatchObject({
      code: 'SCHEMA_INVALID',
      message: 'scripted is not of this edition',
    })
  })
})
