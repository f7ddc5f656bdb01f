// What becomes of a session when its evidence, its signatures or its time are gone, and that it can be given up
// wherever it stands.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentsProtocol } from '../../src/agents/agents.ts'
import { abortSession } from '../../src/app/agents/session.ts'
import { witan } from '../doors/command.ts'
import { here } from '../doors/here.ts'
import {
  type AgentsHome,
  addPerson,
  agentsHome,
  eventsOf,
  READING,
  saidIn,
  typesOf,
  WRITING,
  writeFiles,
} from '../support/agents-home.ts'
import { loseArtifact } from '../support/artifact-rows.ts'
import { type CutOffSessions, cutOffSessions } from '../support/cut-off-sessions.ts'

let home: AgentsHome
let ports: CutOffSessions
/** How many events a session has when it comes to each of its phases. */
const reached = new Map<string, number>()

beforeAll(async () => {
  home = await agentsHome()
  await addPerson(home)
  ports = await cutOffSessions(home)
  const whole = await ports.open(READING)
  await ports.work(whole)
  const agents = agentsProtocol(ports.home.ports.sha256)
  let state = agents.initial
  for await (const event of ports.home.store.read(whole)) {
    const [header, payload] = [event.header, event.payload ?? []].map((bytes) =>
      JSON.parse(Buffer.from(bytes).toString('utf8')),
    )
    state = agents.evolve(state, { ...header, hash: event.hash, payload })
    const { phase } = state.inner
    if (!reached.has(phase)) reached.set(phase, header.seq + 1)
  }
})
afterAll(() => ports.close())

/** As `list` has it for programs. */
async function statusIn(trace: string): Promise<unknown> {
  const { json } = await witan(home, 'list', '--all', '--json')
  return (json.traces as readonly { trace: string; status: unknown }[]).find((one) => one.trace === trace)
    ?.status
}

const sizeAt = (phase: string): number => reached.get(phase) ?? 0

describe('a session', () => {
  it('AGT-CLAIM-3 whose evidence was lost before it is claimed comes to its audit, and fails there', async () => {
    const trace = await ports.open(READING)
    await ports.work(trace, { after: sizeAt('claiming') })
    const [done] = saidIn(await eventsOf(home, trace), 'tool_execution_completed')
    const { artifacts = [] } = (done ?? {}) as { artifacts?: readonly { name: string; hash: string }[] }
    const hash = artifacts.find(({ name }) => name !== 'input.json')?.hash ?? ''
    await loseArtifact(home.home, hash)
    const { log } = await ports.work(trace)
    const { phase, statement } = log.state.inner
    expect([phase, statement?.claims]).toEqual(['failed', ['p1-c1']])
    const events = await eventsOf(home, trace)
    expect(saidIn(events, 'claim_accepted')).toMatchObject([{ unchecked: [hash] }])
    expect(saidIn(events, 'verification_run_completed')).toMatchObject([{ status: 'fail' }])
    const verified = await witan(home, 'verify', trace, '--json')
    expect([verified.code, verified.json.status]).toEqual([3, 'fail'])
    const resumed = await witan(home, 'resume', trace, '--json')
    expect([resumed.code, resumed.json.status]).toEqual([3, 'failed'])
    expect(resumed.json).toMatchObject({ proven: [], unproven: [{ reason: 'the audit failed' }] })
    expect((await witan(home, 'resume', trace)).stdout).not.toMatch(/^ +proven/m)
    expect(await statusIn(trace)).toBe('failed')
  })

  it('AGT-FAIL-1 with a signature that does not hold is tampered with for every reader, which is failed, and takes nothing more', async () => {
    const trace = await ports.open(WRITING)
    await ports.work(trace)
    const waiting = (await eventsOf(home, trace)).length
    const spoilt = await ports.open(WRITING)
    await ports.work(spoilt, { after: waiting, spoilt: true })
    const shown = await witan(home, 'show', spoilt, '--json')
    const told = { status: 'tampered', phase: 'failed', reason: expect.stringContaining('signature') }
    expect(shown.json).toMatchObject(told)
    expect((await witan(home, 'show', spoilt)).stdout).toMatch(/^tampered: .*signature/m)
    const resumed = await witan(home, 'resume', spoilt, '--json')
    expect([resumed.code, resumed.json]).toMatchObject([3, told])
    expect((await witan(home, 'resume', spoilt)).stdout).toMatch(/^tampered /m)
    expect((await witan(home, 'verify', spoilt, '--json')).json.status).toBe('fail')
    await expect(ports.say(spoilt, 'ana', { as: 'block', reason: 'no' })).rejects.toMatchObject({
      code: 'VAULT_CORRUPT',
    })
    expect((await witan(home, 'abort', spoilt, '--reason', 'broken')).code).not.toBe(0)
    expect([await statusIn(spoilt), await statusIn(trace)]).toEqual(['tampered', 'waiting'])
    const pending = await witan(home, 'agents', 'pending', '--json')
    const { pending: left, unread } = pending.json as {
      pending: readonly { trace: string }[]
      unread: readonly string[]
    }
    expect(left.map((one) => one.trace)).toContain(trace)
    expect(left.map((one) => one.trace)).not.toContain(spoilt)
    expect(unread.filter((line) => line.startsWith(`${spoilt}: tampered: `))).toHaveLength(1)
    expect((await witan(home, 'agents', 'pending', spoilt)).stderr).toContain('tampered: ')
    expect((await witan(home, 'show', trace, '--json')).json).toMatchObject({
      status: 'waiting',
      phase: 'executing',
    })
    expect((await witan(home, 'list', '--all')).stdout).toMatch(/agents +tampered/)
    expect((await eventsOf(home, spoilt)).length).toBe(waiting)
  })

  it('AGT-TOOL-2 starts nothing on an approval whose time is over, and asks for it again', async () => {
    const trace = await ports.open(WRITING)
    await ports.work(trace)
    await ports.say(trace, 'ana', { as: 'approve', minutes: 5, reason: 'soon' })
    const { end } = await ports.work(trace, { late: 30 })
    expect(end?.parked.map(({ id }) => id.split('/')[0])).toEqual(['judge'])
    const events = await eventsOf(home, trace)
    expect(saidIn(events, 'approval_voided')).toMatchObject([{ why: 'expired' }])
    expect(saidIn(events, 'tool_execution_started')).toEqual([])
  })

  it('AGT-TOOL-2 AGT-ACT-1 starts nothing when the policy is another than when it was approved', async () => {
    const trace = await ports.open(WRITING)
    await ports.work(trace)
    await ports.say(trace, 'ana', { as: 'approve', minutes: 5, reason: 'by these rules' })
    await writeFiles(home.home, { 'config.yaml': 'agents: {policy: lenient}\n' })
    await ports.work(trace).finally(() => rm(join(home.home, 'config.yaml')))
    const events = await eventsOf(home, trace)
    expect(saidIn(events, 'approval_voided')).toMatchObject([{ why: 'policy_changed' }])
    expect(saidIn(events, 'tool_execution_started')).toEqual([])
  })

  it('LED-15 forked by the command needs an approval of its own, and both verify', async () => {
    const trace = await ports.open(WRITING)
    await ports.work(trace)
    await ports.say(trace, 'ana', { as: 'approve', minutes: 5, reason: 'here and not elsewhere' })
    const size = (await eventsOf(home, trace)).length
    const forking = ['fork', trace, '--after', String(size - 1), '--task', join(home.folder, 'task.yaml')]
    const forked = await here(home, ...forking, '--json')
    expect([forked.code, forked.json]).toMatchObject([
      8,
      { status: 'waiting', actions: [expect.any(String)] },
    ])
    const events = await eventsOf(home, String(forked.json.trace))
    expect(typesOf(events)).toContain('trace_forked')
    expect(saidIn(events, 'tool_execution_started')).toEqual([])
    const verdicts = [trace, String(forked.json.trace)].map((one) => here(home, 'verify', one, '--json'))
    expect((await Promise.all(verdicts)).map(({ json }) => json.status)).toEqual(['pass', 'pass'])
    expect((await eventsOf(home, trace)).length).toBe(size)
    const council = await here(home, ...forking, '--chair', 'a')
    expect([council.code, council.stderr]).toEqual([2, expect.stringContaining('--chair is for councils')])
  })

  it('AGT-X-1 still counts what the policy approved when a person answers hours later', async () => {
    const trace = await ports.open({ ...WRITING, limits: { minutes: 1_000 } })
    await ports.work(trace)
    await ports.say(trace, 'ana', { as: 'approve', minutes: 600, reason: 'after lunch' })
    const { log } = await ports.work(trace, { late: 300 })
    expect(log.state.inner.phase).toBe('completed')
  })

  it('AGT-FAIL-1 can be given up in every phase that is not its last', async () => {
    const phases = [...reached.keys()]
    expect(phases).toEqual(['planning', 'reviewing', 'executing', 'claiming', 'auditing', 'completed'])
    for (const phase of phases.slice(0, -1)) {
      const trace = await ports.open(READING)
      await ports.work(trace, { after: sizeAt(phase) })
      const outcome = await abortSession(ports.home, trace, { reason: 'enough', via: 'none' })
      expect([phase, outcome]).toMatchObject([phase, { kind: 'over', result: { status: 'aborted' } }])
    }
  })
})
