// Between a host and the servers behind the gateway. With one server every message passes as it is, in both directions, no matter what
// revision of the protocol the two speak; calls of tools alone are held until they are allowed, and recorded when they
// end. With several servers, `several.ts` makes one out of them.

import type { Json } from '../../ledger/canonical.ts'
import { shortName } from '../attach/attachments.ts'
import { Catalogue, type CatalogueOptions } from './catalogue.ts'
import { CombinedServers } from './combined-servers.ts'
import { HeldCall } from './held-call.ts'
import {
  type Fields,
  failed,
  type Id,
  INVALID_PARAMS,
  isFields,
  isNotification,
  isRequest,
  METHOD_NOT_FOUND,
  type Message,
  type Request,
  type Response,
  refusedCall,
  textIn,
} from './messages.ts'
import type { Client, Recorder } from './recorder.ts'
import { Upstream, type UpstreamListener, type UpstreamOptions } from './upstream.ts'

export interface RelayOptions {
  readonly servers: readonly UpstreamOptions[]
  readonly believed: CatalogueOptions
  /** For how many seconds a call waits for a person. */
  readonly wait: number
  readonly recorder: (offered: () => Catalogue['tools']) => Recorder
  readonly send: (message: Message) => void
  /** No server is left. */
  readonly ended: (reason: string) => void
  readonly tell: (words: string) => void
}

/** A call that was let pass, until it is known how it ended. */
interface UnderWay {
  readonly tool: string
  readonly input: Json
  readonly call: string
  readonly since: number
}

const PROTOCOL = 'io.modelcontextprotocol/'
const MAX_NAME_CHARS = 200

/** What a host says of itself, once or with each request. */
const clientIn = (fields: Json | undefined): Client | null => {
  if (!isFields(fields)) return null
  const fieldText = (name: string): string =>
    (textIn(fields, name) ?? '')
      .replaceAll(/[^\x20-\x7e]+/g, ' ')
      .slice(0, MAX_NAME_CHARS)
      .trim() || 'unknown'
  return { name: fieldText('name'), version: fieldText('version') }
}

/** By the host's own name of the call, where it tells it. */
function callNamed({ id, params }: Request): string {
  const meta = isFields(params?._meta) ? params._meta : {}
  const own = textIn(meta, 'claudecode/toolUseId') ?? textIn(meta, 'callId')
  return shortName(own) ?? `request-${id}`.slice(0, MAX_NAME_CHARS)
}

/** What a tool is given: its arguments, and answers that it asked for in an earlier call. */
function inputOf({ params = {} }: Request): Json {
  const { arguments: input = {}, inputResponses } = params
  return inputResponses === undefined ? input : { arguments: input, inputResponses }
}

/** What identifies the host with each request; a progress token belongs to one request alone. */
function envelopeOf({ params }: Request): Fields {
  const meta = isFields(params?._meta) ? params._meta : {}
  return Object.fromEntries(Object.entries(meta).filter(([name]) => name.startsWith(PROTOCOL)))
}

export class Relay {
  readonly #options: RelayOptions
  readonly #upstreams: readonly Upstream[]
  readonly #catalogue: Catalogue
  readonly #recorder: Recorder
  readonly #several: CombinedServers | null
  readonly #held = new Map<Id, HeldCall>()
  readonly #underWay = new Map<Id, UnderWay>()
  /** By the task that the server made of them. */
  readonly #tasks = new Map<string, UnderWay>()
  /** Lists of tools that the host asked for, each after so many changes. */
  readonly #lists = new Map<Id, number>()
  readonly #results = new Map<Id, string>()
  #client: Client = { name: 'unknown', version: 'unknown' }
  #closing = false

  constructor(options: RelayOptions) {
    this.#options = options
    const upstreamListener: UpstreamListener = {
      message: (from, message) => void this.#fromServer(from, message),
      gone: (from, reason) => this.#gone(from, reason),
      words: (from, text) => options.tell(`${from}: ${text.trimEnd()}`),
    }
    this.#upstreams = options.servers.map((server) => new Upstream(server, upstreamListener))
    this.#catalogue = new Catalogue(this.#upstreams, options.believed)
    this.#recorder = options.recorder(() => this.#catalogue.tools)
    this.#several =
      this.#upstreams.length > 1 ? new CombinedServers(this.#upstreams, this.#catalogue, options.send) : null
  }

  #gone(from: Upstream, reason: string): void {
    if (this.#closing) return
    this.#options.tell(`the server ${from.name} has ended: ${reason}`)
    if (this.#upstreams.every(({ isGone }) => isGone)) this.#options.ended(reason)
  }

  /** A message of the host. */
  hear(message: Message): void {
    const [only] = this.#upstreams
    if (isRequest(message)) {
      const info =
        message.method === 'initialize'
          ? message.params?.clientInfo
          : envelopeOf(message)[`${PROTOCOL}clientInfo`]
      this.#client = clientIn(info) ?? this.#client
      if (message.method === 'tools/call') {
        void this.#call(message)
        return
      }
      if (this.#several) {
        void this.#several.request(message)
        return
      }
      if (only?.isRemote && message.method === 'server/discover') {
        this.#options.send(failed(message.id, METHOD_NOT_FOUND, 'server/discover is not offered here'))
        return
      }
      if (message.method === 'tools/list' && only)
        this.#lists.set(message.id, this.#catalogue.changesOf(only))
      const task = message.method === 'tasks/result' ? textIn(message.params, 'taskId') : null
      if (task !== null) this.#results.set(message.id, task)
    } else if (isNotification(message) && message.method === 'notifications/cancelled') {
      const heldCall = this.#held.get(message.params?.requestId as Id)
      if (heldCall) {
        heldCall.giveUp()
        return
      }
    }
    if (this.#several) this.#several.other(message)
    else only?.send(message)
  }

  async #call(request: Request): Promise<void> {
    const { id, params = {} } = request
    const heldCall = new HeldCall(this.#options.wait)
    this.#held.set(id, heldCall)
    try {
      const tool = textIn(params, 'name') ?? ''
      const entry = await this.#catalogue.find(tool, envelopeOf(request))
      const upstream = entry?.upstream ?? (this.#several ? null : this.#upstreams[0])
      if (!upstream || tool === '')
        return this.#options.send(failed(id, INVALID_PARAMS, `there is no tool ${tool}`))
      const about = { tool, input: inputOf(request), call: callNamed(request) }
      const denied = await this.#recorder.announce(about, this.#client, heldCall.patience)
      if (heldCall.isGivenUp) {
        const error = 'the host gave the call up before it was made'
        if (denied === null) await this.#recorder.finish({ ...about, ok: false, output: null, error })
        return
      }
      if (denied !== null) return this.#options.send(refusedCall(id, denied))
      this.#underWay.set(id, { ...about, since: performance.now() })
      upstream.send({ ...request, params: { ...params, name: entry?.name ?? tool } })
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error)
      this.#options.send(refusedCall(id, `the call was not made: ${words}`))
    } finally {
      heldCall.release()
      this.#held.delete(id)
    }
  }

  async #fromServer(from: Upstream, message: Message): Promise<void> {
    if ('method' in message) {
      if (message.method === 'notifications/tools/list_changed') this.#catalogue.forget(from)
      return this.#several ? this.#several.fromServer(from, message) : this.#options.send(message)
    }
    const { id, result } = message
    if (id === null) return this.#options.send(message)
    const listRequest = this.#lists.get(id)
    this.#lists.delete(id)
    if (listRequest !== undefined && result) this.#catalogue.observe(from, result, listRequest)
    const version = textIn(result, 'protocolVersion')
    if (version !== null && from.isRemote) await from.agreedOn(version)
    const call = this.#underWay.get(id)
    const task = this.#results.get(id) ?? ''
    const made = this.#tasks.get(task)
    this.#underWay.delete(id)
    this.#results.delete(id)
    this.#tasks.delete(task)
    // How a call ended is unknown when its server died before answering.
    if (call && !from.isGone) await this.#answered(call, message)
    else if (made && !from.isGone) await this.#ended(made, message)
    this.#options.send(message)
  }

  /** A call may be answered by a task: then it goes on until the task has a result. */
  async #answered(call: UnderWay, answer: Response): Promise<void> {
    const task = isFields(answer.result?.task) ? textIn(answer.result.task, 'taskId') : null
    if (task === null) return this.#ended(call, answer)
    this.#tasks.set(task, call)
  }

  #ended({ since, ...about }: UnderWay, { result, error }: Response): Promise<void> {
    const durationMs = performance.now() - since
    const output: Json = (result ?? { error: error as never }) as Json
    const isBad = error !== undefined || result?.isError === true
    const failure = error?.message ?? 'the tool says that it failed'
    return this.#recorder.finish({ ...about, ok: !isBad, output, error: isBad ? failure : null, durationMs })
  }

  /** The host is gone. */
  async close(): Promise<void> {
    this.#closing = true
    for (const heldCall of this.#held.values()) heldCall.giveUp()
    await Promise.all(this.#upstreams.map((upstream) => upstream.close()))
    await this.#recorder.close()
  }
}
