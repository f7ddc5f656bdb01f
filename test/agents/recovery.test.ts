// A session that is cut off at any of its events continues to the same end, and no tool runs a second time by itself.

import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AgentsHome, addPerson, agentsHome, COUNTING, layCounting } from '../support/agents-home.ts'
import { type CutOffSessions, cutOffSessions, type WorkedSession } from '../support/cut-off-sessions.ts'

let home: AgentsHome
let ports: CutOffSessions
/** Ran without being cut off. */
let whole: string
let ended: WorkedSession

beforeAll(async () => {
  home = await agentsHome()
  await addPerson(home)
  await layCounting(home, 'echo counted\n')
  ports = await cutOffSessions(home)
  whole = await ports.open(COUNTING)
  ended = await ports.work(whole)
})
afterAll(() => ports.close())

const runs = async (): Promise<number> =>
  (await readFile(join(home.folder, 'ran.txt'), 'utf8').catch(() => '')).split('\n').length - 1

const proven = ({ log }: WorkedSession): readonly string[] => {
  const { claims, statement } = log.state.inner
  // Claims are looked up side by side, so that either may be recorded first.
  return (statement?.claims ?? []).map((id) => claims.get(id)?.text ?? '').sort()
}

const typesIn = async (trace: string): Promise<readonly string[]> => {
  const types: string[] = []
  for await (const { header } of ports.home.store.read(trace))
    types.push(JSON.parse(Buffer.from(header).toString('utf8')).type)
  return types
}

describe('a session that is cut off', () => {
  it('AGT-REC-1 AGT-TOOL-5 reaches the same end from every event, except after a start: there it asks', async () => {
    expect(ended.end?.status).toBe('finished')
    expect(ended.log.state.inner.phase).toBe('completed')
    const types = await typesIn(whole)
    const told: string[] = []
    for (let after = 1; after < types.length; after++) {
      await rm(join(home.folder, 'ran.txt'), { force: true })
      const trace = await ports.open(COUNTING)
      const cut = await ports.work(trace, { after })
      expect([after, cut.end, cut.log.size]).toEqual([after, null, after])
      const resumed = await ports.work(trace)
      const { phase } = resumed.log.state.inner
      const waits = resumed.end?.parked.map(({ id }) => id.split('/')[0]) ?? []
      told.push(`${types[after - 1]}: ${phase} ${waits.join(' ')}`.trim())
      expect([after, (await runs()) <= 1]).toEqual([after, true])
      if (phase === 'completed') expect([after, proven(resumed)]).toEqual([after, proven(ended)])
    }
    const others = told.filter((line) => !line.endsWith(': completed'))
    expect(others).toEqual(['call_started: executing resolve', 'call_started: executing resolve'])
    expect(told).toHaveLength(types.length - 1)
  })

  it.each(['failed', 'again'] as const)(
    'AGT-TOOL-5 what was cut off inside a tool is %s when a person says so, and nothing else reruns it',
    async (as) => {
      await rm(join(home.folder, 'ran.txt'), { force: true })
      const trace = await ports.open(COUNTING)
      const types = await typesIn(whole)
      const lastStart = types.lastIndexOf('call_started') + 1
      await ports.work(trace, { after: lastStart })
      expect(await runs()).toBe(1)
      const resumed = await ports.work(trace)
      expect(resumed.end?.parked).toMatchObject([{ waitsFor: expect.any(String) }])
      expect(await runs()).toBe(1)
      await ports.say(trace, 'ana', { as, reason: 'I looked' })
      const last = await ports.work(trace)
      expect(last.log.state.inner.phase).toBe('completed')
      expect(await runs()).toBe(as === 'again' ? 2 : 1)
      expect(proven(last)).toEqual(as === 'again' ? ['alpha is MIT', 'it was counted'] : ['alpha is MIT'])
    },
  )
})
