// What our minds cost beside the AI SDK that they speak through, in one table.
import { cpus } from 'node:os'
import { table } from '../measure.js'
import { callRows } from './calls.js'
import { importRows } from './imports.js'

const rows = []
const only = process.argv[3]
for (const [name, measure] of Object.entries({ calls: callRows, imports: importRows })) {
  if (only && only !== name) continue
  console.error(`measuring ${name}`)
  rows.push(...(await measure()))
}
console.log(`Node ${process.version}, ${cpus().length} cores; medians of interleaved rounds\n`)
console.log(table(rows))
