// Workers are real processes, killed or stopped in the middle of councils. Models take a while to answer, so that calls
// are under way when it happens.

import { describe, expect, it } from 'vitest'
import { THREE } from '../support/council-run.ts'
import { countOf, finishedTraces } from './traces.ts'
import { type SharedMachine, server, sharedMachines } from './workers.ts'

const share = sharedMachines()
const COUNCILS = 2

async function enqueue({ run }: SharedMachine): Promise<readonly string[]> {
  const traces: string[] = []
  for (let i = 0; i < COUNCILS; i++) {
    const { json } = await run('ask', `Shall we do ${i}?`, '--queue', '--json')
    traces.push(String(json.trace))
  }
  return traces
}

/** Two councils under way on a worker of that name: each has asked. */
async function underWay(name: string) {
  const here = await share(THREE, { delayMs: 300 })
  const traces = await enqueue(here)
  const worker = here.start('--concurrency', '4', '--name', name)
  await expect.poll(() => here.server.heard.length, { timeout: 30_000 }).toBeGreaterThan(3)
  return { ...here, traces, worker }
}

/** A lost call may not have reached the model; what was answered is never asked again. */
function expectAsked(heard: number, lost: number): void {
  expect(heard).toBeGreaterThanOrEqual(7 * COUNCILS)
  expect(heard).toBeLessThanOrEqual(7 * COUNCILS + lost)
}

describe.skipIf(server === null)('a worker that is lost', () => {
  it('APP-7 LED-17 is killed: another goes on, asks again what was under way, and nothing that was answered', async () => {
    const here = await underWay('doomed')
    here.worker.process.kill('SIGKILL')
    const heir = here.start('--concurrency', '4', '--name', 'heir')
    const done = await finishedTraces(here.url, here.traces)
    const lost = countOf(done, 'call_lost')
    expect(lost).toBeGreaterThan(0)
    expectAsked(here.server.heard.length, lost)
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
