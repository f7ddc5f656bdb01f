// "No language model was asked" is in the signed opening, and only where it is true.

import { describe, expect, it } from 'vitest'
import { ExchangeRun, protocol } from '../../test/support/exchange-run.ts'
import { opening, terms } from '../../test/support/exchange-script.ts'
import { exchangeValue } from './result.ts'

const scripted = terms({ pool: { minds: ['scripted-a', 'scripted-b'] }, auditor: { mind: 'scripted-aud' } })

const refusalOf = (payload: object) => {
  const run = new ExchangeRun()
  const said = { type: 'exchange_opened', agent: scripted.observer.name, role: 'observer' }
  return protocol.refuse(run.state, run.occurrence({ ...said, payload: { ...payload } }))
}

describe('APP-1 a scripted exchange', () => {
  it('says so in its opening, and in every value made of it', () => {
    expect(refusalOf({ ...opening(scripted), scripted: true })).toBeNull()
    expect(exchangeValue(ExchangeRun.open(scripted).inner).note).toContain('scripted demo')
  })

  it('is refused where a mind, the auditor or the judge is a model', () => {
    for (const under of [
      terms({ pool: { minds: ['scripted-a', 'birch'] }, auditor: { mind: 'scripted-aud' } }),
      terms({ pool: { minds: ['scripted-a'] }, auditor: { mind: 'ash' } }),
    ])
      expect(refusalOf({ ...opening(under), scripted: true })).toMatchObject({
        code: 'SCHEMA_INVALID',
        message: 'a mind of a scripted demo is not scripted',
      })
  })

  it('does not exist in edition 1, and `scripted` can only be true', () => {
    const { edition: _, ...first } = opening(scripted) as { edition?: number }
    expect(refusalOf({ ...first, scripted: true })).not.toBeNull()
    expect(refusalOf({ ...opening(scripted), scripted: false })).toMatchObject({ code: 'SCHEMA_INVALID' })
  })
})
