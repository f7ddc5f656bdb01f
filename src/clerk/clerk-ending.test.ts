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
import { approve, type ErrandLog, openErrand, performer, runClerk } from '../../test/support/errand-run.ts'
import { readTreeHead } from '../ledger/tree/tree-head.ts'
import { Clerk, type Perform, type RunOptions } from './clerk.ts'
import { TraceLog } from './trace-log.ts'

const start = (kit: Kit, log: ErrandLog, perform: Perform, options: RunOptions = {}) =>
  new Clerk(kit.ports, kit.registrar, log, perform, options).run()

async function readyForTool(kit: Kit): Promise<ErrandLog> {
  const log = await openErrand(kit.ports, kit.registrar)
  await runClerk(kit.ports, kit.registrar, log)
  await approve(log, kit.registrar)
  return log
}

describe('an interrupted clerk', () => {
  it('LED-17 closes its open calls visibly, keeps the answers that arrived, and the next run asks again', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    const board = new CallControl(kit).hold('ask/b/1', 'ask/c/1')
    const interrupt = new AbortController()
    const run = start(kit, log, board.perform(), { signal: interrupt.signal })
    await board.underWay('ask/b/1', 'ask/c/1')
    await until(async () => countOf(await minutes(kit.store, log.trace), /^answer_given/) === 1)
    interrupt.abort()
    expect(await run).toMatchObject({ status: 'interrupted', discarded: [] })
    const lines = await minutes(kit.store, log.trace)
    expect(lines.slice(-2).sort()).toEqual(['call_lost ask/b/1', 'call_lost ask/c/1'])
    await start(kit, log, board.perform())
    expect(board.made.filter((id) => id.startsWith('ask'))).toEqual([
      ...['ask/a/1', 'ask/b/1', 'ask/c/1'],
      ...['ask/b/2', 'ask/c/2'],
    ])
    expect((await verifyAtHome(kit, log.trace)).status).toBe('pass')
  })

  it('LED-17 does not wait for a call that ignores the signal, and accepts no answer of it afterwards', async () => {
    const kit = await openKit()
    const log = await readyForTool(kit)
    const board = new CallControl(kit).hold('tool/fetch/1')
    const interrupt = new AbortController()
    const run = start(kit, log, board.perform(false), { signal: interrupt.signal, grace: 20 })
    await board.underWay('tool/fetch/1')
    interrupt.abort()
    expect((await run).status).toBe('interrupted')
    const lines = await minutes(kit.store, log.trace)
    expect(lines.at(-1)).toBe('call_indeterminate tool/fetch/1')
    board.release('tool/fetch/1')
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(await minutes(kit.store, log.trace)).toEqual(lines)
  })

  it('keeps an outcome that a call still returns when it is told to stop', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar, ['a'])
    const interrupt = new AbortController()
    const plain = performer(kit.ports, kit.registrar)
    const perform: Perform = async (action, signal) => {
      interrupt.abort()
      return plain(action, signal)
    }
    expect((await start(kit, log, perform, { signal: interrupt.signal })).status).toBe('interrupted')
    expect((await minutes(kit.store, log.trace)).at(-1)).toBe('answer_given ask/a/1')
  })

  it('starts nothing when the signal was given before', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    const board = new CallControl(kit)
    expect((await start(kit, log, board.perform(), { signal: AbortSignal.abort() })).status).toBe(
      'interrupted',
    )
    expect(board.made).toEqual([])
  })
})

describe('a clerk interrupted between record and call', () => {
  it('LED-17 does not make the call any more, and closes it', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar, ['a'])
    const interrupt = new AbortController()
    const append = kit.store.append.bind(kit.store)
    kit.store.append = async (...given) => {
      interrupt.abort()
      await append(...given)
    }
    const board = new CallControl(kit)
    expect((await start(kit, log, board.perform(), { signal: interrupt.signal })).status).toBe('interrupted')
    expect(board.made).toEqual([])
    expect((await minutes(kit.store, log.trace)).slice(1)).toEqual([
      'call_started ask/a/1',
      'call_lost ask/a/1',
    ])
  })
})

describe('a clerk whose calls go wrong', () => {
  it('LED-17 loses no other outcome if a performer throws, and reports it', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    const board = new CallControl(kit).hold('ask/a/1', 'ask/b/1')
    const run = start(kit, log, board.perform())
    const outcome = expect(run).rejects.toThrow('ask/b/1 failed')
    await board.underWay('ask/a/1', 'ask/b/1')
    board.fail('ask/b/1')
    await until(async () => countOf(await minutes(kit.store, log.trace), /^call_lost ask\/b\/1/) === 1)
    board.release('ask/a/1')
    await outcome
    const lines = await minutes(kit.store, log.trace)
    expect(countOf(lines, /^answer_given/)).toBe(2)
    expect(board.made).toHaveLength(3)
  })

  it('ends with the refusal if a performer returns what the protocol does not accept, and does not ask again', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar, ['a'])
    let asked = 0
    const perform: Perform = async (action) => {
      asked++
      const actor = kit.registrar.actor('carl', 'critic')
      return [{ type: 'answer_given', actor, payload: { action: action.id, seat: 'a' } }]
    }
    await expect(start(kit, log, perform)).rejects.toMatchObject({ code: 'EVENT_REFUSED' })
    expect(asked).toBe(1)
    expect((await minutes(kit.store, log.trace)).at(-1)).toBe('call_lost ask/a/1')
  })

  it('ends if the result of a performer does not answer its action', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar, ['a'])
    await expect(start(kit, log, async () => [])).rejects.toThrow('does not answer ask/a/1')
    expect((await minutes(kit.store, log.trace)).at(-1)).toBe('call_lost ask/a/1')
  })

  it('ends when a protocol refuses what it decides, instead of trying forever', async () => {
    const kit = await openKit()
    const { trace } = await openErrand(kit.ports, kit.registrar)
    const stubborn: typeof errand = {
      ...errand,
      refuse: (state, event) =>
        event.type === 'call_started'
          ? { code: 'ORDER_VIOLATION', message: 'not today' }
          : errand.refuse(state, event),
    }
    const board = new CallControl(kit)
    const run = start(kit, new TraceLog(kit.ports, stubborn, trace), board.perform())
    await expect(run).rejects.toThrow('not today')
    expect(board.made).toEqual([])
  })

  it('ends when the store fails while it waits, once the calls under way are over', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar, ['a'])
    const board = new CallControl(kit).hold('ask/a/1')
    kit.store.watch = async () => {
      throw new Error('the store is gone')
    }
    const run = expect(start(kit, log, board.perform())).rejects.toThrow('the store is gone')
    await board.underWay('ask/a/1')
    board.release('ask/a/1')
    await run
    expect((await minutes(kit.store, log.trace)).at(-1)).toBe('answer_given ask/a/1')
  })
})

describe('a clerk at the end of a trace', () => {
  const hasty: typeof errand = { ...errand, finished: (state) => state.inner.answers.length >= 2 }

  it('stops calls that are no longer needed, closes them visibly, and seals the trace', async () => {
    const kit = await openKit()
    const { trace } = await openErrand(kit.ports, kit.registrar)
    const board = new CallControl(kit).hold('ask/b/1')
    const end = await start(kit, new TraceLog(kit.ports, hasty, trace), board.perform())
    expect(end.status).toBe('finished')
    const lines = await minutes(kit.store, trace)
    expect(lines.at(-1)).toBe('call_lost ask/b/1')
    expect(readTreeHead(end.checkpoint ?? '').size).toBe(lines.length)
  })

  it('closes the calls that a dead clerk left, also in a finished trace', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    await log.append([
      {
        type: 'call_started',
        actor: kit.registrar.actor('clerk', 'clerk'),
        payload: { action: 'ask/b/1', call: 'ask', clerk: 'nobody' },
      },
    ])
    const finished: typeof errand = { ...errand, finished: () => true }
    await start(kit, new TraceLog(kit.ports, finished, log.trace), new CallControl(kit).perform())
    expect((await minutes(kit.store, log.trace)).at(-1)).toBe('call_lost ask/b/1')
  })

  it('LED-12 records a checkpoint at every multiple of events, also for events of others', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    const recorded = async () =>
      countOf(await minutes(kit.store, kit.registrar.trace), /^checkpoint_recorded/)
    await runClerk(kit.ports, kit.registrar, log, { checkpointEvery: 100 })
    expect(log.size).toBe(8)
    expect(await recorded()).toBe(0)
    // Another clerk finds eight events and no checkpoint: the multiple of five was passed before it came.
    const again = new TraceLog(kit.ports, errand, log.trace)
    await runClerk(kit.ports, kit.registrar, again, { checkpointEvery: 5 })
    expect(await recorded()).toBe(1)
    await approve(again, kit.registrar)
    await runClerk(kit.ports, kit.registrar, again, { checkpointEvery: 5 })
    expect(await recorded()).toBe(3)
    expect((await verifyAtHome(kit, log.trace)).status).toBe('pass')
  })
})
