import { describe, expect, it } from 'vitest'
import { mindRequest } from '../src/exchange/prompts/request.ts'
import { EDITION, editionOf, FIRST_EDITION, ourWords } from '../src/exchange/prompts/words.ts'
import { toHex, utf8 } from '../src/ledger/bytes.ts'
import { sha256 } from '../src/vaults/digest.ts'
import { ExchangeRun } from './support/exchange-run.ts'
import { opening, terms } from './support/exchange-script.ts'

const opened = (prompts: number | undefined) => {
  const run = new ExchangeRun()
  run.person('exchange_opened', { ...opening(terms()), ...(prompts !== undefined && { prompts }) })
  return run
}

describe('the words that an exchange is held in', () => {
  it('EXC-LEG-1 are of the edition that its opening names, and of the first where it names none', () => {
    const [unnamed, named] = [undefined, EDITION].map((edition) => {
      const run = opened(edition).rounds(4)
      const branch = run.branch({ round: 2 }).rounds(3)
      return [run.inner.prompts, branch.inner.prompts, run.texts()]
    })
    expect(unnamed).toEqual([FIRST_EDITION, FIRST_EDITION, expect.anything()])
    expect(named).toEqual(unnamed)
  })

  it('EXC-LEG-1 of an edition that is not known here are refused, and nobody is asked in them', () => {
    expect(() => opened(99)).toThrow('edition 99 of our words is not known here')
    const run = opened(EDITION)
    run.person('continued', { until: 1, mode: 'run' })
    run.run((actions) => actions.find(({ id }) => id.startsWith('round/')))
    const mind = run.inner.round?.samples[0]?.mind ?? ''
    expect(mindRequest(sha256, run.inner, mind)).not.toBeNull()
    expect(mindRequest(sha256, { ...run.inner, prompts: 99 }, mind)).toBeNull()
  })

  it('EXC-LEG-1 stay to the letter once an edition is released', () => {
    const digests = Object.entries(editionOf(1) ?? {}).map(([name, id]) => [
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
    expect(editionOf(2)).toBeNull()
  })
})
