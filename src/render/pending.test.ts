import { describe, expect, it } from 'vitest'
import { waitingView } from './pending.ts'

const hintsFor = (...commands: readonly string[]) =>
  waitingView('01TRACE', [{ id: 'one', waitsFor: 'the operator' }], commands).hints

describe('a trace that waits', () => {
  it('AGT-X-6 says what to type and how to continue', () => {
    expect(hintsFor('witan agents approve 01TRACE p1')).toEqual([
      '  witan agents approve 01TRACE p1',
      'Then: witan resume 01TRACE',
    ])
  })

  it('AGT-X-6 is not resumed if every possible act ends it', () => {
    expect(hintsFor('witan abort 01TRACE --reason "…"')).toEqual(['  witan abort 01TRACE --reason "…"'])
  })
})
