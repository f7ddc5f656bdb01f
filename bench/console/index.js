// What the console costs: its page beside a page that prints the same events as plain JSON, its frames beside an empty
// page's, its server beside plain server-sent events. All in one run, in turns, in one browser on one machine.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { serve } from '../../dist/doors/console/serve.js'
import { eventLine } from '../../dist/ledger/bundle/lines.js'
import { canonicalize } from '../../dist/ledger/canonical.js'
import { GENESIS } from '../../dist/ledger/event.js'
import { openSqliteStore } from '../../dist/stores/sqlite.js'
import { median, table } from '../measure.js'

const EVENTS = Number(process.env.EVENTS ?? 10_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const PAGES = 50
const home = mkdtempSync(join(tmpdir(), 'witan-console-'))
const store = await openSqliteStore({ directory: home })

const hashOf = (n) => n.toString(16).padStart(64, '0')
let made = 0
/** Not signed: neither the store nor the list of events checks signatures. */
function event(trace, seq, prev, protocol = 'council/1', type = 'opinion_given') {
  const n = ++made
  const header = {
    v: 1,
    protocol,
    trace,
    seq,
    at: new Date(1.7e12 + n * 1000).toISOString(),
    type,
    actor: { agent: 'clerk', role: 'clerk', key: hashOf(1) },
    prev,
    payload_hash: hashOf(2),
    registry: { size: 1, hash: hashOf(3) },
  }
  const payload = { seat: `s${n % 7}`, text: `What was said for the ${n}th time. `.repeat(8) }
  return {
    header: Buffer.from(canonicalize(header)),
    hash: hashOf(n + 1_000_000),
    signature: Buffer.alloc(64),
    payload: Buffer.from(canonicalize(payload)),
    salt: Buffer.alloc(16),
  }
}

async function grow(trace, from, count, protocol) {
  let prev = from === 0 ? GENESIS : hashOf(made + 1_000_000)
  for (let done = 0; done < count; ) {
    const lot = Math.min(500, count - done)
    const size = from + done
    const first = prev
    const events = Array.from({ length: lot }, (_, i) => {
      const one = event(trace, size + i, prev, protocol)
      prev = one.hash
      return one
    })
    await store.append(trace, { size, hash: size === 0 ? GENESIS : first }, events)
    done += lot
  }
}

const REGISTRY = '01J00000000000000000000000'
const LONG = '01J00000000000000000000001'
const LIVE = '01J00000000000000000000002'
await grow(REGISTRY, 0, 1, 'registry/1')
await grow(LONG, 0, EVENTS)
await grow(LIVE, 0, 1)

const lines = []
for await (const one of store.read(LONG)) lines.push(eventLine(one))
/** The same bytes: printed, and as plain server-sent events. */
const hearing = new Set()
const SCRIPT =
  'fetch("/json").then(r=>r.text()).then(t=>{out.textContent=t;' +
  'requestAnimationFrame(()=>setTimeout(()=>performance.mark("shown")))})'
const plain = createServer((request, response) => {
  if (request.url === '/json') return response.end(`[${lines.join(',\n')}]`)
  if (request.url === '/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    hearing.add(response)
    response.on('close', () => hearing.delete(response))
    return
  }
  response.writeHead(200, { 'content-type': 'text/html' })
  const body = request.url === '/empty' ? '<p>empty' : `<pre id=out></pre><script>${SCRIPT}</script>`
  response.end(`<!doctype html><title>x</title>${body}`)
})
await new Promise((resolve) => plain.listen(0, '127.0.0.1', resolve))
const plainOrigin = `http://127.0.0.1:${plain.address().port}`

const stop = new AbortController()
let ended
const link = await new Promise((resolve) => {
  ended = serve({
    home,
    postgres: null,
    config: null,
    version: 'bench',
    port: 0,
    isReadOnly: true,
    signal: stop.signal,
    ready: resolve,
  })
})
const { origin } = new URL(link)

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  chromiumSandbox: process.getuid?.() !== 0,
  args: [
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
})
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
const page = await context.newPage()
await page.goto(link)
await page.waitForSelector('.entry')

/** From the navigation until rows, or the text, are painted. */
async function shownAfter(url, selector) {
  await page.goto('about:blank')
  await page.goto(url, { waitUntil: 'commit' })
  return page.evaluate(
    (wanted) =>
      new Promise((resolve) => {
        const look = () => {
          const isThere =
            wanted === null
              ? performance.getEntriesByName('shown').length > 0
              : document.querySelector(wanted)
          if (isThere) requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
          else setTimeout(look, 2)
        }
        look()
      }),
    selector,
  )
}

const paints = { console: [], plain: [] }
for (let round = -1; round < ROUNDS; round++) {
  const ours = await shownAfter(`${origin}/t/${LONG}/events`, '.virtual-row')
  const theirs = await shownAfter(`${plainOrigin}/`, null)
  if (round < 0) continue
  paints.console.push(ours)
  paints.plain.push(theirs)
}

/** The median time between two frames while something happens. */
const frames = (ms) =>
  page.evaluate(
    (during) =>
      new Promise((resolve) => {
        const gaps = []
        const end = performance.now() + during
        let last = null
        const next = (now) => {
          if (last !== null) gaps.push(now - last)
          last = now
          if (now < end) requestAnimationFrame(next)
          else resolve(gaps)
        }
        requestAnimationFrame(next)
      }),
    ms,
  )

let liveSize = 1
async function feed(count, ms) {
  const lot = 100
  const pause = ms / (count / lot)
  for (let done = 0; done < count; done += lot) {
    await grow(LIVE, liveSize, lot)
    liveSize += lot
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

const gaps = { console: [], empty: [] }
for (let round = 0; round < 2; round++) {
  await page.goto(`${plainOrigin}/empty`)
  gaps.empty.push(median(await frames(3_000)))
  await page.goto(`${origin}/t/${LIVE}/events`)
  await page.waitForSelector('.virtual-row')
  const [measured] = await Promise.all([frames(6_000), feed(5_000, 6_000)])
  gaps.console.push(median(measured))
}
/** The list says of each row how many there are. A height cannot be asked: from a million pixels on it reads 1.02e+06px. */
const allListed = () =>
  page.waitForFunction(
    (size) => document.querySelector('.virtual-row')?.getAttribute('aria-setsize') === String(size),
    liveSize,
    { timeout: 120_000 },
  )
await allListed()
const rowsLaidOut = await page.locator('.virtual-row').count()

// An hour of ten events a second, as fast as they can be fed: what the page and the server hold after each twelfth of it,
// once their garbage is collected. The page shows the list of events all the while.
const HOUR = Number(process.env.HOUR_EVENTS ?? 36_000)
const TWELFTHS = 12
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
const session = await context.newCDPSession(page)
const heldNow = async () => {
  await session.send('HeapProfiler.collectGarbage')
  collect()
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return { page: usedSize / 1e6, server: process.memoryUsage().heapUsed / 1e6 }
}
const held = { page: [], server: [] }
for (let twelfth = 0; twelfth < TWELFTHS; twelfth++) {
  await feed(Math.ceil(HOUR / TWELFTHS / 100) * 100, 0)
  await allListed()
  const now = await heldNow()
  held.page.push(now.page)
  held.server.push(now.server)
}
/** The last quarter of the hour beside its second: before that, windows fill up. */
const quarter = (values, n) => values.slice(n * 3, n * 3 + 3)

// Processor time of the server for events heard by many pages, beside plain server-sent events of the same bytes.
const cookie = (await context.cookies()).find(({ name }) => name === 'witan')
await page.goto('about:blank')
const readers = []
/** Resolves once the answer begins; what comes is read and dropped. */
const readAll = (port, path, headers = {}) =>
  new Promise((resolve, reject) => {
    const sent = get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      response.resume()
      response.on('error', () => undefined)
      if (response.statusCode === 200) resolve()
      else reject(new Error(`${path} answered ${response.statusCode}`))
    })
    sent.on('error', reject)
    readers.push(sent)
  })
const cpuOf = async (work) => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
const HEARD = 2_000
const costs = { console: [], plain: [] }
for (let round = 0; round < 3; round++) {
  const { hostname, port } = new URL(origin)
  const headers = { host: `${hostname}:${port}`, cookie: `witan=${cookie.value}` }
  for (let i = 0; i < PAGES; i++) await readAll(port, `/api/stream?trace=${LIVE}&from=${liveSize}`, headers)
  await new Promise((resolve) => setTimeout(resolve, 500))
  costs.console.push(await cpuOf(() => feed(HEARD, 2_000)))
  for (const one of readers.splice(0)) one.destroy()
  for (let i = 0; i < PAGES; i++) await readAll(plain.address().port, '/events')
  await new Promise((resolve) => setTimeout(resolve, 500))
  costs.plain.push(
    await cpuOf(async () => {
      for (let done = 0; done < HEARD; done += 100) {
        await grow(LIVE, liveSize, 100)
        const from = liveSize
        liveSize += 100
        const heard = []
        for await (const one of store.read(LIVE, from)) heard.push(eventLine(one))
        const message = `event: events\ndata: [${heard.join(',')}]\n\n`
        for (const response of hearing) response.write(message)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }),
  )
  for (const one of readers.splice(0)) one.destroy()
}

const folder = fileURLToPath(new URL('../../dist/console/', import.meta.url))
/** What the first view loads: the entry and all that it imports at once. */
function firstView() {
  const seen = new Set(['main.css'])
  const visit = (name) => {
    if (seen.has(name)) return
    seen.add(name)
    const text = readFileSync(join(folder, name), 'utf8')
    for (const [, found] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) visit(found)
  }
  visit('main.js')
  return [...seen].reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0)
}
const all = readdirSync(folder).reduce(
  (sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length,
  0,
)

const row = (question, ours, floor, atMost, unit) => {
  const ratio = median(ours) / median(floor)
  return {
    question,
    ours: `${median(ours).toFixed(1)} ${unit}`,
    floor: `${median(floor).toFixed(1)} ${unit}`,
    ratio: ratio.toFixed(2),
    spread: `${Math.min(...ours.map((one, i) => one / floor[i])).toFixed(2)}–${Math.max(...ours.map((one, i) => one / floor[i])).toFixed(2)}`,
    wanted: `≤ ${atMost}`,
    met: ratio <= atMost ? 'yes' : 'NO',
  }
}
const kilobytes = firstView() / 1000
console.log(`${EVENTS} events, ${cpus().length} × ${cpus()[0]?.model}; load ${loadavg()[0].toFixed(1)}`)
console.log(
  table([
    row(`first rows of ${EVENTS} events, beside plain JSON`, paints.console, paints.plain, 1.5, 'ms'),
    row('frame with 10,000 live events, beside an empty page', gaps.console, gaps.empty, 2, 'ms'),
    row(`processor of the server, ${PAGES} pages, beside plain SSE`, costs.console, costs.plain, 1.5, 'ms'),
    row(
      'memory of the page, last quarter of an hour beside its second',
      quarter(held.page, 3),
      quarter(held.page, 1),
      1.1,
      'MB',
    ),
    row('memory of the server, likewise', quarter(held.server, 3), quarter(held.server, 1), 1.1, 'MB'),
    {
      question: 'code of the first view, gzipped',
      ours: `${kilobytes.toFixed(1)} kB`,
      floor: '',
      ratio: '',
      spread: `all of it ${(all / 1000).toFixed(0)} kB`,
      wanted: '≤ 150 kB',
      met: kilobytes <= 150 ? 'yes' : 'NO',
    },
    {
      question: 'rows laid out of 10,001',
      ours: String(rowsLaidOut),
      wanted: '≤ 60',
      met: rowsLaidOut <= 60 ? 'yes' : 'NO',
    },
  ]),
)
await browser.close()
stop.abort()
await ended
plain.closeAllConnections()
plain.close()
await store.close()
rmSync(home, { recursive: true, force: true })
