// What a council of three costs beside those who make the same seven calls and keep nothing: three opinions at once,
// three reviews at once, one report, over loopback HTTP to models that answer at once. Ours signs and stores every
// step in SQLite. Like for like is who streams, as we do: a reply that is streamed can be stopped half-way. Reading one
// body instead is less work for anyone; those rows stand below, for information.
//
// `npm run bench -- council calls` measures these alone; `path` the other question: how much longer a council takes than the
// three calls that wait for each other, when each call takes a while, as real ones do.
import { cpus, loadavg } from 'node:os'
import { answer, inTurns, median, table } from '../measure.js'
import { withCouncilServer } from './server.js'
import { bare, graph, ours } from './sides.js'

const COUNCILS = 6

/** A round of councils, timed by both clocks: wall time is what measure.js takes, processor time is kept aside. */
function timed(council) {
  const cpu = []
  return {
    cpu,
    run: async () => {
      const before = process.cpuUsage()
      for (let i = 0; i < COUNCILS; i++) await council()
      const { user, system } = process.cpuUsage(before)
      cpu.push((COUNCILS * 1e6) / (user + system))
      return COUNCILS
    },
  }
}

async function calls(url) {
  const made = {
    ours: await ours(url),
    bare: await bare(url, true),
    graph: await graph(url, true),
    bareWhole: await bare(url, false),
    graphWhole: await graph(url, false),
  }
  const sides = Object.fromEntries(Object.entries(made).map(([name, { council }]) => [name, timed(council)]))
  console.error('measuring')
  const load = loadavg()[0]
  const wall = await inTurns(sides)
  // The first round warms up, and is kept out of the wall time too.
  const cpu = Object.fromEntries(Object.entries(sides).map(([name, side]) => [name, side.cpu.slice(1)]))
  const by = (question, floor, rates, unit, atMost) => {
    const row = answer({ question, ours: 'ours', floor, rates, atMost: atMost ?? 1, unit })
    return atMost === undefined ? { ...row, wanted: 'no floor', met: '' } : row
  }
  const [perCpu, perSecond] = [' councils/s of CPU', ' councils/s']
  console.log(
    `Node ${process.version}, ${cpus().length} cores, load ${load.toFixed(1)}; medians of interleaved rounds\n`,
  )
  console.log(
    table([
      by('with ledger against the AI SDK, streaming, CPU', 'bare', cpu, perCpu, 0.6),
      by('with ledger against LangGraph.js + ChatOpenAI, streaming, wall', 'graph', wall, perSecond, 0.7),
      by('with ledger against LangGraph.js + ChatOpenAI, streaming, CPU', 'graph', cpu, perCpu),
      by('with ledger against the AI SDK, streaming, wall', 'bare', wall, perSecond),
      by('not like for like: the AI SDK, one body, CPU', 'bareWhole', cpu, perCpu),
      by('not like for like: the AI SDK, one body, wall', 'bareWhole', wall, perSecond),
      by('not like for like: LangGraph.js, one body, CPU', 'graphWhole', cpu, perCpu),
      by('not like for like: LangGraph.js, one body, wall', 'graphWhole', wall, perSecond),
    ]),
  )
  const ms = (rates) => (1000 / median(rates)).toFixed(0)
  const each = Object.keys(made).map((name) => `${name} ${ms(cpu[name])}/${ms(wall[name])}`)
  console.log(`\nms of CPU/wall per council: ${each.join(', ')}`)
  for (const { close } of Object.values(made)) await close?.()
}

const DELAY = 40
const ROUNDS_OF_A_COUNCIL = 3

/** Time over the critical path of the calls, which is the same for both sides. */
async function path(url) {
  const made = { ours: await ours(url), graph: await graph(url, true) }
  const over = { ours: [], graph: [] }
  const held = (name) => ({
    run: async () => {
      const start = performance.now()
      for (let i = 0; i < COUNCILS; i++) await made[name].council()
      over[name].push((performance.now() - start) / COUNCILS - ROUNDS_OF_A_COUNCIL * DELAY)
      return COUNCILS
    },
  })
  console.error(`measuring with calls of ${DELAY} ms`)
  await inTurns({ ours: held('ours'), graph: held('graph') })
  for (const { close } of Object.values(made)) await close?.()
  const [own, other] = [over.ours.slice(1), over.graph.slice(1)]
  const ratios = own.map((ms, i) => ms / other[i])
  const ratio = median(ratios)
  console.log(
    `\nload ${loadavg()[0].toFixed(1)}; ms over the critical path of ${ROUNDS_OF_A_COUNCIL} calls of ${DELAY} ms: ours ${median(own).toFixed(1)}, LangGraph.js streaming ${median(other).toFixed(1)}\n` +
      `ratio ${ratio.toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}), wanted ≤ 0.5: ${ratio <= 0.5 ? 'yes' : 'NO'}`,
  )
}

const only = process.argv[3]
if (only !== 'path') await withCouncilServer(calls)
if (only !== 'calls') await withCouncilServer(path, DELAY)
