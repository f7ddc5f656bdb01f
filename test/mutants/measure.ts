// Measures one room: which mutants each of its own tests reaches, then the tests that reach little else, then all quick
// ones, the slow ones and the wider suites, each for what still lives.
import { spawn } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WIDER } from './rooms.ts'
import { type Drawn, draw, mutantsIn } from './sample.ts'
import { type Entry, readState, type Settings } from './state.ts'

const HANGS_AFTER = 90_000
const ALL = 1_000_000

export interface Measured {
  readonly room: string
  readonly all: number
  readonly drawn: readonly Drawn[]
  readonly killed: ReadonlyMap<number, string>
  readonly reached: ReadonlySet<number>
  readonly doubtful: ReadonlyMap<number, string>
  readonly broken: ReadonlySet<string>
}

const lastEntry = (log: string): Entry | undefined => {
  const line = readFileSync(log, 'utf8').trimEnd().split('\n').at(-1)
  return line ? (JSON.parse(line) as Entry) : undefined
}

type Ended = 'passed' | 'failed' | 'hung'

/** One run of vitest, which is ended where a mutant hangs. */
async function stage(settings: Settings, root: string): Promise<Ended> {
  const config = join('test', 'mutants', 'vitest.config.ts')
  const args = [join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--config', config, '--reporter', 'dot']
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, WITAN_MUTANTS: JSON.stringify(settings) },
    stdio: process.env.WITAN_MUTANTS_SHOW ? 'inherit' : 'ignore',
    detached: true,
  })
  let hung = false
  const watch = setInterval(() => {
    const last = lastEntry(settings.log)
    if (last === undefined || !('begun' in last) || Date.now() - statSync(settings.log).mtimeMs < HANGS_AFTER)
      return
    hung = true
    writeFileSync(settings.log, `${JSON.stringify({ killed: last.begun, by: 'never ended' })}\n`, {
      flag: 'a',
    })
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }, 5_000)
  const code = await new Promise((resolve) => child.once('exit', resolve))
  clearInterval(watch)
  if (hung) return 'hung'
  return code === 0 ? 'passed' : 'failed'
}

/**
 * Mutants in what runs while modules are loaded cannot be switched on for one test: each gets a process of its own, and all quick
 * tests of the room. Nothing is said by that where they fail without any mutant.
 */
async function tryLoaded(settings: Settings, root: string): Promise<void> {
  const state = readState(readFileSync(settings.log, 'utf8'))
  const reached = new Set([...state.tests.values()].flatMap(({ reached }) => reached))
  const ids = [...state.loaded].filter((id) => !reached.has(id) && !state.killed.has(id))
  if (ids.length === 0 || (await stage({ ...settings, active: -1 }, root)) !== 'passed') return
  for (const id of ids) {
    if (Date.now() > settings.until) return
    if ((await stage({ ...settings, active: id }, root)) === 'failed')
      writeFileSync(settings.log, `${JSON.stringify({ killed: id, by: 'loaded with it' })}\n`, { flag: 'a' })
  }
}

export async function measure(
  room: string,
  count: number,
  seed: number,
  minutes: number,
  log: string,
): Promise<Measured> {
  const root = process.cwd()
  const all = mutantsIn(room)
  writeFileSync(log, '')
  const own = [`src/${room}/**/*.test.ts`]
  const stages = [
    { tests: own, slowest: 3_000, nearest: 0, isolate: false },
    { tests: own, slowest: 1_000, nearest: 8, isolate: false },
    { tests: own, slowest: 200, nearest: ALL, isolate: false },
    { tests: own, slowest: 3_000, nearest: ALL, isolate: false },
    // One after the other as they are named: a slow one takes no time from those before it.
    ...(WIDER[room] ?? []).map((suite) => ({ tests: [suite], slowest: 3_000, nearest: ALL, isolate: true })),
  ]
  for (const each of stages) {
    const until = Date.now() + minutes * 60_000
    while ((await stage({ room, count, seed, log, until, ...each }, root)) === 'hung');
  }
  const until = Date.now() + minutes * 60_000
  await tryLoaded(
    { room, count, seed, log, until, tests: own, slowest: 200, nearest: 0, isolate: false },
    root,
  )
  const state = readState(readFileSync(log, 'utf8'))
  const reached = new Set([...[...state.tests.values()].flatMap(({ reached }) => reached), ...state.loaded])
  return { ...state, room, all: all.length, drawn: draw(all, count, seed), reached }
}
