// What can be done with a council after it was begun: forked with others at the table, taken further, stopped and gone
// on with, given up.
import { describe, expect, it } from 'vitest'
import { readHeader } from '../../src/ledger/event.ts'
import { openSqliteStore } from '../../src/stores/sqlite.ts'
import { ended, type Json, type Ran, start } from '../doors/command.ts'
import { opinion } from '../fakes/council.ts'
import { until } from '../support/clerk-kit.ts'
import { THREE } from '../support/council-run.ts'
import { type Machine, machines } from './table.ts'

const open = machines()

/** All at once: none of them writes. */
async function expectVerified({ run }: Machine, ...ran: readonly Ran[]): Promise<void> {
  const verdicts = await Promise.all(ran.map(({ json }) => run('verify', String(json.trace), '--json')))
  for (const { json } of verdicts) expect(json).toMatchObject({ status: 'pass', failures: [] })
}

describe('a fork of a council', () => {
  it('COU-X-2 COU-X-3 forks after a round with another chair, and takes a follow-up', async () => {
    const one = await open(THREE)
    const { run, server } = one
    const first = await run('ask', 'Shall we?', '--json')
    const before = server.heard.length
    const fork = await run('fork', String(first.json.trace), '--after', 'R2', '--chair', 'b', '--json')
    expect(fork.code).toBe(0)
    expect(fork.json).toMatchObject({ status: 'reported', report: { chair: 'b' } })
    expect(server.calls().slice(before)).toEqual(['R3 b'])
    const next = await run('ask', 'And then?', '--follow', String(first.json.trace), '--json')
    expect(next.code).toBe(0)
    expect(server.heard.at(-1)?.words).toContain('Do it behind a flag.')
    await expectVerified(one, first, fork, next)
  }, 60_000)

  it('COU-X-2 after the opinions seats others, asks the newcomer alone for one, and has it reviewed', async () => {
    const one = await open({ ...THREE, d: { R1: [opinion({ summary: 'The newcomer is for it.' })] } })
    const first = await one.run('ask', 'Shall we?', '--seats', 'a,b,c', '--json')
    const before = one.server.heard.length
    const args = ['--after', 'R1', '--seats', 'b,c,d', '--json']
    const fork = await one.run('fork', String(first.json.trace), ...args)
    expect([fork.code, fork.json.status]).toEqual([0, 'reported'])
    expect([...one.server.calls().slice(before)].sort()).toEqual(['R1 d', 'R2 b', 'R2 c', 'R2 d', 'R3 b'])
    const shown = (round: string, model: string) =>
      one.server.heard.slice(before).find((heard) => heard.round === round && heard.model === model)?.words
    expect(shown('R2', 'b')).toContain('The newcomer is for it.')
    expect(shown('R2', 'd')).not.toContain('The newcomer is for it.')
    const rounds = fork.json.rounds as readonly { readonly opinions?: readonly Json[] }[]
    expect(rounds[0]?.opinions?.map(({ seat }) => seat)).toEqual(['a', 'b', 'c', 'd'])
    await expectVerified(one, first, fork)
  }, 60_000)
})

describe('an outsider as chair', () => {
  it('COU-R3-1 writes the report, and is asked for neither opinion nor review', async () => {
    const one = await open({ ...THREE, d: {} })
    const asked = await one.run('ask', 'Shall we?', '--seats', 'a,b,c', '--chair', 'd', '--json')
    expect(asked.code).toBe(0)
    expect(asked.json).toMatchObject({ status: 'reported', report: { chair: 'd', synthesis: 'chair' } })
    expect(one.server.calls().filter((call) => call.endsWith(' d'))).toEqual(['R3 d'])
    const first = await one.run('ask', 'Shall we?', '--seats', 'a,b,c', '--json')
    const before = one.server.heard.length
    const fork = await one.run('fork', String(first.json.trace), '--after', 'R2', '--chair', 'd', '--json')
    expect(fork.json).toMatchObject({ status: 'reported', report: { chair: 'd' } })
    expect(one.server.calls().slice(before)).toEqual(['R3 d'])
    const stranger = await one.run('ask', 'Shall we?', '--chair', 'nobody', '--json')
    expect([stranger.code, stranger.json]).toMatchObject([2, { error: { code: 'USAGE' } }])
    await expectVerified(one, asked, fork)
  }, 60_000)
})

describe('a council that is stopped', () => {
  /** Begun in a process of its own, which gets a real Ctrl-C once two have answered and the third is still silent. */
  async function stopped(one: Machine): Promise<Ran> {
    const child = start(['ask', 'Shall we?', '--json'], one)
    const ran = ended(child)
    await until(async () => (await answersIn(one.home)) === 2, 60_000)
    child.kill('SIGINT')
    return ran
  }

  async function answersIn(directory: string): Promise<number> {
    const store = await openSqliteStore({ directory, readonly: true }).catch(() => null)
    if (store === null) return 0
    let answers = 0
    for (const { trace } of await store.traces()) {
      for await (const { header } of store.read(trace)) {
        const read = readHeader(header)
        if (typeof read !== 'string' && read.type === 'opinion_given') answers++
      }
    }
    await store.close()
    return answers
  }

  it('COU-X-1 by Ctrl-C exits 130, is resumed to a report, and asks no one twice who had answered', async () => {
    const one = await open({ ...THREE, c: { R1: [{ act: 'silence' }, opinion()] } })
    const { code, json } = await stopped(one)
    expect([code, json]).toMatchObject([130, { error: { next: expect.stringContaining('witan resume') } }])
    const resumed = await one.run('resume', 'last', '--json')
    expect(resumed.code).toBe(0)
    expect(resumed.json).toMatchObject({ status: 'reported', degraded: false, report: { decision: 'adopt' } })
    expect([...one.server.calls()].sort()).toEqual(
      ['R1 a', 'R1 b', 'R1 c', 'R1 c', 'R2 a', 'R2 b', 'R2 c', 'R3 a'].sort(),
    )
    const shown = await one.run('show', 'last', '--json')
    expect(shown.stdout.match(/"call_lost"/g)).toHaveLength(1)
    await expectVerified(one, resumed)
  }, 90_000)

  it('COU-X-1 by Ctrl-C can be given up with 6', async () => {
    const one = await open({ ...THREE, c: { R1: [{ act: 'silence' }, { act: 'silence' }] } })
    expect((await stopped(one)).code).toBe(130)
    const aborted = await one.run('abort', 'last', '--reason', 'asked the wrong question', '--json')
    expect(aborted.code).toBe(6)
    expect(aborted.json).toMatchObject({ status: 'closed_early', reason: 'asked the wrong question' })
    expect(one.server.calls().filter((call) => call === 'R1 a')).toHaveLength(1)
    await expectVerified(one, aborted)
  }, 90_000)
})
