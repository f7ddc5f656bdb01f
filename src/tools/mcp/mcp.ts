// The tools of one MCP server. They are listed again before every call: a server that has changed a tool
// since it was allowed is not called. What a tool does is unknown unless the operator states it, or states
// that the server's own hints may be trusted.

import type { Tool as Offered } from '@modelcontextprotocol/client'
import { canonicalize } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import { type Connection, NO_TIMEOUT } from '../../mcp-client/connection.ts'
import { Fault as WireFault } from '../../mcp-client/fault.ts'
import { type McpServer, secretsOf, serverOf } from '../../mcp-client/server.ts'
import { callTool, Fault, type Input, type Tool, type ToolOutput } from '../call-tool.ts'
import { type Clean, cleanKnown } from '../clean-output.ts'
import { missingIn } from '../input-fault.ts'
import type { Effect, ToolCall, ToolDefinition, ToolFailureType, ToolOutcome, Toolset } from '../toolset.ts'
import { type Enclosure, enclosed } from './sandboxed-server.ts'
import { contentOf, wordsOf } from './server-content.ts'
import { type Lease, leasesOf, type Prepared } from './shared-server.ts'

/** Which server is used, and the names of its tools here. */
export interface McpToolsOptions {
  /** As configured; tools are named `mcp.<name>.<tool>`. */
  readonly name: string
  readonly server: McpServer
  readonly clean: Clean
  /** What a tool does, according to the operator; null where the operator has not stated it. */
  readonly effects?: (tool: string) => readonly Effect[] | null
  readonly believeHints?: boolean
  readonly startMs?: number
  /** The maximum output of any call. */
  readonly maxReplyBytes?: number
  readonly environment?: NodeJS.ProcessEnv
  /** The sandbox for the program; null runs it as the user. */
  readonly enclosure?: Enclosure | null
}

const START_MS = 20_000
const MAX_REPLY_BYTES = 4 << 20
/** A reply is longer than its content: escapes, base64, envelopes; and the list of tools. */
const wireBytes = (replyBytes: number): number => 4 * replyBytes + (1 << 20)
const SERVER_NAME = /^[A-Za-z0-9][\w-]{0,63}$/
const TOOL_NAME = /^[\w-][\w.-]{0,127}$/
/** After these the server is in an unknown state. */
const UNSOUND: readonly ToolFailureType[] = [
  'timeout',
  'aborted',
  'crashed',
  'output_too_large',
  'unavailable',
]

/** What a tool does, according to its server. */
export function hinted({ annotations }: Pick<Offered, 'annotations'>): readonly Effect[] {
  const reads = annotations?.readOnlyHint === true
  const closed = annotations?.openWorldHint === false
  // By the protocol a tool that changes things destroys, unless it states that it does not.
  const destroys = !reads && annotations?.destructiveHint !== false
  const effects: Effect[] = [reads ? 'read' : 'write']
  if (destroys) effects.push('destroy')
  return closed ? effects : [...effects, 'network']
}

function faultOf({ trouble }: WireFault): Fault {
  const { type, cause, message } = trouble
  if (cause === 'aborted') return new Fault('aborted', message)
  if (cause === 'reply_too_large') return new Fault('output_too_large', message)
  if (cause === 'unavailable') return new Fault('unavailable', message)
  if (type === 'timeout') return new Fault('timeout', message)
  return new Fault(type === 'network' && cause === null ? 'crashed' : 'error', message)
}

/** Part of the definition: an approval for a confined server is not valid for an unconfined one. */
export const confinementWords = (enclosure: Enclosure | null): string =>
  enclosure === null
    ? 'NOT confined, the server can do whatever the user can.'
    : `in a sandbox with the granted folders and ${enclosure.network ? 'the' : 'no'} network.`

const translated = (error: unknown): unknown => (error instanceof WireFault ? faultOf(error) : error)

/** The promise, or a rejection as soon as the signal is aborted. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Fault('aborted', 'the call was given up'))
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** The tools of an MCP server. */
export function mcpTools(options: McpToolsOptions): Toolset {
  const { name, effects = () => null, believeHints = false, environment = process.env } = options
  const { server, enclosure = null } = options
  if (!SERVER_NAME.test(name)) {
    throw new WitanError(
      'CONFIG_INVALID',
      `${JSON.stringify(name)} is no name of a server`,
      'Use letters and digits.',
    )
  }
  const source = `mcp.${name}`
  const clean = cleanKnown(secretsOf(options.server, environment), options.clean)
  const most = wireBytes(options.maxReplyBytes ?? MAX_REPLY_BYTES)
  const known = serverOf(server, environment)
  const free: Prepared = { server: known, check: async () => null, release: async () => {} }
  const prepare = async () =>
    'command' in server && enclosure !== null ? enclosed(server, enclosure, environment) : free
  const leases = leasesOf(prepare, most, options.startMs ?? START_MS)
  const where = 'command' in server ? confinementWords(enclosure) : null

  function definitionOf(offered: Offered): ToolDefinition {
    return {
      name: `${source}.${offered.name}`,
      description: [offered.title, offered.description, where]
        .filter((text) => typeof text === 'string')
        .join(': '),
      inputSchema: JSON.parse(canonicalize(JSON.parse(JSON.stringify(offered.inputSchema)))),
      effects: effects(offered.name) ?? (believeHints ? hinted(offered) : ['unknown']),
      source,
    }
  }

  async function offered(connection: Connection, signal: AbortSignal): Promise<Offered[]> {
    const { tools } = await connection.client
      .listTools(undefined, { signal, timeout: NO_TIMEOUT, cacheMode: 'refresh' })
      .catch((error: unknown) => {
        throw translated(connection.explain(error))
      })
    const named = tools.filter((tool) => TOOL_NAME.test(tool.name))
    if (new Set(named.map((tool) => tool.name)).size === named.length) return named
    throw new Fault('unavailable', 'the server offers two tools of one name')
  }

  async function run(
    connection: Connection,
    tool: string,
    input: Input,
    signal: AbortSignal,
  ): Promise<ToolOutput> {
    const result = await connection.client
      .callTool({ name: tool, arguments: input }, { signal, timeout: NO_TIMEOUT })
      .catch((error: unknown) => {
        throw translated(connection.explain(error))
      })
    const content = contentOf(result)
    if (result.isError === true) throw new Fault('error', wordsOf(result), content)
    return { content }
  }

  /** What a call plants is moved away whether or not the call succeeds. */
  async function runChecked(lease: Lease, ...call: Parameters<typeof run>): Promise<ToolOutput> {
    const result = await Promise.allSettled([run(...call)])
    const planted = await lease.check()
    if (planted !== null) throw new Fault('denied', planted)
    const [ended] = result
    if (ended.status === 'rejected') throw ended.reason
    return ended.value
  }

  async function connected(lease: Lease, signal: AbortSignal): Promise<Connection> {
    try {
      return await unlessAborted(lease.connection, signal)
    } catch (error) {
      // The error before there was a connection: the server cannot be reached.
      if (error instanceof WireFault) throw new Fault('unavailable', error.message)
      throw error
    }
  }

  async function call(call: ToolCall): Promise<ToolOutcome> {
    let lease: Lease | null = null
    const find = async (wanted: string, signal: AbortSignal): Promise<Tool | null> => {
      if (!wanted.startsWith(`${source}.`)) return null
      signal.throwIfAborted()
      const taken = leases.take()
      lease = taken
      const connection = await connected(taken, signal).catch((error: unknown) => {
        if (!(error instanceof WitanError)) throw error
        throw new Fault('unavailable', `${error.message}: ${error.next}`)
      })
      const offeredTool = (await offered(connection, signal)).find(
        (one) => `${source}.${one.name}` === wanted,
      )
      if (offeredTool === undefined) return null
      const definition = definitionOf(offeredTool)
      return {
        definition,
        misfit: (input) => missingIn(definition.inputSchema, input),
        run: (input, context) => runChecked(taken, connection, offeredTool.name, input, context.signal),
      }
    }
    const outcome = await callTool(call, find, clean)
    const taken = lease as Lease | null
    if (taken !== null) await leases.giveBack(taken, outcome.ok || !UNSOUND.includes(outcome.type))
    return outcome
  }

  async function tools(signal: AbortSignal): Promise<readonly ToolDefinition[]> {
    const lease = leases.take()
    let sound = false
    try {
      const offeredTools = await offered(await connected(lease, signal), signal)
      sound = true
      return offeredTools.map(definitionOf)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const { text } = await clean(error.message)
      const next = 'Check that the server starts by itself and speaks MCP.'
      throw new WitanError('HAND_UNAVAILABLE', `Cannot list the tools of server ${name}: ${text}.`, next)
    } finally {
      await leases.giveBack(lease, sound)
    }
  }

  return { tools, call, close: () => leases.close() }
}
