// What was asked is counted as it was sent: every attempt is a call, and what could not be sent is none.
import { describe, expect, it } from 'vitest'
import { type RecordedEvent, Sitting, seat } from '../../test/support/council-sitting.ts'
import { canRetry } from './retry.ts'

const ATTEMPT = {
  transport: 'api',
  error_type: null,
  cause: null,
  error_message: null,
  latency_ms: 1,
  waited_ms: 0,
}
const UNSENT = { ...ATTEMPT, error_type: 'auth', cause: 'unavailable' }

/** After the first of three seats has answered with these attempts, at this cost. */
function counted(attempts: readonly object[], usd: number | null) {
  const sitting = new Sitting({ usd }).open()
  const [ann] = sitting.decide()
  if (!ann) throw new Error('somebody is asked')
  const { payload, ...spoken } = sitting.start(ann).outcome(ann)
  sitting.speak({ ...spoken, payload: { ...payload, attempts } } as RecordedEvent)
  return sitting.inner.cost
}

describe('the calls and cost of an answer', () => {
  it('COU-O-1 are one call for each attempt sent, and one unknown cost', () => {
    expect(counted([ATTEMPT], 0.01)).toEqual({ known: 0.01, unknown: 0, calls: 1, lost: 0 })
    expect(counted([ATTEMPT, ATTEMPT, ATTEMPT], 0.02)).toEqual({ known: 0.02, unknown: 0, calls: 3, lost: 0 })
    expect(counted([ATTEMPT, ATTEMPT], null)).toEqual({ known: 0, unknown: 1, calls: 2, lost: 0 })
  })

  it('COU-O-1 are no call and no unknown cost if no model could be asked', () => {
    expect(counted([UNSENT, UNSENT], null)).toEqual({ known: 0, unknown: 0, calls: 0, lost: 0 })
    expect(counted([UNSENT, ATTEMPT], null)).toEqual({ known: 0, unknown: 1, calls: 1, lost: 0 })
  })

  it('COU-O-1 are one call in edition 1, for any number of attempts', () => {
    const sitting = new Sitting({ usd: null }).open({ edition: 1 })
    sitting.run(({ inner }) => inner.opinions.size === 3)
    expect(sitting.inner.cost).toEqual({ known: 0, unknown: 3, calls: 3, lost: 0 })
  })
})

describe('the seats that can be asked again', () => {
  const failing = (edition?: number) => {
    const fails = new Sitting({
      says: ({ round, seat: name }) => (round === 'R1' && name === 'cat' ? { fails: 'timeout' } : undefined),
    })
    return fails.open(edition ? { edition } : {}).run().inner
  }

  it('COU-X-7 are those that failed, since edition 2, and none if none failed', () => {
    expect(canRetry(failing())).toBe(true)
    expect(canRetry(failing(1))).toBe(false)
    expect(canRetry(new Sitting().open({ seats: [seat('ann'), seat('ben')] }).run().inner)).toBe(false)
  })
})
