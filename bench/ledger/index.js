// The floors of the ledger, in one table. `npm run bench -- ledger NAME` measures one part: append, growth, postgres,
// verification, bundle, starts, ask or peers.
import { cpus, loadavg } from 'node:os'
import { table } from '../measure.js'
import { growthRows, singleAndBatchRows } from './appends.js'
import { bundleRows } from './bundle.js'
import { peerRows } from './peers.js'
import { postgresRows } from './postgres.js'
import { withServer } from './server.js'
import { askRows, startRows } from './starts.js'
import { verificationRows } from './verification.js'

const rows = []
const only = process.argv[3]
for (const [name, measure] of Object.entries({
  append: singleAndBatchRows,
  growth: growthRows,
  postgres: () => withServer(postgresRows),
  verification: verificationRows,
  bundle: bundleRows,
  starts: startRows,
  ask: askRows,
  peers: peerRows,
})) {
  if (only && only !== name) continue
  console.error(`measuring ${name}`)
  rows.push(...(await measure()))
}
console.log(
  `Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}; medians of interleaved rounds\n`,
)
console.log(table(rows))
