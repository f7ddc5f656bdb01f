// Benches are plain JavaScript that no compiler sees: what they take from us has to be there under its name.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from './support/sources.ts'

const BENCH = join(projectRoot, 'bench')

const files = readdirSync(BENCH, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(js|ts)$/.test(name) && !name.includes('node_modules'))
  .map((name) => join(BENCH, name))

/** What a file takes from the built package or from the sources, as the source file and the names. */
function* taken(file: string): Generator<{ readonly source: string; readonly names: readonly string[] }> {
  const text = readFileSync(file, 'utf8')
  for (const [, names = '', from = ''] of text.matchAll(/import\s*\{([^}]*)\}\s*from\s*'(\.[^']+)'/g)) {
    const path = relative(projectRoot, join(dirname(file), from))
    if (!/^(dist|src)\//.test(path)) continue
    const source = join(projectRoot, path.replace(/^dist/, 'src').replace(/\.js$/, '.ts'))
    const plain = names.split(',').map((name) => name.trim().replace(/^type /, ''))
    yield { source, names: plain.flatMap((name) => name.split(' as ')[0] || []) }
  }
}

it('gives the benches what they import', () => {
  const missing: string[] = []
  let seen = 0
  for (const file of files) {
    for (const { source, names } of taken(file)) {
      const text = existsSync(source) ? readFileSync(source, 'utf8') : ''
      seen += names.length
      for (const name of names)
        if (!new RegExp(`\\b${name}\\b`).test(text))
          missing.push(`${relative(projectRoot, file)}: ${name} of ${relative(projectRoot, source)}`)
    }
  }
  expect(missing).toEqual([])
  expect(seen).toBeGreaterThan(50)
})
