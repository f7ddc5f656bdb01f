import { describe, expect, it } from 'vitest'
import { openExchangeHome, recordRun, verified } from '../../test/support/exchange-home.ts'
import { ExchangeRun } from '../../test/support/exchange-run.ts'
import { answerTo, plainScript, type Script, terms } from '../../test/support/exchange-script.ts'
import type { JudgingOpened, RestartAlarmed, SignalRaised } from './events.ts'
import { DECOYS } from './prompts/words.ts'
import type { Terms } from './terms.ts'

const POOL = { minds: ['local', 'birch', 'cedar'] }
const under = (restart: object = {}, more: { [part: string]: object } = {}): Terms =>
  terms({
    pool: { ...POOL },
    auditor: { mind: 'claude', every: 10 },
    ...more,
    restart: { judge: 'auditor', enough: 30, ...restart },
  })

/** From round 9 on every second message asks, without a tag and in words of its own. */
const asking = (text: string): boolean => text.startsWith('let us begin anew')
const restless: Script = {
  ...plainScript,
  reply: (round, mind) =>
    round < 9
      ? `---\n${mind} ${round} a\n---\n${mind} ${round} b`
      : `---\nlet us begin anew, says ${mind} in ${round}\n---\n${mind} ${round} b`,
  score: (text) => (asking(text) ? 0.5 : -0.5),
  cluster: (text) => (asking(text) ? 'c9' : 'c1'),
}

const of = <Payload>(run: ExchangeRun, type: string): readonly Payload[] =>
  run.events.filter((event) => event.type === type).map(({ payload }) => payload as unknown as Payload)

describe('a judge', () => {
  it('EXC-INT-1 EXC-INT-3 is asked at audits and on a proposal, confirms, and then the signal rests on it', async () => {
    const run = ExchangeRun.open(under(), restless).rounds(60)
    const orders = of<JudgingOpened>(run, 'judging_opened')
    expect(orders.map(({ purpose }) => purpose).at(-1)).toBe('confirm')
    expect(orders.every(({ mind }) => mind === 'claude')).toBe(true)
    const [first] = orders
    expect(first?.shown).not.toEqual([...(first?.shown ?? [])].sort())
    expect(orders.at(-1)?.shown.filter((id) => DECOYS.has(id))).toHaveLength(DECOYS.size)
    const [signal] = of<SignalRaised>(run, 'signal_raised')
    expect(signal?.basis).toBe('judged')
    expect(signal?.clusters).toMatchObject([{ id: 'c9' }])
    const [theme] = signal?.clusters ?? []
    expect(theme?.members?.length).toBeGreaterThanOrEqual(theme?.asking ?? 99)
    expect(theme?.growth).toBeGreaterThan(0)
    expect(run.inner.judgings).toMatchObject({ last: { purpose: 'confirm', bore: true } })
    expect(run.inner.judgings.usd).toBeCloseTo(0.001 * run.inner.judgings.asked)
    expect(run.actions()).toMatchObject([{ call: 'park', id: 'answer/1/1' }])
    expect(run.types()).not.toContain('restart_alarmed')
    const home = await openExchangeHome()
    await recordRun(home, run)
    expect((await verified(home, run.trace)).failures).toEqual([])
  })

  it('EXC-INT-3 that cites everything is detected by decoys, and one that cites by chance by the second question', () => {
    const all: Script = {
      ...restless,
      judge: (texts) => ({ asks: [...texts].map(([id, quote]) => ({ id, quote })) }),
    }
    const eager = ExchangeRun.open(under(), all).rounds(40)
    expect(eager.types()).not.toContain('signal_raised')
    const purposes = of<JudgingOpened>(eager, 'judging_opened').map(({ purpose }) => purpose)
    expect(purposes).toContain('confirm')
    expect(eager.inner.tracks.confirmed).toBe(false)
    let turn = 0
    const half: Script = {
      ...plainScript,
      score: () => 0.5,
      judge: (texts) => {
        turn++
        const some = [...texts].filter(([id]) => !DECOYS.has(id)).filter((_, i) => (i + turn) % 3 === 0)
        return { asks: some.map(([id, quote]) => ({ id, quote })) }
      },
    }
    const random = ExchangeRun.open(under(), half).rounds(60)
    expect(random.types()).not.toContain('signal_raised')
    expect(random.inner.judgings.asked).toBeGreaterThan(2)
  })

  it('EXC-INT-3 loses citations that were not shown or that are in no message', async () => {
    const script: Script = {
      ...restless,
      judge: (texts) => {
        const [first = '', second = ''] = texts.keys()
        return {
          asks: [
            { id: first, quote: texts.get(first) ?? '' },
            { id: second, quote: 'words that nobody wrote here' },
            { id: '99.1', quote: 'let us begin anew' },
            { id: first, quote: 'a' },
          ],
        }
      },
    }
    const run = ExchangeRun.open(under(), script).rounds(10)
    const [judged] = of<{ asks: object[]; struck: object[] }>(run, 'restart_judged')
    expect([judged?.asks.length, judged?.struck.length]).toEqual([1, 3])
    const home = await openExchangeHome()
    await recordRun(home, run)
    expect((await verified(home, run.trace)).failures).toEqual([])
  })

  it('that fails is recorded, gives no judgement, and is not asked again before a rotation', () => {
    const run = ExchangeRun.open(under(), { ...restless, judge: () => null }).rounds(30)
    expect(run.types()).toContain('judge_failed')
    expect(run.types()).not.toContain('signal_raised')
    const rounds = of<{ round: number }>(run, 'judge_failed').map(({ round }) => round)
    for (const [i, round] of rounds.slice(1).entries())
      expect(round - (rounds[i] ?? 0)).toBeGreaterThanOrEqual(1)
    expect(new Set(rounds).size).toBe(rounds.length)
  })

  it('VOX-15 VOX-16 whose answer is no list is asked once for one, announced, counted and verified', async () => {
    let turn = 0
    const prose = 'None of these messages asks.'
    const script: Script = { ...restless, judge: () => (turn++ === 0 ? prose : { asks: [] }) }
    const run = ExchangeRun.open(under(), script).rounds(11)
    const outcomes = run.types().filter((type) => /^(?:restart_judged|judge_)/.test(type))
    expect(outcomes).toEqual(['judge_incomplete', 'restart_judged'])
    expect(run.inner.judgings).toMatchObject({ asked: 2 })
    expect(run.inner.judgings.usd).toBeCloseTo(0.002)
    const requests = [...run.kept.content.values()].map((bytes) => Buffer.from(bytes).toString())
    const again = requests.find((text) => text.includes('"name":"complete"')) ?? ''
    expect(again).toMatch(new RegExp(`<answer-([0-9a-f]+) [^\\n]*\\n?.*${prose}`))
    const home = await openExchangeHome()
    await recordRun(home, run)
    expect((await verified(home, run.trace)).failures).toEqual([])
  })

  it('VOX-15 fails if the second answer is not a list either', () => {
    const run = ExchangeRun.open(under(), { ...restless, judge: () => 'No.' }).rounds(11)
    const outcomes = run.types().filter((type) => /^(?:restart_judged|judge_)/.test(type))
    expect(outcomes).toEqual(['judge_incomplete', 'judge_failed'])
    expect(of<{ message: string }>(run, 'judge_failed')[0]?.message).toMatch(/also when asked again$/)
  })

  it('VOX-15 is read again from its raw reply by verifiers, who find what it did not say', () => {
    const run = ExchangeRun.open(under(), restless)
    run.person('continued', { until: 12, mode: 'run' })
    run.run((actions) => actions.find(({ id }) => !id.startsWith('judge/')))
    const [action] = run.actions()
    if (!action) throw new Error('no judge is asked')
    run.start(action)
    const said = answerTo(action, run.inner, run.script, run.kept.keep, () => '')
    if (said?.type !== 'restart_judged') throw new Error('it was not judged')
    expect(run.judge(said)).toBeNull()
    const { reading, ...unread } = said.payload
    expect(run.judge({ ...said, payload: unread })?.code).toBe('SCHEMA_INVALID')
    const other = { ...said, payload: { ...said.payload, asks: [] } }
    expect(run.judge(other)?.message).toContain('it is not what the judge replied')
    const repaired = { ...(reading as object), repairs: [{ kind: 'fence', at: [], times: 1 }] }
    expect(run.judge({ ...said, payload: { ...said.payload, reading: repaired } })?.message).toContain(
      'it was not read as recorded',
    )
  })

  it('EXC-POW-1 signs as itself, and cites only messages that it was shown', () => {
    const run = ExchangeRun.open(under(), restless)
    run.person('continued', { until: 12, mode: 'run' })
    run.run((actions) => actions.find(({ id }) => !id.startsWith('judge/')))
    const [action] = run.actions()
    const payload = { action: action?.id ?? '', ...action?.input, asks: [], struck: [], artifacts: [] }
    expect(run.judge({ type: 'restart_judged', agent: 'birch', role: 'judge', payload })?.code).toBe(
      'ROLE_POLICY_VIOLATION',
    )
    expect(run.judge({ type: 'restart_judged', agent: 'claude', role: 'auditor', payload })?.code).toBe(
      'ROLE_POLICY_VIOLATION',
    )
  })

  it('says which minds of the pool share its model', () => {
    const run = ExchangeRun.open(under({}, { auditor: { mind: 'birch', every: 5 } }), restless).rounds(5)
    expect(of<JudgingOpened>(run, 'judging_opened')[0]?.shares).toEqual(['birch'])
  })
})

describe('without a judge', () => {
  it('EXC-INT-3 scores alone raise one alarm while they last, and pause nothing', () => {
    const run = ExchangeRun.open(under({ judge: 'none', policy: 'halt' }), restless).rounds(60)
    expect(of<RestartAlarmed>(run, 'restart_alarmed')).toHaveLength(1)
    expect(run.types()).not.toContain('signal_raised')
    expect([run.inner.closed, run.inner.halted]).toEqual([60, false])
  })

  it('ignores requests if the terms say so, and only shows them if the terms say that', () => {
    const tagged: Script = { ...restless, reply: (round, mind) => `---\n[RESTART] ${mind} ${round}` }
    const off = ExchangeRun.open(under({ hear: 'off' }), tagged).rounds(60)
    expect(off.types().filter((type) => /signal|judg|alarm/.test(type))).toEqual([])
    const shown = ExchangeRun.open(under({ hear: 'alarm' }), tagged).rounds(60)
    expect(shown.types().filter((type) => /signal|judg|alarm/.test(type))).toEqual(['restart_alarmed'])
  })

  it('cites tags first', () => {
    const mixed: Script = {
      ...restless,
      reply: (round, mind) => `---\n[RESTART] ${mind} ${round}\n---\nlet us begin anew ${mind} ${round}`,
      score: (text) => (asking(text) ? 9 : -9),
    }
    const run = ExchangeRun.open(under({ judge: 'none' }), mixed).rounds(40)
    const [signal] = of<SignalRaised>(run, 'signal_raised')
    expect(signal?.basis).toBe('tags')
    const tagged = new Set(run.inner.scored.filter(({ tag }) => tag).map(({ id }) => id))
    expect(signal?.top.every((id) => tagged.has(id))).toBe(true)
  })
})
