// A real clerk on a real store runs one exchange to ten thousand messages. After every few rounds the trace is opened as
// another process would open it, from the last kept state and whole, branched at an early round, and a sample is drawn,
// so that each figure is known early and late in one and the same exchange.

import { deepStrictEqual } from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { judgeWith } from '../../src/app/exchange/judge-messages.ts'
import { Clerk } from '../../src/clerk/clerk.ts'
import { forkTrace } from '../../src/clerk/fork.ts'
import { embedWith } from '../../src/clerk/performers/exchange/judge-messages.ts'
import { exchangePerformer } from '../../src/clerk/performers/exchange/performer.ts'
import type { Ports } from '../../src/clerk/ports.ts'
import { Registrar } from '../../src/clerk/registrar.ts'
import type { AskableSeat } from '../../src/clerk/seat.ts'
import { TraceLog } from '../../src/clerk/trace-log.ts'
import { endOf } from '../../src/exchange/evolve/steps.ts'
import { exchangeProtocol } from '../../src/exchange/exchange.ts'
import { sampleFor } from '../../src/exchange/pool.ts'
import { readTerms } from '../../src/exchange/terms.ts'
import type { Payload } from '../../src/ledger/event.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { openSnapshotFiles } from '../../src/stores/snapshot-files.ts'
import { openSqliteStore } from '../../src/stores/sqlite.ts'
import { WordCountEmbedder } from '../../test/fakes/embeddings-sense.ts'
import { testPorts } from '../../test/support/ports.ts'

const MESSAGES = 10_000
const STEPS = 12
const A_REPLY = 8
const MINDS = ['claude', 'local']
const SUBJECTS = ['rivers', 'bread', 'clocks', 'bridges', 'forests', 'music', 'maps', 'winter']

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

function talker(name: string): AskableSeat {
  let said = 0
  return {
    provider: name,
    async ask({ schema }) {
      const blocks = Array.from({ length: A_REPLY }, () => {
        const subject = SUBJECTS[said++ % SUBJECTS.length]
        return `${name} thinks of ${subject} for the ${said}th time and what ${subject} are for`
      })
      const audit = JSON.stringify({ summary: 'It goes on.', points: [] })
      const text = schema === null ? ['', ...blocks].join('\n---\n') : audit
      const usage = { inputTokens: 1_000, outputTokens: 200 }
      const reply = { ok: true, text, usage, cost: null, latencyMs: 0 } as const
      return { outcome: { ...reply, transport: 'replay', model: 'bench' }, attempts: [], failure: null }
    },
  }
}

async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

interface Figures {
  readonly round: number[]
  readonly opening: number[]
  readonly branching: number[]
  readonly whole: number[]
  readonly sampling: number[]
}

async function run(directory: string): Promise<Figures & { readonly messages: number }> {
  const store = await openSqliteStore({ directory, readonly: false })
  const ports = { ...testPorts(store), snapshots: openSnapshotFiles(directory) }
  const registrar = await Registrar.create(ports, 'bench', ports.key('registrar').publicKey)
  const roles = {
    clerk: ['clerk'],
    claude: ['mind', 'auditor'],
    local: ['mind'],
    ana: ['observer'],
    policy: ['policy'],
  }
  for (const [agent, own] of Object.entries(roles)) {
    await registrar.register(agent, own, ports.key(agent).publicKey)
  }
  const terms = readTerms({
    pool: { prompt: 'Think.', minds: MINDS, parallel: true, max_messages: A_REPLY },
    auditor: { spec: 'Sum up.', mind: 'claude', every: 50 },
    observer: { name: 'ana', role: 'I look on.' },
    restart: { policy: 'acknowledge' },
  })
  if (typeof terms === 'string') throw new Error(terms)
  const embedder = new WordCountEmbedder('bench:words:64')
  const protocol = exchangeProtocol(sha256)
  const log = new TraceLog(ports, protocol, ports.newTrace())
  const say = (type: string, payload: object) =>
    log.append([{ type, actor: registrar.actor('ana', 'observer'), payload: payload as Payload }])
  await say('exchange_opened', { terms, encoder: embedder.encoder, fence: 'f'.repeat(32), seats: [] })
  const minds = new Map(MINDS.map((name) => [name, talker(name)]))
  const regard = embedWith({ store, embedder, judge: judgeWith(embedder) })
  const perform = exchangePerformer({ ports, registrar, log, minds, regard })
  const figures: Figures = { round: [], opening: [], branching: [], whole: [], sampling: [] }
  const rounds = Math.ceil(MESSAGES / (MINDS.length * A_REPLY) / STEPS) + 1
  while (log.state.inner.totals.messages < MESSAGES) {
    await say('continued', { until: log.state.inner.closed + rounds, mode: 'run' })
    const took = await timed(() => new Clerk(ports, registrar, log, perform).run())
    figures.round.push(took / rounds)
    const { inner } = log.state
    const { snapshots: _, ...without } = ports
    // An runKit of its own knows nothing yet, as a process that has just begun; the registry is folded as well.
    const opened = (kit: Ports) => () => new TraceLog({ ...kit }, protocol, log.trace).refresh()
    for (const _ of [1, 2, 3]) figures.opening.push(await timed(opened(ports)))
    figures.whole.push(await timed(opened(without)))
    const round = Math.floor(inner.closed / 2)
    const at = endOf(inner, round)
    if (at) figures.branching.push(await timed(() => branchAt({ ...ports }, protocol, registrar, round, at)))
    const draws = await timed(() => {
      for (let i = 0; i < 200; i++) sampleFor(sha256, inner, terms, i, 'local')
    })
    figures.sampling.push(draws / 200)
  }
  const { messages } = log.state.inner.totals
  await agree(ports, protocol, log.trace)
  await store.close()
  return { ...figures, messages }
}

/** What was measured is worth something only if the state that was kept is the state that is folded. */
async function agree(
  ports: Ports,
  protocol: ReturnType<typeof exchangeProtocol>,
  trace: string,
): Promise<void> {
  const { snapshots: _, ...without } = ports
  const [kept, whole] = [ports, without].map((kit) => new TraceLog({ ...kit }, protocol, trace))
  await kept?.refresh()
  await whole?.refresh()
  if (kept?.begun.tally.events.size === 0) throw new Error('nothing was kept')
  deepStrictEqual(kept?.state, whole?.state)
}

async function branchAt(
  ports: Ports,
  protocol: ReturnType<typeof exchangeProtocol>,
  registrar: Registrar,
  round: number,
  { trace, seq }: { readonly trace: string; readonly seq: number },
): Promise<void> {
  const into = ports.newTrace()
  const order = { into, round, carry: 'window', terms: null, current: false, order: `${trace}/${seq}` }
  const payload = { branch: { ...order, signal: null, by_policy: 0 } } as unknown as Payload
  await forkTrace(ports, protocol, { parent: trace, seq, into }, registrar.actor('ana', 'observer'), payload)
}

/** The first fifth and the last, each after the machine has warmed up. */
function row(question: string, [, ...values]: readonly number[], atMost: number) {
  const fifth = Math.ceil(values.length / 5)
  const [early, late] = [median(values.slice(0, fifth)), median(values.slice(-fifth))]
  const ratio = late / early
  return {
    question,
    ours: `${late.toFixed(3)} ms`,
    floor: `${early.toFixed(3)} ms`,
    ratio: ratio.toFixed(2),
    wanted: `≤ ${atMost}`,
    met: ratio <= atMost ? 'yes' : 'NO',
  }
}

export async function measure() {
  const directory = await mkdtemp(join(tmpdir(), 'witan-bench-'))
  try {
    const { round, opening, branching, whole, sampling, messages } = await run(directory)
    return [
      row('one round: late beside early', round, 1.5),
      row('opening it: late beside early', opening, 1.5),
      row('a branch at the middle round: late beside early', branching, 1.5),
      row('drawing a sample: late beside early', sampling, 1.5),
      { question: `folding all of it: ${messages} messages`, ours: `${Math.round(whole.at(-1) ?? 0)} ms` },
    ]
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
