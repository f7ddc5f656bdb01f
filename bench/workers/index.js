// Workers on one PostgreSQL: how soon a queued council begins, beside graphile-worker's own pick-up of an empty job; how
// soon a parked session continues once a person answered elsewhere; and how much two workers do beside one, and beside
// LangGraph with its Postgres checkpointer on the same models. The sides take turns in the same run. An answer counts
// from the commit of the event that holds it, by the server's own record (track_commit_timestamp), to the moment at
// which a worker begins to drive the trace; when the first event after it is committed is told beside it. The approver's
// own process, signature and transaction come before the commit and are not counted; a NOTIFY and a pick-up do not hold
// them either. Each worker has one processor to itself, as far as PostgreSQL, the models and this program leave it: they
// run on the same. Who used how much processor time is told, and with it what the processors would allow. BENCH_STARTS
// (30), BENCH_PARKED (8) and BENCH_COUNCILS (48) make it shorter.
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
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
import { secondsBusy, secondsOf, secondsOfServer } from './processors.js'

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

async function measureStarts(url, storage, queue) {
  const worker = await storage.start('--concurrency', '4', '--name', 'starts')
  const empty = await emptyJobs(url)
  const rows = { ours: [], empty: [] }
  for (let nth = -2; nth < STARTS; nth++) {
    const trace = await storage.openCouncil()
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

/** Parked by one worker, approved by a command of its own, continued by another worker. */
async function measureApprovals(url, storage) {
  await writeFile(join(storage.cwd, 'task.yaml'), JSON.stringify(TASK))
  const first = await storage.start('--concurrency', '4', '--name', 'parks')
  const parked = []
  for (let nth = 0; nth < PARKED; nth++) {
    const { trace } = JSON.parse(await storage.witan('agents', 'run', 'task.yaml', '--queue', '--json'))
    parked.push(trace)
    await first.until((event) => event.event === 'ended' && event.trace === trace && event.as === 'parked')
  }
  await first.stop()
  const second = await storage.start('--concurrency', '4', '--name', 'goes-on')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const taken = { begun: [], recorded: [] }
  for (const trace of parked) {
    const started = second.until((event) => event.event === 'started' && event.trace === trace)
    const ended = second.until((event) => event.event === 'ended' && event.trace === trace)
    await storage.witan('agents', 'approve', trace, '--by', 'ana', '--reason', 'I read it', '--json')
    const begun = Date.parse((await started).at)
    await ended
    const { rows } = await client.query(
      `SELECT convert_from(header, 'UTF8') AS header,
        (extract(epoch FROM pg_xact_commit_timestamp(e.xmin)) * 1000)::float8 AS committed
      FROM witan.events e JOIN witan.traces t ON t.id = e.trace WHERE t.trace = $1 ORDER BY e.seq`,
      [trace],
    )
    const approved = rows.findLastIndex(({ header }) => JSON.parse(header).actor.agent === 'ana')
    taken.begun.push(begun - rows[approved].committed)
    taken.recorded.push(rows[approved + 1].committed - rows[approved].committed)
  }
  await client.end()
  await second.stop()
  return taken
}

/** Councils a second of so many workers that find all of them waiting, and the processor time of each. */
async function throughput(url, storage, queue, count) {
  const traces = []
  for (let nth = 0; nth < COUNCILS; nth++) traces.push(await storage.openCouncil())
  const workers = []
  for (let nth = 0; nth < count; nth++) {
    const words = ['--concurrency', String(SLOTS), '--name', `t${count}-${nth}`]
    workers.push(await storage.startOn(nth % cpus().length, ...words))
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const [{ pid }] = (await client.query('SELECT pg_backend_pid() AS pid')).rows
  const used = () => ({
    workers: workers.reduce((sum, worker) => sum + secondsOf(worker.pid), 0),
    postgres: secondsOfServer(pid),
    bench: secondsOf(process.pid),
    all: secondsBusy(),
  })
  let left = COUNCILS
  const done = new Promise((resolve) => {
    for (const worker of workers)
      worker.hear(({ event, as }) => {
        if (event === 'ended' && as === 'finished' && --left === 0) resolve()
      })
  })
  const [before, start] = [used(), performance.now()]
  await Promise.all(traces.map((trace) => queue.enqueue(item(trace))))
  await done
  const seconds = (performance.now() - start) / 1_000
  const after = used()
  await client.end()
  for (const worker of workers) await worker.stop()
  const each = (name) => ((after[name] - before[name]) / COUNCILS) * 1_000
  const cost = { workers: each('workers'), postgres: each('postgres'), bench: each('bench') }
  const rest = each('all') - cost.workers - cost.postgres - cost.bench
  return { rate: COUNCILS / seconds, ...cost, rest, all: each('all') }
}

/** What one and two workers did, in turns. */
async function measureThroughput(url, storage, queue) {
  const runs = { 1: [], 2: [] }
  for (const count of [1, 2, 2, 1]) runs[count].push(await throughput(url, storage, queue, count))
  const mean = (list) =>
    Object.fromEntries(
      Object.keys(list[0]).map((name) => [name, list.reduce((sum, one) => sum + one[name], 0) / list.length]),
    )
  return { one: mean(runs[1]), two: mean(runs[2]) }
}

const sharesOf = ({ workers, postgres, bench, rest }) =>
  `a council takes ${ms(workers)} of processor time in workers, ${ms(postgres)} in PostgreSQL, ${ms(bench)} here, ${ms(rest)} elsewhere (the models, and all else that runs)`

async function langGraph(modelUrl, postgres) {
  const { PostgresSaver } = await import('@langchain/langgraph-checkpoint-postgres')
  const checkpointer = PostgresSaver.fromConnString(postgres)
  // The server is stopped at the end of the run, which its idle connections tell of as an error.
  checkpointer.pool.on('error', () => {})
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

const measure = (server) =>
  withDatabase(server, (url) =>
    withCouncilServer((modelUrl) =>
      withHome(url, modelUrl, async (storage) => {
        const load = () => `load ${loadavg()[0].toFixed(1)}`
        await storage.openCouncil()
        const queue = await openPostgresQueue({ url })
        const { ours, empty } = await measureStarts(url, storage, queue)
        const ratio = median(ours) / median(empty)
        console.log(`start of a queued council  ${ms(median(ours))}, ${load()}`)
        console.log(`empty job, graphile-worker  ${ms(median(empty))}`)
        console.log(`ratio ${ratio.toFixed(2)}, wanted ≤ 2: ${verdict(ratio <= 2)}\n`)

        const [trip, approvals] = [await notifyRoundTrip(url), await measureApprovals(url, storage)]
        const bound = 5 * trip + median(empty)
        const begun = median(approvals.begun)
        console.log(`approved on A, parked by B: from its commit until C drives it  ${ms(begun)}, ${load()}`)
        console.log(
          `a NOTIFY round trip ${ms(trip)}; wanted ≤ 5 of them and a pick-up, ${ms(bound)}: ${verdict(begun <= bound)}`,
        )
        console.log(`until C's first event is committed  ${ms(median(approvals.recorded))}\n`)

        const { one, two } = await measureThroughput(url, storage, queue)
        const grown = two.rate / one.rate
        // With every processor busy with nothing but this.
        const most = (cpus().length * 1_000) / two.all
        console.log(`councils a second, one worker  ${one.rate.toFixed(2)}; ${sharesOf(one)}`)
        console.log(`councils a second, two workers ${two.rate.toFixed(2)}; ${sharesOf(two)}`)
        console.log(
          `ratio ${grown.toFixed(2)}, wanted ≥ 1.7 as far as processors allow: ${verdict(grown >= 1.7)}; ${cpus().length} processors allow ${most.toFixed(2)} a second, ${(most / one.rate).toFixed(2)} × one worker, and ${((100 * two.rate) / most).toFixed(0)} % of that is reached, ${load()}`,
        )
        const graphs = await langGraph(modelUrl, url)
        console.log(
          `LangGraph with its Postgres checkpointer, ${SLOTS} at once in one process  ${graphs.toFixed(2)} a second; one worker ${(one.rate / graphs).toFixed(2)} ×`,
        )
        await queue.close()
      }),
    ),
  )

await withServer(measure, ['track_commit_timestamp = on'])
process.exit(0)
