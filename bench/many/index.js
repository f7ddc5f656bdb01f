// Many councils at once, in one process: in one home that was opened once, in one that every council opens for itself,
// in memory, and beside those who make the same calls and keep nothing. Each side has the same number at once. What is
// asked besides: whether twice as many take twice as long, and for how long a turn of the event loop is held.
//
// Wall time and held turns suffer from other work of the machine; processor time hardly does and is beside
// them. Our own sides follow each other at once in every round, in an order that turns; the peers, slow and far from any
// floor, take part in the middle round alone. Garbage of one side is not collected at the cost of the next. As their
// number grows, memory and a home take turns too, few of them as often as there is time for, and what counts is the
// median of the ratios.
//
// BENCH_AT_ONCE (200) and BENCH_ROUNDS (5) make it shorter; `--growth` measures only 25 to 400, `--thousand` only as many
// against five times as many, `--own` no peers.
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { inHome, inStore } from '../../dist/doors/library/council.js'
import { withCouncilServer } from '../council/server.js'
import { bare, councilOf, graph } from '../council/sides.js'
import { median } from '../measure.js'

const AT_ONCE = Number(process.env.BENCH_AT_ONCE ?? 200)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
/** How many at once, and how often. */
const GROWTH = new Map([
  [25, 5],
  [50, 3],
  [100, 2],
  [200, 1],
  [400, 1],
])
const OWN = ['memory', 'one home', 'a home each']
const PEERS = ['AI SDK', 'LangGraph']

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

async function inNewHome(use) {
  const home = await mkdtemp(join(tmpdir(), 'witan-many-'))
  try {
    return await use(home)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

const atOnce = (count, hold) => Promise.all(Array.from({ length: count }, hold))

/** Wall time, processor time and the held turns of the loop. What is made ready before is not timed. */
async function measured(count, hold) {
  collectGarbage()
  await pause(250)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const cpu = process.cpuUsage()
  const start = performance.now()
  delay.enable()
  await atOnce(count, hold)
  delay.disable()
  const { user, system } = process.cpuUsage(cpu)
  return {
    ms: performance.now() - start,
    cpu: (user + system) / 1000,
    p99: delay.percentile(99) / 1e6,
    longest: delay.max / 1e6,
  }
}

/** A peer listens to one signal from every call and is warned of it; ours would be told. */
async function withoutTheirWarnings(run) {
  const { emitWarning } = process
  process.emitWarning = (warning, ...rest) => {
    if (warning?.name !== 'MaxListenersExceededWarning') emitWarning.call(process, warning, ...rest)
  }
  try {
    return await run()
  } finally {
    process.emitWarning = emitWarning
  }
}

async function sidesAt(url) {
  const hold = councilOf(url)
  const [sdk, langgraph] = [await bare(url, true), await graph(url, true)]
  return {
    memory: async (count) => {
      const storage = await inStore()
      return measured(count, () => hold(storage))
    },
    'one home': (count) =>
      inNewHome(async (home) => {
        const storage = await inHome(home)
        const found = await measured(count, () => hold(storage))
        await storage.close()
        return found
      }),
    'a home each': (count) =>
      inNewHome(async (home) => {
        await (await inHome(home)).close()
        return measured(count, async () => {
          const storage = await inHome(home)
          await hold(storage)
          await storage.close()
        })
      }),
    'AI SDK': (count) => measured(count, sdk.council),
    LangGraph: (count) => withoutTheirWarnings(() => measured(count, langgraph.council)),
  }
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`
const load = () => `load ${loadavg()[0].toFixed(1)}`

function ratio(rounds, [own, floor], key) {
  const ratios = rounds.flatMap((found) => (found[floor] ? found[own][key] / found[floor][key] : []))
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`
}

async function measureRounds(sides, peers) {
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const own = round % 2 ? OWN.toReversed() : OWN
    const found = {}
    for (const name of round === Math.floor(ROUNDS / 2) ? [...own, ...peers] : own) {
      console.error(`round ${round + 1} of ${ROUNDS}: ${name}, ${load()}`)
      found[name] = await sides[name](AT_ONCE)
    }
    rounds.push(found)
  }
  return rounds
}

async function compare(sides, peers) {
  const rounds = await measureRounds(sides, peers)
  console.log(`${AT_ONCE} councils at once, medians of ${ROUNDS} interleaved rounds, ${load()}\n`)
  for (const name of [...OWN, ...peers]) {
    const of = (key) => median(rounds.flatMap((found) => found[name]?.[key] ?? []))
    const each = `${(of('ms') / AT_ONCE).toFixed(1)} ms and ${(of('cpu') / AT_ONCE).toFixed(1)} ms of CPU each`
    const held = `loop p99 ${of('p99').toFixed(0)} ms, longest ${of('longest').toFixed(0)} ms`
    console.log(`${name.padEnd(12)} ${seconds(of('ms')).padStart(8)}, ${each}, ${held}`)
  }
  console.log('\nratios, with their spread')
  for (const own of OWN.slice(1)) {
    const pair = [own, 'memory']
    console.log(`${own} against memory: wall ${ratio(rounds, pair, 'ms')}, wanted ≤ 1.5`)
    console.log(`${own} against memory: CPU ${ratio(rounds, pair, 'cpu')}`)
    console.log(`${own} against memory: loop p99 ${ratio(rounds, pair, 'p99')}, wanted ≤ 2`)
    for (const peer of peers) {
      const [wall, cpu] = ['ms', 'cpu'].map((key) => ratio(rounds, [own, peer], key))
      console.log(`${own} against ${peer}: wall ${wall}, CPU ${cpu}`)
    }
  }
}

/** One of each after the other, the order turning. */
async function pairs(sides, count, times) {
  const found = []
  for (let i = 0; i < times; i++) {
    const pair = {}
    const names = ['memory', 'one home']
    for (const name of i % 2 ? names.toReversed() : names) pair[name] = await sides[name](count)
    found.push(pair)
  }
  return found
}

async function grow(sides) {
  console.log(`\nms for each council as their number grows, wall and CPU, ${load()}`)
  const each = []
  for (const [count, times] of GROWTH) {
    const found = await pairs(sides, count, times)
    const of = (name, key) => median(found.map((pair) => pair[name][key])) / count
    const per = (name) => `${of(name, 'ms').toFixed(1)} and ${of(name, 'cpu').toFixed(1)}`
    const ratios = ['ms', 'cpu'].map((key) => ratio(found, ['one home', 'memory'], key))
    console.log(
      `${String(count).padStart(4)}: one home ${per('one home')}, memory ${per('memory')}; ` +
        `ratio wall ${ratios[0]}, CPU ${ratios[1]}`,
    )
    each.push(Object.fromEntries(['cpu', 'ms'].map((key) => [key, of('one home', key)])))
  }
  const [first, last] = [each[0], each.at(-1)]
  const [cpu, ms] = ['cpu', 'ms'].map((key) => (last[key] / first[key]).toFixed(2))
  const [fewest, most] = [Math.min(...GROWTH.keys()), Math.max(...GROWTH.keys())]
  console.log(`one of ${most} against one of ${fewest}: CPU ${cpu}, wall ${ms}; linear is 1`)
}

const LINEAR = 1.15

/** Five times as many at once take five times as long, and no more. */
async function thousand(sides) {
  const [few, many] = [AT_ONCE, 5 * AT_ONCE]
  const found = []
  for (let round = 0; round < Math.min(ROUNDS, 3); round++) {
    const pair = {}
    for (const count of round % 2 ? [many, few] : [few, many]) {
      console.error(`${count} at once, ${load()}`)
      pair[count] = await sides['one home'](count)
    }
    found.push(pair)
  }
  console.log(`\nms for each of ${many} councils at once against each of ${few}, one home, ${load()}`)
  for (const key of ['ms', 'cpu']) {
    const ratios = found.map((pair) => pair[many][key] / many / (pair[few][key] / few))
    const middle = median(ratios)
    const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`
    const each = [few, many].map((count) =>
      (median(found.map((pair) => pair[count][key])) / count).toFixed(1),
    )
    console.log(
      `${key === 'ms' ? 'wall' : 'CPU '} ${each.join(' and ')} ms: ratio ${middle.toFixed(2)} (${spread}), linear is 1, wanted ≤ ${LINEAR}: ${middle <= LINEAR ? 'yes' : 'NO'}`,
    )
  }
}

await withCouncilServer(async (url) => {
  const sides = await sidesAt(url)
  const peers = process.argv.includes('--own') ? [] : PEERS
  console.log(`Node ${process.version}, ${cpus().length} cores, ${load()}`)
  // The first ones meet cold code.
  for (const name of [...OWN, ...peers]) await sides[name](10)
  if (process.argv.includes('--thousand')) return thousand(sides)
  if (!process.argv.includes('--growth')) await compare(sides, peers)
  await grow(sides)
})
