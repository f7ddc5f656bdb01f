import { describe, expect, it } from 'vitest'
import { errand } from '../../test/protocols/errand.ts'
import { CallControl, type Kit, minutes, openKit, verifyAtHome } from '../../test/support/clerk-kit.ts'
import { approve, completeErrand, openErrand, runClerk } from '../../test/support/errand-run.ts'
import { checkFile, faults, toFile } from '../../test/support/verification.ts'
import { extract } from './extract.ts'
import { forkTrace } from './fork.ts'

const fork = ({ ports, registrar }: Kit, parent: string, seq: number) =>
  forkTrace(ports, errand, { parent, seq }, registrar.actor('paula', 'planner'), { why: 'another way' })

async function exported({ store, registrar, ports }: Kit, trace: string) {
  const bundle = await extract({ store, registrar, sha256: ports.sha256 }, trace)
  return checkFile(await toFile(bundle, store), { keys: [ports.key('registrar').id], checkpoints: [] })
}

describe('forking a trace', () => {
  it('LED-15 continues from any event of another trace and verifies with its prefix', async () => {
    const kit = await openKit()
    const { trace, size } = await completeErrand(kit.ports, kit.registrar)
    for (let seq = 0; seq < size; seq++) {
      const branch = await fork(kit, trace, seq)
      const board = new CallControl(kit)
      let end = await runClerk(kit.ports, kit.registrar, branch, {}, board.perform())
      if (end.status === 'waiting') {
        await approve(branch, kit.registrar)
        end = await runClerk(kit.ports, kit.registrar, branch, {}, board.perform())
      }
      expect([seq, end.status]).toEqual([seq, 'finished'])
      expect([seq, ...faults(await exported(kit, branch.trace))]).toEqual([seq])
      expect([seq, ...faults(await verifyAtHome(kit, branch.trace))]).toEqual([seq])
    }
    expect((await verifyAtHome(kit, trace)).status).toBe('pass')
    expect((await kit.store.head(trace))?.size).toBe(size)
  })

  it('LED-15 drops the calls that were open in the parent and makes them again', async () => {
    const kit = await openKit()
    const parent = await completeErrand(kit.ports, kit.registrar)
    // Event 3 is the last of three started asks; none is answered there.
    const branch = await fork(kit, parent.trace, 3)
    expect(branch.state.open.size).toBe(0)
    const board = new CallControl(kit)
    await runClerk(kit.ports, kit.registrar, branch, {}, board.perform())
    expect(board.made.slice(0, 3)).toEqual(['ask/a/1', 'ask/b/1', 'ask/c/1'])
    expect((await minutes(kit.store, branch.trace))[0]).toBe('trace_forked')
  })

  it('LED-15 voids approvals that were not used: a tool in the fork needs one of its own', async () => {
    const kit = await openKit()
    const { trace } = await completeErrand(kit.ports, kit.registrar)
    const seq = (await minutes(kit.store, trace)).findIndex((line) => line.startsWith('intent_approved'))
    const branch = await fork(kit, trace, seq)
    const end = await runClerk(kit.ports, kit.registrar, branch)
    expect(end).toMatchObject({ status: 'waiting', parked: [{ waitsFor: 'a critic' }] })
  })

  it('LED-15 forks a fork, and the reader gets every prefix', async () => {
    const kit = await openKit()
    const first = await completeErrand(kit.ports, kit.registrar)
    const second = await fork(kit, first.trace, 0)
    await runClerk(kit.ports, kit.registrar, second)
    const third = await fork(kit, second.trace, 2)
    await runClerk(kit.ports, kit.registrar, third)
    const { store, registrar, ports } = kit
    const bundle = await extract({ store, registrar, sha256: ports.sha256 }, third.trace)
    expect(bundle.ancestors.map((section) => section.trace)).toEqual([first.trace, second.trace])
    expect(faults(await exported(kit, third.trace))).toEqual([])
  })

  it('never lets time run backwards across a fork, no matter what the clock says', async () => {
    const kit = await openKit()
    const { trace } = await completeErrand(kit.ports, kit.registrar)
    const ports = { ...kit.ports, now: () => '2020-01-01T00:00:00.000Z' }
    await fork({ ...kit, ports }, trace, 5).then(async (branch) => {
      expect((await verifyAtHome(kit, branch.trace)).status).toBe('pass')
    })
  })

  it('is refused if there is no event to fork from, and in the middle of a trace', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    await expect(fork(kit, kit.ports.newTrace(), 0)).rejects.toMatchObject({ code: 'TRACE_NOT_FOUND' })
    for (const seq of [1, -1, 0.5]) {
      await expect(fork(kit, log.trace, seq)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' })
    }
    const actor = kit.registrar.actor('paula', 'planner')
    const payload = { parent: { trace: log.trace, seq: 0, hash: log.head.hash } }
    await expect(log.append([{ type: 'trace_forked', actor, payload }])).rejects.toMatchObject({
      code: 'EVENT_REFUSED',
    })
    expect(await kit.store.traces()).toHaveLength(2)
  })
})
