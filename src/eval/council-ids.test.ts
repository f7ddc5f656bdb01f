import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../ledger/bytes.ts'
import { sha256 } from '../stores/digest.ts'
import { councilId, councilSeed } from './council-ids.ts'

const OF = { root: '01KEC0000000000000000000EV', seed: 'ab'.repeat(32), ms: 1_772_323_200_000 }
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

describe('the name of a council', () => {
  it('COU-X-4 follows rule 2 of spec/eval.md, as computed independently', () => {
    expect(councilId(sha256, OF, 4, 2, 'main')).toBe('01KJKB3Q00KWQ1K74655EWZ23J')
    expect(toHex(councilSeed(sha256, OF.seed, '01X'))).toBe(
      'd7e8143685377986974908e6436ef60722bf6e826ab749aca7b95b0f0009e767',
    )
  })

  it('COU-X-4 begins with the time of the opening and differs for every item, repetition and variant', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), fc.nat(99), fc.nat(9), (ms, item, rep) => {
        const id = councilId(sha256, { ...OF, ms }, item, rep, 'main')
        expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
        const time = [...id.slice(0, 10)].reduce((sum, digit) => sum * 32 + CROCKFORD.indexOf(digit), 0)
        expect(time).toBe(ms)
        const others = [
          councilId(sha256, { ...OF, ms }, item + 1, rep, 'main'),
          councilId(sha256, { ...OF, ms }, item, rep + 1, 'main'),
          councilId(sha256, { ...OF, ms }, item, rep, 'again'),
        ]
        expect(new Set([id, ...others]).size).toBe(4)
      }),
    )
  })
})
