// Asking again who failed: only they are asked, what was answered stays, and a verifier finds it all in order.
import { afterEach, describe, expect, it } from 'vitest'
import { council, inStore, retryCouncil } from '../../src/doors/library/council.ts'
import type { Occurrence } from '../../src/protocol.ts'
import type { Act } from '../contracts/scenarios.ts'
import {
  type CouncilServer,
  type Doing,
  opinion,
  playCouncil,
  report,
  review,
  type Script,
} from '../fakes/council.ts'
import { seatAt, verdictOn } from '../support/council-run.ts'
import { machines } from './table.ts'

const gone: Act = { act: 'error', kind: 'auth', message: 'wrong key' }
const once = (doing: Doing, then: object): readonly Doing[] => [doing, () => then]

const servers: CouncilServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function table(models: Readonly<Record<string, Script>>, chairs = ['a']) {
  const server = await playCouncil(models)
  servers.push(server)
  const storage = await inStore()
  const seats = Object.keys(models).map((name) => ({ seat: seatAt(server.url, name) }))
  const first = await council({ question: 'Shall we?', seats, chairs, storage }).result
  const before = server.calls().length
  async function retry(more: { failed?: readonly string[]; timeoutMs?: number } = {}) {
    const run = retryCouncil(first.trace, { storage, seats, ...more })
    const events: Occurrence[] = []
    for await (const event of run) events.push(event as Occurrence & typeof event)
    const result = await run.result
    const verdict = await verdictOn(storage, result.trace)
    expect(verdict.failures).toEqual([])
    expect(verdict.status).toBe('pass')
    return { result, events, asked: server.calls().slice(before) }
  }
  return { server, storage, first, retry }
}

describe('a retry', () => {
  it('COU-X-7 after a failed quorum asks only the seats that failed, and goes on from there', async () => {
    const { first, retry } = await table({
      a: {},
      b: { R1: once(gone, opinion()) },
      c: { R1: once(gone, opinion()) },
    })
    expect(first).toMatchObject({ status: 'quorum_failed', report: null })
    const { result, asked, events } = await retry()
    expect(result).toMatchObject({ status: 'reported', report: { synthesis: 'chair' } })
    expect(asked.filter((call) => call.startsWith('R1')).toSorted()).toEqual(['R1 b', 'R1 c'])
    expect(asked).toHaveLength(6)
    expect(result.rounds[0].opinions.map(({ seat }) => seat)).toEqual(['a', 'b', 'c'])
    expect(result.metrics.calls).toBe(6)
    expect(events[0]?.payload?.amend).toMatchObject({ retry: expect.arrayContaining([expect.any(String)]) })
  })

  it('COU-X-7 after a failed chair asks the chair alone', async () => {
    const { first, retry } = await table({ a: { R3: once(gone, report()) }, b: {}, c: {} })
    expect(first).toMatchObject({ status: 'degraded' })
    const { result, asked } = await retry()
    expect(asked).toEqual(['R3 a'])
    expect(result).toMatchObject({ status: 'reported', report: { synthesis: 'chair' } })
  })

  it('COU-X-7 after a lost review asks for the review, and has the report written again', async () => {
    const { first, retry } = await table({ a: {}, b: { R2: [gone, gone] }, c: {} })
    expect(first.rounds[1].reviews).toHaveLength(2)
    const again = await retry()
    // It fails once more: the report is written all the same.
    expect(again.asked).toEqual(['R2 b', 'R3 a'])
    expect(again.result).toMatchObject({ status: 'reported' })
  })

  it('COU-X-7 asks only those that are named, of seats and of chairs', async () => {
    const { retry } = await table({ a: { R3: [gone] }, b: { R3: once(gone, report()) }, c: {} }, ['a', 'b'])
    const { result, asked } = await retry({ failed: ['b'], timeoutMs: 90_000 })
    expect(asked).toEqual(['R3 b'])
    expect(result).toMatchObject({ status: 'reported', report: { chair: 'b' } })
  })

  it('COU-X-7 is refused where no one failed, or the name is of one who answered', async () => {
    const { retry } = await table({ a: {}, b: {}, c: {} })
    await expect(retry()).rejects.toThrow('no seat failed')
    const other = await table({ a: {}, b: {}, c: { R1: [gone] } })
    await expect(other.retry({ failed: ['b'] })).rejects.toThrow('b did not fail')
  })
})

describe('witan retry', () => {
  const machine = machines()

  it('COU-X-7 is named in the last line of a failure, and does what it says', async () => {
    const here = await machine({ a: {}, b: { R1: once(gone, opinion()) }, c: { R1: once(gone, opinion()) } })
    const failed = await here.run('ask', 'Shall we?')
    expect(failed.code).toBe(4)
    const line = failed.stdout.trimEnd().split('\n').at(-1) ?? ''
    const [, trace = ''] = /^Ask again who failed: witan retry (\S+)$/.exec(line) ?? []
    const retried = await here.run('retry', trace, '--timeout', '2m', '--json')
    expect(retried).toMatchObject({ code: 0, json: { status: 'reported' } })
    const verified = await here.run('verify', String(retried.json.trace), '--json')
    expect(verified.code).toBe(0)
    expect(await here.run('retry', trace, '--seats', 'a')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a did not fail'),
    })
  })

  it.each([
    ['a failed chair', { a: { R3: once(gone, report()) }, b: {}, c: {} }, ['R3 a']],
    ['a lost review', { a: {}, b: { R2: once(gone, review()) }, c: {} }, ['R2 b', 'R3 a']],
  ] as const)(
    'COU-X-7 after %s asks only who failed, and what follows from them',
    async (_, models, again) => {
      const here = await machine(models)
      const first = await here.run('ask', 'Shall we?', '--chair', 'a', '--json')
      const before = here.server.calls().length
      const retried = await here.run('retry', String(first.json.trace), '--json')
      expect(retried, retried.stderr).toMatchObject({ code: 0, json: { status: 'reported' } })
      expect(retried.json).toMatchObject({ report: { synthesis: 'chair' } })
      expect(here.server.calls().slice(before)).toEqual(again)
      const shown = await here.run('show', String(retried.json.trace), '--json')
      const calls = (shown.json.events as readonly { header: { type: string }; payload: object }[]).filter(
        ({ header }) => header.type === 'call_started',
      )
      expect(calls).toHaveLength(again.length)
      expect((await here.run('verify', String(retried.json.trace))).code).toBe(0)
      const parent = await here.run('verify', String(first.json.trace))
      expect(parent.code, 'what was recorded first is left as it was').toBe(0)
    },
  )
})
