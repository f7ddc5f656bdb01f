import { describe, expect, it } from 'vitest'
import { errand } from '../../test/protocols/errand.ts'
import {
  CallControl,
  countOf,
  type Kit,
  minutes,
  openKit,
  until,
  verifyAtHome,
} from '../../test/support/clerk-kit.ts'
import {
  approve,
  completeErrand,
  type ErrandLog,
  openErrand,
  runClerk,
} from '../../test/support/errand-run.ts'
import { WitanError } from '../ledger/errors.ts'
import { Clerk, type Perform, type RunOptions } from './clerk.ts'
import { TraceLog } from './trace-log.ts'

const start = (kit: Kit, log: ErrandLog, perform: Perform, options: RunOptions = {}) =>
  new Clerk(kit.ports, kit.registrar, log, perform, options).run()

/** The same trace, folded by someone else. */
const another = ({ ports }: Kit, { trace }: ErrandLog): ErrandLog => new TraceLog(ports, errand, trace)

describe('a clerk and its calls', () => {
  it('LED-17 has every call on record, together in one commit, before it makes the first', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    const board = new CallControl(kit)
    const seen: string[][] = []
    const perform: Perform = async (action, signal) => {
      if (action.call !== 'record') seen.push(await minutes(kit.store, log.trace))
      return board.perform()(action, signal)
    }
    expect(await start(kit, log, perform)).toMatchObject({
      status: 'waiting',
      parked: [{ id: 'approve/1' }],
    })
    await approve(log, kit.registrar)
    expect(await start(kit, log, perform)).toMatchObject({ status: 'finished', discarded: [] })
    const calls = ['a', 'b', 'c'].map((seat) => `call_started ask/${seat}/1`)
    expect(seen.slice(0, 3)).toEqual(Array(3).fill(['errand_opened', ...calls]))
    expect(seen[3]?.at(-1)).toBe('call_started tool/fetch/1')
    expect((await verifyAtHome(kit, log.trace)).status).toBe('pass')
  })

  it('LED-17 makes no call before its record is durable, and ends no run before all of it is', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    const board = new CallControl(kit)
    let settle = (): void => undefined
    let asked = 0
    kit.store.settled = () => {
      asked++
      return new Promise((resolve) => {
        settle = resolve
      })
    }
    const run = start(kit, log, board.perform())
    await until(async () => countOf(await minutes(kit.store, log.trace), /^call_started/) === 3)
    await until(async () => asked === 1)
    expect(board.made).toEqual([])
    settle()
    await until(async () => asked === 2)
    expect(board.made.filter((id) => id.startsWith('ask/'))).toHaveLength(3)
    settle()
    expect(await run).toMatchObject({ status: 'waiting' })
  })

  it('LED-17 fails if it is unknown whether its records are on the disk', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    const board = new CallControl(kit)
    const broken = new WitanError('VAULT_UNREACHABLE', 'the storage reports an error', 'Check the disk.')
    kit.store.settled = () => Promise.reject(broken)
    await expect(start(kit, log, board.perform())).rejects.toBe(broken)
    expect(board.made).toEqual([])
  })

  it('LED-17 commits each outcome when it arrives, while another call still hangs', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    const board = new CallControl(kit).hold('ask/b/1')
    const run = start(kit, log, board.perform())
    await board.underWay('ask/b/1')
    await until(async () => countOf(await minutes(kit.store, log.trace), /^answer_given/) === 2)
    expect(board.made).toEqual(['ask/a/1', 'ask/b/1', 'ask/c/1'])
    board.release('ask/b/1')
    expect(await run).toMatchObject({ status: 'waiting', discarded: [] })
  })

  it('LED-17 appends its outcome if another clerk moved the head, and does not ask again', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    const board = new CallControl(kit).hold('ask/a/1', 'ask/b/1', 'ask/c/1')
    const run = start(kit, log, board.perform())
    await board.underWay('ask/a/1', 'ask/b/1', 'ask/c/1')
    const rival = another(kit, log)
    await rival.refresh()
    await rival.append([
      {
        type: 'answer_given',
        actor: kit.registrar.actor('sam', 'seat'),
        payload: { action: 'ask/b/1', seat: 'b', text: 'from elsewhere' },
      },
    ])
    for (const seat of ['a', 'b', 'c']) board.release(`ask/${seat}/1`)
    const end = await run
    expect(end.status).toBe('waiting')
    expect(end.discarded).toMatchObject([{ action: 'ask/b/1', why: expect.stringContaining('ask/b/1') }])
    expect(countOf(await minutes(kit.store, log.trace), /^answer_given ask\/b/)).toBe(1)
    expect(countOf(board.made, /^ask/)).toBe(3)
  })

  it('LED-17 shares the calls of one trace with another clerk, each made once', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar, ['a', 'b', 'c', 'd', 'e'])
    const board = new CallControl(kit)
    const both = [log, another(kit, log)].map((own) => start(kit, own, board.perform(), { wait: true }))
    const reader = another(kit, log)
    await until(async () => {
      await reader.refresh()
      return reader.state.inner.intent
    })
    await approve(reader, kit.registrar)
    expect((await Promise.all(both)).map((end) => end.status)).toEqual(['finished', 'finished'])
    expect(new Set(board.made.filter((id) => /^(ask|tool)/.test(id))).size).toBe(6)
    expect(countOf(board.made, /^(ask|tool)/)).toBe(6)
    expect((await verifyAtHome(kit, log.trace)).status).toBe('pass')
  })
})

describe('a clerk that follows a dead clerk', () => {
  const abandoned = async (actions: readonly { id: string; call: string }[]) => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    if (actions.some(({ call }) => call === 'tool')) {
      await runClerk(kit.ports, kit.registrar, log)
      await approve(log, kit.registrar)
    }
    await log.append(
      actions.map(({ id, call }) => ({
        type: 'call_started',
        actor: kit.registrar.actor('clerk', 'clerk'),
        payload: { action: id, call, clerk: 'nobody' },
      })),
    )
    return { kit, log, board: new CallControl(kit) }
  }

  it('LED-17 records a started question as lost and asks again under the next attempt', async () => {
    const { kit, log, board } = await abandoned([{ id: 'ask/a/1', call: 'ask' }])
    await start(kit, log, board.perform())
    expect((await minutes(kit.store, log.trace)).slice(1, 4)).toEqual([
      'call_started ask/a/1',
      'call_lost ask/a/1',
      'call_started ask/a/2',
    ])
    expect(board.made.filter((id) => id.startsWith('ask/a'))).toEqual(['ask/a/2'])
  })

  it('LED-17 records a started tool as indeterminate and never runs it again', async () => {
    const { kit, log, board } = await abandoned([{ id: 'tool/fetch/1', call: 'tool' }])
    expect((await start(kit, log, board.perform())).status).toBe('finished')
    const lines = await minutes(kit.store, log.trace)
    expect(lines.slice(-3)).toEqual([
      'call_started tool/fetch/1',
      'call_indeterminate tool/fetch/1',
      'errand_closed close/1',
    ])
    expect(countOf(board.made, /^tool/)).toBe(0)
    expect((await verifyAtHome(kit, log.trace)).status).toBe('pass')
  })

  it('seals a finished trace whose clerk died before the checkpoint, once', async () => {
    const kit = await openKit()
    const log = await completeErrand(kit.ports, kit.registrar)
    const recorded = countOf(await minutes(kit.store, kit.registrar.trace), /^checkpoint_recorded/)
    const again = await runClerk(kit.ports, kit.registrar, another(kit, log))
    expect(again).toMatchObject({ status: 'finished', checkpoint: expect.stringContaining(log.trace) })
    expect(countOf(await minutes(kit.store, kit.registrar.trace), /^checkpoint_recorded/)).toBe(recorded)
  })
})

describe('a clerk that waits', () => {
  it('returns and names the person it waits for, and another clerk continues after the answer', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    const end = await runClerk(kit.ports, kit.registrar, log)
    expect(end).toMatchObject({ status: 'waiting', checkpoint: null, parked: [{ waitsFor: 'a critic' }] })
    const elsewhere = another(kit, log)
    await approve(elsewhere, kit.registrar)
    expect(await runClerk(kit.ports, kit.registrar, another(kit, log))).toMatchObject({
      status: 'finished',
    })
  })

  it('notices an answer from another process while a call of its own hangs', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar, ['a', 'b'])
    const board = new CallControl(kit).hold('ask/a/1', 'ask/b/1')
    const run = start(kit, log, board.perform())
    await board.underWay('ask/a/1', 'ask/b/1')
    const rival = another(kit, log)
    await rival.refresh()
    await rival.append([
      {
        type: 'call_lost',
        actor: kit.registrar.actor('clerk', 'clerk'),
        payload: { action: 'ask/a/1', reason: 'a colleague gave it up' },
      },
    ])
    await until(() => board.made.includes('ask/a/2'))
    board.release('ask/a/1')
    board.release('ask/b/1')
    const end = await run
    expect(end.discarded).toMatchObject([{ action: 'ask/a/1' }])
    expect(countOf(await minutes(kit.store, log.trace), /^answer_given ask\/a/)).toBe(1)
  })
})
