// `npm run docs:configuration`: writes docs/configuration.md from the shapes that judge settings.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
mkdirSync(join(root, 'docs'), { recursive: true })
const outfile = join(root, 'node_modules/.cache/settings-reference.mjs')
await build({
  entryPoints: [join(root, 'test/support/settings-reference.ts')],
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  outfile,
})
const { configurationReference } = await import(pathToFileURL(outfile).href)
rmSync(outfile)
writeFileSync(join(root, 'docs/configuration.md'), configurationReference())
