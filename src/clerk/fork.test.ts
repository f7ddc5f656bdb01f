import { describe, expect, it } from 'vitest'
import { errand } from '../../test/protocols/errand.ts'
import { type Desk, minutes, openDesk, Switchboard, verifyAtHome } from '../../test/support/clerk-desk.ts'
import { approve, completeErrand, openErrand, runClerk } from '../../test/support/errand-run.ts'
import { checkFile, faults, toFile } from '../../test/support/verification.ts'
import { extract } from './extract.ts'
import { forkTrace } from './fork.ts'

const fork = ({ ports, registrar }: Desk, parent: string, seq: number) =>
  forkTrace(ports, errand, { parent, seq }, registrar.actor('paula', 'planner'), { why: 'another way' })

async function exported({ store, registrar, ports }: Desk, trace: string) {
  const bundle = await extract({ store, registrar, sha256: ports.sha256 }, trace)
  return checkFile(await toFile(bundle, store), { keys: [ports.key('registrar').id], checkpoints: [] })
}

describe('forking a trace', () => {
  it('LED-15 goes on from any event of another trace and verifies with its prefix', async () => {
    const desk = await openDesk()
    const { trace, size } = await completeErrand(desk.ports, desk.registrar)
    for (let seq = 0; seq < size; seq++) {
      const branch = await fork(desk, trace, seq)
      const board = new Switchboard(desk)
      let end = await runClerk(desk.ports, desk.registrar, branch, {}, board.perform())
      if (end.status === 'waiting') {
        await approve(branch, desk.registrar)
        end = await runClerk(desk.ports, desk.registrar, branch, {}, board.perform())
      }
      expect([seq, end.status]).toEqual([seq, 'finished'])
      expect([seq, ...faults(await exported(desk, branch.trace))]).toEqual([seq])
      expect([seq, ...faults(await verifyAtHome(desk, branch.trace))]).toEqual([seq])
    }
    expect((await verifyAtHome(desk, trace)).status).toBe('pass')
    expect((await desk.store.head(trace))?.size).toBe(size)
  })

  it('LED-15 drops the calls that were open in the parent and makes them anew', async () => {
    const desk = await openDesk()
    const parent = await completeErrand(desk.ports, desk.registrar)
    // Event 3 is the last of three started asks; none is answered there.
    const branch = await fork(desk, parent.trace, 3)
    expect(branch.state.open.size).toBe(0)
    const board = new Switchboard(desk)
    await runClerk(desk.ports, desk.registrar, branch, {}, board.perform())
    expect(board.made.slice(0, 3)).toEqual(['ask/a/1', 'ask/b/1', 'ask/c/1'])
    expect((await minutes(desk.store, branch.trace))[0]).toBe('trace_forked')
  })

  it('LED-15 voids approvals that were not used: a tool in the fork needs one of its own', async () => {
    const desk = await openDesk()
    const { trace } = await completeErrand(desk.ports, desk.registrar)
    const seq = (await minutes(desk.store, trace)).findIndex((line) => line.startsWith('intent_approved'))
    const branch = await fork(desk, trace, seq)
    const end = await runClerk(desk.ports, desk.registrar, branch)
    expect(end).toMatchObject({ status: 'waiting', parked: [{ waitsFor: 'a critic' }] })
  })

  it('LED-15 forks a fork, and the reader gets every prefix', async () => {
    const desk = await openDesk()
    const first = await completeErrand(desk.ports, desk.registrar)
    const second = await fork(desk, first.trace, 0)
    await runClerk(desk.ports, desk.registrar, second)
    const third = await fork(desk, second.trace, 2)
    await runClerk(desk.ports, desk.registrar, third)
    const { store, registrar, ports } = desk
    const bundle = await extract({ store, registrar, sha256: ports.sha256 }, third.trace)
    expect(bundle.ancestors.map((section) => section.trace)).toEqual([first.trace, second.trace])
    expect(faults(await exported(desk, third.trace))).toEqual([])
  })

  it('never lets time run backwards across a fork, whatever the clock says', async () => {
    const desk = await openDesk()
    const { trace } = await completeErrand(desk.ports, desk.registrar)
    const ports = { ...desk.ports, now: () => '2020-01-01T00:00:00.000Z' }
    await fork({ ...desk, ports }, trace, 5).then(async (branch) => {
      expect((await verifyAtHome(desk, branch.trace)).status).toBe('pass')
    })
  })

  it('is refused where there is nothing to fork from, and in the middle of a trace', async () => {
    const desk = await openDesk()
    const log = await openErrand(desk.ports, desk.registrar)
    await expect(fork(desk, desk.ports.newTrace(), 0)).rejects.toMatchObject({ code: 'TRACE_NOT_FOUND' })
    for (const seq of [1, -1, 0.5]) {
      await expect(fork(desk, log.trace, seq)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' })
    }
    const actor = desk.registrar.actor('paula', 'planner')
    const payload = { parent: { trace: log.trace, seq: 0, hash: log.head.hash } }
    await expect(log.append([{ type: 'trace_forked', actor, payload }])).rejects.toMatchObject({
      code: 'EVENT_REFUSED',
    })
    expect(await desk.store.traces()).toHaveLength(2)
  })
})
