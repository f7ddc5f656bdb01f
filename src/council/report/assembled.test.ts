// The report that no model wrote: what it decides, what it takes over, and which opinion it shows.
import { describe, expect, it } from 'vitest'
import * as council from '../../../test/support/all-of-council.ts'
import { askedFinding, opinionAnswer, reviewAnswer } from '../../../test/support/council-answers.ts'
import {
  type Question,
  type ScriptedReply,
  Sitting,
  seat,
  sit,
} from '../../../test/support/council-sitting.ts'
import { completenessOf, mostComplete } from './completeness.ts'
import { checkLocation, reviewedPath } from './locations.ts'

type More = Parameters<typeof opinionAnswer>[1]
const opinions =
  (by: Readonly<Record<string, More>>, mode: council.Mode = 'ask') =>
  ({ round, seat: name }: Question): ScriptedReply | undefined =>
    round === 'R1' ? opinionAnswer(mode, by[name] ?? {}) : undefined

/** A council whose convener closes it after round one: the report is put together from all opinions. */
function closedEarly(by: Readonly<Record<string, More>>, more: Partial<council.CouncilOpened> = {}) {
  const sitting = new Sitting({ says: opinions(by, more.mode) }).open(more)
  sitting.run(({ inner }) => inner.opinions.size === inner.seated.size)
  sitting.say(council.CLOSE_REQUESTED, 'olga', council.CONVENER, { reason: 'enough' }).run()
  if (!sitting.report) throw new Error('there is no report')
  return sitting.report
}

describe('a report assembled without a chair', () => {
  it('COU-R3-3 takes the decision of the majority, in the words of its most complete opinion', () => {
    const details = opinionAnswer().details as object
    const report = closedEarly({
      ann: { stance: 'reject' },
      ben: { risks: [], questions: [], details: { ...details, recommendation: 'Less.' } },
      cat: { details: { ...details, recommendation: 'More.' } },
    })
    expect(report).toMatchObject({
      decision: 'adopt',
      conclusion: 'More.',
      need_info_reason: '',
      summary: 'Put together from 3 opinions without a synthesis (adopt 2, reject 1).',
      confidence: 'low',
      synthesis: 'none',
      shown_opinion: null,
      consensus_points: [],
      majority: { stance: 'adopt', counts: { adopt: 2, reject: 1 }, departed: false },
    })
    expect(report.disagreements).toEqual([
      {
        topic: 'the decision',
        positions: [
          { position: 'adopt', held_by: ['op-2', 'op-3'] },
          { position: 'reject', held_by: ['op-1'] },
        ],
        resolution: '',
        why: 'nobody was asked to resolve it',
      },
    ])
  })

  it('COU-R3-3 asks for more information if the opinions are even, and says that all agree if they do', () => {
    const even = closedEarly({ ann: { stance: 'reject' } }, { seats: [seat('ann'), seat('ben')] })
    expect(even).toMatchObject({
      decision: 'need-info',
      conclusion: 'The opinions are evenly divided.',
      need_info_reason: 'evenly divided: adopt 1, reject 1',
      majority: { stance: null, departed: false },
    })
    const one = closedEarly({})
    expect([one.consensus_points, one.disagreements]).toEqual([['All opinions say adopt.'], []])
  })

  it('COU-R3-3 keeps every risk with the seats that named it, and turns the mitigations into actions', () => {
    const risk = (description: string, severity: string, mitigation: string) => ({
      description,
      severity,
      mitigation,
    })
    const report = closedEarly(
      {
        ann: { risks: [risk('fire', 'critical', 'an alarm'), risk('dust', 'low', 'a cloth')] },
        ben: {
          risks: [risk('rain', 'medium', 'a roof'), risk('wind', 'high', 'a wall')],
          questions: ['why?'],
        },
        cat: {
          risks: [risk('moths', 'low', ' ')],
          questions: ['why?', 'when?'],
          verification_plan: ['wait'],
        },
      },
      { mode: 'architecture' },
    )
    expect(
      report.risks.map(({ description, mentioned_by, status }) => [description, mentioned_by, status]),
    ).toEqual([
      ['fire', ['op-1'], 'disputed'],
      ['dust', ['op-1'], 'disputed'],
      ['rain', ['op-2'], 'disputed'],
      ['wind', ['op-2'], 'disputed'],
      ['moths', ['op-3'], 'disputed'],
    ])
    expect(report.next_actions.map(({ action, priority }) => `${priority} ${action}`)).toEqual([
      'now an alarm',
      'later a cloth',
      'soon a roof',
      'now a wall',
      'soon measure the load for a week',
      'soon wait',
    ])
    expect(report.uncertainties.map(({ point }) => point)).toEqual(['how stale may it be?', 'why?', 'when?'])
    expect(report.verification_plan).toEqual(['measure the load for a week', 'wait'])
    expect(report.alternatives).toHaveLength(3)
    expect(report.rationale.map(({ supported_by }) => supported_by)).toEqual([['op-1'], ['op-2'], ['op-3']])
  })

  it('COU-R3-3 groups findings of one place and kind, and takes the worst severity', () => {
    const at = (line: number, more: object = {}) => askedFinding({ line, ...more } as never)
    const report = closedEarly(
      {
        ann: {
          findings: [at(3, { severity: 'low', description: 'mild' }), at(0, { description: 'nowhere' })],
        },
        ben: {
          findings: [at(3, { severity: 'high', description: 'bad' }), at(0, { description: 'nowhere' })],
        },
        cat: { findings: [at(3, { category: 'testing', severity: 'low' }), at(3, { severity: 'medium' })] },
      },
      { mode: 'review' },
    )
    expect(
      report.findings.map(({ description, severity, sources }) => [description, severity, sources]),
    ).toEqual([
      ['bad', 'high', ['op-1.f1', 'op-2.f1', 'op-3.f2']],
      ['nowhere', 'high', ['op-1.f2']],
      ['nowhere', 'high', ['op-2.f2']],
      ['the query is put together from input', 'low', ['op-3.f1']],
    ])
    expect(report.findings.map(({ reported_by }) => reported_by)).toEqual([
      ['ann', 'ben', 'cat'],
      ['ann'],
      ['ben'],
      ['cat'],
    ])
  })

  it('COU-R3-3 shows one opinion unchanged if every chair failed', () => {
    const says = ({ round, seat: name }: Question): ScriptedReply | undefined => {
      if (round === 'R3') return { fails: 'network' }
      if (round !== 'R1') return undefined
      const best = {
        stance: 'need-info',
        summary: 'Unclear.',
        confidence: 'medium',
        questions: ['a', 'b', 'c'],
      }
      return opinionAnswer('ask', name === 'ben' ? best : { risks: [], questions: [] })
    }
    const { report } = sit({}, { says })
    expect(report).toMatchObject({
      synthesis: 'fallback',
      shown_opinion: 'op-2',
      decision: 'need-info',
      need_info_reason: 'Unclear.',
      summary: 'Unclear.',
      conclusion: 'Put a small cache before the reader and measure it.',
      confidence_stated: 'medium',
      rationale: [{ point: 'Reads repeat.', supported_by: ['op-2'] }],
    })
    expect(report?.uncertainties.map(({ point }) => point)).toEqual(['a', 'b', 'c'])
    expect(report?.risks.map(({ mentioned_by }) => mentioned_by)).toEqual([['op-2']])
    expect(report?.disagreements).toHaveLength(1)
  })

  it('COU-M-1 of checks alone says so, and recommends nothing of its own', () => {
    const checks = seat('panel', { embedded: true, vendor: 'witan', model: null })
    const report = closedEarly({}, { seats: [checks], chairs: [] })
    expect(report).toMatchObject({
      decision: 'need-info',
      need_info_reason: council.CHECKS_ONLY,
      summary: 'Take the cache.',
      conclusion: 'Put a small cache before the reader and measure it.',
    })
    expect(report.rationale.map(({ point }) => point)).toEqual(['load', 'staleness'])
  })

  it('COU-M-1 counts no stance of the checks beside that of models', () => {
    const checks = seat('panel', { embedded: true, vendor: 'witan', model: null })
    const report = closedEarly({ ann: { stance: 'reject' } }, { seats: [seat('ann'), seat('ben'), checks] })
    expect(report).toMatchObject({
      decision: 'need-info',
      conclusion: 'The opinions are evenly divided.',
      summary: 'Put together from 2 opinions without a synthesis (adopt 1, reject 1).',
    })
  })
})

describe('how complete an opinion is', () => {
  const [given] = council.opinionsOf(sit().inner)
  if (!given) throw new Error('there is an opinion')
  const base: council.CouncilOpinion = given
  const bare: council.CouncilOpinion = {
    ...base,
    summary: '',
    details: { understanding: '', key_considerations: [], recommendation: '', rationale: '' },
    risks: [],
    assumptions: [],
    questions: [],
  }
  const five = ['a', 'b', 'c', 'd', 'e']
  const many = <Item>(item: Item, n: number): readonly Item[] => Array.from({ length: n }, () => item)

  it.each<[number, Partial<council.CouncilOpinion>]>([
    [0, {}],
    [0, { summary: '  ' }],
    [2, { summary: 'x' }],
    [1, { details: { ...bare.details, understanding: 'x' } }],
    [4, { details: { ...bare.details, recommendation: 'x' } }],
    [5, { details: { ...bare.details, rationale: 'x' } }],
    [4, { details: { ...bare.details, key_considerations: five } }],
    [4, { details: { ...bare.details, key_considerations: [...five, ...five] } }],
    [2, { risks: many(base.risks[0] as never, 3) }],
    [1, { assumptions: five }],
    [1, { questions: five }],
    [4, { mode: 'review', findings: many({} as never, 5) }],
    [0, { mode: 'ask', findings: many({} as never, 5) }],
    [4, { mode: 'architecture', alternatives: many({} as never, 2), verification_plan: ['a', 'b', 'c'] }],
  ])('COU-R3-3 is %d for what it says: %j', (points, more) => {
    expect(completenessOf({ ...bare, ...more })).toBeCloseTo(points)
  })

  it('COU-R3-3 is 20 if every field is filled', () => {
    const details = { ...base.details, key_considerations: five }
    const full = {
      ...base,
      details,
      risks: many(base.risks[0] as never, 3),
      assumptions: five,
      questions: five,
    }
    expect(completenessOf(full)).toBe(20)
  })

  it('COU-R3-3 chooses among equals the most confident, then the first, and a model before the checks', () => {
    const named = (id: string, more: Partial<council.CouncilOpinion>) => ({ ...bare, id, ...more })
    const best = (...all: readonly council.CouncilOpinion[]) => mostComplete(all)?.id ?? null
    expect(best()).toBeNull()
    expect(best(named('a', { confidence: 'low' }), named('b', { confidence: 'high' }))).toBe('b')
    expect(best(named('a', {}), named('b', {}))).toBe('a')
    expect(best(named('a', { embedded: true, summary: 'x' }), named('b', {}))).toBe('b')
    expect(best(named('a', { confidence: 'high' }), named('b', { confidence: 'low', summary: 'x' }))).toBe(
      'b',
    )
  })
})

describe('the place of a finding', () => {
  const files = [
    { path: 'src/a.ts', lines: 10, bytes: 1 },
    { path: 'b/c.ts', lines: 1, bytes: 1 },
  ]

  it('COU-M-1 is found again with any spelling of its path', () => {
    for (const path of ['src/a.ts', './src/a.ts', 'src\\a.ts', '.\\src\\a.ts', 'a/src/a.ts', 'b/src/a.ts'])
      expect([path, reviewedPath(files, path)]).toEqual([path, 'src/a.ts'])
    expect(reviewedPath(files, 'b/c.ts')).toBe('b/c.ts')
    expect(reviewedPath(files, 'c/src/a.ts')).toBeNull()
  })

  it('COU-M-1 exists up to the last line of its file', () => {
    const at = (file: string | null, line: number | null) => checkLocation(files, { file, line })
    expect([at('src/a.ts', 10), at('src/a.ts', 11), at('src/a.ts', null)]).toEqual(['ok', 'beyond-end', 'ok'])
    expect([at('x.ts', 1), at(null, 1)]).toEqual(['unknown-file', 'none'])
  })
})

describe('the notices of a report', () => {
  it('COU-R2-3 report only what reviewers said: an opinion that a reviewer left out is listed', () => {
    const says = ({ round, seat: name, labels }: Question): ScriptedReply | undefined =>
      round === 'R2' && name === 'ben' ? reviewAnswer(labels.slice(0, 1)) : undefined
    const { inner } = sit({}, { says })
    const reviews = council.r2Result(inner).reviews
    expect(reviews.map(({ seat: name, uncovered }) => [name, uncovered.length])).toEqual([
      ['ann', 0],
      ['ben', 1],
      ['cat', 0],
    ])
  })
})
