// What it costs to look for secrets: in ordinary sources, and in texts of eight megabytes that were made to be slow to
// search. Twice the text must take about twice the time; how much memory it takes is told too.
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withoutSecrets } from '../../dist/context/clean.js'

const here = dirname(fileURLToPath(import.meta.url))
const MEGABYTE = 1 << 20

const sources = readdirSync(join(here, '../../src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  .join('\n')

const PIECES = {
  'beginnings of keys, one line': 'sk-',
  'names of secrets, one line': 'password=',
  'addresses, one line': 'a://b:c',
  'headings of keys': '-----BEGIN PRIVATE KEY-----\n',
  'one run of base64': 'QUtJ',
  'lines of key width': `${'A'.repeat(64)}\n`,
  'lines that assign': 'password=x\n',
  'the shortest lines': 'a\n',
  'tokens that almost are': `ghp_${'a'.repeat(35)} `,
  'nothing but secrets': "key='AKIAIOSFODNN7ABCDEFG'\n",
}

const filled = (piece, size) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size)

async function timeOf(text) {
  const start = performance.now()
  await withoutSecrets(text)
  return performance.now() - start
}

await timeOf(sources.slice(0, MEGABYTE))
const rows = [['our own sources', sources, sources.slice(0, sources.length / 2)]]
for (const [name, piece] of Object.entries(PIECES)) {
  rows.push([name, filled(piece, 8 * MEGABYTE), filled(piece, 4 * MEGABYTE)])
}
console.log(`Node ${process.version}, ${cpus().length} cores\n`)
console.log('| text | MB | s | s per MB | whole to half | memory, MB |\n|---|---|---|---|---|---|')
for (const [name, whole, half] of rows) {
  const [less, all] = [await timeOf(half), await timeOf(whole)]
  const size = whole.length / MEGABYTE
  const figures = [
    size.toFixed(1),
    (all / 1000).toFixed(2),
    (all / 1000 / size).toFixed(2),
    (all / less).toFixed(2),
  ]
  console.log(`| ${[name, ...figures, Math.round(process.memoryUsage().rss / 1e6)].join(' | ')} |`)
}
