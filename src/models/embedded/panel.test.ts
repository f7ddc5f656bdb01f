// The panel as a whole: the same answer to the same input, places that exist, no failure on any input, and no voice of
// its own.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CASES } from '../../../test/fakes/repos/line-cases.ts'
import { purityViolations } from '../../../test/support/architecture.ts'
import { readSources } from '../../../test/support/sources.ts'
import { linesOf } from '../../ledger/text/lines.ts'
import { RULES } from './checks/all.ts'
import { parseDiff } from './diff.ts'
import { examine } from './embedded-model.ts'
import { gapsIn } from './question.ts'
import { BANNER, NOTHING_BEARS, proseOf, reportOf } from './report.ts'
import type { Subject, SubjectFile } from './terms.ts'

const EXAMPLES = Object.values(CASES).flatMap(({ fires, silent }) => [...fires, ...silent])

const path = fc.oneof(
  fc.constantFrom(...EXAMPLES.map(([path]) => path), 'package.json', 'PageData.toml', '__proto__', ''),
  fc.string(),
)
const line = fc.oneof(
  fc.constantFrom(...EXAMPLES.map(([, line]) => line)),
  fc.string({ unit: 'binary', maxLength: 80 }),
)
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'))
const file = fc.record(
  { path, text: fc.option(text), status: fc.constantFrom('added', 'modified', 'deleted'), before: text },
  { requiredKeys: ['path', 'text'] },
) as fc.Arbitrary<SubjectFile>

const diff = fc
  .array(fc.record({ path, added: fc.array(line, { maxLength: 6 }), from: fc.nat(99) }), { maxLength: 4 })
  .map((files) =>
    files
      .flatMap(({ path, added, from }) => [
        `--- a/${path}`,
        `+++ b/${path}`,
        `@@ -${from},1 +${from},${added.length + 1} @@`,
        ' x',
        ...added.map((each) => `+${each}`),
      ])
      .join('\n'),
  )
const subject = fc.record(
  {
    question: text,
    mode: fc.constantFrom('ask', 'architecture', 'review'),
    files: fc.array(file, { maxLength: 5 }),
    diff: fc.oneof(diff, text),
  },
  { requiredKeys: ['question', 'mode', 'files'] },
) as fc.Arbitrary<Subject>

/** Every place of the input: `path` alone, and `path:line`. */
function placesOf({ files, diff = '' }: Subject): Set<string> {
  const places = new Set<string>()
  for (const { path, text } of files) {
    places.add(`${path}:null`)
    for (const i of linesOf(text ?? '').keys()) places.add(`${path}:${i + 1}`)
  }
  for (const { path, hunks } of parseDiff(diff)) {
    places.add(`${path}:null`)
    for (const { after } of hunks.flat()) if (after !== null) places.add(`${path}:${after}`)
  }
  return places
}

describe('the panel', () => {
  it('never fails, decides nothing, and names only places that exist', () => {
    fc.assert(
      fc.property(subject, (given) => {
        const report = examine(given)
        expect(report).toMatchObject({
          banner: BANNER,
          decision: 'need-info',
          confidence: 'low',
          mode: given.mode,
        })
        const places = placesOf(given)
        for (const { path, line } of [...report.findings, ...report.dismissed, ...report.passages]) {
          expect(places).toContain(`${path}:${line}`)
        }
        expect(proseOf(report)).toContain(BANNER)
      }),
      { numRuns: 300 },
    )
  })

  it('answers the same for any order of the files, and in the order of weight and place', () => {
    const weight = ['critical', 'high', 'medium', 'low']
    fc.assert(
      fc.property(fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 6 }), (files) => {
        const report = examine({ question: '', mode: 'review', files })
        expect(examine({ question: '', mode: 'review', files: files.toReversed() })).toEqual(report)
        const weights = report.findings.map(({ severity }) => weight.indexOf(severity))
        expect(weights).toEqual(weights.toSorted((a, b) => a - b))
      }),
    )
  })

  it('lists the worst of a flood and counts the rest', () => {
    const noise = Array.from({ length: 5_000 }, (_, i) => `// TODO: ${i}`)
    const lines = [...noise, 'eval(x)']
    const report = examine({
      question: '',
      mode: 'review',
      files: [{ path: 'src/a.js', text: lines.join('\n'), status: 'added' }],
    })
    expect(report.findings).toHaveLength(200)
    expect(report.findings[0]).toMatchObject({ rule: 'WITAN-RISK-001', line: 5_001 })
    expect(report.unseen).toContainEqual(expect.stringMatching(/^Further findings not listed: 48\d\d\.$/))
  })

  it('says when there was nothing to check, and what it could not read', () => {
    expect(examine({ question: '', mode: 'review', files: [] }).unseen).toEqual([
      'Neither a diff nor a file was given: there was nothing to check.',
    ])
    const big = { path: 'src/a.txt', text: `${'x'.repeat(1_000)}\n`.repeat(9_000), status: 'added' } as const
    expect(examine({ question: '', mode: 'review', files: [big] }).unseen).toHaveLength(1)
  })

  it('reads files beside a diff without judging them', () => {
    const beside = { path: 'src/b.js', text: 'eval(x)\n' }
    const diff = '--- a/src/a.js\n+++ b/src/a.js\n@@ -1 +1,2 @@\n x\n+eval(y)\n'
    const report = examine({ question: '', mode: 'review', files: [beside], diff })
    expect(report.findings.filter(({ rule }) => rule === 'WITAN-RISK-001')).toMatchObject([
      { path: 'src/a.js', line: 2 },
    ])
  })

  it('has rules with ids of their own, each with what, why and how to fix it', () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length)
    for (const { id, description, rationale, fix } of RULES) {
      expect(id).toMatch(/^WITAN-[A-Z]+-\d{3}$/)
      for (const prose of [description, rationale, fix]) expect(prose).toMatch(/^[A-Z].*\.$/)
    }
  })

  it('touches neither time, chance, files nor network in what it decides', () => {
    const sources = readSources('src/models/embedded')
      .filter(({ path }) => !path.endsWith('.test.ts') && !path.endsWith('/embedded-model.ts'))
      .map(({ path, text }) => ({ path: path.replace('src/models/', 'ledger/'), text }))
    expect(sources.length).toBeGreaterThan(10)
    expect(purityViolations(sources)).toEqual([])
  })
})

describe('the wording of the panel', () => {
  const PERSON = /\b(?:I|we|my|our|us|me|mine|ours|myself|I'm|we're)\b/i

  /** Every text but the words of the input, which are in quotes, paths and terms. */
  const spoken = (report: object): string[] =>
    Object.entries(report).flatMap(([key, value]: [string, unknown]) => {
      if (key === 'quote' || key === 'path' || key === 'terms') return []
      if (typeof value === 'string') return [value]
      return typeof value === 'object' && value !== null ? spoken(value) : []
    })

  it('has no first person in any rule, gap or summary', () => {
    const all = [...RULES.map((rule) => rule as object), ...gapsIn(''), { BANNER, NOTHING_BEARS }]
    for (const prose of all.flatMap(spoken)) expect(prose).not.toMatch(PERSON)
  })

  it('has no first person in any answer', () => {
    const ours = fc.constantFrom('I think we should trust my own eyes', 'our TODO: I', 'we eval(my)')
    const given = fc.record({
      question: ours,
      mode: fc.constantFrom('ask', 'architecture', 'review'),
      files: fc.array(
        fc.record({ path: fc.constantFrom('src/I.js', 'we.md'), text: ours, status: fc.constant('added') }),
      ),
    }) as fc.Arbitrary<Subject>
    fc.assert(
      fc.property(fc.oneof(given, subject), (each) => {
        for (const prose of spoken(examine(each))) expect(prose).not.toMatch(PERSON)
      }),
    )
  })

  it('neither adopts nor rejects', () => {
    for (const mode of ['ask', 'architecture', 'review'] as const) {
      expect(proseOf(reportOf(mode, {}))).not.toMatch(/\b(?:adopt|reject|recommend|should|approve)/i)
    }
  })
})
