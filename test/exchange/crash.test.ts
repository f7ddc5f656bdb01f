import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLog } from '../../src/app/exchange/open-exchange.ts'
import { withHome } from '../../src/app/home/home.ts'
import type { Occurrence } from '../../src/protocol.ts'
import { ended, start } from '../doors/command.ts'
import { openPoolHome, type PoolHome, plainScript, traceOf, verifyFault } from '../support/pool-home.ts'

let house: PoolHome
beforeAll(async () => {
  house = await openPoolHome()
})
afterAll(() => house.server.close())

const ROUNDS = 4

/** Every message of the trace, by round and mind, as often as it stands there. */
const written = (events: readonly Occurrence[]): readonly string[] =>
  events.flatMap(({ type, payload }) => (type === 'mind_wrote' ? `${payload?.round} ${payload?.mind}` : []))

const WHOLE = ['1 one', '1 two', '2 one', '2 two', '4 one', '4 two']

/** Runs the command and sends the signal when the n-th asking from now arrives, answered or not. */
async function cutShort(
  args: readonly string[],
  signal: 'SIGKILL' | 'SIGINT',
  { after, answers }: { readonly after: number; readonly answers: boolean },
) {
  const child = start(args, house.where)
  let left = after
  house.script = (asked) => {
    left--
    if (left === 0) {
      // Answered first, the reply may or may not be on record when the process is gone.
      if (answers) setTimeout(() => child.kill(signal), 5)
      else child.kill(signal)
    }
    return left === 0 && !answers ? undefined : plainScript(asked)
  }
  const ran = await ended(child)
  house.script = plainScript
  return ran
}

describe('an exchange that is cut short', () => {
  it('EXC-RUN-1 by SIGKILL, again and again, goes on without losing or doubling a message', async () => {
    const terms = await house.terms('terms.yaml')
    const begin = ['exchange', 'run', '--terms', terms, '--rounds', String(ROUNDS), '--json']
    await cutShort(begin, 'SIGKILL', { after: 1, answers: false })
    const trace = String((await house.witan('exchange', 'status', 'last', '--json')).json.trace)
    const before = house.asked.length
    let kills = 0
    for (; kills < 12; kills++) {
      const moment = { after: 1 + (kills % 2), answers: kills % 3 !== 0 }
      const { code } = await cutShort(['resume', trace, '--json'], 'SIGKILL', moment)
      if (code === 0) break
    }
    expect(kills).toBeGreaterThan(3)
    traceOf(await house.witan('resume', trace, '--json'))
    const events = await house.events(trace)
    expect([...written(events)].sort()).toEqual(WHOLE)
    expect(events.filter(({ type }) => type === 'audit_written')).toHaveLength(1)
    expect(house.asked.length - before).toBeGreaterThan(WHOLE.length)
    expect(await verifyFault(house, trace)).toBeNull()
  })

  it('APP-2 by Ctrl-C says how to go on, and goes on there', async () => {
    const terms = await house.terms('stopped.yaml')
    const begin = ['exchange', 'run', '--terms', terms, '--rounds', String(ROUNDS)]
    const { code, stderr } = await cutShort(begin, 'SIGINT', { after: 3, answers: false })
    expect(code).toBe(130)
    const trace = /witan resume (\w+)/.exec(stderr)?.[1] ?? ''
    traceOf(await house.witan('resume', trace, '--json'))
    expect([...written(await house.events(trace))].sort()).toEqual(WHOLE)
    expect(await verifyFault(house, trace)).toBeNull()
  })

  it('EXC-BR-1 between the order of a branch and its making is made whole when it is resumed', async () => {
    const terms = await house.terms('ordered.yaml')
    const trace = traceOf(await house.witan('exchange', 'run', '--terms', terms, '--rounds', '3', '--json'))
    const into = await withHome({ directory: house.where.home, mode: 'write' }, async (home) => {
      const log = await openLog(home, trace)
      const branch = { into: home.ports.newTrace(), round: 2, carry: 'window', terms: null, current: true }
      const actor = (await home.registrar()).actor('ana', 'observer')
      await log.append([{ type: 'branch_ordered', actor, payload: { branch, reason: null, via: 'none' } }])
      return branch.into
    })
    const status = await house.witan('exchange', 'status', trace)
    expect(status.stderr).toContain(`witan resume ${trace}`)
    traceOf(await house.witan('resume', trace, '--json'))
    traceOf(await house.witan('exchange', 'run', into, '--rounds', '1', '--json'))
    for (const one of [trace, into]) expect(await verifyFault(house, one)).toBeNull()
  })
})
