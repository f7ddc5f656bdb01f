// Tries every escape from inside, through a command and through a server, as the user it is started as, and prints what
// came of each. Started with descriptor 40 open on the secret, which it must not pass on.

import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { mcpTools } from '../../src/tools/mcp/mcp.ts'
import { SANDBOX_LIMITS } from '../../src/tools/shell/limits.ts'
import { shellTools } from '../../src/tools/shell/shell.ts'
import { definitionHash, type ToolOutcome, type Toolset } from '../../src/tools/toolset.ts'
import { ESCAPES, type Escape, PRELUDE } from './table.ts'

const [base = '', serverScript = '', secret = ''] = process.argv.slice(2)
const clean = (text: string) => ({ text, removed: 0 })
const forbidden = { never: [], homes: [] }

async function makeWorld(name: string) {
  const at = await realpath(await mkdtemp(join(base, `${name}-`)))
  const [work, plain] = [join(at, 'work'), join(at, 'plain')]
  for (const folder of ['.git/hooks', '.vscode', '.husky', '.claude', 'module', 'tools/hooks', 'sub'])
    await mkdir(join(work, folder), { recursive: true })
  await mkdir(plain)
  const settings = '[core]\n\thooksPath = tools/hooks\n[include]\n\tpath = ../tools/git.ini\n'
  for (const [file, text] of [
    ['.git/config', settings],
    ['.git/HEAD', 'ref: refs/heads/main\n'],
    ['.envrc', ''],
    ['module/.git', 'gitdir: ../.git/modules/module\n'],
    ['tools/git.ini', ''],
  ] as const)
    await writeFile(join(work, file), text)
  const roots = [
    { name: 'workspace', path: work, write: true },
    { name: 'plain', path: plain, write: true },
  ]
  return { at, work, plain, roots }
}
type World = Awaited<ReturnType<typeof makeWorld>>

const listening = (where: object): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.listen(where, () => resolve(server))
  })

async function call(toolset: Toolset, tool: string, input: { readonly [name: string]: string | string[] }) {
  const { signal } = new AbortController()
  const found = (await toolset.tools(signal)).find(({ name }) => name === tool)
  const limits = { timeoutMs: 60_000, maxOutputBytes: 1 << 20, maxProcesses: 32 }
  return toolset.call({ tool, input, definitionHash: found ? definitionHash(found) : '', signal, limits })
}

function opened(
  kind: 'shell' | 'mcp',
  { work, roots, plain }: World,
  network: boolean,
  env: Record<string, string>,
) {
  const limits = { ...SANDBOX_LIMITS, processes: 32 }
  const path = process.env.PATH ?? ''
  if (kind === 'shell') {
    const variables = { ...env, PLAIN: '/roots/plain' }
    const toolset = shellTools({
      roots,
      forbidden,
      commands: [['sh']],
      clean,
      network,
      env: variables,
      path,
      limits,
    })
    return { toolset, run: (script: string) => call(toolset, 'shell.run', { command: ['sh', '-c', script] }) }
  }
  const server = {
    command: [process.execPath, serverScript, '/tmp'],
    env: { ...env, PLAIN: plain },
    cwd: work,
  }
  const enclosure = { roots, forbidden, network, folders: [], limits }
  const toolset = mcpTools({ name: 'fake', server, clean, enclosure, environment: { PATH: path } })
  return { toolset, run: (script: string) => call(toolset, 'mcp.fake.run', { words: script }) }
}

const wordsOf = (outcome: ToolOutcome): string =>
  outcome.content.map((part) => Buffer.from(part.bytes).toString('utf8')).join('\n')

function verdictOf({ swept = false }: Escape, outcome: ToolOutcome): string {
  if (swept) {
    const isHeld =
      !outcome.ok && outcome.type === 'denied' && /your own tools would run/.test(outcome.message)
    return isHeld ? 'held' : `not held: ${outcome.ok ? wordsOf(outcome) : outcome.message}`
  }
  const words = wordsOf(outcome)
  const missing = words.split('\n').find((line) => line.startsWith('MISSING'))
  if (missing !== undefined) return `not tried: ${missing}`
  if (words.includes('ESCAPED'))
    return words
      .split('\n')
      .filter((line) => line.includes('ESCAPED'))
      .join('; ')
  return words.includes('HELD') ? 'held' : `not tried: ${outcome.ok ? words : outcome.message}`
}

const hasPerl = existsSync('/usr/bin/perl')
const results: Record<string, string> = {}
const abstract = `witan-escape-${process.pid}`
const socket = join(base, `socket-${process.pid}`)
const tcp = await listening({ port: 0, host: '127.0.0.1' })
const servers = [tcp, await listening({ path: socket }), await listening({ path: `\0${abstract}` })]
await chmod(socket, 0o777)
const address = tcp.address()
const env = {
  SECRET: secret,
  OUTSIDE: String(process.pid),
  PORT: String(typeof address === 'object' ? address?.port : ''),
  SOCKET: socket,
  ABSTRACT: abstract,
}
for (const kind of ['shell', 'mcp'] as const) {
  for (const network of [false, true]) {
    const world = await makeWorld(kind)
    const { toolset, run } = opened(kind, world, network, env)
    for (const way of ESCAPES.filter((one) => (one.network ?? false) === network)) {
      const isTried = hasPerl || !/perl|called/.test(way.script)
      const outcome = isTried ? await run(`${PRELUDE}\n${way.script}`) : null
      results[`${kind}: ${way.name}`] = outcome === null ? 'no perl here' : verdictOf(way, outcome)
    }
    await toolset.close()
    results[`${kind}, network ${network}: no cover is left`] = existsSync(join(world.plain, '.git'))
      ? 'left'
      : 'held'
    await rm(world.at, { recursive: true })
  }
}
for (const server of servers) server.close()
process.stdout.write(`${JSON.stringify(results)}\n`)
