// What accountability costs per tool call: the same file read bare, and as a step of a session that is signed, judged
// and durable; and where the difference goes. Sides take turns; figures are medians of the rounds. Every flush is counted,
// and the floor is as many flushes of a file like the log, one after the other, in the same round.
import './count-flushes.js'
import {
  closeSync,
  fdatasync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openLog } from '../../dist/app/agents/decide.js'
import { openSession, signersOf } from '../../dist/app/agents/open-session.js'
import { openSessionEquipment } from '../../dist/app/agents/session-equipment.js'
import { readTask } from '../../dist/app/agents/task-file.js'
import { loadSettings } from '../../dist/app/config/config.js'
import { openOrCreateHome, registerSigners } from '../../dist/app/home/signers.js'
import { Clerk } from '../../dist/clerk/clerk.js'
import { agentsPerformer } from '../../dist/clerk/performers/agents/performer.js'
import { definitionHash } from '../../dist/tools/toolset.js'
import { median } from '../measure.js'
import { flushes } from './count-flushes.js'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9)
const CALLS = 20
const LIMITS = { timeoutMs: 60_000, maxOutputBytes: 1 << 20, maxProcesses: 64 }
const OPERATOR = 'bench'

const base = mkdtempSync(join(tmpdir(), 'witan-bench-agents-'))
const folder = join(base, 'work')
mkdirSync(folder)
const steps = Array.from({ length: CALLS }, (_, i) => {
  writeFileSync(join(folder, `${i}.txt`), `File ${i}. ${'All work is evidence. '.repeat(180)}\n`)
  return { id: `s${i}`, tool: 'files.read', input: { path: `${i}.txt` }, justification: 'it is measured' }
})
const file = join(folder, 'task.yaml')
writeFileSync(
  file,
  JSON.stringify({ objective: 'Read', tools: ['files.read'], proposals: [{ objective: 'Read', steps }] }),
)

const home = await openOrCreateHome({ directory: join(base, 'home'), postgres: null })
const settings = await loadSettings({ home: home.directory, from: folder, file: null })
const task = await readTask(file, home.directory)
const bench = await openSessionEquipment(home, task, settings)
const registrar = await registerSigners(home, signersOf(OPERATOR, task))
const [definition] = bench.offered

/** Adds the time that is spent in an asynchronous function to a name. */
const timed =
  (spent, name, work) =>
  async (...args) => {
    const start = performance.now()
    try {
      return await work(...args)
    } finally {
      spent[name] = (spent[name] ?? 0) + performance.now() - start
    }
  }

const DURABLE = ['append', 'settled', 'putArtifact']

function watched(spent) {
  const { store } = home.ports
  const watchedVault = new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      const bound = value.bind(target)
      if (name === 'append')
        return timed(spent, 'durable', (...args) => {
          // Not later: SQLite itself flushes.
          if (!args[4]) flushes.count++
          return bound(...args)
        })
      return DURABLE.includes(name) ? timed(spent, 'durable', bound) : bound
    },
  })
  return { ...home.ports, store: watchedVault, sign: timed(spent, 'signing', home.ports.sign) }
}

async function eachTimed(work) {
  const start = performance.now()
  for (const step of steps) await work(step)
  return (performance.now() - start) / CALLS
}

const flush = promisify(fdatasync)
const FLUSHES = 40

/** What one flush takes after a page was written, as the log of SQLite is. */
async function flushTime() {
  const log = openSync(join(base, 'log'), 'w')
  const page = Buffer.alloc(4096, 7)
  const start = performance.now()
  for (let i = 0; i < FLUSHES; i++) {
    writeSync(log, page)
    await flush(log)
  }
  const ms = (performance.now() - start) / FLUSHES
  closeSync(log)
  return ms
}

async function bare() {
  const file = await eachTimed(({ input }) => readFile(join(folder, input.path)))
  const toolset = await eachTimed(async ({ tool, input }) => {
    const call = { tool, input, definitionHash: definitionHash(definition), limits: LIMITS }
    const { ok } = await bench.toolsets.call({ ...call, signal: new AbortController().signal })
    if (!ok) throw new Error('a bare call failed')
  })
  return { file, toolset }
}

/** From the first intent to the end of the last tool, claims and audit left out. */
async function session() {
  const spent = {}
  const { operator, offered, policy, policyText: text } = bench
  const inForce = { hash: policy.hash, text, viaHost: operator.viaHost, fallback: operator.fallback }
  const opened = await openSession(home, registrar, { task, operator: OPERATOR, offered, policy: inForce })
  const ports = watched(spent)
  const log = await openLog(ports, opened.log.trace)
  const perform = agentsPerformer({
    ports,
    registrar,
    log,
    minds: new Map(),
    ...bench,
    policy: { ...policy, assess: timed(spent, 'policy', policy.assess) },
    toolsets: { ...bench.toolsets, call: timed(spent, 'tool', bench.toolsets.call) },
  })
  let [from, to, before, after, first, last, flushed] = [0, 0, {}, {}, 0, 0, 0]
  const watching = async (action, signal) => {
    if (action.id.startsWith('intent/') && from === 0)
      [from, before, first, flushed] = [performance.now(), { ...spent }, log.size, flushes.count]
    if (action.id.startsWith('close/') || action.id.startsWith('claim/'))
      if (to === 0)
        [to, after, last, flushed] = [performance.now(), { ...spent }, log.size, flushes.count - flushed]
    return perform(action, signal)
  }
  const end = await new Clerk(ports, registrar, log, watching).run()
  if (end.status !== 'finished' || to === 0) throw new Error('the session did not end')
  const each = (name) => ((after[name] ?? 0) - (before[name] ?? 0)) / CALLS
  return {
    total: (to - from) / CALLS,
    events: (last - first) / CALLS,
    flushes: flushed / CALLS,
    ...Object.fromEntries(['durable', 'signing', 'policy', 'tool'].map((name) => [name, each(name)])),
  }
}

const rounds = []
try {
  for (let round = -1; round < ROUNDS; round++) {
    const measured =
      round % 2
        ? { session: await session(), bare: await bare() }
        : { bare: await bare(), session: await session() }
    measured.flush = await flushTime()
    if (round >= 0) rounds.push(measured)
  }
} finally {
  await bench.close()
  await home.close()
  rmSync(base, { recursive: true, force: true })
}

const of = (pick) => rounds.map(pick)
const overhead = ({ session: { total }, bare: { toolset } }) => total - toolset
const rest = ({ session: { total, durable, signing, policy, tool } }) =>
  total - durable - signing - policy - tool
const lines = [
  ['the file, read by Node alone', (one) => one.bare.file],
  ['the bare call: confined, without secrets', (one) => one.bare.toolset],
  ['the call as a step of a session', (one) => one.session.total],
  ['  the same call in it, which is no overhead', (one) => one.session.tool],
  ['overhead of the session', overhead],
  ['  made durable: commits and artifacts (fsync)', (one) => one.session.durable],
  ['  signing', (one) => one.session.signing],
  ['  policy', (one) => one.session.policy],
  ['  folding, guards, canonical JSON, the rest', rest],
]
const whole = median(of(overhead))
const isShare = (name, at) => name.startsWith('  ') && at > 4
const events = median(of((one) => one.session.events)).toFixed(1)
console.log(
  `Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}; ms a call, ${CALLS} calls a ` +
    `round, ${ROUNDS} rounds, ${events} signed events a call\n`,
)
console.log(`${''.padEnd(48)}  median   least    most   of the overhead`)
for (const [at, [name, pick]] of lines.entries()) {
  const values = of(pick)
  const figures = [median(values), Math.min(...values), Math.max(...values)]
  const share = isShare(name, at) ? `${Math.round((100 * figures[0]) / whole)} %`.padStart(9) : ''
  console.log(`${name.padEnd(48)}${figures.map((ms) => ms.toFixed(2).padStart(8)).join('')}${share}`)
}

const MOST = 1.5
const floor = (one) => one.session.flushes * one.flush
const ratios = of((one) => overhead(one) / floor(one))
const counted = median(of((one) => one.session.flushes)).toFixed(1)
const flushMs = median(of((one) => one.flush)).toFixed(2)
const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`
console.log(`\n${counted} flushes a call, each ${flushMs} ms alone: ${median(of(floor)).toFixed(2)} ms`)
console.log(
  `overhead against these flushes: ${median(ratios).toFixed(2)} (${spread}), wanted ≤ ${MOST}: ${median(ratios) <= MOST ? 'yes' : 'NO'}`,
)
