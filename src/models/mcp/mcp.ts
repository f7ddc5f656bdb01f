// A model behind a tool of an MCP server. Each call has its own connection, a process or sockets, closed
// before the caller gets the outcome. One clock applies to all of it, and every byte restarts it: a server
// that reports its progress is not silent.

import { type Connection, connect, limited, NO_TIMEOUT, reasonOf } from '../../mcp-client/connection.ts'
import { Fault } from '../../mcp-client/fault.ts'
import { type McpServer, secretsOf, serverOf } from '../../mcp-client/server.ts'
import { type Deadline, startDeadline } from '../deadline.ts'
import { redact } from '../hide-secrets.ts'
import { type Availability, failed, type Model, type Outcome, type Reply, type Request } from '../model.ts'
import type { Tuning } from '../tuning.ts'
import {
  type Arguments,
  checkMapping,
  faultWhenEnded,
  type McpReply,
  type ReplyMapping,
  readReply,
  toolArguments,
  unfilled,
} from './mapping.ts'

export type { McpServer } from '../../mcp-client/server.ts'

/** Which tool of which server, and how it is asked. */
export interface McpModelOptions {
  readonly provider: string
  readonly model: string | null
  readonly server: McpServer
  readonly tool: string
  readonly arguments: Arguments
  readonly reply?: ReplyMapping
  /** How long a server may take until it has listed its tools. */
  readonly startMs?: number
  readonly environment?: NodeJS.ProcessEnv
  /** The seat's settings for answers. */
  readonly tuning?: Tuning
}

const START_MS = 20_000
const AVAILABLE_MS = 5_000
/** A reply is longer than its text: escapes, envelopes, the text twice; and the list of tools. */
const wireBytes = (replyBytes: number): number => 4 * replyBytes + (1 << 20)
const LIST_BYTES = 1 << 22

const slow = (ms: number) =>
  new Fault('timeout', 'unavailable', `the server did not get ready within ${ms} ms`)

function toolOf(connection: Connection, name: string) {
  const tool = connection.tools.find((one) => one.name === name)
  if (tool !== undefined) return tool
  const known = connection.tools.map((one) => one.name).slice(0, 20)
  const instead = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`
  throw new Fault('network', 'unavailable', `the server has no tool ${name}; ${instead}`)
}

const nextStep = ({ server, tool }: McpModelOptions): string =>
  'url' in server
    ? `Check that the server runs at ${server.url} and offers the tool ${tool}.`
    : `Check that ${server.command[0]} is installed, starts by itself and offers the tool ${tool}.`

/** A model behind a tool of an MCP server. */
export function mcpModel(options: McpModelOptions): Model {
  const { provider, model, reply = {}, startMs = START_MS, environment = process.env } = options
  checkMapping(options.arguments, reply)
  const server = serverOf(options.server, environment)
  const secrets = secretsOf(options.server, environment)

  async function begin(
    maxBytes: number,
    { signal: asker, noteActivity }: Pick<Deadline, 'signal'> & Partial<Pick<Deadline, 'noteActivity'>>,
    ms: number,
  ): Promise<Connection> {
    const start = limited(asker, ms, () => slow(ms))
    try {
      return await connect(server, maxBytes, start, noteActivity)
    } catch (error) {
      // The caller's own reason, for example a timeout, is more accurate.
      throw reasonOf(asker) ?? error
    } finally {
      start.clear()
    }
  }

  async function call(connection: Connection, request: Request, deadline: Deadline): Promise<McpReply> {
    const { signal, noteActivity } = deadline
    const tool = toolOf(connection, options.tool)
    const toolInput = toolArguments(options.arguments, request, model, options.tuning)
    const missing = unfilled(tool.inputSchema, toolInput)
    if (missing.length > 0) {
      const words = `the tool ${tool.name} needs ${missing.join(', ')}, which the configuration does not give`
      throw new Fault('network', 'unavailable', words)
    }
    const result = await connection.client
      .callTool(
        { name: tool.name, arguments: toolInput },
        { signal, timeout: NO_TIMEOUT, onprogress: noteActivity },
      )
      .catch((error: unknown) => {
        throw reasonOf(signal) ?? connection.explain(error)
      })
    return readReply(result, reply, request.limits.maxReplyBytes, Date.now())
  }

  async function converse(request: Request, deadline: Deadline, start: number): Promise<Reply> {
    const connection = await begin(wireBytes(request.limits.maxReplyBytes), deadline, startMs)
    try {
      const reply = await call(connection, request, deadline)
      const latencyMs = performance.now() - start
      return { ok: true, ...reply, latencyMs, transport: 'mcp' }
    } finally {
      await connection.close()
    }
  }

  async function once(request: Request): Promise<Outcome> {
    const start = performance.now()
    const { timeoutMs } = request.limits
    const deadline = startDeadline(timeoutMs, request.signal, faultWhenEnded(timeoutMs))
    try {
      return await converse(request, deadline, start)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const message = redact(error.message, secrets)
      return failed({ ...error.trouble, message }, 'mcp', performance.now() - start)
    } finally {
      deadline.close(true)
    }
  }

  async function available(signal: AbortSignal): Promise<Availability> {
    try {
      const connection = await begin(LIST_BYTES, { signal }, AVAILABLE_MS)
      try {
        toolOf(connection, options.tool)
      } finally {
        await connection.close()
      }
      return { ready: true, detail: `${connection.name ?? 'a server'}, tool ${options.tool}`, next: null }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const next = redact(nextStep(options), secrets)
      return { ready: false, detail: redact(error.message, secrets), next }
    }
  }

  return { provider, model, transport: 'mcp', available, ask: once }
}
