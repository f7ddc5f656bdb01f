import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Occurrence } from '../../src/protocol.ts'
import { witan } from '../doors/command.ts'
import {
  copyOf,
  openPoolHome,
  type PoolHome,
  plainScript,
  RESTART_REQUEST,
  restartScript,
  traceOf,
  verifyFault,
} from '../support/pool-home.ts'

let first: PoolHome
/** Each test has a home of its own, in which the pool has just asked for a restart. */
let house: PoolHome
let trace: string
beforeAll(async () => {
  first = await openPoolHome()
  first.script = restartScript
  const terms = await first.terms('restless.yaml')
  trace = traceOf(await first.witan('exchange', 'run', '--terms', terms, '--rounds', '12', '--json'), 8)
})
beforeEach(async () => {
  house = await copyOf(first)
})
afterAll(() => first.server.close())

const of = (events: readonly Occurrence[], type: string): readonly Occurrence[] =>
  events.filter((event) => event.type === type)

const answers = (events: readonly Occurrence[]): readonly unknown[] =>
  of(events, 'signal_answered').map(({ actor, payload }) => [actor.agent, payload?.answer])

const act = async (...args: readonly string[]): Promise<string> =>
  traceOf(await house.witan('exchange', ...args, '--json'))

/** Continues for a round, in the trace that is current, and says what the minds were told of the phase. */
async function phaseAfter(trace: string): Promise<readonly boolean[]> {
  const before = house.asked.length
  traceOf(await house.witan('exchange', 'run', trace, '--rounds', '1', '--json'))
  return house.asked.slice(before).map(({ words }) => words.includes('structured exchange'))
}

describe('a signal that the observer answers', () => {
  it('EXC-INT-1 stops the run with exit code 8, and nothing goes on before it is answered', async () => {
    const [signal] = of(await house.events(trace), 'signal_raised')
    expect(Number(signal?.payload?.level)).toBeGreaterThanOrEqual(0.3)
    const again = await house.witan('exchange', 'run', trace, '--rounds', '1')
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('signal 1 waits for an answer')])
    const status = await house.witan('exchange', 'status', trace)
    expect(status.stderr).toContain(`witan exchange answer ${trace}`)
    const listed = async () =>
      (await house.witan('list')).stdout.split('\n').find((row) => / exchange /.test(row))
    expect(await listed()).toMatch(/ exchange +waiting /)
    expect(await verifyFault(house, trace)).toBeNull()

    await act('answer', trace, '--with', 'acknowledge', '--reason', 'heard')
    expect(await phaseAfter(trace)).not.toContain(true)
    expect(answers(await house.events(trace))).toEqual([['ana', 'acknowledge']])
    expect(await listed()).toMatch(/ exchange +open, /)
    expect(await verifyFault(house, trace)).toBeNull()

    // The one who comes second finds it answered.
    const late = await house.witan('exchange', 'answer', trace, '--with', 'acknowledge')
    expect([late.code, late.stderr]).toEqual([5, expect.stringContaining('no signal waits for an answer')])
  })

  it('EXC-INT-2 is honoured by new terms, which changes the phase in every later prompt', async () => {
    const terms = await house.terms('lakes.yaml', { pool: { prompt: 'Think about lakes.' } })
    await act('terms', trace, '--set', terms, '--reason', 'as asked')
    expect(await phaseAfter(trace)).toEqual([true, true])
    const events = await house.events(trace)
    expect(answers(events)).toEqual([['ana', 'amend']])
    expect(of(events, 'phase_changed')[0]?.payload?.changed).toEqual(['pool.prompt'])
    expect(await verifyFault(house, trace)).toBeNull()
  })

  it('EXC-BR-1 APP-11 is honoured by a rollback or a branch: it goes on there, and the parent says where', async () => {
    for (const [verb, ...more] of [['rollback', '--to', '3'], ['branch'], ['branch', '--at', '3']]) {
      house = await copyOf(first)
      await act(verb ?? '', trace, ...more)
      const { json } = await house.witan('exchange', 'status', trace, '--json')
      expect(json).toMatchObject({ status: 'moved', signal: null })
      const into = String(json.moved_to)
      // Without a name it is the last exchange, in the trace where it continues.
      expect((await house.witan('exchange', 'status', '--json')).json.trace).toBe(into)
      for (const last of ['last', 'last:exchange'])
        expect((await house.witan('show', last, '--json')).json.trace).toBe(into)
      expect(new Set(await phaseAfter(into))).toEqual(new Set([true]))
      expect(answers(await house.events(trace))).toEqual([['ana', verb]])
      const second = await house.witan('exchange', 'rollback', trace, '--to', '1')
      expect([second.code, second.stderr]).toEqual([5, expect.stringContaining(`gone on in ${into}`)])
      for (const one of [trace, into]) expect(await verifyFault(house, one)).toBeNull()
    }
  })

  it('can end the exchange for good', async () => {
    await act('answer', trace, '--with', 'halt', '--reason', 'enough')
    const after = await house.witan('exchange', 'inject', trace, 'Still there?')
    expect([after.code, after.stderr]).toEqual([5, expect.stringContaining('halted')])
    expect(await verifyFault(house, trace)).toBeNull()
  })

  it('EXC-OBS-1 takes one of two decisions on one head, and shows the other why not', async () => {
    const both = await Promise.all([
      witan(house.where, 'exchange', 'answer', trace, '--with', 'acknowledge', '--reason', 'heard'),
      witan(house.where, 'exchange', 'answer', trace, '--with', 'acknowledge', '--reason', 'heard as well'),
    ])
    expect(both.map(({ code }) => code).sort()).toEqual([0, 5])
    expect(both.find(({ code }) => code === 5)?.stderr).toMatch(/answered before|no signal waits/)
    expect(answers(await house.events(trace))).toHaveLength(1)
    expect(await verifyFault(house, trace)).toBeNull()
  })
})

describe('a pool that asks without a tag', () => {
  const pleading = async (name: string, restart: object, code: number) => {
    house = await copyOf(first)
    house.script = (asked) =>
      asked.isAudit
        ? plainScript(asked)
        : `\n---\n${RESTART_REQUEST}\n---\n${RESTART_REQUEST}\n---\n${RESTART_REQUEST}`
    const terms = await house.terms(name, { restart })
    const ran = await house.witan('exchange', 'run', '--terms', terms, '--rounds', '15', '--json')
    house.script = restartScript
    const pool = traceOf(ran, code)
    return { pool, ran, events: await house.events(pool) }
  }

  it('EXC-INT-1 EXC-INT-3 is heard by the judge, asked twice, and the observer is told what each answer does', async () => {
    const { pool, events } = await pleading('judged.yaml', {}, 8)
    const [signal] = of(events, 'signal_raised')
    expect(signal?.payload?.basis).toBe('judged')
    expect(of(events, 'restart_judged').length).toBeGreaterThanOrEqual(2)
    const shown = await house.witan('show', pool)
    for (const answer of ['acknowledge', 'amend', 'branch', 'rollback', 'halt'])
      expect(shown.stdout).toMatch(new RegExp(`${answer} +(continues|ends)`))
    const status = await house.witan('exchange', 'status', pool)
    expect(status.stdout).toMatch(/judge +one, asked \d+/)
    expect(await verifyFault(house, pool)).toBeNull()
  })

  it('EXC-INT-3 is an alarm and no pause where no one judges', async () => {
    const { pool, events } = await pleading('unjudged.yaml', { judge: 'none', policy: 'halt' }, 0)
    expect(of(events, 'restart_alarmed')).toHaveLength(1)
    expect(of(events, 'signal_raised')).toEqual([])
    const status = await house.witan('exchange', 'status', pool)
    expect(status.stdout).toContain('alarm: look at it; nothing is paused')
    expect(await verifyFault(house, pool)).toBeNull()
  })
})

describe('a signal that a policy answers', () => {
  const policy = async (name: string, restart: object, code = 0): Promise<string> => {
    const terms = await house.terms(name, { restart })
    const run = await house.witan('exchange', 'run', '--terms', terms, '--rounds', '8', '--json')
    return traceOf(run, code)
  }
  const parentOf = async (trace: string): Promise<string> => {
    const [first] = await house.events(trace)
    return String((first?.payload?.parent as { trace?: string } | undefined)?.trace)
  }

  it('EXC-OBS-1 is acknowledged or ends the exchange, signed by the policy itself', async () => {
    for (const answer of ['acknowledge', 'halt']) {
      const trace = await policy(`${answer}.yaml`, { policy: answer })
      expect(answers(await house.events(trace))[0]).toEqual(['policy', answer])
      expect(await verifyFault(house, trace)).toBeNull()
    }
  })

  it('EXC-INT-2 rolls back or branches, and the rounds that were granted are run there', async () => {
    await house.terms('calm.yaml', { pool: { prompt: 'Think about calm.' } })
    for (const [answer, restart] of [
      ['rollback', { policy: { rollback: 'last-audit' } }],
      ['branch', { policy: { branch: 'calm.yaml' } }],
    ] as const) {
      const into = await policy(`policy-${answer}.yaml`, restart)
      const parent = await parentOf(into)
      expect(answers(await house.events(parent))).toEqual([['policy', answer]])
      const { json } = await house.witan('exchange', 'status', into, '--json')
      expect(json).toMatchObject({ round: 8, phase: 'structured' })
      for (const one of [parent, into]) expect(await verifyFault(house, one)).toBeNull()
    }
  })
})
