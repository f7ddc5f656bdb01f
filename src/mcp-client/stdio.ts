// One server over its standard input and output, one message for each line. A line that is not a message of
// the protocol is a stray log line and ignored, unless it claims to be one. No line grows past the limit,
// ours or theirs.

import type { ChildProcess } from 'node:child_process'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { Child, type Exit } from './child.ts'
import { excerpt, Fault } from './fault.ts'

export interface StdioServer {
  readonly command: readonly string[]
  readonly env: Record<string, string>
  readonly cwd?: string | undefined
  /** Descriptors beyond the three that a server uses. */
  readonly extra?: readonly ('pipe' | number)[]
  /** Right after the start. `give` ends the connection for a reason. */
  readonly attach?: (child: ChildProcess, give: (why: string) => void) => void
}

const MOST_ERRORS = 4_000
const NEWLINE = 10

function cannotStart(program: string, error: unknown): Fault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  const why =
    code === 'ENOENT' ? 'there is no such program or folder' : code === 'EACCES' ? 'it may not be run' : code
  return new Fault('network', 'unavailable', `the server ${program} cannot be started: ${why}`)
}

export class StdioWire implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: NonNullable<Transport['onmessage']>
  /** Why it ended, where a better reason than the end itself is known. */
  fault: Fault | null = null
  /** It exited before a handshake, as some older servers do when they do not know the first request. */
  endedEarly = false
  /** The latest line that was not a message. */
  received = ''
  readonly #server: StdioServer
  readonly #maxLine: number
  readonly #parse: (value: unknown) => JSONRPCMessage
  readonly #alive: () => void
  #child: Child | null = null
  #closing = false
  #spoke = false
  #agreed = false
  #ended = false
  #errors = ''
  #pieces: Buffer[] = []
  #length = 0

  /** `alive` is called for all output of the server, on either pipe. */
  constructor(
    server: StdioServer,
    maxLine: number,
    parse: (value: unknown) => JSONRPCMessage,
    alive: () => void,
  ) {
    this.#alive = alive
    this.#server = server
    this.#maxLine = maxLine
    this.#parse = parse
  }

  // By these two members the SDK recognises stdio, where silence before the handshake means an older server.
  get pid(): number | null {
    return this.#child?.process.pid ?? null
  }

  get stderr(): null {
    return null
  }

  async start(): Promise<void> {
    const { command, env, cwd, extra, attach } = this.#server
    try {
      this.#child = new Child(command, env, cwd, extra)
      attach?.(this.#child.process, (why) => this.#give(new Fault('network', null, why)))
      await this.#child.started()
    } catch (error) {
      this.fault = cannotStart(command[0] ?? '', error)
      throw this.fault
    }
    const { stdout, stderr } = this.#child.process
    stdout.on('data', (bytes: Buffer) => {
      this.#alive()
      this.#read(bytes)
    })
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#alive()
      this.#errors = (this.#errors + text).slice(-MOST_ERRORS)
    })
    void this.#child.ended.then((exit) => this.#end(exit))
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.process.stdin
    // Its end was reported before anyone waited for an answer to this, and is not reported again.
    if (this.#ended) throw this.fault ?? new Fault('network', null, 'the server has ended')
    if (stdin === undefined || !stdin.writable) return
    // A failed write is not reported: the server's end, which follows, says more.
    await new Promise<void>((resolve) => stdin.write(`${JSON.stringify(message)}\n`, () => resolve()))
  }

  async close(): Promise<void> {
    this.#closing = true
    await this.#child?.stop()
  }

  #read(bytes: Buffer): void {
    let from = 0
    for (let to = bytes.indexOf(NEWLINE); to !== -1; to = bytes.indexOf(NEWLINE, from)) {
      const line =
        this.#length === 0
          ? bytes.toString('utf8', from, to)
          : Buffer.concat([...this.#pieces, bytes.subarray(from, to)]).toString('utf8')
      this.#pieces = []
      this.#length = 0
      from = to + 1
      this.#line(line)
    }
    if (from < bytes.length) this.#pieces.push(bytes.subarray(from))
    this.#length += bytes.length - from
    if (this.#length <= this.#maxLine) return
    this.#give(
      new Fault('parse_error', 'reply_too_large', `the server's reply passes ${this.#maxLine} bytes`),
    )
  }

  #line(line: string): void {
    let message: JSONRPCMessage
    try {
      message = this.#parse(JSON.parse(line))
    } catch {
      if (/^\s*\{.*"jsonrpc"/.test(line)) this.#give(malformed(line))
      else if (line.trim() !== '') this.received = excerpt(line)
      return
    }
    this.#spoke = true
    if ('result' in message) this.#agreed = true
    this.onmessage?.(message)
  }

  /** Ends the connection for this reason; nothing more is read. */
  #give(fault: Fault): void {
    this.fault ??= fault
    this.#pieces = []
    this.#length = 0
    this.#child?.process.stdout.removeAllListeners('data').resume()
    void this.close()
  }

  #end({ code, signal }: Exit): void {
    this.#ended = true
    if (!this.#closing) {
      this.endedEarly = !this.#agreed
      const cut = Buffer.concat(this.#pieces).toString('utf8')
      this.fault ??= code === 0 && cut !== '' ? malformed(cut) : this.#crash(code, signal)
    }
    this.onclose?.()
  }

  #crash(code: number | null, signal: string | null): Fault {
    const how = signal === null ? `exit code ${code}` : signal
    const output = excerpt(this.#errors) || this.received
    const when = this.#spoke ? 'ended before it answered' : 'ended as it started'
    const message = `the server ${when} (${how})${output === '' ? '' : `: ${output}`}`
    return new Fault('network', this.#spoke ? null : 'unavailable', message)
  }
}

const malformed = (text: string): Fault =>
  new Fault('parse_error', null, `the server sent what is no message of the protocol: ${excerpt(text)}`)
