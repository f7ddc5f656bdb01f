// A call through the gateway against the same call without it plus the durable appends that it needs. A call has five events, so
// it needs five appends. As few commits as the protocol allows are two, and a floor made of these is measured as well. Neither
// floor has a further hop between processes, a protocol, a policy or a scan for secrets; a gateway that only passes messages on is
// measured beside them. The first calls of a process take longer than later ones, because V8 compiles by then what runs often:
// the first ones are measured, and those after a thousand and after four thousand.

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
const passThrough = [fileURLToPath(new URL('pass-through.js', import.meta.url)), ...everything]
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
 * What a call needs on disk: its input, then intent, assessment, approval and start before it runs, its output and outcome after
 * it, all signed and chained; the four together in one durable commit, or each in one of its own.
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
  async function appendCall(commits) {
    await store.putArtifact(Buffer.from(`{"message":"words ${++words}"}`))
    for (const events of commits) await book.append(noted(events))
    await store.putArtifact(Buffer.from(`{"content":[{"type":"text","text":"Echo: words ${++words}"}]}`))
    await book.append(noted(1))
  }
  return {
    together: () => appendCall([4]),
    singly: () => appendCall([1, 1, 1, 1]),
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
const warmUp = (calls) => calls / CALLS

/** Each side's calls a second, round by round, and what they are compared with. */
async function measured(sides, name) {
  const latency = await inTurns(sides)
  const ms = (side) => (1_000 / median(latency[side])).toFixed(2)
  console.log(
    `${name}: direct ${ms('direct')} ms, only passed on ${ms('passed')} ms, gateway ${ms('gateway')} ms, its events in five durable appends ${ms('singly')} ms, in two ${ms('together')} ms, load ${loadavg()[0].toFixed(1)}`,
  )
  const beside = (appends) => latency.direct.map((rate, i) => 1 / (1 / rate + 1.5 / latency[appends][i]))
  const row = (appends, needed) =>
    answer({
      question: `${name}, direct + 1.5 × ${needed}`,
      ours: 'gateway',
      floor: 'floor',
      rates: { gateway: latency.gateway, floor: beside(appends) },
      atMost: 1,
    })
  return [row('singly', 'five durable appends'), row('together', 'two durable commits')]
}

export async function gatewayRows() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'witan-bench-gateway-')))
  mkdirSync(join(folder, 'work'))
  const direct = await connected(everything, folder)
  const passed = await connected([process.execPath, ...passThrough], folder)
  const through = await connected([process.execPath, ...gateway], folder)
  const { together, singly, remove } = await appending()
  await echo(through)
  const sides = {
    direct: several(() => echo(direct)),
    passed: several(() => echo(passed)),
    gateway: several(() => echo(through)),
    together: several(together),
    singly: several(singly),
  }
  const first = await measured(sides, 'the first calls by the gateway')
  await inTurns(sides, warmUp(500))
  const later = await measured(sides, 'after 1,000 calls')
  await inTurns(sides, warmUp(2_500))
  const settled = await measured(sides, 'after 4,000 calls')
  await Promise.all([direct.close(), passed.close(), through.close()])
  await remove()
  rmSync(folder, { recursive: true, force: true })
  return [...first, ...later, ...settled]
}
