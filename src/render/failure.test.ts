import { describe, expect, it } from 'vitest'
import { WitanError } from '../ledger/errors.ts'
import { failureText } from './failure.ts'

const failure = (next: string) =>
  new WitanError('TRACE_NOT_FOUND', `there is no trace '${'x'.repeat(20)}' in this home`, next)

describe('a failure as text', () => {
  it('APP-6 has one line for each part without a terminal', () => {
    const text = failureText(failure(`See ${'a word '.repeat(30)}.`))
    expect(text.split('\n')).toHaveLength(2)
  })

  it('APP-6 is wrapped between words on a terminal', () => {
    const text = failureText(failure(`See ${'a word '.repeat(30)}.`), 60)
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
    expect(text).toMatch(/^error TRACE_NOT_FOUND: there is no trace\n/)
  })

  it('APP-6 leaves the command of a next step whole, to be copied', () => {
    const command = 'witan resume 01M7HBSHT4PJRPREFA2AHY13VJ'
    const text = failureText(
      failure(`Nothing was lost: what was answered is kept. Go on with: ${command}`),
      60,
    )
    expect(text.split('\n').at(-1)).toBe(`  ${command}`)
  })
})
