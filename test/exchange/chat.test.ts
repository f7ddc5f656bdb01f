import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forkPointOf } from '../../src/ledger/fork.ts'
import { start } from '../doors/command.ts'
import { OutputReader } from '../support/output-reader.ts'
import { openPoolHome, type PoolHome, restartScript, verifyFault } from '../support/pool-home.ts'

let house: PoolHome
beforeAll(async () => {
  house = await openPoolHome()
})
afterAll(() => house.server.close())

/** Someone at a keyboard who types when they have read something. */
class Sitter {
  readonly child: ChildProcess
  readonly #reading: OutputReader
  readonly ended: Promise<{ readonly code: number | null; readonly out: string }>

  constructor(...args: readonly string[]) {
    this.child = start(['exchange', 'chat', ...args], house.where)
    let out = ''
    this.child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk
    })
    this.#reading = new OutputReader(this.child, this.child.stderr)
    this.ended = new Promise((resolve) => this.child.on('close', (code) => resolve({ code, out })))
  }

  type(line: string): void {
    this.child.stdin?.write(`${line}\n`)
  }

  reads(text: string): Promise<void> {
    return this.#reading.until(text)
  }
}

const AUDITED = 'answer the audit by typing'

describe('a chat with a pool', () => {
  it('EXC-CHAT-1 shows audits as they come, waits for the observer, and hears what they type', async () => {
    const sitter = new Sitter('--terms', await house.terms('chat.yaml'))
    await sitter.reads('you are  ana, the observer')
    await sitter.reads('[AUDIT] Rivers.')
    await sitter.reads(AUDITED)
    const before = house.asked.length
    sitter.type('Stay with the second point.')
    await sitter.reads('[OBSERVER] ana: Stay with the second point.')
    await sitter.reads(AUDITED)
    expect(
      house.asked.slice(before, before + 2).map(({ words }) => words.includes('[OBSERVER] Stay with')),
    ).toEqual([true, true])
    sitter.type('/inject What of floods?')
    await sitter.reads('>>> ana: What of floods?')
    sitter.type('/pin 1.1')
    await sitter.reads('ana pinned 1.1')
    // Mistakes cost nothing: each is told, and none reaches the pool.
    for (const [typed, told] of [
      ['/nonsense', 'there is no /nonsense'],
      ['/pni 1.1', 'did you mean /pin?'],
      ['help', "'help' was not sent to the pool"],
      ['/pin 1.1', 'not now: it is pinned already'],
      ['/ack', 'not now: no signal waits'],
      ['/rollback far', "'far' is no number of a round"],
      ['/continue soon', "'soon' is no number of rounds"],
      ['/messages 1', '(injection) What of floods?'],
    ] as const) {
      sitter.type(typed)
      await sitter.reads(told)
    }
    sitter.type('/branch 1 --carry none')
    await sitter.reads('witan exchange chat 01')
    sitter.type('/help')
    await sitter.reads('/rollback [ROUND]')
    // An empty line passes the audit.
    sitter.type('')
    await sitter.reads(AUDITED)
    sitter.child.kill('SIGINT')
    await sitter.reads('nothing is lost')
    sitter.type('/continue 5')
    await sitter.reads(AUDITED)
    sitter.type('/quit')
    const { code, out } = await sitter.ended
    expect(code).toBe(0)
    const trace = /^trace (\w+)$/m.exec(out)?.[1] ?? ''
    const events = await house.events(trace)
    expect(events.map(({ type }) => type)).toContain('observer_passed')
    expect(events.filter(({ type }) => type === 'observer_spoke')).toHaveLength(1)
    const ordered = events.find(({ type }) => type === 'branch_ordered')?.payload?.branch
    expect(ordered).toMatchObject({ round: 1, carry: 'none', current: false })
    expect(await verifyFault(house, trace)).toBeNull()
  })

  it('EXC-CHAT-1 goes along into the branch that answers a signal, and two Ctrl-C leave without loss', async () => {
    house.script = restartScript
    const terms = await house.terms('restless.yaml', { auditor: { every: 50 } })
    const sitter = new Sitter('--terms', terms)
    await sitter.reads('the pool asks for a restart, and waits for your answer')
    sitter.type('/continue')
    await sitter.reads('signal 1 waits for an answer first')
    sitter.type('/rollback 2')
    await sitter.reads('a restart was honoured by rollback')
    await sitter.reads('round 4')
    sitter.child.kill('SIGINT')
    await sitter.reads('nothing is lost')
    sitter.child.kill('SIGINT')
    const { code, out } = await sitter.ended
    expect(code).toBe(0)
    const trace = /^trace (\w+)$/m.exec(out)?.[1] ?? ''
    const [first] = await house.events(trace)
    expect(first?.type).toBe('trace_forked')
    expect(await verifyFault(house, trace)).toBeNull()
    expect(await verifyFault(house, String(forkPointOf(first?.payload ?? null)?.trace))).toBeNull()
  })

  it('takes what a script types before it is ready, does it in order, and leaves at its end', async () => {
    const sitter = new Sitter('--demo', '--json', '--by', 'zoe')
    sitter.child.stdin?.end('/pause\n/halt enough\n')
    const { code, out } = await sitter.ended
    const value = JSON.parse(out)
    expect([code, value]).toMatchObject([0, { status: 'halted' }])
    const people = (await house.events(value.trace)).filter(({ actor }) => actor.role === 'observer')
    expect(new Set(people.map(({ actor }) => actor.agent))).toEqual(new Set(['zoe']))
    const other = new Sitter(value.trace, '--by', 'ana')
    await other.reads('name zoe as their observer')
    expect((await other.ended).code).toBe(2)
  })
})
