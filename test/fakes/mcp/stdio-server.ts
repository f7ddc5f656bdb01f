// A real MCP server over stdio that plays a script: each call of its tool is the next act, counted over all processes
// that ran in the same folder. It notes there what it was asked and which processes it was.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
import type { Act } from '../../contracts/scenarios.ts'
import { resultOf, TOOL } from './acts.ts'

export interface Behaviour {
  readonly script: readonly Act[]
  /** Milliseconds before it reads anything. */
  readonly startAfter?: number
  /** Ends before it reads anything, with these last words. */
  readonly crashAtStart?: string
  /** Ends at any request before the older handshake, as servers of the first kind do: without a word, or with one. */
  readonly older?: 'silent' | 'refuses'
  /** Leaves a child of its own behind, and does not go when told to. */
  readonly stubborn?: boolean
  /** Reports progress all the time, or this often. */
  readonly chatty?: true | number
  /** Writes log lines where only messages belong. */
  readonly noisy?: boolean
}

const [folder = '.'] = process.argv.slice(2)
const behaviour: Behaviour = JSON.parse(readFileSync(join(folder, 'behaviour.json'), 'utf8'))
const note = (file: string, value: unknown) =>
  appendFileSync(join(folder, file), `${JSON.stringify(value)}\n`)
const lines = (file: string) =>
  existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').trimEnd().split('\n').length : 0

note('pids', process.pid)
note('starts', process.pid)
if (behaviour.crashAtStart !== undefined) {
  console.error(behaviour.crashAtStart)
  process.exit(3)
}
if (behaviour.stubborn) {
  note('pids', spawn('sleep', ['60'], { stdio: 'inherit' }).pid)
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1_000)
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const never = () => new Promise<never>(() => {})

async function flood(): Promise<never> {
  process.stdout.on('error', () => process.exit(0))
  process.stdout.write('{"jsonrpc":"2.0","id":0,"result":{"content":[{"type":"text","text":"')
  for (;;) {
    const room = process.stdout.write('no end of it '.repeat(10_000))
    if (!room) await new Promise((resolve) => process.stdout.once('drain', resolve))
  }
}

/** Acts that break the wire instead of answering. */
async function misbehave(act: Act): Promise<never> {
  if (act.act === 'flood') return flood()
  if (act.act === 'silence') return never()
  const text = 'text' in act ? act.text : ''
  const half = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"${text}`
  if (act.act === 'garbage') process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', result: text })}\n`)
  else await new Promise((resolve) => process.stdout.write(half, resolve))
  if (act.act === 'reset') process.kill(process.pid, 'SIGKILL')
  if (act.act === 'truncated') process.exit(0)
  return never()
}

function makeServer(): McpServer {
  const server = new McpServer({ name: 'fake-mind', version: '1.2.3' }, { capabilities: { logging: {} } })
  const inputSchema = z.looseObject({ prompt: z.string() })
  server.registerTool(TOOL, { inputSchema }, async (given, context) => {
    const turn = lines('seen')
    note('seen', given)
    context.mcpReq.signal.addEventListener('abort', () => note('cancelled', turn))
    if (behaviour.noisy) process.stdout.write('calling the model…\n{"level":30,"msg":"a log line as JSON"}\n')
    const act = behaviour.script[Math.min(turn, behaviour.script.length - 1)] ?? { act: 'silence' }
    for (let told = 0; behaviour.chatty && told !== behaviour.chatty; told++) {
      const progressToken = context.mcpReq._meta?.progressToken ?? 'none'
      await context.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress: 1 },
      })
      await wait(50)
    }
    return resultOf(act) ?? misbehave(act)
  })
  server.registerTool('environment', { inputSchema: z.looseObject({ prompt: z.string() }) }, () => ({
    content: [{ type: 'text', text: JSON.stringify(process.env) }],
  }))
  return server
}

/** The first line alone decides, though more may come in one piece; all of it is put back for the server to read. */
async function endUnlessInitialized(): Promise<void> {
  const pieces: Buffer[] = []
  await new Promise<void>((resolve) => {
    process.stdin.on('data', function read(bytes: Buffer) {
      pieces.push(bytes)
      if (!bytes.includes('\n')) return
      process.stdin.off('data', read).pause()
      resolve()
    })
  })
  const read = Buffer.concat(pieces)
  const [line = ''] = read.toString('utf8').split('\n')
  const { id, method } = JSON.parse(line)
  process.stdin.unshift(read)
  if (method === 'initialize') return
  const error = { code: -32_601, message: 'Method not found' }
  if (behaviour.older === 'refuses') {
    const refusal = `${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`
    await new Promise((resolve) => process.stdout.write(refusal, resolve))
  }
  process.exit(1)
}

if (behaviour.noisy) console.log('fake mind 1.2.3 listening on stdio')
await wait(behaviour.startAfter ?? 0)
if (behaviour.older) await endUnlessInitialized()
serveStdio(makeServer)
process.stdin.resume()
