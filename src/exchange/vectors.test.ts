import { describe, expect, it } from 'vitest'
import { ExchangeRun, newTrace } from '../../test/support/exchange-run.ts'
import { answerTo, ENCODER, terms } from '../../test/support/exchange-script.ts'
import type { Payload } from '../ledger/event.ts'
import type { Embedded } from './events.ts'

/** A round whose messages wait for their vectors, and what the encoder says of them. */
function waiting(): { readonly run: ExchangeRun; readonly judge: (change: object) => string | undefined } {
  const run = ExchangeRun.open(terms()).rounds(2)
  run.person('injected', { text: 'What of dams?' })
  run.person('continued', { until: 3, mode: 'run' })
  run.run((actions) => actions.find(({ id }) => !id.startsWith('embed/')))
  const [action] = run.actions()
  if (!action) throw new Error('no vectors are wanted')
  run.start(action)
  const said = answerTo(action, run.inner, run.script, run.kept.keep, newTrace)
  if (!said) throw new Error('nobody answers')
  const judge = (change: object) =>
    run.judge({ ...said, payload: { ...said.payload, ...change } as Payload })?.message
  return { run, judge }
}

const again = (run: ExchangeRun, change: Partial<Embedded> = {}): object => {
  const messages = run.inner.pool.map(({ id }) => ({ id, score: -1.25 }))
  const artifacts = [run.kept.keep('vectors.bin', new Uint8Array(messages.length * 6))]
  return {
    encoder: 'other:model@2:3',
    messages,
    assigned: [],
    clusters: [],
    alarms: [],
    artifacts,
    ...change,
  }
}

describe('vectors', () => {
  it('are all present, one for each message, of the one encoder of the exchange', () => {
    const { run, judge } = waiting()
    const artifacts = (bytes: number) => [run.kept.keep('vectors.bin', new Uint8Array(bytes))]
    expect(run.inner.pending.map(({ id }) => id)).toEqual(['2.p1', '3.1', '3.2'])
    expect(judge({})).toBeUndefined()
    expect(judge({ encoder: 'other:model@2:4' })).toContain('another encoder')
    expect(judge({ messages: [{ id: '2.p1', score: null }], artifacts: artifacts(8) })).toContain(
      'left without a vector',
    )
    expect(judge({ messages: [{ id: '9.9', score: null }], artifacts: artifacts(8) })).toContain('not here')
    expect(judge({ artifacts: artifacts(7) })).toContain('are not 7 bytes')
    expect(judge({ artifacts: [] })).toContain('the vectors are not kept')
    const scored = (score: number, p1: number | null = null) => ({
      messages: [
        { id: '2.p1', score: p1 },
        { id: '3.1', score },
        { id: '3.2', score: null },
      ],
    })
    expect(judge(scored(0.5))).toBeUndefined()
    expect(judge(scored(0.12345))).toContain('not rounded')
    expect(judge(scored(0.5, 0.5))).toContain('only what minds write is scored')
  })

  it('keep the score and theme of each message, and remove either if they say so', () => {
    const { run } = waiting()
    const [action] = run.actions()
    const ids = ['2.p1', '3.1', '3.2']
    const said = (score: number | null, cluster: string | null, assigned: readonly string[]) => ({
      ...{ action: `embed/3/3/1`, round: 3, encoder: ENCODER, clusters: [], alarms: [] },
      messages: ids.map((id) => ({ id, score: id === '2.p1' ? null : score })),
      assigned: assigned.map((id) => ({ id, cluster })),
      artifacts: [run.kept.keep('vectors.bin', new Uint8Array(24))],
    })
    expect(action).toBeUndefined()
    const fold = (type: string, payload: object) =>
      run.fold({ type, agent: 'clerk', role: 'clerk', payload: payload as Payload })
    const of = (id: string) => {
      const message = [...run.inner.pool, ...run.inner.protocol].find((one) => one.id === id)
      return [message?.score, message?.cluster]
    }
    fold('messages_embedded', said(0.5, 'c1', ['2.p1', '3.1']))
    expect([of('2.p1'), of('3.1'), of('3.2')]).toEqual([
      [null, 'c1'],
      [0.5, 'c1'],
      [0.5, null],
    ])
    fold('reembedded', { ...said(null, null, ['3.1']), messages: [{ id: '3.2', score: null }] })
    expect([of('2.p1'), of('3.1'), of('3.2')]).toEqual([
      [null, 'c1'],
      [0.5, null],
      [null, null],
    ])
  })

  it('made again by another encoder cover the whole window between rounds, and lose nothing', () => {
    const run = ExchangeRun.open(terms()).rounds(4)
    const before = run.texts()
    expect(() => run.person('reembedded', again(run, { messages: [] }))).toThrow('are not 48 bytes')
    run.person('reembedded', again(run))
    expect(run.texts()).toEqual(before)
    expect(run.inner.encoder).toBe('other:model@2:3')
    expect(run.inner.scored.every(({ score, counts }) => score === -1.25 && !counts)).toBe(true)
    expect(run.events.filter(({ payload }) => payload?.encoder === ENCODER).length).toBeGreaterThan(0)
    const { run: open } = waiting()
    expect(() => open.person('reembedded', again(open))).toThrow('between rounds')
  })

  it('EXC-EMB-1 made again also reach messages outside the window, after the window has them', () => {
    const run = ExchangeRun.open(terms({ pool: { window: 4 } })).rounds(6)
    const earlier = (ids: readonly string[], encoder = 'other:model@2:3', score: number | null = null) =>
      again(run, {
        encoder,
        messages: ids.map((id) => ({ id, score })),
        artifacts: [run.kept.keep('vectors.bin', new Uint8Array(ids.length * 6))],
      })
    expect(run.inner.pool.map(({ id }) => id)).not.toContain('1.1')
    expect(() => run.person('reembedded', earlier(['1.1']))).toThrow('of the window is left without')
    run.person('reembedded', again(run))
    const { pool, scored } = run.inner
    run.person('reembedded', earlier(['1.1', '2.2', '5.p1']))
    expect([run.inner.pool, run.inner.scored]).toEqual([pool, scored])
    expect(() => run.person('reembedded', earlier(['7.1']))).toThrow('not here')
    expect(() => run.person('reembedded', earlier(['x']))).toThrow('not here')
    expect(() => run.person('reembedded', earlier(['1.1'], 'other:model@2:3', 1))).toThrow('only what minds')
  })
})
