import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EMPTY, type Intent, type IntentStatus, intentsOf, isOpen, type SessionState } from '../state.ts'
import { countIntents, openIntents, openIntentsOf, withIntent } from './intent-index.ts'

const STATUSES: readonly IntentStatus[] = ['signed', 'started', 'completed', 'blocked', 'lost', 'void']

describe('the index of open intents', () => {
  it('AGT-X-7 equals a search through all intents, after every change', () => {
    const change = fc.record({
      id: fc.integer({ min: 1, max: 40 }).map((number) => `i${number}`),
      proposal: fc.constantFrom('p1', 'p2'),
      status: fc.constantFrom(...STATUSES),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 150 }), (changes) => {
        let state: SessionState = EMPTY
        for (const one of changes) {
          state = { ...state, intents: withIntent(state.intents, one as Intent) }
          const all = [...state.intents.values()]
          expect(openIntents(state)).toEqual(all.filter(isOpen))
          for (const proposal of ['p1', 'p2', 'p3']) {
            const own = intentsOf(state, proposal)
            expect(countIntents(state, proposal)).toBe(own.length)
            expect(openIntentsOf(state, proposal)).toEqual(own.filter(isOpen))
          }
        }
      }),
      { numRuns: 40 },
    )
  })
})
