// Workers under the worst of weather: every few seconds one of them is killed, stopped and woken later, or cut off from
// the network without a word, and the database is crashed, killed or restarted meanwhile. Every trace finishes and verifies,
// no tool runs twice, no more is asked again than was under way, and no trace waits longer than twenty seconds for another
// worker while one has a free slot.
//
// WITAN_CHAOS (300) is how many traces; of ten, seven are councils, two sessions, one an exchange. WITAN_CHAOS_EVERY_MS
// (3000) is how often something happens.

import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { openPostgresQueue } from '../../src/stores/postgres/queue/queue.ts'
import type { Queue, QueueItem } from '../../src/stores/queue.ts'
import { here } from '../doors/here.ts'
import { type Network, openNetworks, whyNoNetworks } from '../support/networks.ts'
import { freshDatabase, startPostgres, whyNoPostgres } from '../support/postgres.ts'
import { asksBeyond, asksUnderWay } from './lost-asks.ts'
import { type Mixed, openMixed, resolveParked, WRITTEN } from './mixed-traces.ts'
import { readTold, waitsFor, writeDown } from './taken-up.ts'
import { countOf, finishedTraces, longestSilence } from './traces.ts'
import { type Place, Weather } from './weather.ts'
import { startWorkerAt } from './workers.ts'

const TRACES = Number(process.env.WITAN_CHAOS ?? 300)
const WORKERS = 4
const SLOTS = 8
const LONGEST_WAIT_MS = 20_000
const LIMIT_MS = 1_500_000
/** Sessions and exchanges that need a person are parked; those of sessions are answered. */
const OVER: readonly string[] = ['done', 'set aside', 'cancelled']

/** Three opinions, three reviews, one report. */
const ASKS_OF_COUNCIL = 7
const FAILED = ['opinion_failed', 'review_failed', 'report_failed', 'mind_failed', 'audit_failed']

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, one) => all + one, 0)
const timesOf = (all: readonly { readonly as: string }[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...new Set(all.map(({ as }) => as))].map((as) => [as, all.filter((one) => one.as === as).length]),
  )
const writtenIn = (talk: readonly { readonly type: string }[]): number =>
  talk.filter(({ type }) => type in WRITTEN).length

const noNetworks = whyNoNetworks()
if (noNetworks !== null) console.warn(`Workers are not cut off from the network: ${noNetworks}`)

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one().catch(() => undefined)
})

async function queueAll(mixed: Mixed): Promise<Record<'councils' | 'sessions' | 'exchanges', string[]>> {
  const made = { councils: [] as string[], sessions: [] as string[], exchanges: [] as string[] }
  for (let nth = 0; nth < TRACES; nth++) {
    if (nth % 10 < 7) made.councils.push(await mixed.queueCouncil(nth))
    else if (nth % 10 < 9) made.sessions.push(await mixed.queueSession(nth))
    else made.exchanges.push(await mixed.queueExchange(nth))
  }
  return made
}

/** Answers sessions whose tool was under way on a lost worker, until everything has come to its end. */
async function untilAllEnded(queue: Queue, mixed: Mixed, exchanges: readonly string[]): Promise<void> {
  const deadline = Date.now() + LIMIT_MS
  const isOver = ({ state, trace }: QueueItem): boolean =>
    OVER.includes(state) || (state === 'parked' && exchanges.includes(trace))
  for (;;) {
    const items = await queue.list().catch(() => null)
    if (items?.every(isOver)) return
    for (const { trace, state, protocol } of items ?? [])
      if (state === 'parked' && protocol === 'agents/1')
        await resolveParked(mixed.where, trace).catch(() => undefined)
    if (Date.now() > deadline) {
      const left = items?.filter((item) => !isOver(item)).map((item) => `${item.trace} ${item.state}`)
      throw new Error(`not all came to their end: ${left?.join(', ')}`)
    }
    await pause(500)
  }
}

describe.skipIf(whyNoPostgres() !== null)('workers that are killed, stopped and cut off', () => {
  it('APP-7 APP-14 LED-17 AGT-TOOL-5 finish every trace, verified, and ask and run again only what was lost', async () => {
    const networks = noNetworks === null ? await openNetworks(2, undo) : null
    const server = await startPostgres(networks && `${networks.address}/${networks.width}`)
    undo.push(() => server.stop())
    const { url } = await freshDatabase(server.url)
    const reached = new URL(url)
    if (networks) reached.hostname = networks.address
    const mixed = await openMixed(reached.href, networks?.address ?? null, undo)
    const { councils, sessions, exchanges } = await queueAll(mixed)
    const queue = await openPostgresQueue({ url })
    undo.push(() => queue.close())
    await writeDown(url)

    let number = 0
    const begin = (network: Network | null) => {
      const name = `w${number++}`
      const where = { ...mixed.where, via: network?.via ?? [] }
      return { name, process: startWorkerAt(where, ['--concurrency', String(SLOTS), '--name', name], undo) }
    }
    const places = Array.from({ length: WORKERS }, (_, at): Place => {
      const network = networks?.all[at] ?? null
      return { network, busy: false, ...begin(network) }
    })
    const weather = new Weather({ url, server, places, begin })
    const over = new AbortController()
    const began = Date.now()
    const blowing = weather.blow(over.signal)
    await untilAllEnded(queue, mixed, exchanges).finally(() => over.abort())
    await blowing
    const seconds = Math.round((Date.now() - began) / 1_000)

    expect((await queue.list(['set aside', 'cancelled'])).map(({ error }) => error)).toEqual([])
    const done = await finishedTraces(url, councils, ['council_closed'])
    const talks = await finishedTraces(url, exchanges, ['mind_wrote'])
    // Every round of every exchange was written.
    for (const talk of talks)
      for (const [type, times] of Object.entries(WRITTEN)) expect(countOf([talk], type)).toBe(times)
    expect((await here(mixed.where, 'verify', 'registry', '--json')).json).toMatchObject({ status: 'pass' })
    const worked = await finishedTraces(url, sessions, ['verification_run_completed'])
    // No seat failed for what befell its worker: what is not asked at all cannot be asked too often.
    for (const type of FAILED) expect(countOf([...done, ...talks], type), type).toBe(0)
    const written = new Map(exchanges.map((trace, at) => [trace, writtenIn(talks[at] ?? [])]))
    const beyond = asksBeyond(mixed.asks, (trace) => written.get(trace) ?? ASKS_OF_COUNCIL)
    const lostCalls = new Map(
      [...councils, ...exchanges].map((trace, at) => [
        trace,
        countOf([[...done, ...talks][at] ?? []], 'call_lost'),
      ]),
    )
    const told = await readTold(url)
    const underWay = asksUnderWay(told, weather.losses, mixed.asks)
    const heardIn = (trace: string): number =>
      underWay.filter((one) => one.trace === trace && one.heard).length
    const runs = await mixed.runs()
    const waits = waitsFor(told, weather.losses)
    const figures = {
      ...{ traces: TRACES, seconds, ...weather.happened, died: weather.died },
      ...{ asked: mixed.asks.length, beyond: sum(beyond.values()), lostCalls: sum(lostCalls.values()) },
      ...{ announced: underWay.length, underWay: timesOf(underWay.filter(({ heard }) => heard)) },
      surplus: [...beyond].filter(([trace, more]) => more > heardIn(trace)),
      indeterminate: countOf(worked, 'call_indeterminate'),
      ...{ toolRuns: sum(runs), takenUp: waits.length },
      ...{ longestWholeMs: Math.max(0, ...waits.map(({ ms }) => ms)), longest: waits.slice(0, 8) },
      ...{ longestSilenceMs: longestSilence([...done, ...talks]) },
    }
    console.log(JSON.stringify(figures))
    expect(runs.filter((times) => times > 1)).toEqual([])
    expect(weather.died).toEqual([])
    // In each trace by itself: what was asked again is what was under way when its worker or the database was lost.
    expect(figures.surplus).toEqual([])
    for (const [trace, more] of beyond) expect(more, trace).toBeLessThanOrEqual(lostCalls.get(trace) ?? 0)
    // What of it passed while no worker had a free slot is not waited for a worker.
    for (const { ms, crowdedMs } of waits) expect(ms - crowdedMs).toBeLessThanOrEqual(LONGEST_WAIT_MS)
  }, 1_800_000)
})
