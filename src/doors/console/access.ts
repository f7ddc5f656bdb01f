// Who may access the console. It answers to one host name only, which is random and resolves to the loopback:
// a page of another server, also one on this machine, is another site, and a name that an attacker points
// here is refused. A link works once and expires soon; it is exchanged for a cookie that no script can read
// and no other site can send. Every request that could change something must come from the console's own
// page. Refusals are counted.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const COOKIE = 'witan'
const LINK_MS = 5 * 60_000
const IDLE_MS = 8 * 3_600_000
const LONGEST_MS = 24 * 3_600_000
const MOST_SESSIONS = 64
const MOST_LINKS = 16

/** Why a request was refused. */
export const REFUSALS = {
  host: 'a host name that is not this console’s',
  origin: 'sent by a page of another site',
  site: 'sent by another site, as the browser says',
  session: 'no session, or one that ended',
  link: 'a link that was used before, is too old, or never was',
  method: 'a method that is not answered',
  form: 'not sent as the console’s page sends it',
  'read-only': 'an act in a console that only reads',
  slow: 'a request that did not arrive in time',
  large: 'a request that is too large',
  garbled: 'something that is no request',
  crowd: 'a connection when there were too many',
} as const

export type Refusal = keyof typeof REFUSALS
export const REFUSAL_KINDS = Object.keys(REFUSALS) as readonly Refusal[]

export interface AskedRequest {
  readonly method: string
  readonly path: string
  readonly header: (name: string) => string | undefined
}

interface Session {
  readonly begun: number
  seen: number
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
const newToken = (): string => randomBytes(32).toString('hex')

const cookieIn = (header: string | undefined): string | null => {
  for (const part of (header ?? '').split(';')) {
    const [name, value] = part.trim().split('=', 2)
    if (name === COOKIE && value && /^[0-9a-f]{64}$/.test(value)) return value
  }
  return null
}

export class Access {
  readonly refused = new Map<Refusal, number>()
  /** Only digests are kept: memory contains nothing that opens the console. */
  readonly #links = new Map<string, number>()
  readonly #sessions = new Map<string, Session>()
  readonly #now: () => number
  readonly #isReadOnly: boolean
  #host = ''

  constructor({ isReadOnly, now = Date.now }: { readonly isReadOnly: boolean; readonly now?: () => number }) {
    this.#isReadOnly = isReadOnly
    this.#now = now
  }

  /** Name and port, known once the server listens. */
  set host(host: string) {
    this.#host = host
  }

  get origin(): string {
    return `http://${this.#host}`
  }

  get isReadOnly(): boolean {
    return this.#isReadOnly
  }

  get sessions(): number {
    this.#sweep()
    return this.#sessions.size
  }

  /** A link that works once. */
  newLink(): string {
    const token = newToken()
    this.#links.set(digest(token), this.#now() + LINK_MS)
    for (const oldest of [...this.#links.keys()].slice(0, -MOST_LINKS)) this.#links.delete(oldest)
    return `${this.origin}/open?link=${token}`
  }

  /** The cookie of a new session for a link; null when the link is invalid. */
  redeem(token: string): string | null {
    const id = digest(token)
    const until = this.#links.get(id)
    this.#links.delete(id)
    if (until === undefined || until < this.#now()) {
      this.count('link')
      return null
    }
    const cookie = newToken()
    const now = this.#now()
    this.#sweep()
    this.#sessions.set(digest(cookie), { begun: now, seen: now })
    for (const oldest of [...this.#sessions.keys()].slice(0, -MOST_SESSIONS)) this.#sessions.delete(oldest)
    return `${COOKIE}=${cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${LONGEST_MS / 1000}`
  }

  count(refusal: Refusal): Refusal {
    this.refused.set(refusal, (this.refused.get(refusal) ?? 0) + 1)
    return refusal
  }

  /** What is wrong with the origin of a request; null when it is right. */
  judgePlace(request: AskedRequest): Refusal | null {
    const { method, header } = request
    if (header('host') !== this.#host) return this.count('host')
    if (method !== 'GET' && method !== 'POST') return this.count('method')
    const origin = header('origin')
    if (origin !== undefined && origin !== this.origin) return this.count('origin')
    const site = header('sec-fetch-site')
    const isNavigation = header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document'
    if (
      site !== undefined &&
      site !== 'same-origin' &&
      !(site === 'none' && isNavigation && method === 'GET')
    )
      return this.count('site')
    if (method !== 'POST') return null
    // A form or an image of another page can send neither of these.
    if (origin === undefined) return this.count('origin')
    const isOurs = header('x-witan') === '1' && header('content-type') === 'application/json'
    return isOurs ? null : this.count('form')
  }

  /** Whether the session of this cookie is active; asking does not prolong it. */
  lasts(cookies: string | undefined): boolean {
    return this.#sessionOf(cookies) !== undefined
  }

  /** Whether the request belongs to a session, and is allowed. */
  judgeSession({ method, header }: AskedRequest): Refusal | null {
    const session = this.#sessionOf(header('cookie'))
    if (!session) return this.count('session')
    session.seen = this.#now()
    return method === 'POST' && this.#isReadOnly ? this.count('read-only') : null
  }

  #sessionOf(cookies: string | undefined): Session | undefined {
    const cookie = cookieIn(cookies)
    this.#sweep()
    return cookie === null ? undefined : this.#sessions.get(digest(cookie))
  }

  #sweep(): void {
    const now = this.#now()
    for (const [id, { begun, seen }] of this.#sessions)
      if (now - seen > IDLE_MS || now - begun > LONGEST_MS) this.#sessions.delete(id)
    for (const [id, until] of this.#links) if (until < now) this.#links.delete(id)
  }
}

/** Compared in constant time. */
export const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(digest(one)), Buffer.from(digest(other)))
