// Who may say what in an evaluation, and when: each guard with the one thing it refuses.
import { describe, expect, it } from 'vitest'
import { type Draft, play, protocol, ScriptedEval } from '../../test/support/scripted-eval.ts'
import { MEMBERS, numbered, seat } from '../../test/support/scripted-eval-parts.ts'
import type { EvalOpened } from './events.ts'

const messageOf = (run: ScriptedEval, said: Draft): string | null => {
  const refusal = run.refusal(said)
  return refusal && `${refusal.code}: ${refusal.message}`
}
const changed = (said: Draft, more: object): Draft => ({ ...said, payload: { ...said.payload, ...more } })

describe('an opening', () => {
  const opens = (more: Partial<EvalOpened> = {}): string | null => {
    const run = new ScriptedEval(numbered(3))
    return messageOf(run, run.opens(more))
  }
  const set = { name: 's', format: 'jsonl', sha256: 'cd'.repeat(32), size: 3, items: 3 }
  const artifact = { hash: 'ab'.repeat(32), size: 1, media_type: 'application/json', name: 'set.json' }

  it('COU-X-4 that is consistent is accepted', () => {
    expect(opens()).toBeNull()
    expect(opens({ stability: 3 })).toBeNull()
    expect(opens({ seats: MEMBERS.map((name) => seat(name)), chairs: [] })).toBeNull()
  })

  it.each<[string, Partial<EvalOpened>, RegExp]>([
    ['a seed that is no hash', { seed: 'XY'.repeat(32) }, /no hash/],
    ['a set without its hash', { set: { ...set, sha256: 'XY'.repeat(32) } }, /no hash/],
    ['two seats of one name', { seats: [seat('ada'), seat('ada')] }, /two seats have one name/],
    ['a chair that does not sit there', { chairs: ['ada', 'zoe'] }, /a chair is no seat/],
    ['an arm of an unknown seat', { arms: ['council', 'vote', 'single:zoe'] }, /unknown or named twice/],
    ['an arm twice', { arms: ['council', 'vote', 'vote'] }, /unknown or named twice/],
    ['a comparison with itself', { primary: { arm: 'vote', against: 'vote' } }, /two of the arms/],
    ['a comparison of no arm', { primary: { arm: 'single:ada', against: 'vote' } }, /two of the arms/],
    ['a comparison against no arm', { primary: { arm: 'vote', against: 'single:ada' } }, /two of the arms/],
    ['no set', { artifacts: [] }, /one artifact/],
    ['another artifact', { artifacts: [{ ...artifact, name: 'x.json' }] }, /one artifact/],
    ['two artifacts', { artifacts: [artifact, artifact] }, /one artifact/],
    ['more items than the set has', { set: { ...set, size: 2 } }, /more items are asked/],
    ['more repetitions for stability than items', { stability: 4 }, /more items are asked/],
  ])('COU-X-4 with %s is refused', (_, more, words) => {
    expect(opens(more)).toMatch(words)
    expect(opens(more)).toMatch(/^SCHEMA_INVALID/)
  })

  it('COU-X-4 comes first and once', () => {
    const run = new ScriptedEval(numbered(1)).open()
    expect(run.refusal(run.opens())).toEqual({ code: 'ORDER_VIOLATION', message: 'a trace is opened once' })
  })

  it('COU-X-4 of an edition that is not known here is refused', () => {
    expect(opens({ edition: 2 })).toMatch(/edition 2 of eval\/1 is not known/)
  })
})

describe('an event of an evaluation', () => {
  const begun = (): ScriptedEval =>
    new ScriptedEval(numbered(2)).open({ arms: ['council', 'vote', 'plain:ben'] })

  it('COU-X-4 is signed by its own role and no other', () => {
    const run = new ScriptedEval(
      numbered(1, () => ({ grader: 'model:cyd' })),
      { judges: () => '{"reason":"","verdict":"same"}' },
    )
    const roles = ['evaluator', 'participant', 'grader', 'clerk', 'chair']
    const speakers = (said: Draft): readonly string[] =>
      roles.filter((role) => !/^ROLE_POLICY/.test(messageOf(run, { ...said, role }) ?? ''))
    const opening = run.opens()
    expect(speakers(opening)).toEqual(['evaluator'])
    run.say({ ...opening, payload: { ...opening.payload, arms: ['council', 'vote', 'plain:ben'] } })
    const found = new Map<string, readonly string[]>()
    for (let action = run.next(); action !== null; action = run.next()) {
      const said = run.outcome(action)
      found.set(said.type, speakers(said))
      run.say(said)
    }
    expect(Object.fromEntries(found)).toEqual({
      item_held: ['clerk'],
      sample_given: ['participant'],
      judgement_given: ['grader'],
      item_graded: ['clerk'],
      eval_closed: ['clerk'],
    })
  })

  it('COU-X-4 has a known type, and is never a tool call', () => {
    const run = begun()
    const said = { type: 'opinion_given', agent: 'ada', role: 'participant', payload: {} }
    expect(messageOf(run, said)).toBe('SCHEMA_INVALID: opinion_given is no event of eval/1')
    const lost = {
      type: 'call_indeterminate',
      agent: 'clerk',
      role: 'clerk',
      payload: { action: 'hold/0/1/main/1' },
    }
    expect(messageOf(run, lost)).toBe('SCHEMA_INVALID: an evaluation has no tools')
  })

  it('COU-X-4 has its exact shape', () => {
    const run = begun()
    const said = run.outcome(run.until('hold/'))
    expect(messageOf(run, changed(said, { surplus: 1 }))).toMatch(/^SCHEMA_INVALID.*unknown member/)
    expect(messageOf(run, changed(said, { ms: -1 }))).toMatch(/^SCHEMA_INVALID/)
    expect(messageOf(run, said)).toBeNull()
  })

  it('COU-X-4 comes after the opening', () => {
    const run = begun()
    const said = run.outcome(run.until('hold/'))
    const early = new ScriptedEval(numbered(2))
    const start = {
      type: 'call_started',
      agent: 'clerk',
      role: 'clerk',
      payload: { action: 'sample/0/1/ben/1/1' },
    }
    for (const one of [start, { ...start, type: 'call_lost' }])
      expect(messageOf(early, one)).toBe('ORDER_VIOLATION: the evaluation is not open')
    const refusal = protocol.refuse(early.state, early.occurrence(start))
    expect(refusal?.lacks).toEqual(['eval_opened', 'trace_forked'])
    expect(messageOf(early, said)).toMatch(/^ORDER_VIOLATION/)
  })

  it('COU-X-4 names the council that follows for its place', () => {
    const run = begun()
    const said = run.outcome(run.until('hold/'))
    const head = said.payload.council as object
    expect(
      messageOf(run, changed(said, { council: { ...head, trace: '01KJKB3Q00KWQ1K74655EWZ23J' } })),
    ).toMatch(/another name than the one that follows/)
  })

  it('COU-X-4 is an answer in the name of the seat that was asked', () => {
    for (const text of ['ANSWER: 1', null]) {
      const run = new ScriptedEval(numbered(1), { samples: () => text }).open({
        arms: ['council', 'vote', 'plain:ben'],
      })
      const said = run.outcome(run.until('sample/'))
      expect(messageOf(run, { ...said, agent: 'cyd' })).toBe(
        'ROLE_POLICY_VIOLATION: only ben may answer sample/0/1/ben/1/1',
      )
      expect(messageOf(run, said)).toBeNull()
    }
  })

  it('COU-X-4 is a verdict in the name of the grader, read by a reader that is known', () => {
    for (const reply of ['{"reason":"","verdict":"same"}', 'nothing of the kind']) {
      const run = new ScriptedEval(
        numbered(1, () => ({ grader: 'model:cyd' })),
        { judges: () => reply },
      ).open()
      const said = run.outcome(run.until('judge/'))
      expect(messageOf(run, { ...said, agent: 'ben' })).toMatch(
        /only cyd may answer judge\/0\/1\/0\/first\/1/,
      )
      expect(messageOf(run, said)).toBeNull()
      if (said.type !== 'judgement_given') continue
      const reading = { ...(said.payload.reading as object), reader: 99 }
      expect(messageOf(run, changed(said, { reading }))).toMatch(/the reader is not known here/)
    }
  })

  it('COU-X-4 names the action that it answers', () => {
    const run = new ScriptedEval(
      numbered(2, () => ({ grader: 'model:cyd' })),
      { judges: () => '{"reason":"","verdict":"same"}' },
    ).open({ arms: ['council', 'vote', 'plain:ben'] })
    const differing: Readonly<Record<string, readonly object[]>> = {
      item_held: [{ item: 1 }, { rep: 2 }, { variant: 'again' }],
      sample_given: [{ item: 1 }, { rep: 2 }, { seat: 'cyd' }, { n: 2 }],
      judgement_given: [{ item: 1 }, { rep: 2 }, { answer: 7 }, { order: 'second' }],
      item_graded: [{ item: 1 }, { rep: 2 }],
    }
    const seen = new Set<string>()
    for (let action = run.next(); action !== null && seen.size < 4; action = run.next()) {
      const said = run.outcome(action)
      if (!seen.has(said.type))
        for (const more of differing[said.type] ?? [])
          expect(messageOf(run, changed(said, more))).toMatch(/tells of another action than|^ROLE/)
      seen.add(said.type)
      run.say(said)
    }
    expect([...seen].sort()).toEqual(Object.keys(differing).sort())
    const silent = new ScriptedEval(
      numbered(1, () => ({ grader: 'model:cyd' })),
      { judges: () => null, samples: () => null },
    ).open({ arms: ['council', 'vote', 'plain:ben'] })
    silent.say(silent.outcome(silent.until('hold/')))
    const sample = silent.outcome(silent.until('sample/'))
    expect(messageOf(silent, changed(sample, { n: 2 }))).toMatch(/sample_failed tells of another action/)
    silent.say(sample)
    const judgement = silent.outcome(silent.until('judge/'))
    expect(messageOf(silent, changed(judgement, { answer: 3 }))).toMatch(/judgement_failed tells of another/)
  })
})

describe('an answer without a question', () => {
  it('COU-X-4 is excused by no erasure, because a question is never erased', () => {
    const run = new ScriptedEval(
      numbered(1, () => ({ grader: 'model:cyd' })),
      { judges: () => '{"reason":"","verdict":"same"}' },
    ).open({ arms: ['council', 'vote', 'plain:ben'] })
    const excuses = new Map<string, boolean>()
    for (let action = run.next(); action !== null && action.id !== 'close/1'; action = run.next()) {
      const said = run.outcome(action)
      run.say(said)
      const refusal = run.refusal(said)
      expect(refusal?.message).toMatch(/answered before/)
      excuses.set(said.type, refusal?.lacks !== undefined)
    }
    expect(Object.fromEntries(excuses)).toEqual({
      item_held: true,
      sample_given: false,
      judgement_given: false,
      item_graded: true,
    })
  })
})

describe('a closing', () => {
  it('COU-X-4 follows from the grades, and an erased ground can explain a difference', () => {
    const run = new ScriptedEval(numbered(2)).open()
    const said = run.outcome(run.until('close'))
    expect(messageOf(run, said)).toBeNull()
    for (const more of [{ verdict: 'better' }, { status: 'over_budget' }, { arms: [] }]) {
      const refusal = run.refusal(changed(said, more))
      expect(refusal).toMatchObject({
        code: 'ORDER_VIOLATION',
        message: 'the closing is not what the grades say',
        finalisation: true,
      })
      expect(refusal?.lacks).toEqual([
        {
          types: [
            'eval_opened',
            'item_held',
            'sample_given',
            'sample_failed',
            'judgement_given',
            'judgement_failed',
            'item_graded',
          ],
        },
      ])
    }
  })

  it('COU-X-4 is the last event', () => {
    const run = play(numbered(1))
    const again = new ScriptedEval(numbered(1)).open()
    const said = again.outcome(again.until('hold/'))
    const state = {
      ...run.state,
      open: new Map([['hold/0/1/main/1', { action: '', call: 'ask', clerk: '' }]]),
    }
    expect(protocol.refuse(state as typeof run.state, run.occurrence(said))?.message).toBe(
      'the evaluation is closed',
    )
  })
})

describe('how an earlier council turned out', () => {
  const payload = {
    council: { trace: '01KEC0000000000000000000EV', size: 9, hash: 'ab'.repeat(32) },
    outcome: 'right',
    note: '',
  }
  const said = { type: 'outcome_recorded', agent: 'eve', role: 'evaluator', payload }

  it('COU-X-4 is a trace of its own, which ends at once', () => {
    const run = new ScriptedEval()
    expect(messageOf(run, said)).toBeNull()
    expect(messageOf(run, changed(said, { outcome: 'maybe' }))).toMatch(/^SCHEMA_INVALID/)
    run.say(said)
    expect(run.state.inner).toMatchObject({ outcome: payload, isClosed: true, opened: null })
    expect(protocol.finished(run.state)).toBe(true)
    expect(messageOf(run, said)).toBe('ORDER_VIOLATION: a trace is opened once')
    expect(messageOf(new ScriptedEval().open(), said)).toBe('ORDER_VIOLATION: a trace is opened once')
  })

  it('COU-X-4 that was erased has ended too, and has no content', () => {
    const run = new ScriptedEval()
    run.take({ ...run.occurrence(said), payload: null })
    expect(run.state.inner).toMatchObject({ outcome: null, isClosed: true })
  })
})
