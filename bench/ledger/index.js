// The floors of the ledger, in one table.
import { cpus } from 'node:os'
import { table } from '../measure.js'
import { appendRows } from './appends.js'
import { peerRows } from './peers.js'
import { postgresRows } from './postgres.js'
import { withServer } from './server.js'
import { startRows } from './starts.js'
import { verificationRows } from './verification.js'

const rows = []
const only = process.argv[3]
for (const [name, measure] of Object.entries({
  appends: appendRows,
  postgres: () => withServer(postgresRows),
  verification: verificationRows,
  starts: startRows,
  peers: peerRows,
})) {
  if (only && only !== name) continue
  console.error(`measuring ${name}`)
  rows.push(...(await measure()))
}
console.log(`Node ${process.version}, ${cpus().length} cores; medians of interleaved rounds\n`)
console.log(table(rows))
