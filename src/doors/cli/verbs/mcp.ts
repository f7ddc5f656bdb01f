// `witan mcp`: Witan as a server inside an MCP host, over stdin and stdout, or over HTTP on the loopback.
// Everything except protocol messages goes to stderr. The server is another entrance: the program that joins
// the two passes it in.

import { randomBytes } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { answerInterrupts, packageVersion, type Verb } from '../command.ts'

export type ServeMcp = (serving: {
  readonly home: string
  readonly postgres: string | null
  readonly config: string | null
  readonly tools: readonly string[]
  readonly version: string
  readonly http: { readonly port: number; readonly token: string } | null
  readonly input: Readable
  readonly output: Writable
  readonly signal: AbortSignal
  ready(url: string | null): void
}) => Promise<void>

/** Someone who typed this by hand would wait forever. */
const AT_A_TERMINAL =
  'Speaking MCP on stdin and stdout: this is for a host to start, for example with\n' +
  '  claude mcp add witan -- witan mcp\n' +
  'Ctrl-C ends it.\n'

export const mcpVerb =
  (serve: ServeMcp): Verb =>
  async (call) => {
    const own = process.env.WITAN_MCP_TOKEN
    const token = own || randomBytes(32).toString('hex')
    const shownToken = own ? '$WITAN_MCP_TOKEN' : token
    const stop = new AbortController()
    const release = answerInterrupts(() => stop.abort())
    try {
      await serve({
        home: call.home,
        postgres: call.postgres,
        config: call.text('config'),
        tools: (call.text('tools') ?? '').split(',').filter((name) => name !== ''),
        version: packageVersion(),
        http: call.flag('http') ? { port: call.count('port') ?? 0, token } : null,
        input: process.stdin,
        output: process.stdout,
        signal: stop.signal,
        ready(url) {
          if (url !== null)
            process.stderr.write(
              `Listening at ${url}\nAuthorization: Bearer ${shownToken}\nCtrl-C ends it.\n`,
            )
          else if (process.stdin.isTTY) process.stderr.write(AT_A_TERMINAL)
        },
      })
    } finally {
      release()
    }
    return { value: { ended: true }, lines: [] }
  }
