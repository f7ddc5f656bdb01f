// What a verifier finds when a prompt, an answer, a verdict or a grade is not what follows from the set and the replies.
import { describe, expect, it } from 'vitest'
import { type Draft, protocol, type Script, ScriptedEval } from '../../test/support/scripted-eval.ts'
import { numbered } from '../../test/support/scripted-eval-parts.ts'
import { utf8 } from '../ledger/bytes.ts'
import { canonicalize } from '../ledger/canonical.ts'
import { writeRaw } from '../ledger/raw-reply.ts'

interface Kept {
  readonly name: string
  readonly hash: string
}

const changed = (said: Draft, more: object): Draft => ({ ...said, payload: { ...said.payload, ...more } })
const artifactsIn = ({ payload }: Draft): readonly Kept[] => payload.artifacts as never as readonly Kept[]
/** With other bytes under a name that it keeps already. */
const keeping = (run: ScriptedEval, said: Draft, name: string, bytes: Uint8Array): Draft =>
  changed(said, {
    artifacts: artifactsIn(said).map((one) => (one.name === name ? run.keep(name, bytes) : one)),
  })
const lacking = (said: Draft, name: string): Draft =>
  changed(said, { artifacts: artifactsIn(said).filter((one) => one.name !== name) })
const found = (run: ScriptedEval, said: Draft): string | null => run.refusal(said)?.message ?? null

const SAME = '{"reason":"","verdict":"same"}'
const graded = () => numbered(2, () => ({ grader: 'model:cyd', cluster: 'both' }))
const begun = (script: Script = {}, items = numbered(2)): ScriptedEval =>
  new ScriptedEval(items, { judges: () => SAME, ...script }).open({ arms: ['council', 'vote', 'plain:ben'] })

describe('the set', () => {
  it('COU-X-4 has as many items as the opening says, and each has the grader that is told', () => {
    const run = new ScriptedEval(numbered(2))
    const set = { name: 's', format: 'jsonl', sha256: 'cd'.repeat(32), size: 3, items: 3 }
    expect(found(run, run.opens({ set }))).toBe('the set has not the items that are said')
    const broken = run.keep('set.json', utf8('[{"id":1}]'))
    expect(found(run, run.opens({ artifacts: [broken] }))).toBe('the set has not the items that are said')
    run.open()
    const held = run.outcome(run.until('hold/'))
    expect(found(run, changed(held, { grader: 'exact' }))).toBe('the item has another grader')
  })

  it('COU-X-4 is not judged if it is missing or was erased', () => {
    const run = new ScriptedEval(numbered(2))
    const opening = run.opens()
    run.artifacts.clear()
    expect(found(run, opening)).toBeNull()
    run.say(opening)
    const held = run.outcome(run.until('hold/'))
    expect(found(run, changed(held, { grader: 'exact' }))).toBeNull()
    const content = () => null
    expect(protocol.examine?.(run.state, { ...run.occurrence(opening), payload: null }, content)).toBeNull()
  })

  it('COU-X-4 has no item beyond its last', () => {
    const run = new ScriptedEval(numbered(2)).open()
    const held = run.occurrence(changed(run.outcome(run.until('hold/')), { item: 2 }))
    const content = (hash: string) => run.artifacts.get(hash) ?? null
    expect(protocol.examine?.(run.state, held, content)?.message).toBe('there is no such item in the set')
  })

  it('COU-X-4 is read from the artifacts of openings, regradings and askings, and of nothing else', () => {
    const run = begun()
    const opening = run.events[0]
    expect(opening && protocol.reads?.(opening)).toHaveLength(1)
    const held = run.outcome(run.until('hold/'))
    expect(protocol.reads?.(run.occurrence(held))).toEqual([])
    run.say(held)
    const sample = run.occurrence(run.outcome(run.until('sample/')))
    const kept = sample.payload?.artifacts as never as readonly Kept[]
    expect(protocol.reads?.(sample)).toEqual(kept.map(({ hash }) => hash))
    expect(kept).toHaveLength(2)
    expect(protocol.reads?.({ ...sample, type: 'sample_failed', payload: { ...sample.payload } })).toEqual([])
    expect(protocol.reads?.({ ...sample, payload: null })).toEqual([])
    const fork = { parent: { trace: 'T', seq: 0, hash: 'ab'.repeat(32) } }
    const payload = {
      ...fork,
      set: opening?.payload?.set ?? null,
      artifacts: opening?.payload?.artifacts ?? [],
    }
    expect(protocol.reads?.({ ...sample, type: 'trace_forked', payload })).toHaveLength(1)
  })
})

describe('an answer of one seat', () => {
  it('COU-X-4 is the reply, without its hidden reasoning', () => {
    const run = begun({ samples: () => '<think>perhaps 3</think>\nANSWER: 1\n' })
    const said = run.outcome(run.until('sample/'))
    expect(said.payload.text).toBe('ANSWER: 1')
    expect(found(run, said)).toBeNull()
    // No erasure explains it.
    expect(run.refusal(changed(said, { text: 'ANSWER: 2' }))).toEqual({
      code: 'ORDER_VIOLATION',
      message: 'the answer is not the reply',
    })
    const other = writeRaw({ text: 'ANSWER: 2', finish_reason: 'stop' })
    expect(found(run, keeping(run, said, 'raw.json', other))).toBe('the answer is not the reply')
    expect(found(run, keeping(run, said, 'raw.json', utf8('not a reply')))).toMatch(/cannot be read/)
    expect(found(run, lacking(said, 'raw.json'))).toBe('there was no reply')
  })

  it('COU-X-4 answers the prompt that follows from the set', () => {
    for (const text of ['ANSWER: 1', null]) {
      const run = begun({ samples: () => text })
      const said = run.outcome(run.until('sample/'))
      expect(found(run, lacking(said, 'request.json'))).toBe('the request is not kept')
      const request = utf8(canonicalize({ system: 'Say 1.', parts: [], schema: null }))
      const refusal = run.refusal(keeping(run, said, 'request.json', request))
      expect(refusal).toMatchObject({
        code: 'ORDER_VIOLATION',
        message: 'what was asked is not what follows from the set',
      })
      expect(refusal?.lacks).toHaveLength(1)
      expect(found(run, keeping(run, said, 'request.json', utf8('{')))).toMatch(/not what follows/)
    }
  })

  it('COU-X-4 is not judged by artifacts that are missing', () => {
    const run = begun()
    const said = run.outcome(run.until('sample/'))
    for (const { hash } of artifactsIn(said)) run.artifacts.delete(hash)
    expect(found(run, changed(said, { text: 'ANSWER: 9' }))).toBeNull()
  })
})

describe('a verdict of the grader', () => {
  it('COU-X-4 is what the grader replied, read as it is recorded', () => {
    const run = begun({}, graded())
    const said = run.outcome(run.until('judge/'))
    expect(found(run, said)).toBeNull()
    expect(found(run, changed(said, { verdict: 'different' }))).toBe(
      'the verdict is not what the grader replied',
    )
    const reading = { ...(said.payload.reading as object), missing: ['/reason'] }
    expect(found(run, changed(said, { reading }))).toBe('the verdict is not what the grader replied')
    const other = writeRaw({ text: '{"reason":"","verdict":"different"}', finish_reason: 'stop' })
    expect(found(run, keeping(run, said, 'raw.json', other))).toMatch(/not what the grader replied/)
  })

  it('COU-X-4 that failed is judged by its prompt alone', () => {
    const run = begun({ judges: () => 'I cannot say.' }, graded())
    const said = run.outcome(run.until('judge/'))
    expect(said.type).toBe('judgement_failed')
    expect(found(run, said)).toBeNull()
    const request = utf8(canonicalize({ system: '', parts: [], schema: null }))
    expect(found(run, keeping(run, said, 'request.json', request))).toMatch(/not what follows from the set/)
  })

  it('COU-X-4 is about an answer that was given', () => {
    const run = begun({}, graded())
    const said = run.occurrence(run.outcome(run.until('judge/')))
    const content = (hash: string) => run.artifacts.get(hash) ?? null
    const refusal = protocol.examine?.(
      run.state,
      { ...said, payload: { ...said.payload, answer: 5 } },
      content,
    )
    expect(refusal?.message).toBe('an answer was graded that was never given')
    expect(refusal?.lacks).toHaveLength(1)
  })
})

describe('grades', () => {
  it('COU-X-4 are of the item they name, and what follows from the answers', () => {
    const run = begun({}, graded())
    const said = run.outcome(run.until('grade/'))
    expect(found(run, said)).toBeNull()
    expect(found(run, changed(said, { id: 'other' }))).toBe('the grades are of another item')
    expect(found(run, changed(said, { cluster: null }))).toBe('the grades are of another item')
    const grades = said.payload.grades as never as readonly { readonly grade: boolean }[]
    const turned = grades.map((one, i) => (i === 0 ? { ...one, grade: !one.grade } : one))
    expect(found(run, changed(said, { grades: turned }))).toMatch(/not what follows from the answers/)
    expect(found(run, changed(said, { grades: grades.slice(1) }))).toMatch(
      /not what follows from the answers/,
    )
  })
})
