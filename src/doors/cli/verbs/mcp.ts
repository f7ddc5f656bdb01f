// `witan mcp`: Witan as a server inside an MCP host, over stdin and stdout, or over HTTP on the loopback. Whatever is
// not a message of the protocol goes to stderr.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { Sittings } from '../../mcp/council/sitting.ts'
import { People } from '../../mcp/people.ts'
import { Runs } from '../../mcp/runs.ts'
import { createServer } from '../../mcp/server.ts'
import { strictLines } from '../../mcp/strict-lines.ts'
import type { Desk, Tool } from '../../mcp/tool.ts'
import { AGENTS_TOOLS } from '../../mcp/tools/agents.ts'
import { COUNCIL_TOOLS } from '../../mcp/tools/council.ts'
import { EXCHANGE_TOOLS } from '../../mcp/tools/exchange.ts'
import { TRACE_TOOLS } from '../../mcp/tools/traces.ts'
import type { Call, Verb } from '../command.ts'
import { answerInterrupts } from '../interrupt.ts'
import { usage } from '../parse.ts'
import { packageVersion } from '../version.ts'

const SETS: Readonly<Record<string, readonly Tool[]>> = {
  council: COUNCIL_TOOLS,
  traces: TRACE_TOOLS,
  agents: AGENTS_TOOLS,
  exchange: EXCHANGE_TOOLS,
}

/** Whoever typed this by hand would wait for ever. */
const AT_A_TERMINAL =
  'Speaking MCP on stdin and stdout: this is for a host to start, for example with\n' +
  '  claude mcp add witan -- witan mcp\n' +
  'Ctrl-C ends it.\n'

function chosen(call: Call): readonly Tool[] {
  const names = (call.text('tools') ?? '').split(',').filter((name) => name !== '')
  const unknown = names.find((name) => !Object.hasOwn(SETS, name))
  if (unknown !== undefined)
    throw usage(`there is no set of tools '${unknown}'`, `It is one of: ${Object.keys(SETS).join(', ')}.`)
  return [...new Set(['council', 'traces', ...names])].flatMap((name) => SETS[name] ?? [])
}

async function overHttp(call: Call, makeServer: () => ReturnType<typeof createServer>): Promise<void> {
  const { serveHttp } = await import('../../mcp/http.ts')
  const token = process.env.WITAN_MCP_TOKEN || randomBytes(32).toString('hex')
  const site = await serveHttp(makeServer, { port: call.count('port') ?? 0, token })
  const said = process.env.WITAN_MCP_TOKEN ? '$WITAN_MCP_TOKEN' : token
  process.stderr.write(`Listening at ${site.url}\nAuthorization: Bearer ${said}\nCtrl-C ends it.\n`)
  await new Promise<void>((resolve) => answerInterrupts(resolve))
  await site.close()
}

/** Until the host is gone, or has written what cannot be read. */
async function overPipe(makeServer: () => ReturnType<typeof createServer>): Promise<void> {
  if (process.stdin.isTTY) process.stderr.write(AT_A_TERMINAL)
  const lines = process.stdin.pipe(strictLines(process.stdout))
  const serving = serveStdio(makeServer, { transport: new StdioServerTransport(lines) })
  const release = answerInterrupts(() => process.stdin.destroy())
  try {
    await Promise.race([once(process.stdin, 'close'), once(lines, 'close')])
  } finally {
    process.stdin.destroy()
    release()
    await serving.close()
  }
}

export const run: Verb = async (call) => {
  const sittings = new Sittings()
  const runs = new Runs()
  const people = new People()
  const desk: Desk = {
    home: call.home,
    postgres: call.postgres,
    config: call.text('config'),
    sittings,
    runs,
    people,
  }
  const tools = chosen(call)
  const makeServer = () => createServer(desk, tools, packageVersion())
  try {
    if (call.flag('http')) await overHttp(call, makeServer)
    else await overPipe(makeServer)
  } finally {
    await Promise.all([sittings.stopAll(), runs.stopAll()])
  }
  return { value: { ended: true }, lines: [] }
}
