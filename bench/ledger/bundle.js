// A bundle of 100,000 events, written and read by processes of their own whose largest resident set is told. A verifier holds
// what it judges, so its memory grows with the file; bounded means by no multiple of it: what a bundle of a tenth takes, and
// twice the bytes that are more. BENCH_EVENTS (100000) makes it shorter.
import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { artifactsIn, extract } from '../../dist/clerk/extract.js'
import { readBundle, writeBundle } from '../../dist/stores/bundle-file.js'
import { sha256 } from '../../dist/stores/digest.js'
import { openSqliteStore } from '../../dist/stores/sqlite.js'
import { examine } from '../../dist/stores/verify-answers.js'
import { diary, note, settle, temporary } from './workbench.js'

const EVENTS = Number(process.env.BENCH_EVENTS ?? 100_000)
const here = fileURLToPath(import.meta.url)
const peak = () => process.resourceUsage().maxRSS * 1024

const STEPS = {
  async make(directory, events) {
    const store = await openSqliteStore({ directory: join(directory, 'store') })
    const kit = await settle(store)
    const log = kit.newBook()
    while (log.size < Number(events))
      await log.append(Array.from({ length: 250 }, (_, n) => note(kit.actor, n)))
    const before = peak()
    const start = performance.now()
    const bundle = await extract({ store, registrar: kit.registrar, sha256 }, log.trace)
    const file = join(directory, 'trace.witan')
    await pipeline(writeBundle(bundle, artifactsIn(bundle), store), createWriteStream(file))
    const ms = performance.now() - start
    await store.close()
    return { file, key: kit.root.id, before, peak: peak(), ms }
  },
  async read(file, key) {
    const start = performance.now()
    const { bundle, artifacts } = await readBundle(
      createReadStream(file, { highWaterMark: 1 << 18 }),
      () => new Set(),
    )
    const { status, size } = await examine(bundle, artifacts, { keys: [key], checkpoints: [] }, [diary])
    return { status, size, peak: peak(), ms: performance.now() - start }
  },
}

async function step(name, ...args) {
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, [here, '--step', name, ...args.map(String)], {
    maxBuffer: 1 << 20,
  })
  return JSON.parse(stdout)
}

async function measured(events) {
  const place = temporary()
  try {
    const made = await step('make', place.directory, events)
    const read = await step('read', made.file, made.key)
    if (read.status !== 'pass' || read.size < events) throw new Error(JSON.stringify(read))
    return { made, read, bytes: statSync(made.file).size }
  } finally {
    place.remove()
  }
}

const mb = (bytes) => `${Math.round(bytes / 1e6)} MB`

export async function bundleRows() {
  const [less, more] = [await measured(EVENTS / 10), await measured(EVENTS)]
  const growth = (more.read.peak - less.read.peak) / (more.bytes - less.bytes)
  return [
    {
      question: `a bundle of ${EVENTS.toLocaleString('en')} events (${mb(more.bytes)}): memory to verify it, growth a byte`,
      ours: mb(more.read.peak),
      floor: mb(less.read.peak),
      ratio: growth.toFixed(2),
      spread: `${(more.read.ms / 1000).toFixed(1)} s`,
      wanted: '≤ 2',
      met: growth <= 2 ? 'yes' : 'NO',
    },
    {
      question: 'the same: memory to write it from SQLite',
      ours: mb(more.made.peak),
      floor: mb(less.made.peak),
      ratio: ((more.made.peak - less.made.peak) / (more.bytes - less.bytes)).toFixed(2),
      spread: `${(more.made.ms / 1000).toFixed(1)} s`,
      wanted: 'no floor',
      met: '',
    },
  ]
}

if (process.argv[2] === '--step') {
  const [name, ...args] = process.argv.slice(3)
  console.log(JSON.stringify(await STEPS[name](...args)))
}
