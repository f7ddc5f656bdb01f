import { describe, expect, it } from 'vitest'
import { ExchangeRun } from '../../../test/support/exchange-run.ts'
import { plainScript, type Script, terms } from '../../../test/support/exchange-script.ts'
import { sha256 } from '../../stores/digest.ts'
import type { ExchangeState } from '../state.ts'
import { completing, completingParts, incompleteFor, isCompleting } from './completing.ts'
import { auditRequest, judgedTexts, judgeRequest, mindRequest } from './request.ts'
import { DECOYS, ourWords, WORDS } from './words.ts'

/** An exchange that has come to the first action of this kind. */
function upTo(kind: string, script: Script = plainScript, given = {}): ExchangeState {
  const run = ExchangeRun.open(terms({ auditor: { every: 3 }, clusters: { feed: 'live' }, ...given }), script)
  run.person('continued', { until: 9, mode: 'run' })
  return run.run((actions) => actions.find(({ id }) => !id.startsWith(`${kind}/`))).inner
}
const mind = (state: ExchangeState) =>
  mindRequest(sha256, state, { action: 'mind/1/claude/1', mind: 'claude' })
const names = (parts: readonly { readonly name: string }[] | undefined) =>
  (parts ?? []).map(({ name }) => name)

describe('EXC-LEG-1 a request', () => {
  it('is for a mind only in a round of the pool, for the auditor in an audit, for a judge when one is asked', () => {
    const [pool, audit] = [upTo('mind'), upTo('audit')]
    expect([
      mind(pool) !== null,
      auditRequest(sha256, pool, 'audit/1/1'),
      judgeRequest(sha256, pool, 'x'),
    ]).toEqual([true, null, null])
    expect([mind(audit), auditRequest(sha256, audit, 'audit/3/1') !== null]).toEqual([null, true])
    expect(mind(new ExchangeRun().inner)).toBeNull()
  })

  it('has the terms of all three, the system prompts, what was said, and what is asked, in this order', () => {
    const first = mind(upTo('mind'))
    const system = ['system/minds', 'system/auditor']
    expect(names(first?.parts)).toEqual([
      ...['pool_prompt', 'auditor_spec', 'observer_role', ...system, 'empty', 'instructions'],
    ])
    const audit = auditRequest(sha256, upTo('audit'), 'audit/3/1')
    expect(names(audit?.parts)).toEqual([
      ...['auditor_spec', 'pool_prompt', 'observer_role', ...system, 'clusters'],
      ...['message/1.1', 'message/1.2', 'message/2.1', 'message/2.2', 'instructions'],
    ])
    expect([first?.schema, audit?.schema === null]).toEqual([null, false])
    expect(audit?.parts.find(({ name }) => name === 'clusters')?.text).toContain('\nnone\n')
    expect(first?.parts.at(-1)?.text).toContain('at most 8 messages of at most 4000 characters')
  })

  it('EXC-INT-3 shows a judge its messages in order, with decoys that look like any other', () => {
    const state = upTo(
      'judge',
      { ...plainScript, score: () => 0.5 },
      {
        pool: { minds: ['local', 'birch', 'cedar'] },
        auditor: { mind: 'claude', every: 4 },
        restart: { judge: 'auditor' },
      },
    )
    const judging = state.judging
    if (!judging) throw new Error('no judge is asked')
    const [foil = ''] = DECOYS.keys()
    const with_ = { ...state, judging: { ...judging, shown: [...judging.shown, foil] } }
    const request = judgeRequest(sha256, with_, 'judge/3/claude/1/1')
    const messages = (request?.parts ?? []).filter(({ name }) => name.startsWith('message/'))
    expect(names(messages)).toEqual(with_.judging.shown.map((id) => `message/${id}`))
    const shapes = messages.map(({ text }) => text.replace(/label="[\d.]+ /, 'label="').split('\n')[0])
    expect(new Set(shapes.map((line) => line?.replace(/-[0-9a-f]+/, ''))).size).toBe(1)
    expect(messages.at(-1)?.text).toContain(DECOYS.get(foil))
    expect(judgedTexts(with_).get(foil)).toBe(DECOYS.get(foil))
    expect([...judgedTexts(with_).keys()]).toEqual(with_.judging.shown)
    expect(judgedTexts(new ExchangeRun().inner).size).toBe(0)
  })
})

describe('VOX-15 a request for the missing part of an answer', () => {
  const fence = { sha256, seed: 'x' }
  const lacking = { event: 'T/7', raw: 'a'.repeat(64), missing: ['messages'] }

  it('quotes the answer with what it called, and what is missing', () => {
    const raw = { text: 'So be it.', tool_calls: [{ name: 'write', arguments: '{"a":1}' }] }
    const parts = completingParts(sha256, fence, WORDS[2], lacking, raw as never)
    expect(names(parts)).toEqual(['answer', 'missing', 'complete'])
    expect(parts[0]?.text).toContain('So be it.\nwrite({"a":1})')
    expect(parts[0]?.quotes).toEqual({ kind: 'artifact', id: lacking.raw })
    expect(parts[1]?.text).toContain('["messages"]')
    expect(parts[2]?.text).toBe(ourWords('exchange/complete@1'))
    const long = completingParts(sha256, fence, WORDS[2], lacking, { text: 'x'.repeat(30_000) })
    expect(/x+/.exec(long[0]?.text.split('\n')[1] ?? '')?.[0]).toHaveLength(24_000)
  })

  it('says so if the answer is missing, and quotes none if none was kept', () => {
    expect(completingParts(sha256, fence, WORDS[2], lacking, null)[0]?.text).toContain(
      'bytes are not at hand',
    )
    const none = completingParts(sha256, fence, WORDS[2], { ...lacking, raw: null }, null)
    expect(names(none)).toEqual(['missing', 'complete'])
    expect(completingParts(sha256, fence, WORDS[2], null, null)).toEqual([])
  })

  it('is recognised by its action, in every attempt', () => {
    expect(isCompleting(`${completing('mind/1/claude')}/1`)).toBe(true)
    expect(isCompleting('mind/1/claude/1')).toBe(false)
    const open = { incomplete: new Map([['claude', lacking]]) }
    expect(incompleteFor(open, 'claude', `${completing('mind/1/claude')}/2`)).toBe(lacking)
    expect(incompleteFor(open, 'local', `${completing('mind/1/local')}/1`)).toBeNull()
    expect(incompleteFor(open, 'claude', 'mind/1/claude/1')).toBeNull()
    expect(incompleteFor(null, 'claude', `${completing('mind/1/claude')}/1`)).toBeNull()
  })
})
