// Workers on one PostgreSQL: how soon a queued council begins, beside graphile-worker's own pick-up of an empty job; how
// soon a parked session goes on once a person answered elsewhere; and how much two workers do beside one, and beside
// LangGraph with its Postgres checkpointer on the same models. The sides take turns in the same run.
//
// BENCH_STARTS (30), BENCH_PARKED (8) and BENCH_COUNCILS (48) make it shorter.
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeWorkerUtils } from 'graphile-worker'
import pg from 'pg'
import { openPostgresQueue } from '../../dist/stores/postgres/queue/queue.js'
import { withCouncilServer } from '../council/server.js'
import { graph } from '../council/sides.js'
import { withServer } from '../ledger/server.js'
import { median } from '../measure.js'
import { withHome } from './home.js'

const STARTS = Number(process.env.BENCH_STARTS ?? 30)
const PARKED = Number(process.env.BENCH_PARKED ?? 8)
const COUNCILS = Number(process.env.BENCH_COUNCILS ?? 48)
const SLOTS = 8

const now = () => performance.timeOrigin + performance.now()
const ms = (value) => `${value.toFixed(1)} ms`
const item = (trace, more = {}) => ({
  trace,
  protocol: 'council/1',
  tenant: 'bench',
  tag: null,
  details: {},
  ...more,
})

/** Processor time of the whole machine, busy and in all. */
function processors() {
  const [, ...ticks] = readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/\s+/).map(Number)
  const all = ticks.slice(0, 8).reduce((sum, one) => sum + one, 0)
  return { all, busy: all - ticks[3] - ticks[4] }
}

async function withDatabase(server, use) {
  const name = `bench_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  try {
    return await use(url.href)
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
  }
}

/** How long an empty job waits for graphile-worker. */
async function emptyJobs(url) {
  const schema = 'graphile_bench'
  const child = fork(fileURLToPath(new URL('./empty-jobs.js', import.meta.url)), [url, schema])
  await once(child, 'message')
  const utils = await makeWorkerUtils({ connectionString: url, schema })
  return {
    async once() {
      const picked = once(child, 'message')
      const start = now()
      await utils.addJob('empty', {})
      const [{ at }] = await picked
      return at - start
    },
    async close() {
      await utils.release()
      child.disconnect()
    },
  }
}

async function measureStarts(url, house, queue) {
  const worker = await house.start('--concurrency', '4', '--name', 'starts')
  const empty = await emptyJobs(url)
  const rows = { ours: [], empty: [] }
  for (let nth = -2; nth < STARTS; nth++) {
    const trace = await house.openCouncil()
    const started = worker.until((event) => event.event === 'started' && event.trace === trace)
    const ended = worker.until((event) => event.event === 'ended' && event.trace === trace)
    const start = now()
    await queue.enqueue(item(trace))
    const ours = Date.parse((await started).at) - start
    await ended
    await pause(100)
    const theirs = await empty.once()
    await pause(50)
    if (nth >= 0) {
      rows.ours.push(ours)
      rows.empty.push(theirs)
    }
  }
  await empty.close()
  await worker.stop()
  return rows
}

/** From one connection to another that listens, and back. */
async function notifyRoundTrip(url) {
  const clients = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })]
  for (const client of clients) await client.connect()
  const [one, other] = clients
  await one.query('LISTEN pong')
  await other.query('LISTEN ping')
  other.on('notification', () => void other.query('NOTIFY pong'))
  const taken = []
  for (let nth = 0; nth < 30; nth++) {
    const heard = once(one, 'notification')
    const start = performance.now()
    await one.query('NOTIFY ping')
    await heard
    taken.push(performance.now() - start)
  }
  for (const client of clients) await client.end()
  return median(taken)
}

const TASK = {
  objective: 'Write it down',
  tools: ['files.write'],
  proposals: [
    {
      objective: 'Write it down',
      steps: [
        {
          id: 'note',
          tool: 'files.write',
          input: { path: 'note.txt', content: 'MIT\n' },
          justification: 'wanted',
        },
      ],
      claims: [{ text: 'it is noted', confidence: 'high', evidence: [{ step: 'note', quote: 'note.txt' }] }],
    },
  ],
}

/** Parked by one worker, approved by a command of its own, gone on with by another worker. */
async function measureApprovals(url, house) {
  await writeFile(join(house.cwd, 'task.yaml'), JSON.stringify(TASK))
  const first = await house.start('--concurrency', '4', '--name', 'parks')
  const parked = []
  for (let nth = 0; nth < PARKED; nth++) {
    const { trace } = JSON.parse(await house.witan('agents', 'run', 'task.yaml', '--queue', '--json'))
    parked.push(trace)
    await first.until((event) => event.event === 'ended' && event.trace === trace && event.as === 'parked')
  }
  await first.stop()
  const second = await house.start('--concurrency', '4', '--name', 'goes-on')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const taken = []
  for (const trace of parked) {
    const started = second.until((event) => event.event === 'started' && event.trace === trace)
    await house.witan('agents', 'approve', trace, '--by', 'ana', '--reason', 'I read it', '--json')
    const at = Date.parse((await started).at)
    const { rows } = await client.query(
      `SELECT convert_from(header, 'UTF8') AS header FROM witan.events e JOIN witan.traces t ON t.id = e.trace WHERE t.trace = $1`,
      [trace],
    )
    const approved = rows.map(({ header }) => JSON.parse(header)).find(({ actor }) => actor.agent === 'ana')
    taken.push(at - Date.parse(approved.at))
  }
  await client.end()
  await second.stop()
  return taken
}

/** Councils a second of so many workers that find all of them waiting. */
async function throughput(house, queue, count) {
  const traces = []
  for (let nth = 0; nth < COUNCILS; nth++) traces.push(await house.openCouncil())
  const workers = []
  for (let nth = 0; nth < count; nth++)
    workers.push(await house.start('--concurrency', String(SLOTS), '--name', `t${count}-${nth}`))
  let left = COUNCILS
  const done = new Promise((resolve) => {
    for (const worker of workers)
      worker.hear(({ event, as }) => {
        if (event === 'ended' && as === 'finished' && --left === 0) resolve()
      })
  })
  const [before, start] = [processors(), performance.now()]
  for (const trace of traces) await queue.enqueue(item(trace))
  await done
  const seconds = (performance.now() - start) / 1_000
  const after = processors()
  for (const worker of workers) await worker.stop()
  const busy = ((after.busy - before.busy) / (after.all - before.all)) * cpus().length
  return { rate: COUNCILS / seconds, busy }
}

async function langGraph(modelUrl, postgres) {
  const { PostgresSaver } = await import('@langchain/langgraph-checkpoint-postgres')
  const checkpointer = PostgresSaver.fromConnString(postgres)
  await checkpointer.setup()
  const { council } = await graph(modelUrl, true, checkpointer)
  await council()
  const start = performance.now()
  let next = 0
  const slot = async () => {
    while (next++ < COUNCILS) await council()
  }
  await Promise.all(Array.from({ length: SLOTS }, slot))
  const rate = COUNCILS / ((performance.now() - start) / 1_000)
  await checkpointer.end()
  return rate
}

const verdict = (is) => (is ? 'yes' : 'NO')

await withServer((server) =>
  withDatabase(server, (url) =>
    withCouncilServer((modelUrl) =>
      withHome(url, modelUrl, async (house) => {
        const load = () => `load ${loadavg()[0].toFixed(1)}`
        await house.openCouncil()
        const queue = await openPostgresQueue({ url })
        const { ours, empty } = await measureStarts(url, house, queue)
        const ratio = median(ours) / median(empty)
        console.log(`start of a queued council  ${ms(median(ours))}, ${load()}`)
        console.log(`empty job, graphile-worker  ${ms(median(empty))}`)
        console.log(`ratio ${ratio.toFixed(2)}, wanted ≤ 2: ${verdict(ratio <= 2)}\n`)

        const [trip, approvals] = [await notifyRoundTrip(url), await measureApprovals(url, house)]
        const bound = 5 * trip + median(empty)
        console.log(`approved on A, parked by B, gone on at C  ${ms(median(approvals))}, ${load()}`)
        console.log(
          `a NOTIFY round trip ${ms(trip)}; wanted ≤ 5 of them and a pick-up, ${ms(bound)}: ${verdict(median(approvals) <= bound)}\n`,
        )

        const one = await throughput(house, queue, 1)
        const two = await throughput(house, queue, 2)
        const grown = two.rate / one.rate
        console.log(
          `councils a second, one worker  ${one.rate.toFixed(2)}, ${one.busy.toFixed(2)} of ${cpus().length} processors busy`,
        )
        console.log(
          `councils a second, two workers ${two.rate.toFixed(2)}, ${two.busy.toFixed(2)} of ${cpus().length} processors busy`,
        )
        console.log(
          `ratio ${grown.toFixed(2)}, wanted ≥ 1.7 as far as processors allow (models and PostgreSQL run on them too): ${verdict(grown >= 1.7)}`,
        )
        const room = cpus().length / one.busy
        console.log(`one worker leaves room for ${room.toFixed(2)} times as much on this machine, ${load()}`)
        const graphs = await langGraph(modelUrl, url)
        console.log(
          `LangGraph with its Postgres checkpointer, ${SLOTS} at once in one process  ${graphs.toFixed(2)} a second; one worker ${(one.rate / graphs).toFixed(2)} ×`,
        )
        await queue.close()
      }),
    ),
  ),
)
process.exit(0)
