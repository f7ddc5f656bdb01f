import { describe, expect, it } from 'vitest'
import { ExchangeRun } from '../../test/support/exchange-run.ts'
import { opening, terms, termsIn } from '../../test/support/exchange-script.ts'
import { toHex, utf8 } from '../ledger/bytes.ts'
import { sha256 } from '../stores/digest.ts'
import { NEWEST } from './editions.ts'
import { ourWords, WORDS } from './prompts/words.ts'

const opened = (named: object) => {
  const run = new ExchangeRun()
  const { edition } = named as { readonly edition?: number }
  const { edition: _, ...base } = opening(termsIn(edition ?? null))
  run.person('exchange_opened', { ...base, ...named })
  return run
}

describe('the edition that an exchange is held in', () => {
  it('VER-3 is the one that its opening names, also as `prompts`, and the first if it names none', () => {
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

  it('VER-3 is refused if it is not known here, or named twice', () => {
    expect(() => opened({ prompts: 99 })).toThrow('edition 99 of exchange/1 is not known')
    expect(() => opened({ edition: 99 })).toThrow('edition 99 of exchange/1 is not known')
    expect(() => opened({ edition: 1, prompts: 1 })).toThrow('the edition is named twice')
  })

  it('VER-3 EXC-INT-1 counts scores in the first, which knows no judge and no terms of one', () => {
    const first = opened({})
    const amended = { ...terms(), pool: { ...terms().pool, prompt: 'Else.' } }
    expect(() => first.person('terms_amended', { terms: amended, reason: null })).toThrow(
      'no key of the terms',
    )
    const order = { judging: 1, round: 0, mind: 'claude', purpose: 'judge', shown: [], shares: [] }
    const payload = { action: 'judging/1/1', ...order }
    expect(first.judge({ type: 'judging_opened', agent: 'clerk', role: 'clerk', payload })?.code).toBe(
      'SCHEMA_INVALID',
    )
    const asking = new ExchangeRun({ reply: (round, mind) => `---\nplease restart, ${mind} ${round}` })
    const { edition: _, ...base } = opening(termsIn(1))
    asking.person('exchange_opened', { ...base })
    expect(asking.rounds(40).inner.signal?.number).toBe(1)
    const later = ExchangeRun.open(terms(), {
      reply: (round, mind) => `---\nplease restart, ${mind} ${round}`,
    })
    expect(later.rounds(40).inner.signal).toBeNull()
  })

  it('EXC-LEG-1 VER-3 has texts that never change after their release', () => {
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
      ['judgeSystem', 'exchange/judge-system@1', '9541caa24df4'],
      ['judgeInstructions', 'exchange/judge-instructions@1', '2cb059d6f876'],
      ['complete', 'exchange/complete@1', 'defeca0dae2f'],
    ])
  })
})
