// What an exchange costs as its history grows to ten thousand messages: opening it, drawing a sample, one round.
// No one is asked, and vectors are counted words.
import { cpus } from 'node:os'
import { bundled } from '../bundled.js'
import { table } from '../measure.js'

const { measure } = await bundled('exchange')
console.log(
  `Node ${process.version}, ${cpus().length} cores; SQLite; medians of the first and the last fifth\n`,
)
console.log(table(await measure()))
