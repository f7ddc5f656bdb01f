// Witan as an MCP server, over stdin and stdout or over HTTP on the loopback, until it is told to stop or the host is
// gone. What is not a message of the protocol is for the caller to say.

import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { WitanError } from '../../ledger/errors.ts'
import { Sittings } from './council/sitting.ts'
import { People } from './people.ts'
import { Runs } from './runs.ts'
import { createServer } from './server.ts'
import { strictLines } from './strict-lines.ts'
import type { Desk, Tool } from './tool.ts'
import { AGENTS_TOOLS } from './tools/agents.ts'
import { COUNCIL_TOOLS } from './tools/council.ts'
import { EXCHANGE_TOOLS } from './tools/exchange.ts'
import { TRACE_TOOLS } from './tools/traces.ts'

export interface Serving extends Pick<Desk, 'home' | 'postgres' | 'config'> {
  /** Sets of tools besides those for councils and traces. */
  readonly tools: readonly string[]
  readonly version: string
  /** Over HTTP at this port, for those who hold the token; otherwise over the streams. */
  readonly http: { readonly port: number; readonly token: string } | null
  readonly input: Readable
  readonly output: Writable
  /** Ends it. */
  readonly signal: AbortSignal
  /** Called when hosts can speak to it, with its address where it has one. */
  ready(url: string | null): void
}

type MakeServer = () => ReturnType<typeof createServer>

const SETS: Readonly<Record<string, readonly Tool[]>> = {
  council: COUNCIL_TOOLS,
  traces: TRACE_TOOLS,
  agents: AGENTS_TOOLS,
  exchange: EXCHANGE_TOOLS,
}

function toolsOf(names: readonly string[]): readonly Tool[] {
  const unknown = names.find((name) => !Object.hasOwn(SETS, name))
  if (unknown !== undefined) {
    const next = `It is one of: ${Object.keys(SETS).join(', ')}.`
    throw new WitanError('USAGE', `there is no set of tools '${unknown}'`, next)
  }
  return [...new Set(['council', 'traces', ...names])].flatMap((name) => SETS[name] ?? [])
}

async function overHttp(
  at: NonNullable<Serving['http']>,
  { signal, ready }: Serving,
  makeServer: MakeServer,
): Promise<void> {
  const { serveHttp } = await import('./http.ts')
  const site = await serveHttp(makeServer, at)
  ready(site.url)
  if (!signal.aborted) await once(signal, 'abort')
  await site.close()
}

/** Until the host is gone, or has written what cannot be read. */
async function overStreams({ input, output, signal, ready }: Serving, makeServer: MakeServer): Promise<void> {
  ready(null)
  const lines = input.pipe(strictLines(output))
  const serving = serveStdio(makeServer, { transport: new StdioServerTransport(lines) })
  const stop = (): void => void input.destroy()
  signal.addEventListener('abort', stop)
  try {
    await Promise.race([once(input, 'close'), once(lines, 'close')])
  } finally {
    signal.removeEventListener('abort', stop)
    input.destroy()
    await serving.close()
  }
}

export async function serve(serving: Serving): Promise<void> {
  const { home, postgres, config, version, http } = serving
  const tools = toolsOf(serving.tools)
  const sittings = new Sittings()
  const runs = new Runs()
  const desk: Desk = { home, postgres, config, sittings, runs, people: new People() }
  const makeServer: MakeServer = () => createServer(desk, tools, version)
  try {
    await (http ? overHttp(http, serving, makeServer) : overStreams(serving, makeServer))
  } finally {
    await Promise.all([sittings.stopAll(), runs.stopAll()])
  }
}
