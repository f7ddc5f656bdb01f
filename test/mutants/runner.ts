// Runs each test once as it is and then again for every mutant that it reaches and that still lives. A test that fails
// with a mutant kills it, if it passes again without: so no kill comes of what an earlier one left behind. Everything is
// written down as it happens; a process that hangs is ended from outside and the next one reads on from there.
import { appendFileSync, readFileSync } from 'node:fs'
import { type RunnerTestCase as Test, TestRunner } from 'vitest'
import { type Entry, nearestTests, readState, settings } from './state.ts'

/** Milliseconds that this process computed: what else the machine does is no part of it. */
function computed(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Of the clock: a mutant that waits for what never comes computes nothing. */
const WAITS_AT_MOST = 40_000

const { log, slowest, nearest, until, active = 0 } = settings()

/** Globals: the switched sources know them by name. */
const switches = {
  active,
  deadline: Number.POSITIVE_INFINITY,
  asked: 0,
  reached: new Set<number>(),
  on(id: number): boolean {
    if (switches.active === 0) {
      switches.reached.add(id)
      return false
    }
    switches.tick()
    return switches.active === id
  },
  tick(): void {
    if (switches.active === 0) return
    switches.asked += 1
    if (switches.asked % 256 === 0 && computed() > switches.deadline) throw new Error('a mutant ran too long')
  },
}
Object.assign(globalThis, { __mutants: switches })

const state = readState(readFileSync(log, 'utf8'))
const first = nearestTests(state, nearest)
const write = (entry: Entry) => appendFileSync(log, `${JSON.stringify(entry)}\n`)

const nameOf = (test: Test): string => {
  const names = [test.name]
  for (let suite = test.suite; suite !== undefined; suite = suite.suite) names.unshift(suite.name)
  return `${test.file.name} > ${names.join(' > ')}`
}

async function fails(body: () => unknown, mutant: number, limit: number): Promise<boolean> {
  switches.active = mutant
  switches.deadline = computed() + limit
  let timer: NodeJS.Timeout | undefined
  try {
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error('too late')), WAITS_AT_MOST)
    })
    await Promise.race([Promise.resolve().then(body), late])
    return computed() > switches.deadline
  } catch {
    return true
  } finally {
    clearTimeout(timer)
    switches.active = 0
  }
}

export default class MutantRunner extends TestRunner {
  async runTask(test: Test): Promise<void> {
    // Past its time a stage tries no more: what it did not come to counts as living.
    if (Date.now() > until) return
    const name = nameOf(test)
    const body = TestRunner.getTestFn(test)
    const known = state.tests.get(name)
    const isNow = (id: number) => known === undefined || first.get(id)?.has(name) === true
    const lives = (id: number) => isNow(id) && !state.killed.has(id) && !state.tried.has(`${id} ${name}`)
    if (active === 0 && known !== undefined && !known.reached.some(lives)) return
    if (known !== undefined && known.ms > slowest) return
    if (active !== 0) return void (await body())
    if (switches.reached.size > 0) write({ loaded: [...switches.reached] })
    switches.reached = new Set()
    const began = computed()
    try {
      await body()
    } catch (error) {
      write({ broken: name })
      throw error
    }
    const ms = computed() - began
    const reached = [...switches.reached]
    switches.reached = new Set()
    write({ test: name, ms: Math.round(ms), reached })
    if (ms > slowest || nearest === 0) return
    const limit = Math.max(2_000, ms * 10)
    for (const id of reached.filter(lives)) {
      if (Date.now() > until) return
      write({ begun: id, by: name })
      const failed = await fails(body, id, limit)
      const sound = !failed || !(await fails(body, 0, limit))
      write({ [sound ? (failed ? 'killed' : 'survived') : 'doubtful']: id, by: name } as Entry)
      if (failed && sound) state.killed.set(id, name)
    }
    // What ran again without a mutant is no part of loading.
    switches.reached = new Set()
  }
}
