// SARIF 2.1.0 by the rules of its specification that code hosts check: shapes, levels, places, fingerprints.

import { describe, expect, it } from 'vitest'
import { embeddedView, quorumView, TRACE, viewWith } from '../../../test/fakes/report-view.ts'
import { renderReport } from './render.ts'

interface Result {
  readonly ruleId: string
  readonly ruleIndex: number
  readonly level: string
  readonly message: { readonly text: string }
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string; readonly uriBaseId: string }
      readonly region?: { readonly startLine: number }
    }
  }[]
  readonly partialFingerprints: Readonly<Record<string, string>>
}

const sarif = (view = viewWith()) => JSON.parse(renderReport('sarif', view, { version: '1.2.3' }))
const run = (view = viewWith()) => sarif(view).runs[0]
const results = (view = viewWith()): readonly Result[] => run(view).results

describe('SARIF', () => {
  it('has the version, one run, and a tool with a rule for every result', () => {
    const log = sarif()
    expect([log.version, log.runs.length]).toEqual(['2.1.0', 1])
    const { driver } = log.runs[0].tool
    expect(driver).toMatchObject({ name: 'Witan', semanticVersion: '1.2.3' })
    const ids = driver.rules.map(({ id }: { id: string }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { ruleId, ruleIndex, level, message } of results()) {
      expect(ids[ruleIndex]).toBe(ruleId)
      expect(['none', 'note', 'warning', 'error']).toContain(level)
      expect(message.text.length).toBeGreaterThan(0)
    }
    expect(driver.rules[0].properties['security-severity']).toBe('9.5')
  })

  it('gives a place only where the file was reviewed, and a line only where it has one', () => {
    expect(results().map(({ level, locations }) => ({ level, locations }))).toEqual([
      {
        level: 'error',
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'src/a%20b/query.ts', uriBaseId: '%SRCROOT%' },
              region: { startLine: 12 },
            },
          },
        ],
      },
      {
        level: 'error',
        locations: [
          { physicalLocation: { artifactLocation: { uri: 'src/a%20b/query.ts', uriBaseId: '%SRCROOT%' } } },
        ],
      },
      { level: 'note', locations: [] },
      { level: 'warning', locations: [] },
    ])
  })

  it('recognises a finding after its line has moved, and distinguishes two findings', () => {
    const moved = viewWith()
    const report = moved.report && {
      ...moved.report,
      findings: moved.report.findings.map((each) => ({ ...each, line: 77 })),
    }
    const prints = (view = viewWith()) =>
      results(view).map((each) => each.partialFingerprints['witanFinding/v1'])
    expect(prints({ ...moved, report })).toEqual(prints())
    expect(prints()[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(prints()[0]).not.toBe(prints()[2])
  })

  it('says whether the council has a report, which seats failed, and where the trace is', () => {
    expect(run().invocations[0]).toMatchObject({ executionSuccessful: true })
    expect(run(quorumView()).invocations[0].executionSuccessful).toBe(false)
    expect(run(quorumView()).results).toEqual([])
    expect(run().invocations[0].toolExecutionNotifications[0].message.text).toContain(
      'local failed in R1: timeout',
    )
    expect(run(embeddedView()).properties).toMatchObject({ trace: TRACE, decision: 'need-info' })
  })

  it('keeps names and addresses well formed, no matter what a model called them', () => {
    const hostile = '../../x?y#z"<>\u202e\u001b[0m javascript:alert(1)'
    const view = viewWith(() => hostile)
    const findings = (view.report?.findings ?? []).map((each) => ({ ...each, file: hostile }))
    for (const { ruleId, locations } of results({
      ...view,
      report: view.report && { ...view.report, findings },
    })) {
      expect(ruleId).toMatch(/^[A-Za-z0-9._/-]+$/)
      for (const { physicalLocation } of locations)
        expect(physicalLocation.artifactLocation.uri).toMatch(/^[A-Za-z0-9\-_.!~*'()%/]+$/)
    }
  })
})
