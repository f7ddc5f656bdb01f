import { describe, expect, it } from 'vitest'
import { viewWith } from '../../../test/fakes/report-view.ts'
import type { CouncilResult } from '../../council/council-result.ts'
import type { CouncilFinalReport } from '../../council/report/report.ts'
import { misplacedFindings, readGate, whyGateClosed } from './plan.ts'

describe('the gate of a pipeline', () => {
  const given = (decision: CouncilFinalReport['decision']): CouncilFinalReport => {
    const { report } = viewWith()
    if (report === null) throw new Error('no report')
    return { ...report, decision, findings: [] }
  }
  const decided = (gate: string) =>
    (['adopt', 'need-info', 'reject'] as const).map((decision) =>
      whyGateClosed(readGate(gate), given(decision)),
    )

  it('COU-X-5 fails on a rejection, and if that was asked for also on a lack of information', () => {
    expect(decided('reject')).toEqual([null, null, 'the decision is reject'])
    expect(decided('need-info')).toEqual([null, 'the decision is need-info', 'the decision is reject'])
  })

  it('COU-X-5 fails without a report, and passes if no gate was set', () => {
    expect(whyGateClosed(readGate('reject'), null)).toBe('there is no report')
    expect(whyGateClosed(readGate(null), null)).toBeNull()
    expect(decided('high')).toEqual([null, null, null])
  })

  it('COU-X-5 fails on a severe finding that the report ignores, not on a critique of an opinion', () => {
    const passedOver = {
      ...given('adopt'),
      unresolved: [
        { id: 'rv-1.c1', severity: 'critical', description: 'It is wrong.' },
        { id: 'op-2.f1', severity: 'high', description: 'Typed text becomes SQL.' },
      ],
    } as const
    const why = (gate: string) => whyGateClosed(readGate(gate), passedOver)
    expect(why('critical')).toBeNull()
    expect(why('high')).toBe('the report neither takes up nor answers 1 finding of severity high or worse')
    expect(whyGateClosed(readGate('high'), passedOver, [], new Set(['op-2.f1']))).toBeNull()
  })

  it('COU-X-5 does not fail on findings about places that were not reviewed', () => {
    const at = (file: string | null, line: number | null) => ({ file, line })
    const result = {
      context: { files: [{ path: 'src/a.ts', lines: 9 }] },
      rounds: [
        { opinions: [{ id: 'op-1', findings: [at('src/a.ts', 9), at('src/a.ts', 10), at(null, null)] }] },
        { reviews: [{ id: 'rv-1', missed_findings: [at('src/b.ts', 1)] }] },
      ],
    } as unknown as CouncilResult
    expect([...misplacedFindings(result)]).toEqual(['op-1.f2', 'rv-1.f1'])
  })
})
