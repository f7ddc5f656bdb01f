// A council as critic of an intent, through the built command: scripted models over loopback hold it, and the session
// acts on nothing short of its verdict.

import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { start, witan } from '../doors/command.ts'
import { critique, playCouncil, report, review, type Script, target } from '../fakes/council.ts'
import {
  type AgentsHome,
  agentsHome,
  eventsOf,
  latestSession,
  runTask,
  saidIn,
  traceOf,
  WRITING,
  writeFiles,
  writeTask,
} from '../support/agents-home.ts'

let home: AgentsHome
const note = (): string => join(home.folder, 'note.txt')

beforeAll(async () => {
  home = await agentsHome()
})
beforeEach(() => rm(note(), { force: true }))

const TASK = { ...WRITING, roles: { critic: ['policy', 'council'] }, council_from: 'medium' }
const ARCHITECTURE = {
  alternatives: [],
  verification_plan: [],
  in_scope: [],
  out_of_scope: [],
  information_needed: [],
}
const chair = (more: object) => ({ ...report(more), ...ARCHITECTURE })

async function seated(scripts: Readonly<Record<string, Script>>, bill: number | null = null) {
  const server = await playCouncil(scripts, { bill })
  const providers = Object.keys(scripts).map(
    (name, i) =>
      `{name: ${name}, model: ${name}, transport: api, base_url: "${server.url}/v1"${i === 0 ? ', role: [participant, chair]' : ''}}`,
  )
  await writeFiles(home.home, { 'config.yaml': `council:\n  providers: [${providers.join(', ')}]\n` })
  return server
}

async function heldBy(
  scripts: Readonly<Record<string, Script>>,
  task: object = TASK,
  bill: number | null = null,
) {
  const server = await seated(scripts, bill)
  try {
    const ran = await runTask(home, task, '--yes')
    return { ran, trace: traceOf(ran), heard: server.heard }
  } finally {
    await server.close()
  }
}

const gone = { act: 'error', kind: 'auth', message: 'no' } as const

describe('a council as critic', () => {
  it('AGT-X-1 AGT-X-3 approves by the verdict of its chair, in a trace of its own that is exported along', async () => {
    const { ran, trace, heard } = await heldBy({ a: {}, b: {}, c: {} }, TASK, 0.01)
    expect([ran.stderr, ran.code, existsSync(note())]).toEqual(['', 0, true])
    for (const words of ['Find the licences', 'note.txt']) expect(heard[0]?.words).toContain(words)
    expect(heard.at(-1)?.words).toContain('changes-inside-need-the-critic')
    const events = await eventsOf(home, trace)
    // One over the proposal, which may come to a write, and one over the write.
    const [before, convened] = saidIn(events, 'council_convened')
    const [, told] = saidIn(events, 'council_heard')
    expect([before?.proposal, convened?.intent]).toEqual(['p1', 'p1-i1'])
    expect(told).toMatchObject({
      trace: convened?.trace,
      decision: 'adopt',
      unresolved_high: 0,
      degraded: false,
      cost: { usd: 0.07, from: 'council' },
    })
    expect(ran.json.cost).toBeCloseTo(0.14)
    const file = join(home.cwd, 'session.witan')
    const exported = await witan(home, 'export', trace, '-o', file, '--json')
    const along = `${file}.council-${convened?.trace}.witan`
    expect(exported.json.councils).toEqual([
      { trace: before?.trace, file: `${file}.council-${before?.trace}.witan` },
      { trace: convened?.trace, file: along },
    ])
    const verified = await witan(home, 'verify', along, '--json')
    expect(verified.json).toMatchObject({ status: 'pass', size: told?.size, head: told?.head })
    expect((await witan(home, 'verify', file, '--json')).json.status).toBe('pass')
  })

  it.each<[string, Readonly<Record<string, Script>>, object]>([
    [
      'rejects',
      { a: { R3: [chair({ decision: 'reject' })] }, b: {}, c: {} },
      // Its chair left the majority and cited nothing against it.
      { decision: 'reject', degraded: true },
    ],
    ['loses its quorum', { a: {}, b: { R1: [gone] }, c: { R1: [gone] } }, { degraded: true }],
    ['has no chair who answers', { a: { R3: [gone] }, b: {}, c: {} }, { degraded: true }],
    [
      'leaves a severe critique open',
      {
        a: {},
        b: {
          R2: [
            review({
              targets: [target('A', { critiques: [critique({ severity: 'critical' })] }), target('B')],
            }),
          ],
        },
        c: {},
      },
      { decision: 'adopt', unresolved_high: 1 },
    ],
  ])('AGT-X-3 rejects a proposal when it %s', async (_, scripts, told) => {
    const { trace } = await heldBy(scripts)
    const events = await eventsOf(home, trace)
    expect(saidIn(events, 'council_heard')).toMatchObject([told])
    expect(saidIn(events, 'proposal_reviewed').at(-1)).toMatchObject({
      seat: 'council',
      verdict: 'rejected',
      via: 'council',
    })
    expect([saidIn(events, 'tool_execution_started'), existsSync(note())]).toEqual([[], false])
  })

  it('AGT-X-3 AGT-REC-1 that was killed in its last round is resumed, and asks nothing answered again', async () => {
    const server = await seated({ a: { R3: [{ act: 'silence' }, chair({})] }, b: {}, c: {} })
    try {
      const child = start(['agents', 'run', await writeTask(home, TASK), '--quiet', '--yes'], home)
      const gone = new Promise((resolve) => child.on('close', resolve))
      while (!server.calls().includes('R3 a')) await pause(20)
      child.kill('SIGKILL')
      await gone
      const resumed = await witan(home, 'resume', '--quiet', await latestSession(home), '--json')
      expect([resumed.code, resumed.json.status, existsSync(note())]).toEqual([0, 'completed', true])
      const first = ['R1 a', 'R1 b', 'R1 c', 'R2 a', 'R2 b', 'R2 c']
      // The one over the proposal, its last call twice, and the one over the intent.
      const both = [...first, ...first, 'R3 a', 'R3 a', 'R3 a']
      expect([...server.calls()].sort()).toEqual(both.sort())
      const trace = traceOf(resumed)
      const events = await eventsOf(home, trace)
      expect(saidIn(events, 'call_lost')).toMatchObject([{ action: 'consult/p1/council/1/1' }])
      const [[convened], [told]] = [saidIn(events, 'council_convened'), saidIn(events, 'council_heard')]
      expect(told).toMatchObject({ action: 'consult/p1/council/1/2', trace: convened?.trace })
      for (const one of [trace, String(convened?.trace)])
        expect((await witan(home, 'verify', one, '--json')).json).toMatchObject({ status: 'pass' })
    } finally {
      await server.close()
    }
  })

  it('AGT-X-3 AGT-X-4 spends no more than the session has left, and approves nothing when that is used up', async () => {
    const { ran, trace, heard } = await heldBy(
      { a: {}, b: {}, c: {} },
      { ...TASK, limits: { cost: 0.02 } },
      0.01,
    )
    const events = await eventsOf(home, trace)
    expect(heard.map(({ round }) => round)).toEqual(['R1', 'R1', 'R1'])
    expect(saidIn(events, 'council_heard')).toMatchObject([{ degraded: true, cost: { usd: 0.03 } }])
    expect(saidIn(events, 'limit_reached')).toMatchObject([{ limit: 'cost' }])
    expect([saidIn(events, 'tool_execution_started'), existsSync(note())]).toEqual([[], false])
    expect([ran.code, ran.json.status]).toEqual([8, 'waiting'])
  })

  it('AGT-X-3 is not asked about what is below its risk: a person is', async () => {
    const { ran, heard } = await heldBy({ a: {}, b: {}, c: {} }, { ...TASK, council_from: 'high' })
    expect([ran.code, heard]).toEqual([8, []])
  })
})
