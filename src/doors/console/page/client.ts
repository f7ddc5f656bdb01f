// How the page communicates with its server: requests, acts, and the one event stream. A stream that breaks
// off, or falls silent, is opened again from where it stopped; a hidden page closes its connection, since a
// browser allows only a few for each host, and reopens it later without loss.

import type { WireBatch, WireRow } from './wire.ts'

/** Why the server did not do what was requested. */
export class RefusedRequest extends Error {
  readonly code: string
  readonly next: string
  readonly status: number

  constructor(
    status: number,
    { code = 'INTERNAL', message = '', next = '' }: Partial<Record<string, string>>,
  ) {
    super(message)
    this.status = status
    this.code = code
    this.next = next
  }
}

async function requireOk(response: Response): Promise<Response> {
  if (response.ok) return response
  const refusal = await response.json().catch(() => ({ message: `the server answered ${response.status}` }))
  throw new RefusedRequest(response.status, refusal)
}

export const getBytes = async (path: string): Promise<Uint8Array> =>
  new Uint8Array(await (await requireOk(await fetch(`/api${path}`))).arrayBuffer())

export const get = async <Value>(path: string): Promise<Value> =>
  (await requireOk(await fetch(`/api${path}`))).json()

export const post = async <Value>(path: string, body: object): Promise<Value> => {
  const headers = { 'content-type': 'application/json', 'x-witan': '1' }
  return (
    await requireOk(await fetch(`/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) }))
  ).json()
}

export type LineState = 'connecting' | 'live' | 'lost' | 'ended'

export interface LineListener {
  /** The trace whose events are streamed, and how many of them are here already. */
  readonly trace: string | null
  size(): number
  rows(parsed: { readonly all?: readonly WireRow[]; readonly some?: readonly WireRow[] }): void
  events(batch: WireBatch): void
  /** There is no such trace here. */
  absent(): void
  text(parsed: { readonly trace: string; readonly who: string; readonly text: string }): void
  state(state: LineState): void
}

const RETRY_MS = { first: 400, most: 5_000 }
/** Two heartbeats of the server, and a little more. */
const SILENCE_MS = 40_000
/** How often it is checked whether the connection is silent. */
const LOOK_MS = 5_000
/** How long the server may take to say whether it is there. */
const PATIENCE_MS = 10_000
/** A page that is hidden only briefly keeps its connection. */
const HIDDEN_MS = 20_000

/** The status of the server now; 0 for no answer. */
async function probeStatus(): Promise<number> {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS)
  try {
    return (await fetch('/api/me', { signal: patience.signal })).status
  } catch {
    return 0
  } finally {
    clearTimeout(timer)
  }
}

export class Line {
  readonly #hearing: LineListener
  #source: EventSource | null = null
  #again = RETRY_MS.first
  #timer: ReturnType<typeof setTimeout> | undefined
  #watch: ReturnType<typeof setInterval> | undefined
  #heardAt = 0
  #hidden: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor(hearing: LineListener) {
    this.#hearing = hearing
    document.addEventListener('visibilitychange', this.#look)
    this.#open()
  }

  close(): void {
    this.#isClosed = true
    document.removeEventListener('visibilitychange', this.#look)
    this.#drop()
  }

  readonly #look = (): void => {
    clearTimeout(this.#hidden)
    if (document.visibilityState === 'hidden') this.#hidden = setTimeout(() => this.#drop(), HIDDEN_MS)
    else if (this.#source === null) this.#open()
    else this.#listen()
  }

  /** By the wall clock: the timers of a machine that slept have stopped too. */
  #listen(): void {
    if (this.#source !== null && Date.now() - this.#heardAt > SILENCE_MS) void this.#lost()
  }

  #drop(): void {
    for (const timer of [this.#timer, this.#watch, this.#hidden]) clearTimeout(timer)
    this.#source?.close()
    this.#source = null
  }

  #open(): void {
    this.#drop()
    if (this.#isClosed) return
    const { trace } = this.#hearing
    const query = trace === null ? '' : `?trace=${trace}&from=${this.#hearing.size()}`
    const source = new EventSource(`/api/stream${query}`)
    this.#source = source
    this.#heardAt = Date.now()
    this.#watch = setInterval(() => this.#listen(), LOOK_MS)
    const listenTo = (name: string, take: (data: string) => void): void =>
      source.addEventListener(name, (event) => {
        this.#heard()
        take((event as MessageEvent<string>).data)
      })
    source.addEventListener('open', () => this.#heard())
    listenTo('traces', (data) => this.#hearing.rows(JSON.parse(data)))
    listenTo('events', (data) => this.#hearing.events(JSON.parse(data)))
    listenTo('text', (data) => this.#hearing.text(JSON.parse(data)))
    listenTo('absent', () => this.#hearing.absent())
    listenTo('beat', () => undefined)
    source.addEventListener('error', () => void this.#lost())
  }

  #heard(): void {
    this.#again = RETRY_MS.first
    this.#heardAt = Date.now()
    this.#hearing.state('live')
  }

  async #lost(): Promise<void> {
    this.#drop()
    if (this.#isClosed) return
    this.#hearing.state('lost')
    const status = await probeStatus()
    if (this.#isClosed || this.#source !== null) return
    // Only a new link helps then; opened in this browser, it helps this page too.
    if (status === 401 || status === 421) this.#hearing.state('ended')
    // A hidden page reconnects when it becomes visible.
    if (document.visibilityState === 'hidden') return
    this.#timer = setTimeout(() => this.#open(), this.#again)
    this.#again = Math.min(this.#again * 2, RETRY_MS.most)
  }
}
