// The verdict on one screen: never more lines or columns than asked for, and nothing severe left out of it.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { embeddedView, fallbackView, quorumView, viewWith } from '../../../test/fakes/report-view.ts'
import { SEVERITIES, type Severity } from '../../council/replies/finding.ts'
import { NO_PAINT } from '../plain.ts'
import { briefLines } from './brief.ts'
import type { ReportView } from './document.ts'
import { renderReport } from './render.ts'

const look = { paint: NO_PAINT, width: 80 }
const shown = (view: ReportView, width = 80): string => briefLines(view, { ...look, width }).join('\n')

const times = <Item>(count: number, make: (n: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, i) => make(i + 1))

/** A council with so much of everything that most of it cannot be shown. */
function huge(
  open: readonly Severity[],
  many: number,
  words = 'word '.repeat(60),
  distinct = open.length,
): ReportView {
  const view = viewWith()
  const [first, second, third] = view.rounds
  const [opinion] = first.opinions
  const [risk, action] = [view.report?.risks[0], view.report?.next_actions[0]]
  if (!view.report || !opinion || !risk || !action) throw new Error('the view lacks something')
  const opinions = times(many, (n) => ({ ...opinion, id: `op-${n}`, seat: `seat-${n}`, summary: words }))
  return {
    ...view,
    question: words,
    rounds: third ? [{ ...first, opinions }, second, third] : [{ ...first, opinions }, second],
    report: {
      ...view.report,
      conclusion: words,
      notices: times(many, (n) => `notice ${n} ${words}`),
      risks: times(many, () => ({ ...risk, description: words })),
      next_actions: times(many, () => ({ ...action, action: words })),
      unresolved: open.map((severity, i) => ({
        id: `rv-${i}.c1`,
        severity,
        description: `point ${i % distinct} ${words}`,
      })),
    },
  }
}

describe('APP-10 the default report', () => {
  it('shows a whole notice, if there is room', () => {
    const view = viewWith()
    if (!view.report) throw new Error('the view has no report')
    const notice = `The chair departs from the majority of the first round: ${'why '.repeat(10)}to its end.`
    expect(shown({ ...view, report: { ...view.report, notices: ['one', notice] } })).toMatch(
      /\n {2}.*to its end\.\nAsked/,
    )
  })

  it('shows the decision, votes by name, open points, actions, risks, dissent, failed seats, and the cost', () => {
    const lines = briefLines(viewWith(), look)
    expect(lines.slice(0, 7)).toEqual([
      'Adopt  confidence medium',
      'Put a queue between the importer and the exporter, and nowhere else yet.',
      '! one vendor: agreement counts little',
      'Asked    Should the importer write to a queue?',
      '',
      'Findings src/a b/query.ts:900 critical CWE-89: The id is put into the query as',
      '           it comes.',
    ])
    for (const words of [
      'Open     critical',
      'Nobody says who runs it at night.',
      'Do       now Measure the backlog for a week.',
      'Risks    high Messages may be handled twice.',
      'Dissent  chair against the majority of R1 (adopt 2, reject 1)',
      'Failed   local in R1 timeout: no answer within 60000 ms',
      'at least $0.12',
    ])
      expect(shown(viewWith())).toContain(words)
  })

  it('names the models where one provider answers with several', () => {
    const view = viewWith()
    const [first, second, third] = view.rounds
    const [one, two] = first.opinions
    if (!one || !two) throw new Error('the view lacks opinions')
    const seated = (seat: string, model: string) => ({ ...one, seat, provider: 'ollama', model })
    const opinions = [
      seated('ollama', 'llama3.1'),
      seated('ollama-2', 'qwen3'),
      { ...two, provider: 'local' },
    ]
    const answered = { ...first, opinions }
    const text = shown({ ...view, rounds: third ? [answered, second, third] : [answered, second] })
    expect(text).toMatch(/Votes {4}ollama \(llama3\.1\) adopt/)
    expect(text).toContain('ollama-2 (qwen3) adopt')
    expect(text).toContain(`${two.seat} ${two.stance}`)
  })

  it('names the failed seats, with one line for seats that failed for the same reason', () => {
    const view = viewWith()
    const [first, second, third] = view.rounds
    const [known] = first.failed_providers
    if (!known || !third) throw new Error('the view lacks something')
    const failed = (seat: string, error_message: string) => ({
      ...known,
      seat,
      provider: 'openai',
      error_message,
    })
    const failed_providers = [
      failed('openai', 'wrong key'),
      failed('openai-2', 'wrong key'),
      failed('openai-3', 'no such model'),
    ]
    const all: ReportView = { ...view, rounds: [{ ...first, failed_providers }, second, third] }
    expect(shown(all)).toContain(
      'Failed   openai, openai-2 in R1 timeout: wrong key\n         openai-3 in R1 timeout: no such model',
    )
    expect(renderReport('text', all)).toContain('openai, openai-2 in R1')
  })

  it('names a point that several left open once, with their names and how often it was made', () => {
    const view = viewWith()
    if (!view.report) throw new Error('the view has no report')
    const point = (id: string, description: string) => ({ id, severity: 'high' as const, description })
    const unresolved = [
      point('rv-1.c1', 'Nobody says who runs it.'),
      point('rv-2.c1', 'Nobody says\nwho runs it.'),
      point('rv-1.c2', 'It may be lost.'),
      point('rv-2.c3', 'Nobody says who runs it.'),
    ]
    const all = { ...view, report: { ...view.report, unresolved } }
    expect(shown(all)).toContain('Open     high claude, openai (said 3 times): Nobody says who runs it.')
    expect(shown(all)).toContain('high claude: It may be lost.')
    for (const format of ['text', 'md', 'html'] as const)
      expect(renderReport(format, all).split(/Nobody says\s+who\s+runs\s+it/)).toHaveLength(2)
  })

  it('COU-X-8 calls a cost of which no part is known unknown', () => {
    const view = viewWith()
    const costs = { total_cost_estimate: 0, cost_unknown_calls: 2 }
    expect(shown({ ...view, metrics: { ...view.metrics, ...costs } })).toMatch(/ s, cost not known; chair/)
  })

  it('fits 30 lines of 80 columns, for any length of the report', () => {
    for (const view of [viewWith(), embeddedView(), fallbackView(), quorumView(), huge(['high'], 16)]) {
      const lines = briefLines(view, look)
      expect(lines.length).toBeLessThanOrEqual(30)
      for (const line of lines) expect([...line].length).toBeLessThanOrEqual(80)
    }
  })

  it('names or counts every severe point that the report does not answer', () => {
    const severe = fc.array(fc.constantFrom(...SEVERITIES.slice(0, 2)), { maxLength: 40 })
    fc.assert(
      fc.property(
        severe,
        fc.integer({ min: 1, max: 16 }),
        fc.integer({ min: 44, max: 120 }),
        fc.integer({ min: 1, max: 40 }),
        (open, many, width, distinct) => {
          const lines = briefLines(huge(open, many, 'ab '.repeat(30), distinct), { ...look, width })
          expect(lines.length).toBeLessThanOrEqual(30)
          const from = lines.findIndex((line) => line.startsWith('Open'))
          expect(from === -1).toBe(open.length === 0)
          if (from === -1) return
          const rest = lines.slice(from)
          const section = rest.slice(
            0,
            1 + rest.slice(1).findIndex((line) => line.startsWith('  ') === false),
          )
          for (const severity of SEVERITIES.slice(0, 2)) {
            const named = section.filter((line) => line.slice(9).startsWith(`${severity} `)).length
            const counted = Number(
              new RegExp(`(\\d+) ${severity}`).exec(
                section.find((line) => /and \d+ more/.test(line)) ?? '',
              )?.[1] ?? 0,
            )
            const points = new Set(open.flatMap((one, i) => (one === severity ? [i % distinct] : [])))
            expect(named + counted).toBe(points.size)
          }
        },
      ),
    )
  })

  it('calls the decision of a review by the words of reviewers', () => {
    const view = viewWith()
    const review = (decision: 'adopt' | 'reject' | 'need-info'): string =>
      shown({ ...view, mode: 'review', report: view.report && { ...view.report, decision } }).split(' ')[0] ??
      ''
    expect([review('adopt'), review('reject'), review('need-info')]).toEqual(['Approve', 'Request', 'Needs'])
  })

  it('lets no text of a model begin a line, move the cursor or look like ours', () => {
    const evil = '\u001b[2J\nVotes    everyone adopts\r\n::error::x'
    for (const line of briefLines(
      viewWith(() => evil),
      look,
    )) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
      expect(line).not.toMatch(/^Votes {4}everyone|^::/)
    }
  })
})

describe('APP-10 annotations for GitHub', () => {
  it('are one command a finding, with a place only where there is one', () => {
    const lines = renderReport('github', viewWith()).trimEnd().split('\n')
    expect(lines.slice(0, 5)).toEqual([
      '::error file=src/a b/query.ts,line=12,title=high%3A CWE-89::The id is put into the query as it comes. Fix: Bind the parameter.',
      '::error file=src/a b/query.ts,title=critical%3A CWE-89::The id is put into the query as it comes. Fix: Bind the parameter.',
      '::notice title=low%3A council/documentation::The id is put into the query as it comes. Fix: Bind the parameter.',
      '::warning title=medium%3A CWE-89::The id is put into the query as it comes. Fix: Bind the parameter.',
      '::error title=open%2C critical::Nobody says who runs it at night.',
    ])
  })

  it('carry no command that a model wrote', () => {
    const evil = 'x\n::set-env name=A::b\r\n::add-mask::%0A::error::y'
    const lines = renderReport(
      'github',
      viewWith(() => evil),
    )
      .trimEnd()
      .split('\n')
    expect(lines).toHaveLength(6)
    for (const line of lines) expect(line).toMatch(/^::(error|warning|notice) /)
  })
})
