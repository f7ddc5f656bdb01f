// What accountability costs per tool call: the same file read bare, and as a step of a session that is signed, judged
// and durable; and where the difference goes. Sides take turns; figures are medians of the rounds.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentsPerformer } from '../../dist/clerk/agents/performer.js'
import { Clerk } from '../../dist/clerk/clerk.js'
import { bookOf } from '../../dist/doors/agents/decision.js'
import { openSession, signersOf } from '../../dist/doors/agents/opening.js'
import { readTask } from '../../dist/doors/agents/task-file.js'
import { openWorkbench } from '../../dist/doors/agents/workbench.js'
import { loadSettings } from '../../dist/doors/config.js'
import { employ, openOrFound } from '../../dist/doors/signers.js'
import { definitionHash } from '../../dist/hands/hand.js'
import { median } from '../measure.js'

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

const home = await openOrFound({ directory: join(base, 'home'), postgres: null })
const settings = await loadSettings({ home: home.directory, from: folder, file: null })
const task = await readTask(file, home.directory)
const bench = await openWorkbench(home, task, settings)
const registrar = await employ(home, signersOf(OPERATOR, task))
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

function watched(spent) {
  const { vault } = home.office
  const watchedVault = new Proxy(vault, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      const bound = value.bind(target)
      return name === 'append' || name === 'putArtifact' ? timed(spent, 'durable', bound) : bound
    },
  })
  return { ...home.office, vault: watchedVault, sign: timed(spent, 'signing', home.office.sign) }
}

async function bare() {
  const start = performance.now()
  for (const { tool, input } of steps) {
    const call = { tool, input, definitionHash: definitionHash(definition), limits: LIMITS }
    const { ok } = await bench.hands.call({ ...call, signal: new AbortController().signal })
    if (!ok) throw new Error('a bare call failed')
  }
  return (performance.now() - start) / CALLS
}

/** From the first intent to the end of the last tool, claims and audit left out. */
async function session() {
  const spent = {}
  const { operator, offered, policy, policyText: text } = bench
  const inForce = { hash: policy.hash, text, viaHost: operator.viaHost, fallback: operator.fallback }
  const opened = await openSession(home, registrar, { task, operator: OPERATOR, offered, policy: inForce })
  const office = watched(spent)
  const book = await bookOf(office, opened.trace)
  const perform = agentsPerformer({
    office,
    registrar,
    book,
    minds: new Map(),
    ...bench,
    policy: { ...policy, assess: timed(spent, 'policy', policy.assess) },
    hands: { ...bench.hands, call: timed(spent, 'tool', bench.hands.call) },
  })
  let [from, to, before, after] = [0, 0, {}, {}]
  const watching = async (action, signal) => {
    if (action.id.startsWith('intent/') && from === 0) [from, before] = [performance.now(), { ...spent }]
    if (action.id.startsWith('close/') || action.id.startsWith('claim/'))
      if (to === 0) [to, after] = [performance.now(), { ...spent }]
    return perform(action, signal)
  }
  const end = await new Clerk(office, registrar, book, watching).run()
  if (end.status !== 'finished' || to === 0) throw new Error('the session did not end')
  const each = (name) => ((after[name] ?? 0) - (before[name] ?? 0)) / CALLS
  return {
    total: (to - from) / CALLS,
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
    if (round >= 0) rounds.push(measured)
  }
} finally {
  await bench.close()
  await home.close()
  rmSync(base, { recursive: true, force: true })
}

const of = (pick) => {
  const values = rounds.map(pick)
  return [median(values), Math.min(...values), Math.max(...values)].map((ms) => ms.toFixed(2))
}
const rest = ({ session: { total, durable, signing, policy, tool } }) =>
  total - durable - signing - policy - tool
const lines = [
  ['the bare call', (one) => one.bare],
  ['the call in a session', (one) => one.session.total],
  ['overhead', (one) => one.session.total - one.bare],
  ['  made durable (fsync)', (one) => one.session.durable],
  ['  signing', (one) => one.session.signing],
  ['  policy', (one) => one.session.policy],
  ['  the tool itself, in the session', (one) => one.session.tool],
  ['  folding, guards, canonical JSON, the rest', rest],
]
console.log(
  `Node ${process.version}, ${cpus().length} cores; ms a call, ${CALLS} calls a round, ${ROUNDS} rounds\n`,
)
console.log(`${''.padEnd(44)}  median   least    most`)
for (const [name, pick] of lines)
  console.log(
    `${name.padEnd(44)}${of(pick)
      .map((ms) => ms.padStart(8))
      .join('')}`,
  )
