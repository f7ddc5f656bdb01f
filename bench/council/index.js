// What a council of three costs beside those who make the same seven calls and keep nothing: three opinions at once,
// three reviews at once, one report, over loopback HTTP to models that answer at once. Ours signs and stores every
// step in SQLite. Processor time is what this side uses; wall time is what the critical path does not explain.
import { cpus } from 'node:os'
import { answer, inTurns, table } from '../measure.js'
import { withCouncilServer } from './server.js'
import { bare, graph, ours } from './sides.js'

const COUNCILS = 6

/** measure.js divides operations by seconds; scaled like this, the seconds are those of the processor. */
const byProcessor = (council) => ({
  run: async () => {
    const cpu = process.cpuUsage()
    const start = performance.now()
    for (let i = 0; i < COUNCILS; i++) await council()
    const wall = performance.now() - start
    const { user, system } = process.cpuUsage(cpu)
    return (COUNCILS * wall * 1_000) / (user + system)
  },
})

const byClock = (council) => ({
  run: async () => {
    for (let i = 0; i < COUNCILS; i++) await council()
    return COUNCILS
  },
})

await withCouncilServer(async (url) => {
  const sides = {
    ours: await ours(url),
    bare: await bare(url),
    graph: await graph(url, true),
    whole: await graph(url, false),
  }
  const measured = (by) =>
    inTurns(Object.fromEntries(Object.entries(sides).map(([name, { council }]) => [name, by(council)])))
  console.error('measuring processor time')
  const cpu = await measured(byProcessor)
  console.error('measuring wall time')
  const wall = await measured(byClock)
  const row = (question, floor, rates, atMost, unit) =>
    answer({ question, ours: 'ours', floor, rates, atMost, unit })
  console.log(`Node ${process.version}, ${cpus().length} cores; medians of interleaved rounds\n`)
  const [perCpu, perSecond] = [' councils/s of CPU', ' councils/s']
  const apart = (made) => ({ ...made, wanted: 'no floor', met: '' })
  console.log(
    table([
      row('seven calls with ledger against the bare AI SDK, processor time', 'bare', cpu, 1.6, perCpu),
      row('the same against LangGraph.js + ChatOpenAI, streaming, wall time', 'graph', wall, 1, perSecond),
      apart(row('the same against LangGraph.js, streaming, processor time', 'graph', cpu, 1, perCpu)),
      // A reply in one piece is less work for whoever reads it, but cannot be stopped half-way.
      apart(row('the same against LangGraph.js, not streaming, wall time', 'whole', wall, 1, perSecond)),
      apart(row('the same against the bare AI SDK, wall time', 'bare', wall, 1, perSecond)),
    ]),
  )
  for (const { close } of Object.values(sides)) await close?.()
})
