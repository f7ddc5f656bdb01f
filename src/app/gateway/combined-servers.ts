// Several servers as one, for a host that knows of one. Lists are joined, requests go to the server that offers what they
// name, and what a server asks of the host is asked under an id of its own. Spoken is the revision that every one
// of them shares with the host by the older handshake; tasks and the newest revision need a gateway for each server.

import type { Json } from '../../ledger/canonical.ts'
import { type Catalogue, listAllPages, visibleNames } from './catalogue.ts'
import {
  answered,
  type Fields,
  failed,
  type Id,
  INVALID_PARAMS,
  isFields,
  isRequest,
  METHOD_NOT_FOUND,
  type Message,
  type Request,
  type Response,
  textIn,
} from './messages.ts'
import type { Upstream } from './upstream.ts'

const LISTS: Readonly<Record<string, string>> = {
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
}

/** What any of them can do: a host hears of changes to a list as soon as one server tells of its own. */
export function joinedCapabilities(all: readonly Fields[]): Fields {
  const joined: Record<string, Json> = {}
  for (const [name, value] of all.flatMap((one) => Object.entries(one))) {
    const known = joined[name]
    if (isFields(known) && isFields(value)) joined[name] = joinedCapabilities([known, value])
    else if (known === undefined || known === false) joined[name] = value as Json
  }
  return joined
}

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export class CombinedServers {
  readonly #upstreams: readonly Upstream[]
  readonly #catalogue: Catalogue
  readonly #send: (message: Message) => void
  readonly #capable = new Map<Upstream, Fields>()
  readonly #asked = new Map<Id, { readonly from: Upstream; readonly id: Id }>()
  readonly #prompts = new Map<string, { readonly upstream: Upstream; readonly name: string }>()
  readonly #resources = new Map<string, Upstream>()
  #count = 0

  constructor(upstreams: readonly Upstream[], catalogue: Catalogue, send: (message: Message) => void) {
    this.#upstreams = upstreams
    this.#catalogue = catalogue
    this.#send = send
  }

  async request(request: Request): Promise<void> {
    try {
      const result = await this.#resultOf(request)
      if (result) this.#send(answered(request.id, result))
    } catch (error) {
      this.#send(failed(request.id, INVALID_PARAMS, errorText(error)))
    }
  }

  /** Null where the server answers itself. */
  async #resultOf(request: Request): Promise<Fields | null> {
    const { method, params = {} } = request
    const list = LISTS[method]
    if (list !== undefined) return { [list]: (await this.#list(method, list)) as Json }
    switch (method) {
      case 'initialize':
        return this.#initialize(params)
      case 'ping':
        return {}
      case 'tools/list':
        return { tools: (await this.#catalogue.list({})) as Json }
      case 'logging/setLevel':
        await Promise.all(this.#having('logging').map((one) => one.ask(method, params)))
        return {}
      case 'prompts/get':
        return this.#toPrompt(request)
      case 'resources/read':
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        this.#toResource(request, textIn(params, 'uri') ?? '')
        return null
      case 'completion/complete':
        return this.#complete(request)
      default:
        this.#send(
          failed(request.id, METHOD_NOT_FOUND, `${method} is not offered by several servers at once`),
        )
        return null
    }
  }

  #having(capability: string): readonly Upstream[] {
    return this.#upstreams.filter((one) => !one.isGone && this.#capable.get(one)?.[capability] !== undefined)
  }

  async #initialize(params: Fields): Promise<Fields> {
    const results = await Promise.all(
      this.#upstreams.map(async (upstream) => {
        const result = await upstream.ask('initialize', params)
        await upstream.agreedOn(textIn(result, 'protocolVersion') ?? '')
        this.#capable.set(upstream, isFields(result.capabilities) ? result.capabilities : {})
        return result
      }),
    )
    const versions = results.map((result) => textIn(result, 'protocolVersion') ?? '').sort()
    const instructions = results.flatMap((result, i) => {
      const text = textIn(result, 'instructions')
      return text === null ? [] : [`${this.#upstreams[i]?.name}: ${text}`]
    })
    const { tasks: _, ...capabilities } = joinedCapabilities([...this.#capable.values()])
    return {
      protocolVersion: versions[0] ?? '',
      capabilities,
      serverInfo: { name: this.#upstreams.map(({ name }) => name).join('+'), version: '1' },
      ...(instructions.length > 0 && { instructions: instructions.join('\n\n') }),
    }
  }

  async #list(method: string, key: string): Promise<readonly Fields[]> {
    const lists = await Promise.all(
      this.#having(key === 'prompts' ? 'prompts' : 'resources').map(
        async (upstream) => [upstream, await listAllPages(upstream, method, key, {})] as const,
      ),
    )
    if (key !== 'prompts') {
      for (const [upstream, items] of lists)
        for (const item of items)
          this.#resources.set(textIn(item, 'uri') ?? textIn(item, 'uriTemplate') ?? '', upstream)
      return lists.flatMap(([, items]) => items)
    }
    return visibleNames(lists).map(({ visible, upstream, item }) => {
      this.#prompts.set(visible, { upstream, name: textIn(item, 'name') ?? '' })
      return { ...item, name: visible }
    })
  }

  async #promptNamed(visible: string) {
    if (!this.#prompts.has(visible)) await this.#list('prompts/list', 'prompts')
    const known = this.#prompts.get(visible)
    if (!known) throw new Error(`there is no prompt ${visible}`)
    return known
  }

  async #toPrompt(request: Request): Promise<null> {
    const { upstream, name } = await this.#promptNamed(textIn(request.params, 'name') ?? '')
    upstream.send({ ...request, params: { ...request.params, name } })
    return null
  }

  /** By its own address, else by the template that it begins like. */
  #toResource(request: Request, uri: string): void {
    const beginnings = [...this.#resources].filter(([known]) => uri.startsWith(known.split('{')[0] ?? ''))
    const [first] = beginnings.sort(([a], [b]) => b.length - a.length)
    const upstream = this.#resources.get(uri) ?? first?.[1] ?? this.#having('resources')[0]
    if (!upstream) throw new Error(`there is no resource ${uri}`)
    upstream.send(request)
  }

  async #complete(request: Request): Promise<null> {
    const ref = isFields(request.params?.ref) ? request.params.ref : {}
    const uri = textIn(ref, 'uri')
    if (uri !== null) {
      this.#toResource(request, uri)
      return null
    }
    const { upstream, name } = await this.#promptNamed(textIn(ref, 'name') ?? '')
    upstream.send({ ...request, params: { ...request.params, ref: { ...ref, name } } })
    return null
  }

  /** A notification of the host goes to all; an answer goes to the server that asked. */
  other(message: Message): void {
    if ('method' in message) {
      for (const upstream of this.#upstreams) upstream.send(message)
      return
    }
    const forwarded = message.id === null ? undefined : this.#asked.get(message.id)
    if (!forwarded) return
    this.#asked.delete(message.id as Id)
    forwarded.from.send({ ...message, id: forwarded.id } as Response)
  }

  fromServer(from: Upstream, message: Message): void {
    if (!isRequest(message)) {
      this.#send(message)
      return
    }
    const id = `${from.name}-${++this.#count}`
    this.#asked.set(id, { from, id: message.id })
    this.#send({ ...message, id })
  }
}
