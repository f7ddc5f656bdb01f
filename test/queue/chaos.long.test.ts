// Workers under the worst of weather: every three seconds one of them is killed, or stopped and woken later, and the
// database is crashed and started again meanwhile. Every trace finishes and verifies, and no more is asked than was lost.

import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { seatingOf } from '../../src/app/council/brought.ts'
import { signersOf } from '../../src/app/council/council.ts'
import { openCouncil } from '../../src/app/council/open-council.ts'
import { employ, openOrFound } from '../../src/app/home/signers.ts'
import { openPostgresQueue } from '../../src/stores/postgres/queue/queue.ts'
import { machine } from '../council/table.ts'
import { seatAt, THREE } from '../support/council-run.ts'
import { freshDatabase, startPostgres, whyNoPostgres } from '../support/postgres.ts'
import { countOf, finishedTraces } from './traces.ts'
import { startWorkerAt, type WorkerProcess } from './workers.ts'

const COUNCILS = Number(process.env.WITAN_CHAOS ?? 100)
const EVERY_MS = 3_000
const ASLEEP_MS = 12_000

describe.skipIf(whyNoPostgres() !== null)(
  'workers that are killed, stopped and cut off from their database',
  () => {
    const undo: (() => Promise<unknown>)[] = []
    afterEach(async () => {
      for (const one of undo.splice(0).reverse()) await one()
    })

    it('APP-7 APP-14 LED-17 finish every council, verified, and ask again only what was lost', async () => {
      const server = await startPostgres()
      undo.push(() => server.stop())
      const { url } = await freshDatabase(server.url)
      const env = { WITAN_POSTGRES_URL: url }
      const here = await machine(THREE, { env, delayMs: 300 })
      undo.push(() => here.server.close())

      const home = await openOrFound({ directory: here.home, postgres: url })
      const queue = await openPostgresQueue({ url })
      const traces: string[] = []
      const names = Object.keys(THREE)
      for (let i = 0; i < COUNCILS; i++) {
        const seats = names.map((name) => ({ seat: seatAt(here.server.url, name) }))
        const { convening } = seatingOf({ question: `Shall we do ${i}?`, seats, chairs: names.slice(0, 1) })
        const registrar = await employ(home, signersOf('tester', convening.seats))
        const { trace } = await openCouncil(home.ports, registrar, 'tester', convening)
        await queue.enqueue({ trace, protocol: 'council/1', tenant: `t${i % 3}`, tag: null, details: {} })
        traces.push(trace)
      }

      let number = 0
      const begin = (): WorkerProcess =>
        startWorkerAt(here, ['--concurrency', '8', '--name', `w${number++}`], undo)
      const workers = [begin(), begin(), begin(), begin()]
      const over = new AbortController()
      let [kills, stops, crashes] = [0, 0, 0]
      const weather = (async () => {
        for (let turn = 1; !over.signal.aborted; turn++) {
          await pause(EVERY_MS, undefined, { signal: over.signal }).catch(() => undefined)
          if (over.signal.aborted) return
          const at = randomInt(workers.length)
          const worker = workers[at]
          if (turn % 5 === 0) {
            crashes++
            await server.crash()
            await server.start()
          } else if (turn % 2 === 0) {
            stops++
            worker?.process.kill('SIGSTOP')
            setTimeout(() => worker?.process.kill('SIGCONT'), ASLEEP_MS).unref()
          } else {
            kills++
            worker?.process.kill('SIGKILL')
            workers[at] = begin()
          }
        }
      })()
      const done = await finishedTraces(url, traces, ['council_closed'], 900_000).finally(() => over.abort())
      await weather
      const lost = countOf(done, 'call_lost')
      console.log(
        JSON.stringify({ councils: COUNCILS, kills, stops, crashes, lost, asked: here.server.heard.length }),
      )
      expect(kills + stops).toBeGreaterThan(0)
      expect(done).toHaveLength(COUNCILS)
      // Each call that was lost is asked once more, and nothing else is.
      expect(here.server.heard.length).toBeLessThanOrEqual(7 * COUNCILS + lost)
      expect((await queue.list(['set aside'])).length).toBe(0)
      await queue.close()
      await home.close()
    }, 1_200_000)
  },
)
