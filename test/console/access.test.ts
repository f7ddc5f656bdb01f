// Who is let into the console, as a table of requests: what a page of another site, another server on this machine, a
// name pointed here, or someone with an old link could send. Each is refused, and counted.

import events from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Access, type Refusal } from '../../src/doors/console/access.ts'
import { directory, ended, newHome, start, type Where, witan } from '../doors/command.ts'
import { type Answered, ask, enter, type RunningConsole, startConsole } from '../support/console.ts'

let where: Where
let console: RunningConsole
let cookie: string

/** So short that no test has to wait for the server to lose patience. */
const PATIENCE = { headers: 1_500, request: 3_000, look: 200, beat: 15_000 }

beforeAll(async () => {
  where = await newHome()
  console = await startConsole(where.home, { patience: PATIENCE })
  cookie = await enter(console)
})
afterAll(() => console?.stop())

const ours = (): Record<string, string> => ({
  cookie,
  origin: console.origin,
  'sec-fetch-site': 'same-origin',
})

describe('APP-8 the console lets in', () => {
  it('one who comes by the link, once, and from then on by a cookie that no script reads and no other site sends', async () => {
    const fresh = await startConsole((await newHome()).home)
    const { pathname, search } = new URL(fresh.link)
    const first = await ask(fresh, pathname + search)
    expect(first.status).toBe(303)
    expect(first.headers.location).toBe('/')
    expect(String(first.headers['set-cookie'])).toMatch(
      /^witan=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=86400$/,
    )
    const again = await ask(fresh, pathname + search)
    expect(again.status).toBe(401)
    expect(again.headers['set-cookie']).toBeUndefined()
    await fresh.stop()
  })

  it('its own page, under a policy by which nothing but its own scripts run and no text becomes markup', async () => {
    const { status, headers, text } = await ask(console, '/', { headers: { cookie } })
    expect(status).toBe(200)
    expect(text).toContain('/a/main.js')
    expect(text).not.toMatch(/<script>|style=|onload/)
    const policy = String(headers['content-security-policy'])
    for (const rule of [
      `default-src 'none'`,
      `script-src 'self'`,
      `connect-src 'self'`,
      `form-action 'none'`,
      `frame-ancestors 'none'`,
      `require-trusted-types-for 'script'`,
      `trusted-types 'none'`,
    ])
      expect(policy.split('; ')).toContain(rule)
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['cache-control']).toBe('no-store')
  })
})

/** How often each kind of request was refused so far, as the page shows it. */
async function counts(of = console, mine = cookie): Promise<Readonly<Record<string, number>>> {
  const { text } = await ask(of, '/api/access', { headers: { cookie: mine } })
  const { refused } = JSON.parse(text) as { refused: { kind: string; count: number }[] }
  return Object.fromEntries(refused.map(({ kind, count }) => [kind, count]))
}

type Hostile = readonly [
  what: string,
  path: string,
  status: number,
  /** As what it is counted; null for what is simply not there. */
  counted: Refusal | null,
  sent: () => { method?: string; headers?: Record<string, string>; body?: string },
]

const HOSTILE: readonly Hostile[] = [
  ['no cookie', '/api/me', 401, 'session', () => ({})],
  ['no cookie, for the page', '/', 401, 'session', () => ({})],
  ['no cookie, for a script', '/a/main.js', 401, 'session', () => ({})],
  ['no cookie, for the stream', '/api/stream', 401, 'session', () => ({})],
  [
    'a cookie that was guessed',
    '/api/me',
    401,
    'session',
    () => ({ headers: { cookie: `witan=${'0'.repeat(64)}` } }),
  ],
  [
    'a cookie of another shape',
    '/api/me',
    401,
    'session',
    () => ({ headers: { cookie: 'witan=../../etc' } }),
  ],
  ['a link that never was', `/open?link=${'0'.repeat(64)}`, 401, 'link', () => ({})],
  ['a link without a token', '/open', 401, 'link', () => ({})],
  [
    'the loopback by number',
    '/api/me',
    421,
    'host',
    () => ({ headers: { cookie, host: `127.0.0.1:${console.port}` } }),
  ],
  [
    'localhost by name',
    '/api/me',
    421,
    'host',
    () => ({ headers: { cookie, host: `localhost:${console.port}` } }),
  ],
  [
    'a name pointed here (DNS rebinding)',
    '/api/me',
    421,
    'host',
    () => ({ headers: { cookie, host: 'evil.example' } }),
  ],
  [
    'the right name with another port',
    '/api/me',
    421,
    'host',
    () => ({ headers: { cookie, host: console.host.replace(/\d+$/, '1') } }),
  ],
  [
    'the right name as a part',
    '/api/me',
    421,
    'host',
    () => ({ headers: { cookie, host: console.host.replace(':', '.evil.example:') } }),
  ],
  [
    'an origin of another site',
    '/api/me',
    403,
    'origin',
    () => ({ headers: { ...ours(), origin: 'https://evil.example' } }),
  ],
  [
    'an origin of another port',
    '/api/me',
    403,
    'origin',
    () => ({ headers: { ...ours(), origin: console.origin.replace(/\d+$/, '1') } }),
  ],
  ['an opaque origin', '/api/me', 403, 'origin', () => ({ headers: { ...ours(), origin: 'null' } })],
  [
    'another site, as the browser says',
    '/api/me',
    403,
    'site',
    () => ({ headers: { cookie, 'sec-fetch-site': 'cross-site' } }),
  ],
  [
    'a sibling of this name',
    '/api/me',
    403,
    'site',
    () => ({ headers: { cookie, 'sec-fetch-site': 'same-site' } }),
  ],
  [
    'a frame of another page',
    '/',
    403,
    'site',
    () => ({ headers: { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' } }),
  ],
  [
    'an image that nobody asked for',
    '/api/me',
    403,
    'site',
    () => ({ headers: { cookie, 'sec-fetch-site': 'none', 'sec-fetch-dest': 'image' } }),
  ],
  [
    'a link followed from another site',
    '/open?link=x',
    403,
    'site',
    () => ({
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    }),
  ],
  [
    'an act without an origin',
    '/api/act',
    403,
    'origin',
    () => ({ method: 'POST', headers: { cookie }, body: '{}' }),
  ],
  [
    'an act as a form sends it',
    '/api/act',
    403,
    'form',
    () => ({
      method: 'POST',
      headers: { ...ours(), 'content-type': 'application/x-www-form-urlencoded' },
      body: 'a=1',
    }),
  ],
  [
    'an act as plain text',
    '/api/act',
    403,
    'form',
    () => ({
      method: 'POST',
      headers: { ...ours(), 'x-witan': '1', 'content-type': 'text/plain' },
      body: '{}',
    }),
  ],
  [
    'an act without our mark',
    '/api/act',
    403,
    'form',
    () => ({ method: 'POST', headers: { ...ours(), 'content-type': 'application/json' }, body: '{}' }),
  ],
  ['another method', '/api/me', 405, 'method', () => ({ method: 'PUT', headers: ours() })],
  [
    'a question before an act (CORS)',
    '/api/me',
    405,
    'method',
    () => ({ method: 'OPTIONS', headers: ours() }),
  ],
  ['deleting', '/api/me', 405, 'method', () => ({ method: 'DELETE', headers: ours() })],
  [
    'another console without its secret',
    '/again',
    401,
    'session',
    () => ({ headers: { authorization: 'Bearer 0' } }),
  ],
  ['a path upwards', '/a/..%2f..%2fpackage.json', 404, null, () => ({ headers: { cookie } })],
  ['an artifact by a path', '/api/artifacts/..%2fhome', 404, null, () => ({ headers: { cookie } })],
  ['a trace by a path', '/api/traces/..%2f..%2f/events?to=1', 404, null, () => ({ headers: { cookie } })],
  [
    'a trace that is none',
    '/api/traces/01J0000000000000000000000Z/events?to=1',
    404,
    null,
    () => ({ headers: { cookie } }),
  ],
  [
    'a huge act',
    '/api/act',
    413,
    'large',
    () => ({
      method: 'POST',
      headers: { ...ours(), 'x-witan': '1', 'content-type': 'application/json' },
      body: ' '.repeat(5 << 20),
    }),
  ],
]

type Unfinished = readonly [
  what: string,
  status: number,
  counted: Refusal,
  say: (socket: Socket) => (() => void) | null,
]

/** Again and again, until the server hangs up. */
const drip = (socket: Socket, first: string, more: string) => {
  socket.write(first)
  return () => void socket.write(more)
}

const once = (socket: Socket, text: string) => {
  socket.write(text)
  return null
}

/** The head of an act that is let in. */
const head = (): string =>
  [
    'POST /api/acts/prepare HTTP/1.1',
    `host: ${console.host}`,
    `cookie: ${cookie}`,
    `origin: ${console.origin}`,
    'sec-fetch-site: same-origin',
    'x-witan: 1',
    'content-type: application/json',
    'content-length: 4000',
    '',
    '',
  ].join('\r\n')

/** What never becomes a whole request: without end, without measure, without sense. */
const UNFINISHED: readonly Unfinished[] = [
  ['headers that never end', 408, 'slow', (socket) => drip(socket, 'GET / HTTP/1.1\r\n', 'x-more: 1\r\n')],
  ['a body that never ends', 408, 'slow', (socket) => drip(socket, head(), ' ')],
  [
    'headers without measure',
    431,
    'large',
    (socket) => once(socket, `GET /?${'x'.repeat(20_000)} HTTP/1.1\r\n`),
  ],
  ['what is no HTTP', 400, 'garbled', (socket) => once(socket, '\u0016\u0003\u0001 hello\r\n\r\n')],
]

/** What the server says before it hangs up. */
const spoken = (say: Unfinished[3]): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: console.port })
    let answer = ''
    const again = say(socket)
    const timer = again && setInterval(again, 200)
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (timer) clearInterval(timer)
      resolve(answer)
    })
  })

describe('APP-8 the console refuses', () => {
  it.each(HOSTILE)('%s (%s): %i, counted as %s', async (_what, path, status, counted, sent) => {
    const before = await counts()
    const answer = await ask(console, path, sent()).catch((error: NodeJS.ErrnoException) => {
      // A server that has said no may close the line before the rest was sent.
      if (status === 413 && (error.code === 'EPIPE' || error.code === 'ECONNRESET'))
        return { status, text: '', headers: {} as Answered['headers'] }
      throw error
    })
    expect(answer.status).toBe(status)
    expect(answer.text).not.toContain(where.home)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    // It is counted once, as what it is, and nothing else is.
    const more = counted === null ? {} : { [counted]: (before[counted] ?? 0) + 1 }
    expect(await counts()).toEqual({ ...before, ...more })
  })

  it.each(UNFINISHED)('%s: %s, counted as %s', async (_what, line, counted, say) => {
    const before = await counts()
    expect(await spoken(say)).toMatch(new RegExp(`^HTTP/1\\.1 ${line} `))
    expect(await counts()).toEqual({ ...before, [counted]: (before[counted] ?? 0) + 1 })
  })

  it('a link that was used before, and counts it', async () => {
    const { link } = await startConsole(where.home)
    const { pathname, search } = new URL(link)
    expect((await ask(console, pathname + search)).status).toBe(303)
    const before = await counts()
    expect((await ask(console, pathname + search)).status).toBe(401)
    expect(await counts()).toEqual({ ...before, link: (before.link ?? 0) + 1 })
  })

  it('a session that was idle too long or is too old, and a link that was not used in time', () => {
    let now = 0
    const access = new Access({ isReadOnly: false, now: () => now })
    access.host = 'witan-x.localhost:1'
    const tokenIn = (link: string): string => new URL(link).searchParams.get('link') ?? ''
    const judge = (cookieHeader: string) =>
      access.judgeSession({
        method: 'GET',
        path: '/',
        header: (name) => (name === 'cookie' ? cookieHeader : undefined),
      })
    const late = tokenIn(access.newLink())
    now += 5 * 60_000 + 1
    expect(access.redeem(late)).toBeNull()
    const session = String(access.redeem(tokenIn(access.newLink()))).split(';')[0] ?? ''
    expect(judge(session)).toBeNull()
    now += 8 * 3_600_000 + 1
    expect(judge(session)).toBe('session')
    const busy = String(access.redeem(tokenIn(access.newLink()))).split(';')[0] ?? ''
    for (let hour = 0; hour < 24; hour++) {
      expect(judge(busy)).toBeNull()
      now += 3_600_000
    }
    now += 1
    expect(judge(busy)).toBe('session')
    expect(Object.fromEntries(access.refused)).toEqual({ link: 1, session: 2 })
  })

  it('by the clock of a running console: a link that is too old, and a session that was idle, whose open stream ends', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const clocked = await startConsole((await newHome()).home, { patience: { ...PATIENCE, beat: 50 } })
      const mine = { cookie: await enter(clocked) }
      const late = new URL((await startConsole(clocked.home)).link)
      const refused = async (): Promise<Readonly<Record<string, number>>> => {
        const { link } = await startConsole(clocked.home)
        return counts(clocked, await enter({ ...clocked, link }))
      }
      vi.setSystemTime(Date.now() + 5 * 60_000 + 1)
      expect((await ask(clocked, late.pathname + late.search)).status).toBe(401)
      expect((await refused()).link).toBe(1)
      expect((await ask(clocked, '/api/me', { headers: mine })).status).toBe(200)
      const { host, port } = clocked
      const open = request({ host: '127.0.0.1', port, path: '/api/stream', headers: { host, ...mine } }).end()
      const [stream] = (await events.once(open, 'response')) as [IncomingMessage]
      expect(String((await events.once(stream, 'data'))[0])).toContain('event: traces')
      vi.setSystemTime(Date.now() + 8 * 3_600_000 + 1)
      await events.once(stream, 'end')
      expect((await ask(clocked, '/api/stream', { headers: mine })).status).toBe(401)
      expect((await refused()).session).toBe(1)
      await clocked.stop()
    } finally {
      vi.useRealTimers()
    }
  })

  it('acts in a console that only reads', async () => {
    const reading = await startConsole((await newHome()).home, { isReadOnly: true })
    const mine = await enter(reading)
    const headers = {
      cookie: mine,
      origin: reading.origin,
      'x-witan': '1',
      'content-type': 'application/json',
    }
    const refused = await ask(reading, '/api/act', { method: 'POST', headers, body: '{}' })
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('only reads')
    const { text } = await ask(reading, '/api/access', { headers: { cookie: mine } })
    expect(JSON.parse(text).refused).toContainEqual(expect.objectContaining({ kind: 'read-only', count: 1 }))
    expect((await ask(reading, '/api/me', { headers: { cookie: mine } })).text).toContain('"read_only":true')
    await reading.stop()
  })

  it('everyone from elsewhere: it listens on the loopback alone', async () => {
    const reached = await new Promise<boolean>((resolve) => {
      // Any other address of the loopback network is another machine as far as listening goes.
      const socket = connect({ host: '127.0.0.2', port: console.port })
      socket.on('connect', () => resolve(true))
      socket.on('error', () => resolve(false))
    })
    expect(reached).toBe(false)
  })
})

describe('witan console', () => {
  it('APP-8 prints one line of JSON, only reads without a terminal, and is found by a second one', async () => {
    const home = await newHome()
    const child = start(['console', '--json', '--port', '0'], home)
    const url = await new Promise<string>((resolve) => {
      let text = ''
      child.stdout?.on('data', (chunk: Buffer) => {
        text += chunk
        if (text.endsWith('\n')) resolve((JSON.parse(text) as { url: string }).url)
      })
    })
    const { host, port, pathname } = new URL(url)
    expect(host).toMatch(/^witan-[a-z0-9]{16}\.localhost:\d+$/)
    expect(pathname).toBe('/open')
    const second = await witan(home, 'console', '--json')
    expect(second.code).toBe(0)
    const other = (second.json as { url: string }).url
    expect(new URL(other).host).toBe(host)
    expect(other).not.toBe(url)
    const opened = await ask({ host, port: Number(port) }, new URL(other).pathname + new URL(other).search)
    expect(opened.status).toBe(303)
    const mine = String(opened.headers['set-cookie']).split(';')[0] ?? ''
    const me = await ask({ host, port: Number(port) }, '/api/me', { headers: { cookie: mine } })
    expect(JSON.parse(me.text)).toMatchObject({ read_only: true })
    const over = ended(child)
    child.kill('SIGTERM')
    await over
    const third = start(['console', '--json'], home)
    const again = await new Promise<string>((resolve) => {
      third.stdout?.once('data', (chunk: Buffer) =>
        resolve((JSON.parse(String(chunk)) as { url: string }).url),
      )
    })
    // A link to a trace that one kept stays good: name and port are those of last time.
    expect(new URL(again).host).toBe(host)
    // As Ctrl-C does it.
    const end = ended(third)
    third.kill('SIGINT')
    expect((await end).code).toBe(0)
  })

  it('APP-9 says what is wrong with a home that is not there, and with a port', async () => {
    const nowhere = { home: `${await directory()}/none` }
    const missing = await witan(nowhere, 'console', '--json')
    expect(missing.code).toBe(7)
    expect(missing.json).toMatchObject({ error: { code: 'HOME_MISSING' } })
    const port = await witan(where, 'console', '--port', '70000')
    expect(port.code).toBe(2)
    expect(port.stderr).toContain('--port 70000 is no port')
  })
})
