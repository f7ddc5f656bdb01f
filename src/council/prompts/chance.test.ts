// An order follows from the recorded seed as the specification says, so that a second verifier can draw it.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../stores/digest.ts'
import { codeOutside, shuffled } from './chance.ts'

const SEED = '5e'.repeat(32)
const bytes = (purpose: string, nth: number) =>
  createHash('sha256').update(`witan council/1 ${SEED} ${purpose} ${nth}`).digest()

describe('values drawn by the seed', () => {
  it('COU-R2-1 give an order by the first four bytes of each hash, highest first, taken by the place to fill', () => {
    const items = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    for (const purpose of ['one', 'two', 'three']) {
      const wanted = [...items]
      for (let i = items.length - 1, nth = 0; i > 0; i--, nth++) {
        const j = bytes(`order ${purpose}`, nth).readUInt32BE() % (i + 1)
        wanted.splice(j, 1, ...wanted.splice(i, 1, wanted[j] ?? ''))
      }
      expect(shuffled(sha256, SEED, purpose, items)).toEqual(wanted)
    }
  })

  it('COU-P-3 give a code of twelve characters, the first that is in none of the texts', () => {
    const code = (nth: number) => bytes('delimiter x', nth).toString('hex').slice(0, 12)
    expect(codeOutside(sha256, SEED, 'x', [])).toBe(code(0))
    expect(codeOutside(sha256, SEED, 'x', ['quiet', `it guessed ${code(0)} and ${code(1)}`])).toBe(code(2))
  })
})
