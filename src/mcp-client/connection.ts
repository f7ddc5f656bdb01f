// One clock and one caller's signal as a single signal whose reason is the Fault to report. The code that
// sets a limit clears it, so that neither timer nor listener stays on someone else's signal.

import type { Client, JSONRPCMessage, Tool } from '@modelcontextprotocol/client'
import { excerpt, Fault, faultOfStatus, meaningOf } from './fault.ts'
import type { HttpServer, HttpWire } from './http.ts'
import { type StdioServer, StdioWire } from './stdio.ts'

interface Limit {
  readonly signal: AbortSignal
  /** Restarts the clock: a server that has to be started twice gets the full time for each start. */
  renew(): void
  clear(): void
}

export function limited(asker: AbortSignal, ms: number, late: () => Fault): Limit {
  const controller = new AbortController()
  const give = () => controller.abort(new Fault('network', 'aborted', 'the asking was given up'))
  const timer = setTimeout(() => controller.abort(late()), ms)
  const renew = () => void timer.refresh()
  if (asker.aborted) give()
  else asker.addEventListener('abort', give, { once: true })
  const clear = () => {
    clearTimeout(timer)
    asker.removeEventListener('abort', give)
  }
  return { signal: controller.signal, renew, clear }
}

/** The limit's own reason where it was raised; the other side's message is then only a consequence. */
export const reasonOf = (signal: AbortSignal): Fault | null =>
  signal.aborted && signal.reason instanceof Fault ? signal.reason : null

// A connection to a server that has listed its tools, and that leaves nothing behind when closed. Errors
// until then are reported as a Fault with the best known reason: from the transport, or from the side that
// gave up.

export type Server = StdioServer | HttpServer

export interface Connection {
  readonly client: Client
  readonly tools: readonly Tool[]
  /** The name that it states; null when it states none. */
  readonly name: string | null
  /** The same for anything that one of its calls threw. */
  explain(error: unknown): Fault
  close(): Promise<void>
}

type Sdk = typeof import('@modelcontextprotocol/client')
type Wire = StdioWire | HttpWire

/** Ours is the only clock: the SDK's own must not end a call earlier. */
export const NO_TIMEOUT = 2 ** 31 - 1
/** Older programs may never answer what they do not know; then the older handshake is tried on the same pipe. */
const PROBE_MS = 2_000

const CLIENT = { name: 'witan', version: '1' }

async function makeWire(sdk: Sdk, server: Server, maxBytes: number, alive: () => void): Promise<Wire> {
  if ('url' in server) {
    const http = await import('./http.ts')
    return new http.HttpWire(sdk, server, maxBytes, alive)
  }
  const parse = (value: unknown): JSONRPCMessage => sdk.parseJSONRPCMessage(value)
  return new StdioWire(server, maxBytes, parse, alive)
}

function makeClient(sdk: Sdk, probeMs: number): Client {
  return new sdk.Client(CLIENT, {
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } },
    inputRequired: { autoFulfill: false },
    // A tool's promises about its output are not checked: a schema from outside is not compiled here.
    jsonSchemaValidator: {
      getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
    },
  })
}

/** The meaning of an SDK error when neither transport nor caller has a better reason. */
function faultOf(sdk: Sdk, error: unknown, received: string): Fault {
  if (error instanceof Fault) return error
  const words = error instanceof Error ? error.message : String(error)
  if (error instanceof sdk.SdkHttpError) {
    return faultOfStatus(error.status, String(error.data.text ?? ''), null, Date.now())
  }
  if (error instanceof sdk.ProtocolError) {
    const strange = [sdk.INVALID_REQUEST, sdk.PARSE_ERROR].includes(error.code)
    if (strange) return new Fault('parse_error', null, excerpt(words))
    const missing = [sdk.METHOD_NOT_FOUND, sdk.INVALID_PARAMS].includes(error.code)
    const cause = missing ? ('unavailable' as const) : ('server' as const)
    const meaning = meaningOf(words, { type: 'network', cause }, Date.now())
    return new Fault(meaning.type, meaning.cause, meaning.message, meaning.retryAfterMs)
  }
  if (!(error instanceof sdk.SdkError)) {
    const output = received === '' ? words : received
    return new Fault(
      'parse_error',
      null,
      `the server sent what is no message of the protocol: ${excerpt(output)}`,
    )
  }
  switch (error.code) {
    case sdk.SdkErrorCode.UnsupportedResultType:
      return new Fault(
        'network',
        'unavailable',
        'the tool asks for something back, which it cannot be given here',
      )
    case sdk.SdkErrorCode.EraNegotiationFailed:
      if (error.cause !== undefined) return faultOf(sdk, error.cause, received)
      return new Fault('network', 'unavailable', excerpt(words))
    case sdk.SdkErrorCode.InvalidResult:
    case sdk.SdkErrorCode.ListPaginationExceeded:
    case sdk.SdkErrorCode.ClientHttpUnexpectedContent:
      return new Fault('parse_error', null, excerpt(words))
    default:
      return new Fault('network', null, excerpt(words))
  }
}

/** Runs until the signal is aborted; then ends the transport, which ends everything that waits on it. */
async function whileQuiet<Result>(
  signal: AbortSignal,
  wire: Wire,
  run: () => Promise<Result>,
): Promise<Result> {
  const stop = () => void wire.close()
  signal.throwIfAborted()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await run()
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/**
 * The reason of the limit's signal is the Fault that is then reported. `alive` is called whenever a byte comes
 * from the server.
 */
export async function connect(
  server: Server,
  maxBytes: number,
  { signal, renew }: Limit,
  alive: () => void = () => undefined,
): Promise<Connection> {
  signal.throwIfAborted()
  const sdk = await import('@modelcontextprotocol/client')

  const attempt = async (older: boolean): Promise<Connection> => {
    const wire = await makeWire(sdk, server, maxBytes, alive)
    const client = makeClient(sdk, 'url' in server ? NO_TIMEOUT : PROBE_MS)
    const explain = (error: unknown): Fault =>
      reasonOf(signal) ?? wire.fault ?? faultOf(sdk, error, wire.received)
    try {
      const tools = await whileQuiet(signal, wire, async () => {
        const options = { timeout: NO_TIMEOUT, signal }
        await client.connect(wire, older ? { ...options, prior: { kind: 'legacy' } } : options)
        return (await client.listTools(undefined, options)).tools
      })
      const { name, version } = client.getServerVersion() ?? {}
      const close = () => wire.close()
      return { client, tools, name: name === undefined ? null : `${name} ${version}`, explain, close }
    } catch (error) {
      await wire.close()
      const fault = explain(error)
      // Some older servers exit at the first request they do not know: they get the older handshake.
      const mayBeOlder = wire instanceof StdioWire && wire.endedEarly && !older && !signal.aborted
      if (!mayBeOlder) throw fault
      renew()
      return attempt(true)
    }
  }
  return attempt(false)
}
