import { describe, expect, it } from 'vitest'
import { NEWEST } from '../src/exchange/editions.ts'
import { ourWords, WORDS } from '../src/exchange/prompts/words.ts'
import { toHex, utf8 } from '../src/ledger/bytes.ts'
import { sha256 } from '../src/stores/digest.ts'
import { ExchangeRun } from './support/exchange-run.ts'
import { opening, terms } from './support/exchange-script.ts'

const opened = (named: object) => {
  const run = new ExchangeRun()
  const { edition: _, ...base } = opening(terms())
  run.person('exchange_opened', { ...base, ...named })
  return run
}

describe('the edition that an exchange is held in', () => {
  it('VER-3 is the one that its opening names, also as `prompts`, and the first where it names none', () => {
    const editions = [{}, { prompts: 1 }, { edition: 1 }, { edition: NEWEST }].map((named) => {
      const run = opened(named).rounds(4)
      return [run.inner.edition, run.branch({ round: 2 }).rounds(3).inner.edition]
    })
    expect(editions).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
      [NEWEST, NEWEST],
    ])
  })

  it('VER-3 is refused where it is not known here, or named twice', () => {
    expect(() => opened({ prompts: 99 })).toThrow('edition 99 of exchange/1 is not known')
    expect(() => opened({ edition: 99 })).toThrow('edition 99 of exchange/1 is not known')
    expect(() => opened({ edition: 1, prompts: 1 })).toThrow('the edition is named twice')
  })

  it('EXC-LEG-1 VER-3 has words that stay to the letter once they are released', () => {
    const digests = Object.entries(WORDS[1]).map(([name, id]) => [
      name,
      id,
      toHex(sha256(utf8(ourWords(id)))).slice(0, 12),
    ])
    expect(digests).toEqual([
      ['mindSystem', 'exchange/mind-system@1', '42b5c6874e75'],
      ['mindInstructions', 'exchange/mind-instructions@1', 'b82ad7171de6'],
      ['auditorSystem', 'exchange/auditor-system@1', '838d94a408f8'],
      ['auditorInstructions', 'exchange/auditor-instructions@1', 'a5cbe267d307'],
      ['empty', 'exchange/empty@1', '3a900cc47777'],
      ['phase', 'exchange/phase@1', '77ef3cbe3706'],
    ])
  })
})
