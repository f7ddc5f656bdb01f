// Every address of the console. Access control comes before all of them; unlisted addresses do not exist.

import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { failureOf } from '../../app/failure.ts'
import { type AskedRequest, isSame, REFUSALS, type Refusal } from './access.ts'
import type { Console } from './console.ts'
import { NEW_LINK_PATH } from './first-console.ts'
import { HEADERS, PAGE, refusalPage } from './page-files.ts'
import { actRoutes } from './routes/acts.ts'
import { exchangeRoutes } from './routes/exchange.ts'
import { fileRoutes } from './routes/files.ts'
import { homeRoutes } from './routes/home.ts'
import { readRoutes } from './routes/read.ts'
import { runRoutes } from './routes/runs.ts'
import { TraceList } from './trace-list.ts'

const STATUS: Readonly<Record<Refusal, 400 | 401 | 403 | 405 | 408 | 413 | 421 | 503>> = {
  host: 421,
  origin: 403,
  site: 403,
  session: 401,
  link: 401,
  method: 405,
  form: 403,
  'read-only': 403,
  slow: 408,
  large: 413,
  garbled: 400,
  crowd: 503,
}

const MOST_BODY = 4 << 20

/** Addresses of views: all of them are the one page. */
const VIEWS = ['/', '/t/*', '/find', '/check', '/inbox', '/new', '/new/*', '/admin']

const NOT_FOUND = [
  'TRACE_NOT_FOUND',
  'EVENT_NOT_FOUND',
  'ARTIFACT_NOT_FOUND',
  'FILE_NOT_FOUND',
  'HOME_MISSING',
  'KEY_NOT_FOUND',
]

const CONFLICT = ['HEAD_MOVED', 'EVENT_REFUSED', 'TRACE_FINISHED', 'ALREADY_REDACTED']

const statusOf = (code: string): 400 | 404 | 409 | 500 | 503 => {
  if (code === 'INTERNAL') return 500
  if (NOT_FOUND.includes(code)) return 404
  if (CONFLICT.includes(code)) return 409
  return code.startsWith('VAULT_') || code === 'DISK_FULL' ? 503 : 400
}

export function consoleApp(console: Console): Hono {
  const { access, files, secret } = console
  const app = new Hono()
  const list = new TraceList(console.openHome, console.runs)

  app.use('*', async (c, next) => {
    for (const [name, value] of Object.entries(HEADERS)) c.header(name, value)
    const request: AskedRequest = {
      method: c.req.method,
      path: c.req.path,
      header: (name) => c.req.header(name),
    }
    const refuse = (refusal: Refusal): Response => {
      const words = REFUSALS[refusal]
      if (c.req.path.startsWith('/api/')) return c.json({ code: 'REFUSED', message: words }, STATUS[refusal])
      const hint = 'Type witan console again: it prints a new link, which works once.'
      return c.html(refusalPage('Not let in', `Refused: ${words}. ${hint}`), STATUS[refusal])
    }
    const placeRefusal = access.judgePlace(request)
    if (placeRefusal) return refuse(placeRefusal)
    if (c.req.path === NEW_LINK_PATH) {
      if (isSame(c.req.header('authorization') ?? '', `Bearer ${secret}`)) return c.text(access.newLink())
      return refuse(access.count('session'))
    }
    if (c.req.path === '/open') {
      const cookie = access.redeem(c.req.query('link') ?? '')
      if (cookie === null) return refuse('link')
      c.header('set-cookie', cookie)
      return c.redirect('/', 303)
    }
    const outside = access.judgeSession(request)
    if (outside) return refuse(outside)
    return next()
  })
  app.use(
    '/api/*',
    bodyLimit({
      maxSize: MOST_BODY,
      onError: (c) => c.json({ code: 'REFUSED', message: REFUSALS[access.count('large')] }, STATUS.large),
    }),
  )

  for (const view of VIEWS) app.get(view, (c) => c.html(PAGE))
  app.get('/a/:name', (c) => {
    const file = files.get(c.req.param('name'))
    return file ? c.body(file.bytes, 200, { 'content-type': file.type }) : c.notFound()
  })
  app.route('/api', readRoutes(console, list))
  app.route('/api', actRoutes(console, list))
  app.route('/api', runRoutes(console, list))
  app.route('/api', homeRoutes(console))
  app.route('/api', exchangeRoutes(console))
  app.route('/api', fileRoutes(console))

  app.notFound((c) => c.json({ code: 'NOT_FOUND', message: 'there is nothing here' }, 404))
  app.onError((error, c) => {
    const { code, message, next } = failureOf(error)
    return c.json({ code, message, next }, statusOf(code))
  })
  return app
}
