// Workers are real processes, killed or stopped in the middle of councils. The models leave the first asks of each council
// without an answer, so that all of them are under way when it happens, and none is about to be made.

import { describe, expect, it } from 'vitest'
import type { Script } from '../fakes/council.ts'
import { countOf, finishedTraces } from './traces.ts'
import { type SharedMachine, server, sharedMachines } from './workers.ts'

const share = sharedMachines()
const COUNCILS = 2
const SEATS = ['a', 'b', 'c']
const SILENT: Script = {
  R1: [...Array.from({ length: COUNCILS }, () => ({ act: 'silence' as const })), { usual: true }],
}
const MODELS = Object.fromEntries(SEATS.map((name) => [name, SILENT]))
const LOST = SEATS.length * COUNCILS

async function enqueue({ run }: SharedMachine): Promise<readonly string[]> {
  const traces: string[] = []
  for (let i = 0; i < COUNCILS; i++) {
    const { json } = await run('ask', `Shall we do ${i}?`, '--queue', '--json')
    traces.push(String(json.trace))
  }
  return traces
}

/** Two councils under way on a worker of that name: every seat was asked. */
async function underWay(name: string) {
  const here = await share(MODELS)
  const traces = await enqueue(here)
  const worker = here.start('--concurrency', '4', '--name', name)
  await expect.poll(() => here.server.heard.length, { timeout: 60_000 }).toBe(LOST)
  return { ...here, traces, worker }
}

/** What was lost is asked once more, and what was answered never. */
function expectAsked(heard: number, lost: number): void {
  expect([heard, lost]).toEqual([7 * COUNCILS + LOST, LOST])
}

describe.skipIf(server === null)('a worker that is lost', () => {
  it('APP-7 LED-17 is killed: another goes on, asks again what was under way, and nothing that was answered', async () => {
    const here = await underWay('doomed')
    here.worker.process.kill('SIGKILL')
    const heir = here.start('--concurrency', '4', '--name', 'heir')
    const done = await finishedTraces(here.url, here.traces)
    expectAsked(here.server.heard.length, countOf(done, 'call_lost'))
    expect(await heir.until('swept')).toMatchObject({ workers: ['doomed'] })
  }, 120_000)

  it('APP-7 LED-17 is stopped and wakes again: another went on, and it comes back without acting on the past', async () => {
    const here = await underWay('sleeper')
    here.worker.process.kill('SIGSTOP')
    here.start('--concurrency', '4', '--name', 'heir')
    const done = await finishedTraces(here.url, here.traces)
    const heard = here.server.heard.length
    expectAsked(heard, countOf(done, 'call_lost'))
    here.worker.process.kill('SIGCONT')
    await here.worker.until('lost')
    const registered = () => here.worker.log.filter(({ event }) => event === 'registered').length
    await expect.poll(registered, { timeout: 30_000 }).toBe(2)
    expect(here.server.heard.length).toBe(heard)
  }, 120_000)
})
