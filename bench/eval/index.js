// What an evaluation adds to its councils: the same questions put before the same councils, so many at once, with and
// without one, over loopback HTTP to models that answer at once. Both sides take turns in one run, each in a new home, and
// what counts is the ratio. Memory is told in ten parts while the items pass, twice: what is alive after a collection, every
// two seconds on both sides alike, and the resident set, which also holds what V8 has not cared to collect yet. It is flat
// when what is alive grows by no more than the grades themselves.
//
// BENCH_ITEMS (1000), BENCH_ROUNDS (3) and BENCH_AT_ONCE (8) make it shorter.
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beginCouncil } from '../../dist/app/council/council.js'
import { openEval } from '../../dist/app/eval/eval.js'
import { planEval } from '../../dist/app/eval/plan-eval.js'
import { runKitOf } from '../../dist/app/home/signers.js'
import { inHome } from '../../dist/app/storage.js'
import { DEFAULT_POLICY } from '../../dist/council/policy.js'
import { apiModel, createSeat } from '../../dist/models/index.js'
import { withCouncilServer } from '../council/server.js'
import { median } from '../measure.js'

const ITEMS = Number(process.env.BENCH_ITEMS ?? 1000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const AT_ONCE = Number(process.env.BENCH_AT_ONCE ?? 8)
const NAMES = ['a', 'b', 'c']

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

const items = Array.from({ length: ITEMS }, (_, i) => ({
  id: `i${i}`,
  input: `Shall we take course ${i}?`,
  target: ['Do it behind a flag.'],
  choices: [],
  grader: 'contains',
  cluster: null,
  mode: 'ask',
  files: [],
}))

function tableAt(url) {
  const seat = (model) =>
    createSeat({
      provider: model,
      model,
      roles: ['participant', 'chair'],
      minds: [
        apiModel({
          kind: 'openai-compatible',
          name: model,
          model,
          baseUrl: url,
          apiKey: async () => null,
        }),
      ],
    })
  return {
    records: NAMES.map((name) => ({
      seat: name,
      provider: name,
      vendor: name,
      model: name,
      roles: ['participant', 'chair'],
      embedded: false,
    })),
    chairs: ['a'],
    seats: new Map(NAMES.map((name) => [name, seat(name)])),
    policy: DEFAULT_POLICY,
    convener: 'bench',
  }
}

async function inNewHome(use) {
  const folder = await mkdtemp(join(tmpdir(), 'witan-eval-bench-'))
  const storage = await inHome(join(folder, 'home'))
  try {
    return await use(runKitOf(storage.home))
  } finally {
    await storage.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function timed(work) {
  const [sizes, alive] = [[], []]
  const timer = setInterval(() => {
    sizes.push(process.memoryUsage().rss)
    if (sizes.length % 20 !== 0) return
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    alive.push(heapUsed + external)
  }, 100)
  const cpu = process.cpuUsage()
  const start = performance.now()
  await work()
  clearInterval(timer)
  const { user, system } = process.cpuUsage(cpu)
  return { ms: performance.now() - start, cpu: (user + system) / 1000, sizes, alive }
}

const councils = (table) =>
  inNewHome((runKit) =>
    timed(async () => {
      let next = 0
      const work = async () => {
        while (next < ITEMS) {
          const item = items[next++]
          const convening = {
            question: item.input,
            mode: 'ask',
            constraints: [],
            seats: table.records,
            chairs: table.chairs,
            labelled: false,
            policy: table.policy,
            context: null,
            follow: null,
          }
          const council = await beginCouncil(runKit, convening, { convener: 'bench', seats: table.seats })
          await council.drive()
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
    }),
  )

const evaluation = (table) =>
  inNewHome((runKit) =>
    timed(async () => {
      const sha256 = createHash('sha256').update(JSON.stringify(items)).digest('hex')
      const set = { name: 'bench', format: 'jsonl', sha256, size: ITEMS, items, removed: 0 }
      const wish = { arms: [], primary: null, repeat: 1, stability: 0, budget: null, concurrency: AT_ONCE }
      const plan = planEval(set, wish, { records: table.records, panel: false })
      const held = await openEval(runKit, plan, table)
      await held.drive()
      if (held.state.closed?.status !== 'completed') throw new Error('the evaluation did not complete')
    }),
  )

const parts = (sizes) =>
  Array.from({ length: 10 }, (_, i) => {
    const part = sizes.slice(Math.floor((i * sizes.length) / 10), Math.floor(((i + 1) * sizes.length) / 10))
    return Math.round(median(part.length > 0 ? part : [0]) / 2 ** 20)
  })

await withCouncilServer(async (url) => {
  const table = tableAt(url)
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const sides = { councils, evaluation }
    const order = round % 2 ? ['evaluation', 'councils'] : ['councils', 'evaluation']
    const found = {}
    for (const name of order) found[name] = await sides[name](table)
    rounds.push(found)
  }
  const ratio = (key) => {
    const ratios = rounds.map((found) => found.evaluation[key] / found.councils[key])
    return `${median(ratios).toFixed(3)} (${Math.min(...ratios).toFixed(3)}–${Math.max(...ratios).toFixed(3)})`
  }
  console.log(`${ITEMS} items, ${AT_ONCE} at once, ${ROUNDS} rounds, load ${loadavg()[0].toFixed(1)}`)
  console.log(`wall, evaluation : councils alone  ${ratio('ms')}   wanted ≤ 1.1`)
  console.log(`processor                          ${ratio('cpu')}`)
  const [first] = rounds
  console.log(`one council  ${(first.councils.ms / ITEMS).toFixed(1)} ms wall`)
  for (const [name, of] of [
    ['alive MiB   ', 'alive'],
    ['resident MiB', 'sizes'],
  ]) {
    console.log(`${name} while councils pass      ${parts(first.councils[of]).join(' ')}`)
    console.log(`${name} while an evaluation runs ${parts(first.evaluation[of]).join(' ')}`)
  }
})
