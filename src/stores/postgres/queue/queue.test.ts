// The queue on a real server, with workers of this process whose drives are plain functions: who gets what, in which
// order, and what becomes of a trace that cannot be driven. That workers are lost is tried with real processes.

import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import type { Client } from 'pg'
import { afterEach, describe, expect, inject, it, vi } from 'vitest'
import { makeChain, makeTrace } from '../../../../test/support/events.ts'
import { freshDatabase } from '../../../../test/support/postgres.ts'
import { withClient } from '../../../../test/support/postgres-store.ts'
import { GENESIS } from '../../../ledger/event.ts'
import { openPostgresStore } from '../../postgres.ts'
import type { DriveEnd, Queue, QueueItem, WorkerEvent } from '../../queue.ts'
import { openPostgresQueue } from './queue.ts'

const server = inject('postgresUrl')
const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one()
})

async function open() {
  const database = await freshDatabase(server ?? '')
  const store = await openPostgresStore({ url: database.url })
  const queue = await openPostgresQueue({ url: database.url, thorough: true })
  undo.push(
    () => database.drop(),
    () => store.close(),
    () => queue.close(),
  )
  return { store, queue, url: database.url }
}

type Here = Awaited<ReturnType<typeof open>>

const ASKED = { calls: 1, inputTokens: 2, outputTokens: 3 }

async function work(
  { store, queue }: Here,
  drive: (item: QueueItem, signal: AbortSignal) => Promise<DriveEnd>,
  more: {
    readonly slots?: number
    readonly tags?: readonly string[]
    /** What each drive costs. */
    readonly usd?: number
  } = {},
) {
  const events: WorkerEvent[] = []
  const working = await queue.work({
    name: 'here',
    version: '0',
    slots: more.slots ?? 1,
    tags: more.tags ?? [],
    attend: (pool) => store.attend(pool),
    drive,
    count: async ({ counted }) => ({ usd: more.usd ?? null, asked: ASKED, size: counted + 1 }),
    tell: (event) => void events.push(event),
  })
  undo.push(() => working.stop(0))
  return { working, events }
}

const add = (
  queue: Queue,
  trace: string,
  more: { readonly tenant?: string; readonly tag?: string | null } = {},
) => queue.enqueue({ trace, protocol: 'council/1', tenant: 'ana', tag: null, details: {}, ...more })

const stateOf = async (queue: Queue, trace: string) => (await queue.find(trace))?.state

const DONE: DriveEnd = { as: 'finished' }

/** A worker of that name registers, if it is not there, and claims the trace. */
async function claimAs(client: Client, worker: string, trace: string): Promise<boolean> {
  await client.query("SELECT witan_queue.register($1, $1, '0', 4, '{}')", [worker])
  const { rows } = await client.query('SELECT witan_queue.claim($1, $2) AS taken', [trace, worker])
  return rows[0]?.taken
}

/** What a sweep does once it has found that this worker is gone. */
async function loseWorkers(client: Client, worker: string): Promise<void> {
  await client.query('DELETE FROM witan_queue.workers WHERE pool = $1', [worker])
  await client.query('SELECT witan_queue.take_back()')
}

describe.skipIf(server === null)('the queue in PostgreSQL', () => {
  it('APP-14 shares evenly between tenants, for any number of queued traces', async () => {
    const here = await open()
    for (const n of [1, 2, 3, 4]) await add(here.queue, `a${n}`)
    for (const n of [1, 2]) await add(here.queue, `b${n}`, { tenant: 'ben' })
    const order: string[] = []
    await work(here, async ({ trace }) => {
      order.push(trace)
      await pause(30)
      return DONE
    })
    await expect.poll(() => order.length, { timeout: 20_000 }).toBe(6)
    expect(
      order
        .slice(0, 4)
        .map((trace) => trace[0])
        .sort(),
    ).toEqual(['a', 'a', 'b', 'b'])
    expect([order.filter((one) => one[0] === 'a'), order.filter((one) => one[0] === 'b')]).toEqual([
      ['a1', 'a2', 'a3', 'a4'],
      ['b1', 'b2'],
    ])
  })

  it('APP-14 holds a tenant to its slots and to what it may spend in a day', async () => {
    const here = await open()
    await here.queue.limitTenant('ana', { slots: 1, usdPerDay: 1 })
    for (const n of [1, 2, 3]) await add(here.queue, `a${n}`)
    let [running, most] = [0, 0]
    await work(
      here,
      async () => {
        most = Math.max(most, ++running)
        await pause(50)
        running--
        return DONE
      },
      { slots: 4, usd: 0.6 },
    )
    await expect.poll(() => stateOf(here.queue, 'a2'), { timeout: 20_000 }).toBe('done')
    await add(here.queue, 'b1', { tenant: 'ben' })
    await expect.poll(() => stateOf(here.queue, 'b1'), { timeout: 20_000 }).toBe('done')
    // Two cost more than a dollar: the third waits, and others do not.
    expect([most, await stateOf(here.queue, 'a3')]).toEqual([1, 'waiting'])
    const ana = { tenant: 'ana', slots: 1, usdPerDay: 1, running: 0, usd: 1.2 }
    expect(await here.queue.limitedTenants()).toEqual([ana])
    await here.queue.limitTenant('ana', { slots: null, usdPerDay: null })
    expect(await here.queue.limitedTenants()).toEqual([])
    await expect.poll(() => stateOf(here.queue, 'a3'), { timeout: 20_000 }).toBe('done')
  })

  it('APP-14 counts what a trace has cost each time it parks, once, and what a failed drive has cost', async () => {
    const here = await open()
    await here.queue.limitTenant('ana', { slots: 1, usdPerDay: 1 })
    let fails = true
    const { events } = await work(
      here,
      async ({ trace }) => {
        if (trace === 'fails' && fails) throw new Error('no such seat')
        return { as: 'parked', size: 0 }
      },
      { usd: 0.25 },
    )
    const counted = async (trace: string) => {
      const { state, usd, counted } = (await here.queue.find(trace)) ?? {}
      return [state, usd, counted]
    }
    await add(here.queue, 'parks')
    await expect.poll(() => counted('parks'), { timeout: 20_000 }).toEqual(['parked', 0.25, 1])
    await add(here.queue, 'parks')
    await expect.poll(() => counted('parks'), { timeout: 20_000 }).toEqual(['parked', 0.5, 2])
    await add(here.queue, 'fails')
    await expect.poll(() => events.some(({ type }) => type === 'failed'), { timeout: 20_000 }).toBe(true)
    fails = false
    // The failure and the next drive cost as much as the day has left: nothing more is begun.
    await expect.poll(() => counted('fails'), { timeout: 20_000 }).toEqual(['parked', 0.5, 2])
    await add(here.queue, 'late')
    expect(await counted('late')).toEqual(['waiting', null, 0])
    for (const type of ['ended', 'failed'])
      expect(events.filter((event) => event.type === type)).toContainEqual(
        expect.objectContaining({ usd: 0.25, asked: ASKED }),
      )
    // Counted twice by workers that did not hear of each other, it counts once.
    await withClient(here.url, async (client) => {
      const spend = () => client.query("SELECT witan_queue.spend('parks', 2, 3, 0.1) AS done")
      const twice = [await spend(), await spend()].map(({ rows }) => rows[0]?.done)
      expect(twice).toEqual([true, false])
    })
    expect(await counted('parks')).toEqual(['parked', 0.6, 3])
  })

  it('APP-7 offers a trace again whose job was picked up by a worker that never heard of it', async () => {
    const here = await open()
    await withClient(here.url, async (client) => {
      await client.query("SELECT witan_queue.register('deaf', 'deaf', '0', 1, '{}')")
      await add(here.queue, 'unheard')
      await client.query(
        "UPDATE witan_jobs._private_jobs SET locked_by = 'deaf', locked_at = clock_timestamp() - interval '6 seconds'",
      )
      // It is there and is heard of: nothing else would free its job.
      await client.query("SELECT witan_queue.beat('deaf', '{}')")
    })
    await work(here, async () => DONE)
    await expect.poll(() => stateOf(here.queue, 'unheard'), { timeout: 20_000 }).toBe('done')
  })

  it('APP-7 hands a trace over if its result could not be reported to the server', async () => {
    const here = await open()
    let drives = 0
    const { events } = await work(here, async () => {
      drives++
      return { as: 'parked', size: 0 }
    })
    await withClient(here.url, async (client) => {
      await client.query('ALTER FUNCTION witan_queue.park(text, text, integer) RENAME TO away')
      await add(here.queue, 'untold')
      await expect.poll(() => events.some(({ type }) => type === 'trouble'), { timeout: 20_000 }).toBe(true)
      await client.query('ALTER FUNCTION witan_queue.away(text, text, integer) RENAME TO park')
    })
    await expect.poll(() => stateOf(here.queue, 'untold'), { timeout: 20_000 }).toBe('parked')
    expect(drives).toBeGreaterThan(1)
  })

  it('APP-14 gives what needs a tag only to a worker that has it', async () => {
    const here = await open()
    await add(here.queue, 'tagged', { tag: 'gpu' })
    const plain = await work(here, async () => DONE)
    await add(here.queue, 'any')
    await expect.poll(() => stateOf(here.queue, 'any'), { timeout: 20_000 }).toBe('done')
    expect(await stateOf(here.queue, 'tagged')).toBe('waiting')
    await plain.working.stop(0)
    await work(here, async () => DONE, { tags: ['gpu'] })
    await expect.poll(() => stateOf(here.queue, 'tagged'), { timeout: 20_000 }).toBe('done')
  })

  it('APP-14 gives work to the available workers while traces wait for a tag that no worker has', async () => {
    const here = await open()
    await withClient(here.url, async (client) => {
      await client.query("SELECT witan_queue.register('gpu', 'gpu', '0', 8, '{gpu}')")
      for (let nth = 0; nth < 8; nth++) {
        await add(here.queue, `tagged-${nth}`, { tag: 'gpu' })
        await client.query('SELECT witan_queue.claim($1, $2)', [`tagged-${nth}`, 'gpu'])
      }
      await client.query("SELECT witan_queue.register('plain', 'plain', '0', 2, '{}')")
      await client.query("SELECT witan_queue.leave('gpu')")
      expect(await add(here.queue, 'plain')).toBe('offered')
      await client.query("SELECT witan_queue.register('small', 'small', '0', 1, '{gpu}')")
      expect(await add(here.queue, 'another')).toBe('offered')
    })
  })

  it('APP-14 sets a trace aside with its error after five failures, and drives it again when told to', async () => {
    const here = await open()
    let fails = true
    const { events } = await work(here, async () => {
      if (fails) throw new Error('no such seat at postgres://u:secret@h/d')
      return DONE
    })
    await add(here.queue, 'poison')
    await expect.poll(() => stateOf(here.queue, 'poison'), { timeout: 60_000 }).toBe('set aside')
    expect(await here.queue.find('poison')).toMatchObject({ failures: 5, error: 'no such seat at …' })
    expect(events.filter(({ type }) => type === 'failed')).toHaveLength(5)
    fails = false
    expect([await here.queue.retry('poison'), await here.queue.retry('poison')]).toEqual([true, false])
    await expect.poll(() => stateOf(here.queue, 'poison'), { timeout: 20_000 }).toBe('done')
  })

  it('APP-14 sets a trace aside if eight workers are lost without an outcome, and no trace that makes progress', async () => {
    const here = await open()
    const [stuck, slow] = [makeTrace(), makeTrace()]
    const begun = {
      [stuck]: makeChain({ trace: stuck, count: 20, type: 'call_started' }),
      [slow]: makeChain({ trace: slow, count: 20 }),
    }
    await withClient(here.url, async (client) => {
      for (const trace of [stuck, slow]) await add(here.queue, trace)
      for (let nth = 0; nth < 8; nth++)
        for (const trace of [stuck, slow]) {
          const chain = begun[trace] ?? []
          await here.store.append(
            trace,
            { size: nth, hash: chain[nth - 1]?.hash ?? GENESIS },
            chain.slice(nth, nth + 1),
          )
          expect(await claimAs(client, 'doomed', trace)).toBe(true)
          await loseWorkers(client, 'doomed')
        }
      expect(await here.queue.find(stuck)).toMatchObject({
        state: 'set aside',
        error: 'its worker was lost 8 times, the last was doomed',
      })
      expect((await here.queue.find(slow))?.state).not.toBe('set aside')
    })
  })

  it('APP-14 counts no loss with another cause: the worker left, or the database was restarted', async () => {
    const here = await open()
    await withClient(here.url, async (client) => {
      await add(here.queue, 'innocent')
      for (let nth = 0; nth < 10; nth++) {
        expect(await claimAs(client, 'leaves', 'innocent')).toBe(true)
        await client.query("SELECT witan_queue.leave('leaves')")
        expect(await claimAs(client, 'cut', 'innocent')).toBe(true)
        await client.query(
          "UPDATE witan_queue.items SET changed = pg_postmaster_start_time() - interval '1 second'",
        )
        await loseWorkers(client, 'cut')
      }
      expect(await here.queue.find('innocent')).toMatchObject({ state: 'offered', losses: 0 })
    })
  })

  it('APP-14 runs two traces that lost three workers each on one worker only after one has an outcome', async () => {
    const here = await open()
    const [one, other, fresh] = [makeTrace(), makeTrace(), makeTrace()]
    await withClient(here.url, async (client) => {
      const claim = (trace: string) => claimAs(client, 'doomed', trace)
      for (const trace of [one, other, fresh]) await add(here.queue, trace)
      for (let nth = 0; nth < 3; nth++) {
        expect([await claim(one), await claim(other)]).toEqual([true, true])
        await loseWorkers(client, 'doomed')
      }
      expect([await claim(one), await claim(other), await claim(fresh)]).toEqual([true, false, true])
      expect(await stateOf(here.queue, other)).toBe('offered')
      expect(await claimAs(client, 'another', other)).toBe(true)
      await loseWorkers(client, 'another')
      await here.store.append(one, { size: 0, hash: GENESIS }, makeChain({ trace: one, count: 1 }))
      expect(await claim(other)).toBe(true)
    })
  })

  it.each([
    ['asks whether it still counts before its next call', true],
    ['does not end when it is told to', false],
  ])('APP-7 comes back under a new name after it was declared lost, while a drive %s', async (_, asks) => {
    const here = await open()
    let [isGone, refused] = [false, '']
    let over = (): void => undefined
    undo.push(async () => over())
    const { working, events } = await work(here, async () => {
      await expect.poll(() => isGone, { timeout: 20_000, interval: 5 }).toBe(true)
      if (!asks) await new Promise<void>((resolve) => (over = resolve))
      // Long after it was last heard of, as in a process that was stopped and wakes.
      const late = performance.now() + 60_000
      const clock = vi.spyOn(performance, 'now').mockReturnValue(late)
      await working.confirm().catch(({ code }) => (refused = code))
      clock.mockRestore()
      return { as: 'interrupted' }
    })
    await add(here.queue, 'held')
    await expect.poll(() => working.running, { timeout: 20_000 }).toBe(1)
    await withClient(here.url, (client) => client.query('DELETE FROM witan_queue.workers'))
    isGone = true
    const registered = () => events.filter(({ type }) => type === 'registered').length
    await expect.poll(registered, { timeout: 30_000 }).toBe(2)
    expect(events.map(({ type }) => type)).toContain('lost')
    if (asks) expect(refused).toBe('INTERRUPTED')
  })

  it('APP-14 gives a trace that lost its worker to another before any that was not begun', async () => {
    const here = await open()
    await withClient(here.url, async (client) => {
      await client.query("SELECT witan_queue.register('doomed', 'doomed', '0', 2, '{}')")
      for (const trace of ['first', 'second', 'third', 'fourth']) await add(here.queue, trace)
      await client.query("SELECT witan_queue.claim('third', 'doomed')")
      await client.query("SELECT witan_queue.leave('doomed')")
    })
    const order: string[] = []
    await work(here, async ({ trace }) => {
      order.push(trace)
      return DONE
    })
    await expect.poll(() => order.length, { timeout: 20_000 }).toBe(4)
    expect(order[0]).toBe('third')
  })

  it('APP-14 informs the worker of a cancelled trace, and removes the job of a trace that never began', async () => {
    const here = await open()
    let stopped = false
    const { working } = await work(here, async (_, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      stopped = true
      return { as: 'interrupted' }
    })
    await add(here.queue, 'long')
    await add(here.queue, 'next')
    await expect.poll(() => working.running, { timeout: 20_000 }).toBe(1)
    expect([await here.queue.cancel('next'), await here.queue.cancel('long')]).toEqual([true, true])
    await expect.poll(() => stopped, { timeout: 20_000 }).toBe(true)
    expect([await stateOf(here.queue, 'long'), await stateOf(here.queue, 'next')]).toEqual([
      'cancelled',
      'cancelled',
    ])
    expect(await here.queue.cancel('next')).toBe(false)
  })

  it('APP-14 wakes a parked trace by the commit that answers it, also when that came while it was being parked', async () => {
    const here = await open()
    const trace = makeTrace()
    const chain = makeChain({ trace, count: 3 })
    const append = (from: number, to: number) =>
      here.store.append(trace, { size: from, hash: chain[from - 1]?.hash ?? GENESIS }, chain.slice(from, to))
    await append(0, 1)
    let drives = 0
    const { events } = await work(here, async () => {
      drives++
      // The answer comes after the worker looked and before it said so.
      if (drives === 1) await append(1, 2)
      return drives < 3 ? { as: 'parked', size: drives } : DONE
    })
    await add(here.queue, trace)
    await expect.poll(() => stateOf(here.queue, trace), { timeout: 20_000 }).toBe('parked')
    expect(drives).toBe(2)
    // While it was parked it did not wait for a worker.
    await withClient(here.url, (client) =>
      client.query("UPDATE witan_queue.items SET enqueued = enqueued - interval '1 hour'"),
    )
    await append(2, 3)
    await expect.poll(() => stateOf(here.queue, trace), { timeout: 20_000 }).toBe('done')
    expect(drives).toBe(3)
    for (const event of events) if (event.type === 'started') expect(event.waitedMs).toBeLessThan(3_600_000)
  })

  it('APP-14 is created once by many processes that begin together, and refuses tables of a newer program', async () => {
    const database = await freshDatabase(server ?? '')
    undo.push(() => database.drop())
    await (await openPostgresStore({ url: database.url })).close()
    const queues = await Promise.all([1, 2, 3].map(() => openPostgresQueue({ url: database.url })))
    undo.push(...queues.map((queue) => () => queue.close()))
    expect(await Promise.all(queues.map((queue) => queue.list()))).toEqual([[], [], []])
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('UPDATE witan_queue.meta SET version = 90')
    await (await openPostgresQueue({ url: database.url })).close()
    await client.query('UPDATE witan_queue.meta SET oldest = 80')
    await client.end()
    await expect(openPostgresQueue({ url: database.url })).rejects.toMatchObject({ code: 'VAULT_FOREIGN' })
  })

  it('APP-14 is upgraded while workers of an older version continue to use it', async () => {
    const database = await freshDatabase(server ?? '')
    undo.push(() => database.drop())
    await (await openPostgresStore({ url: database.url })).close()
    await runMigrations({ connectionString: database.url, schema: 'witan_jobs' })
    await withClient(database.url, async (client) => {
      // The tables and functions of version 4, as that version made them.
      await client.query('CREATE SCHEMA witan_queue')
      await client.query(
        await readFile(new URL('../../../../test/queue/version-4.sql', import.meta.url), 'utf8'),
      )
      await client.query('UPDATE witan_queue.meta SET version = 4')
      // An older worker has registered and was handed a trace.
      await client.query("SELECT witan_queue.register('old', 'old', '0', 4, '{}')")
      await client.query("SELECT witan_queue.enqueue('begun', 'council/1', 'ana', NULL, '{}')")
      await client.query("SELECT witan_queue.claim('begun', 'old')")
      const queue = await openPostgresQueue({ url: database.url })
      undo.push(() => queue.close())
      expect(await queue.find('begun')).toMatchObject({ state: 'running', worker: 'old' })
      expect(await queue.heldProviders()).toEqual([])
      const { rows } = await client.query("SELECT witan_queue.beat('old', '{begun}') AS done")
      expect(rows).toEqual([{ done: [] }])
      await queue.limitTenant('ana', { slots: null, usdPerDay: 1 })
      await client.query("SELECT witan_queue.finish('begun', 'old', 1.5)")
      expect(await queue.find('begun')).toMatchObject({ state: 'done', usd: 1.5 })
      // What it said that its trace cost counts for the day of its tenant.
      expect(await add(queue, 'next')).toBe('waiting')
      expect(await add(queue, 'other', { tenant: 'ben' })).toBe('offered')
    })
  })
})
