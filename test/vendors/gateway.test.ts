// The gateway in the vendors' real programs and in the public inspector, before a public server: they see its tools as they are, and
// what they call is on record.

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { BINARY, witan } from '../doors/command.ts'
import type { Vendor } from '../fakes/cli/stub.ts'
import { playHost } from '../fakes/host-model.ts'
import { hostPrograms } from './host-programs.ts'
import { cached, programOf } from './real.ts'

const { resolve } = createRequire(import.meta.url)
const EVERYTHING = [
  process.execPath,
  resolve('@modelcontextprotocol/server-everything/dist/index.js'),
  'stdio',
]
const GATEWAY = [process.execPath, BINARY, 'gateway', '--', ...EVERYTHING]
const HOSTS = hostPrograms(GATEWAY, 'Have it echoed.')

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function folderFor(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'witan-gateway-'))
  open.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

it('AGT-X-8 shows the inspector the tools and results of its server as they are', async () => {
  const folder = await folderFor()
  const env = { PATH: process.env.PATH ?? '', HOME: folder, WITAN_HOME: join(folder, 'witan') }
  const [node, program] = [cached('inspector', 'node'), cached('inspector', 'mcp-inspector')]
  const inspect = async (server: readonly string[], ...args: readonly string[]) => {
    const given = [program, '--cli', ...server, ...args]
    const { stdout } = await promisify(execFile)(node, given, { env, cwd: folder, maxBuffer: 64 << 20 })
    return JSON.parse(stdout)
  }
  // Its own options and those of a server are one line of words: a script stands for the server.
  const script = join(folder, 'gateway.sh')
  await writeFile(script, `#!/bin/sh\nexec ${GATEWAY.map((word) => `'${word}'`).join(' ')}\n`, {
    mode: 0o755,
  })
  for (const asked of [
    ['--method', 'tools/list'],
    ['--method', 'prompts/list'],
    ['--method', 'tools/call', '--tool-name', 'echo', '--tool-arg', 'message=hello'],
  ])
    expect(await inspect([script], ...asked)).toEqual(await inspect(EVERYTHING, ...asked))
})

it.each(Object.keys(HOSTS) as Vendor[])('AGT-X-8 has the calls of the real %s on record', async (vendor) => {
  const { register, run, env, files = {} } = HOSTS[vendor]
  const folder = await folderFor()
  const [home, work, store] = [join(folder, 'home'), join(folder, 'work'), join(folder, 'witan')]
  for (const made of [home, work, join(home, '.gemini'), join(home, 'codex')]) await mkdir(made)
  for (const [path, text] of Object.entries(files)) await writeFile(join(home, path), text)
  const words = 'through the gateway'
  const server = await playHost(
    vendor,
    ({ results }) => (results.length === 0 ? { tool: 'echo', args: { message: words } } : { say: 'Done.' }),
    /(?:echo|get.sum)$/,
  )
  open.push(() => server.close())
  const own = {
    ...{ PATH: process.env.PATH ?? '', HOME: home, CODEX_HOME: join(home, 'codex'), GEMINI_CLI_HOME: home },
    ...{ WITAN_HOME: store, TMPDIR: folder, ...env(server.url) },
  }
  const inside = (args: readonly string[]) => {
    const started = promisify(execFile)(programOf(vendor), args, { cwd: work, env: own, timeout: 100_000 })
    started.child.stdin?.end()
    return started
  }
  await inside(register(`WITAN_HOME=${store}`))
  const ran = await inside(run(server.url)).catch((error: { stdout: string; stderr: string }) => error)
  expect(server.sights.at(-1)?.results.at(-1), ran.stderr.slice(-2_000)).toContain(`Echo: ${words}`)
  // Codex spells a dash as an underscore.
  expect(server.sights[0]?.tools.map((name) => name.replace('_', '-'))).toEqual(
    expect.arrayContaining(['echo', 'get-sum']),
  )
  await witan({ home: store }, 'agents', 'close', '--idle', '0m')
  const { json } = await witan({ home: store }, 'agents', 'summary', '--json')
  expect(json.total).toMatchObject({ sessions: 1, calls: 1, failed: 0, unknown: 0 })
  expect((await witan({ home: store }, 'verify', 'last:agents', '--json')).json.status).toBe('pass')
})
