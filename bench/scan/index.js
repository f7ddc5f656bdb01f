// What it costs to look for secrets: in ordinary sources, and in texts of ten megabytes that were made to be slow to
// search. Twice the text must take about twice the time; how much memory it takes is told too, and for how long the loop of
// the program that waits for it was held at most. `npm run bench -- scan NAME` takes the texts whose name has NAME in it.
import { readdirSync, readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
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

const TEN = 10_000_000
const HELD_AT_MOST = 50

const filled = (piece, size) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size)

/** The longest time between two turns of the loop, beyond the millisecond that a timer takes. */
function watchLoop() {
  let [longest, last] = [0, performance.now()]
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last - 1)
    last = now
  }, 1)
  return () => {
    clearInterval(timer)
    return Math.max(longest, performance.now() - last - 1)
  }
}

async function timeOf(text) {
  // What a text costs before it is one piece of memory is the maker's.
  Buffer.byteLength(text)
  const held = watchLoop()
  const start = performance.now()
  await withoutSecrets(text)
  return { ms: performance.now() - start, held: held() }
}

await timeOf(sources.slice(0, MEGABYTE))
const wanted = process.argv[3] ?? ''
const rows = [['our own sources', sources, sources.slice(0, sources.length / 2)]]
for (const [name, piece] of Object.entries(PIECES))
  rows.push([name, filled(piece, TEN), filled(piece, TEN / 2)])
console.log(`Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}\n`)
console.log(
  '| text | MB | s | s per MB | whole to half | memory, MB | loop held, ms | wanted ≤ 50 |\n|---|---|---|---|---|---|---|---|',
)
for (const [name, whole, half] of rows.filter(([title]) => title.includes(wanted))) {
  const [less, all] = [await timeOf(half), await timeOf(whole)]
  const size = whole.length / MEGABYTE
  const figures = [
    size.toFixed(1),
    (all.ms / 1000).toFixed(2),
    (all.ms / 1000 / size).toFixed(2),
    (all.ms / less.ms).toFixed(2),
    Math.round(process.memoryUsage().rss / 1e6),
    all.held.toFixed(0),
    all.held <= HELD_AT_MOST ? 'yes' : 'NO',
  ]
  console.log(`| ${[name, ...figures].join(' | ')} |`)
}
