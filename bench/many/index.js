// Many councils at once, in one process: in one home that was opened once, in one that every council opens for itself,
// in memory, and beside those who make the same calls and keep nothing. Each side has the same number at once. What is
// asked besides: whether twice as many take twice as long, and for how long a turn of the event loop is held.
//
// BENCH_AT_ONCE (200) and BENCH_ROUNDS (3) make it shorter; `--growth` alone measures 25 to 400.
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { inHome, inVault } from '../../dist/doors/library/council.js'
import { withCouncilServer } from '../council/server.js'
import { bare, councilOf, graph } from '../council/sides.js'
import { median } from '../measure.js'

const AT_ONCE = Number(process.env.BENCH_AT_ONCE ?? 200)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const GROWTH = [25, 50, 100, 200, 400]

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
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const cpu = process.cpuUsage()
  const start = performance.now()
  delay.enable()
  await atOnce(count, hold)
  delay.disable()
  const { user, system } = process.cpuUsage(cpu)
  return { ms: performance.now() - start, cpu: (user + system) / 1000, p99: delay.percentile(99) / 1e6 }
}

async function sidesAt(url) {
  const hold = councilOf(url)
  const [sdk, langgraph] = [await bare(url, true), await graph(url, true)]
  return {
    memory: async (count) => {
      const house = await inVault()
      return measured(count, () => hold(house))
    },
    'one home': (count) =>
      inNewHome(async (home) => {
        const house = await inHome(home)
        const found = await measured(count, () => hold(house))
        await house.close()
        return found
      }),
    'a home each': (count) =>
      inNewHome(async (home) => {
        await (await inHome(home)).close()
        return measured(count, async () => {
          const house = await inHome(home)
          await hold(house)
          await house.close()
        })
      }),
    'AI SDK': (count) => measured(count, sdk.council),
    LangGraph: (count) => measured(count, langgraph.council),
  }
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`

function judged(found, key, floor) {
  const ratios = found.map((round) => round.own[key] / round[floor][key])
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`
}

async function compare(sides) {
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const names = Object.keys(sides)
    if (round % 2) names.reverse()
    const found = {}
    for (const name of names) {
      console.error(`round ${round + 1} of ${ROUNDS}: ${name}`)
      found[name] = await sides[name](AT_ONCE)
    }
    rounds.push(found)
  }
  console.log(`${AT_ONCE} councils at once, medians of ${ROUNDS} interleaved rounds\n`)
  for (const name of Object.keys(sides)) {
    const of = (key) => median(rounds.map((found) => found[name][key]))
    const per = `${(of('ms') / AT_ONCE).toFixed(1)} ms and ${(of('cpu') / AT_ONCE).toFixed(1)} ms of CPU each`
    console.log(
      `${name.padEnd(12)} ${seconds(of('ms')).padStart(8)}, ${per}, loop p99 ${of('p99').toFixed(0)} ms`,
    )
  }
  console.log('\nratios, with their spread')
  for (const own of ['one home', 'a home each']) {
    const pairs = rounds.map((found) => ({ ...found, own: found[own] }))
    console.log(`${own} against memory: wall ${judged(pairs, 'ms', 'memory')}, wanted ≤ 1.5`)
    console.log(`${own} against memory: loop p99 ${judged(pairs, 'p99', 'memory')}, wanted ≤ 2`)
    for (const peer of ['AI SDK', 'LangGraph'])
      console.log(
        `${own} against ${peer}: wall ${judged(pairs, 'ms', peer)}, CPU ${judged(pairs, 'cpu', peer)}`,
      )
  }
}

async function grow(sides) {
  console.log('\nms for each council as their number grows (memory beside it)')
  for (const count of GROWTH) {
    const [memory, home] = [await sides.memory(count), await sides['one home'](count)]
    const per = (found) => `${(found.ms / count).toFixed(1)} ms, CPU ${(found.cpu / count).toFixed(1)} ms`
    console.log(`${String(count).padStart(4)}: ${per(home)} (memory ${per(memory)})`)
  }
}

await withCouncilServer(async (url) => {
  const sides = await sidesAt(url)
  const held = `Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}`
  console.log(held)
  // The first ones meet cold code.
  for (const side of Object.values(sides)) await side(10)
  if (!process.argv.includes('--growth')) await compare(sides)
  await grow(sides)
})
