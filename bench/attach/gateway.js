// A call through the gateway against the same call without it plus the durable appends that its events need. Its floor has no
// further hop between processes, no protocol, no policy and no scan for secrets.

import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answer, inTurns, median } from '../measure.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const { resolve } = createRequire(join(root, 'package.json'))
const everything = [
  process.execPath,
  resolve('@modelcontextprotocol/server-everything/dist/index.js'),
  'stdio',
]
const gateway = [join(root, 'bin/witan.js'), 'gateway', '--gate', '--believe-hints', '--', ...everything]

async function connected([command, ...args], folder) {
  const { Client } = await import(resolve('@modelcontextprotocol/sdk/client/index.js'))
  const { StdioClientTransport } = await import(resolve('@modelcontextprotocol/sdk/client/stdio.js'))
  const client = new Client({ name: 'bench', version: '1' }, { capabilities: {} })
  const env = { PATH: process.env.PATH, HOME: folder, WITAN_HOME: join(folder, 'home') }
  const cwd = join(folder, 'work')
  await client.connect(new StdioClientTransport({ command, args, cwd, env, stderr: 'ignore' }))
  await client.listTools()
  return client
}

let words = 0
const echo = (client) => client.callTool({ name: 'echo', arguments: { message: `words ${++words}` } })

/**
 * What a call needs on disk: its input, then intent, assessment, approval and start in one durable commit before it runs, its
 * output and outcome in another after it, all signed and chained.
 */
async function appending() {
  const { openSqliteStore } = await import('../../dist/stores/sqlite.js')
  const { settle, temporary } = await import('../ledger/workbench.js')
  const place = temporary()
  const store = await openSqliteStore({ directory: place.directory })
  const kit = await settle(store)
  const book = kit.newBook()
  /** As large as the events of a call are: 230 to 550 bytes of payload. */
  const note = () => ({ n: ++words, text: randomBytes(180).toString('hex') })
  const noted = (count) =>
    Array.from({ length: count }, () => ({ type: 'noted', actor: kit.actor, payload: note() }))
  return {
    async appendCall() {
      await store.putArtifact(Buffer.from(`{"message":"words ${++words}"}`))
      await book.append(noted(4))
      await store.putArtifact(Buffer.from(`{"content":[{"type":"text","text":"Echo: words ${++words}"}]}`))
      await book.append(noted(1))
    },
    async remove() {
      await store.close()
      place.remove()
    },
  }
}

const CALLS = 50
const several = (make) => ({
  run: async () => {
    for (let i = 0; i < CALLS; i++) await make()
    return CALLS
  },
})

export async function gatewayRows() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'witan-bench-gateway-')))
  mkdirSync(join(folder, 'work'))
  const direct = await connected(everything, folder)
  const through = await connected([process.execPath, ...gateway], folder)
  const { appendCall, remove } = await appending()
  await echo(through)
  const latency = await inTurns({
    direct: several(() => echo(direct)),
    gateway: several(() => echo(through)),
    appends: several(appendCall),
  })
  const needed = latency.direct.map((rate, i) => 1 / (1 / rate + 1.5 / latency.appends[i]))
  const ms = (rates) => (1_000 / median(rates)).toFixed(2)
  const { direct: alone, gateway: held, appends } = latency
  console.log(
    `direct ${ms(alone)} ms, gateway ${ms(held)} ms, durable appends of a call ${ms(appends)} ms, load ${loadavg()[0].toFixed(1)}`,
  )
  await Promise.all([direct.close(), through.close()])
  await remove()
  rmSync(folder, { recursive: true, force: true })
  return [
    answer({
      question: 'a call by the gateway, direct + 1.5 × appends',
      ours: 'gateway',
      floor: 'needed',
      rates: { gateway: held, needed },
      atMost: 1,
    }),
  ]
}
