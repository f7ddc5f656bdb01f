// A measurement written in TypeScript, bundled from bench/NAME/measure.ts and loaded.
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

export async function bundled(name) {
  const outfile = join(root, `dist/bench-${name}.mjs`)
  await build({
    entryPoints: [join(root, `bench/${name}/measure.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  })
  return import(pathToFileURL(outfile))
}
