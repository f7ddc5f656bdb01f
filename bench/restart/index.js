// The restart detector on messages and pools that it never learned from, beside two simpler ways of detecting:
// counting the word, and watching the largest theme. The measurement is TypeScript, bundled here and run.
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const outfile = join(root, 'dist/bench-restart.mjs')
await build({
  entryPoints: [join(root, 'bench/restart/measure.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
})
const { measure } = await import(pathToFileURL(outfile))
console.log(await measure(join(root, 'test/restart')))
