// The part that a seat is told to take: recorded in the opening, shown to that seat alone, and built again by a verifier.
import { describe, expect, it } from 'vitest'
import type * as council from '../../test/support/all-of-council.ts'
import { opening, Sitting, seat, sit } from '../../test/support/council-sitting.ts'
import { findings, verified } from '../../test/support/sealed-council.ts'
import type { Payload } from '../ledger/event.ts'
import { refuseFork } from './refuse-opening.ts'

const STANCE = 'You are the sceptic: look for what could fail.'
const seats = [
  seat('ann', { stance: STANCE, temperature: 0.2 }),
  seat('ben'),
  seat('cat', { thinking: 'low' }),
]

describe('the part that a seat is told to take', () => {
  it('COU-R1-1 VER-10 is in the system text of its own opinion and review, and in no other prompt', async () => {
    const sitting = sit({ seats })
    expect((await verified(sitting)).failures).toEqual([])
    const told = sitting.asked.filter(({ prompt }) => prompt.system.includes(STANCE))
    expect(told.map(({ round, seat }) => `${round} ${seat}`)).toEqual(['R1 ann', 'R2 ann'])
    const first = sitting.asked.filter(({ round }) => round === 'R1')
    expect(first).toHaveLength(3)
    expect(new Set(first.map(({ prompt }) => JSON.stringify(prompt.parts))).size).toBe(1)
    expect(JSON.stringify(sitting.asked.map(({ prompt }) => prompt.parts))).not.toContain(STANCE)
  })

  it('is in the report beside its seat', () => {
    expect(sit({ seats }).report?.participants).toMatchObject([
      { seat: 'ann', stance: STANCE, temperature: 0.2 },
      { seat: 'ben' },
      { seat: 'cat', thinking: 'low' },
    ])
  })

  it('VER-10 is found if another stance was told, or one that was never set', async () => {
    const forged = async (more: Partial<council.CouncilOpened>, change: (system: string) => string) => {
      const sitting = new Sitting().open(more)
      const [action] = sitting.decide()
      if (!action) throw new Error('nothing is asked')
      sitting.start(action)
      sitting.take(sitting.outcome(action, (prompt) => ({ ...prompt, system: change(prompt.system) })))
      return findings(await verified(sitting.run()))
    }
    const wrong = [expect.stringContaining('the system prompt is not the one of this edition')]
    expect(await forged({ seats }, (system) => system.replace(STANCE, 'You agree.'))).toEqual(wrong)
    expect(await forged({}, (system) => `${system}\n\n${STANCE}`)).toEqual(wrong)
  })

  it.each([{ stance: STANCE }, { temperature: 0.2 }, { thinking: 'low' as const }])(
    'is refused in edition 1: %o',
    (more) => {
      const { edition: _, ...rest } = opening({ seats: [seat('ann', more), seat('ben')] })
      const payload = { ...rest, prompts: 1 } as unknown as Payload
      const said = { type: 'council_opened', agent: 'you', role: 'convener', payload }
      expect(new Sitting().refusal(said)).toContain('is not of this edition')
    },
  )

  it('does not change for a seat that stays in a fork', () => {
    const { inner } = new Sitting().open({ seats })
    const forked = (more: object): string | null => {
      const payload = { amend: { seats: [seat('ann', more), ...seats.slice(1)] } } as unknown as Payload
      const actor = { agent: 'olga', role: 'convener', key: 'olga' }
      const event = { trace: 'T', seq: 0, at: '', type: 'trace_forked', actor, hash: '', payload }
      return refuseFork(inner, event)?.message ?? null
    }
    expect(forked({ stance: STANCE, temperature: 0.2 })).toBeNull()
    expect(forked({ stance: 'You agree.', temperature: 0.2 })).toBe('a seat of a known name is someone else')
  })
})
