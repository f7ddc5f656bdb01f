// One server behind the gateway: what the host says reaches it, what it says reaches the host, and the gateway can ask it
// something itself, under ids that no host chooses. Each request that is open when the server goes is answered.

import { randomBytes } from 'node:crypto'
import { type McpServer, serverOf } from '../../mcp-client/server.ts'
import { StdioWire } from '../../mcp-client/stdio.ts'
import { type Enclosure, enclosed } from '../../tools/mcp/sandboxed-server.ts'
import {
  type Fields,
  failed,
  type Id,
  INTERNAL,
  isRequest,
  type Message,
  type Response,
  readMessage,
} from './messages.ts'

export interface UpstreamListener {
  message(from: Upstream, message: Message): void
  /** It has ended, and why. */
  gone(from: Upstream, reason: string): void
  /** What the server writes beside the protocol. */
  words(from: string, text: string): void
}

export interface UpstreamOptions {
  readonly name: string
  readonly server: McpServer
  /** Null runs it as the user. */
  readonly enclosure: Enclosure | null
  readonly environment: NodeJS.ProcessEnv
}

const MOST_BYTES = 64 << 20

type Wire = Pick<StdioWire, 'start' | 'close' | 'fault'> & {
  send(message: never): Promise<void>
  onmessage?: unknown
  onclose?: () => void
}

interface Built {
  readonly wire: Wire
  readonly release: () => Promise<void>
}

async function openWire(
  { server, enclosure, environment, name }: UpstreamOptions,
  listener: UpstreamListener,
): Promise<Built> {
  if ('url' in server) {
    const [sdk, { HttpWire }] = await Promise.all([
      import('@modelcontextprotocol/client'),
      import('../../mcp-client/http.ts'),
    ])
    const resolved = serverOf(server, environment)
    if (!('url' in resolved)) throw new Error('a server with an address has become a program')
    return { wire: new HttpWire(sdk, resolved, MOST_BYTES, () => undefined), release: async () => undefined }
  }
  const prepared = enclosure === null ? null : await enclosed(server, enclosure, environment)
  const resolved = prepared?.server ?? serverOf(server, environment)
  if ('url' in resolved) throw new Error('a program has become a server with an address')
  const parse = (value: unknown) => {
    const message = readMessage(value)
    if (message === null) throw new Error('no message of the protocol')
    return message as never
  }
  const attach: typeof resolved.attach = (child, give) => {
    resolved.attach?.(child, give)
    child.stderr?.on('data', (text: Buffer | string) => listener.words(name, String(text)))
  }
  const release = async () => {
    await prepared?.check()
    await prepared?.release()
  }
  return { wire: new StdioWire({ ...resolved, attach }, MOST_BYTES, parse, () => undefined), release }
}

export class Upstream {
  readonly name: string
  /** Over HTTP each request of the newest revision says in its headers what it is, which only a client of it can. */
  readonly isRemote: boolean
  readonly #built: Promise<Built>
  /** Once it is built. */
  #wire: Wire | null = null
  readonly #heard: UpstreamListener
  readonly #own = `witan-${randomBytes(6).toString('hex')}`
  readonly #asked = new Map<Id, (answer: Response) => void>()
  readonly #open = new Set<Id>()
  #count = 0
  #gone: string | null = null

  constructor(options: UpstreamOptions, listener: UpstreamListener) {
    this.name = options.name
    this.isRemote = 'url' in options.server
    this.#heard = listener
    this.#built = this.#start(options)
    this.#built.then(
      ({ wire }) => {
        this.#wire = wire
      },
      (error: Error) => this.#end(error.message),
    )
  }

  async #start(options: UpstreamOptions): Promise<Built> {
    const built = await openWire(options, this.#heard)
    const { wire } = built
    wire.onmessage = (message: Message) => this.#hear(message)
    wire.onclose = () => this.#end(wire.fault?.message ?? 'the server has ended')
    await wire.start()
    return built
  }

  #hear(message: Message): void {
    if (!('method' in message) && message.id !== null) {
      this.#open.delete(message.id)
      const pending = this.#asked.get(message.id)
      this.#asked.delete(message.id)
      if (pending) {
        pending(message)
        return
      }
    }
    this.#heard.message(this, message)
  }

  #end(reason: string): void {
    if (this.#gone !== null) return
    this.#gone = reason
    for (const id of [...this.#open]) this.#hear(failed(id, INTERNAL, reason))
    this.#heard.gone(this, reason)
  }

  get isGone(): boolean {
    return this.#gone !== null
  }

  send(message: Message): void {
    const id = isRequest(message) ? message.id : null
    if (id !== null) this.#open.add(id)
    const give = (error: unknown): void => {
      if (id !== null && this.#open.has(id))
        this.#hear(failed(id, INTERNAL, error instanceof Error ? error.message : String(error)))
    }
    if (this.#gone !== null) give(this.#gone)
    else if (this.#wire) this.#wire.send(message as never).catch(give)
    else this.#built.then(({ wire }) => wire.send(message as never)).catch(give)
  }

  /** Something that the gateway itself wants to know. */
  ask(method: string, params: Fields): Promise<Fields> {
    const id = `${this.#own}-${++this.#count}`
    return new Promise((resolve, reject) => {
      this.#asked.set(id, ({ result, error }) =>
        result ? resolve(result) : reject(new Error(error?.message ?? 'no answer')),
      )
      this.send({ jsonrpc: '2.0', id, method, params })
    })
  }

  /** Over HTTP each request names the revision that was agreed on. */
  async agreedOn(version: string): Promise<void> {
    const { wire } = await this.#built
    if ('setProtocolVersion' in wire && typeof wire.setProtocolVersion === 'function')
      wire.setProtocolVersion(version)
  }

  async close(): Promise<void> {
    const built = await this.#built.catch(() => null)
    await built?.wire.close()
    await built?.release()
  }
}
