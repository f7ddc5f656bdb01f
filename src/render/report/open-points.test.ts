import { describe, expect, it } from 'vitest'
import { viewWith } from '../../../test/fakes/report-view.ts'
import type { FindingAnswer } from '../../council/replies/finding.ts'
import { NO_PAINT } from '../plain.ts'
import { briefLines } from './brief.ts'
import type { ReportView } from './document.ts'
import { renderReport } from './render.ts'

const FOUND: FindingAnswer = {
  rule: 'CWE-89',
  severity: 'high',
  category: 'security',
  file: 'src/a.ts',
  line: 2,
  quote: 'query',
  description: 'The query is put together from text.',
  rationale: '',
  fix: '',
  impact: '',
  tests: '',
  priority: 'now',
}

/** The second seat found it, and the report passes over it. */
function leftOpen(found: FindingAnswer): ReportView {
  const view = viewWith()
  const [first, second, third] = view.rounds
  if (!view.report) throw new Error('the view has no report')
  const opinions = first.opinions.map((opinion, i) => (i === 1 ? { ...opinion, findings: [found] } : opinion))
  const { severity, description } = found
  const id = `${first.opinions[1]?.id}.f1`
  return {
    ...view,
    context: { ...view.context, files: [{ path: 'src/a.ts', lines: 9, hash: 'a'.repeat(64) }] as never },
    rounds: third ? [{ ...first, opinions }, second, third] : [{ ...first, opinions }, second],
    report: { ...view.report, unresolved: [{ id, severity, description }] },
  }
}

describe('COU-R3-4 a severe finding that the report leaves open', () => {
  const view = leftOpen(FOUND)
  const seat = view.rounds[0].opinions[1]?.seat

  it('stands with its file and line in every form of the report', () => {
    const brief = briefLines(view, { paint: NO_PAINT, width: 120 }).join('\n')
    expect(brief).toContain(`high ${seat}: src/a.ts:2: The query is put together from text.`)
    for (const format of ['text', 'md', 'html'] as const)
      expect(renderReport(format, view)).toMatch(/src\/a\.ts:2: The query is put together/)
  })

  it('is a result of SARIF, so that what closes a gate is seen at its line', () => {
    const { results } = JSON.parse(renderReport('sarif', view, { version: '1.2.3' })).runs[0]
    const [at] = results.slice(-1)
    expect(at).toMatchObject({
      ...{ ruleId: 'CWE-89', level: 'error' },
      message: { text: 'The query is put together from text.' },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'src/a.ts' }, region: { startLine: 2 } } }],
      properties: { leftOpen: true, reportedBy: [seat] },
    })
    expect(results).toHaveLength((view.report?.findings.length ?? 0) + 1)
  })

  it('is annotated at its line, if that was reviewed', () => {
    const commandOf = (found: FindingAnswer) =>
      renderReport('github', leftOpen(found))
        .split('\n')
        .find((line) => line.includes('title=open'))
    const title = 'title=open%2C high::The query is put together from text.'
    expect(commandOf(FOUND)).toBe(`::error file=src/a.ts,line=2,${title}`)
    expect(commandOf({ ...FOUND, file: './src/a.ts', line: 99 })).toBe(`::error file=src/a.ts,${title}`)
    expect(commandOf({ ...FOUND, file: '/etc/passwd' })).toBe(`::error ${title}`)
    expect(commandOf({ ...FOUND, file: null })).toBe(`::error ${title}`)
  })
})
