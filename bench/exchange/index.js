// What an exchange costs as its history grows to ten thousand messages: opening it, drawing a sample, one round.
// The measurement is TypeScript, bundled here and run; nobody is asked, and vectors are counted words.
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { table } from '../measure.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const outfile = join(root, 'dist/bench-exchange.mjs')
await build({
  entryPoints: [join(root, 'bench/exchange/measure.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
})
const { measure } = await import(pathToFileURL(outfile))
console.log(
  `Node ${process.version}, ${cpus().length} cores; SQLite; medians of the first and the last fifth\n`,
)
console.log(table(await measure()))
