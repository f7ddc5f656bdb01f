// What a page reads: its home, the event stream, events of other traces, artifacts, search results, and a
// whole trace to verify. Artifacts are sent as plain bytes: the page shows them, the browser never opens one.

import { Readable } from 'node:stream'
import { Hono } from 'hono'
import { personName } from '../../../app/home/signers.ts'
import { findEvents } from '../../../app/traces/find.ts'
import { isHash } from '../../../ledger/bytes.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { subjectOf } from '../../../render/story/subject.ts'
import type { Console } from '../console.ts'
import { streamFor } from '../stream.ts'
import type { TraceList } from '../trace-list.ts'

const BYTES = {
  'content-type': 'application/octet-stream',
  'content-disposition': 'attachment',
}

const countIn = (text: string | undefined): number => {
  if (text !== undefined && /^(0|[1-9][0-9]{0,14})$/.test(text)) return Number(text)
  throw new WitanError('USAGE', 'a place in a trace is a whole number', 'Reload the page.')
}

const noTrace = (): WitanError =>
  new WitanError('TRACE_NOT_FOUND', 'there is no such trace in this home', 'See the list of traces.')

export function readRoutes(
  { openHome, access, speech, serving, patience: { beat } }: Console,
  list: TraceList,
): Hono {
  const app = new Hono()
  const { location } = openHome

  app.get('/me', (c) =>
    c.json({
      home: location.directory,
      version: serving.version,
      person: personName(),
      read_only: access.isReadOnly,
    }),
  )

  app.get('/stream', async (c) => {
    const trace = c.req.query('trace') ?? null
    const isAbsent = trace !== null && !(await openHome.has(trace))
    // A browser that lost the connection says where it stopped.
    const last = c.req.header('last-event-id')
    const from = last === undefined ? countIn(c.req.query('from') ?? '0') : countIn(last) + 1
    const cookies = c.req.header('cookie')
    const wanted = { trace, isAbsent, from, beat, lasts: () => access.lasts(cookies) }
    const stream = streamFor(openHome, { list, speech }, wanted, serving.signal)
    return c.body(stream, 200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  })

  app.get('/traces/:trace/events', async (c) => {
    const trace = c.req.param('trace')
    if (!(await openHome.has(trace))) throw noTrace()
    const from = countIn(c.req.query('from') ?? '0')
    const lines = await openHome.lines(trace, from, countIn(c.req.query('to')))
    return c.body(`{"from":${from},"events":[${lines.join(',')}]}`, 200, {
      'content-type': 'application/json',
    })
  })

  app.get('/traces/:trace/bundle', async (c) => {
    const trace = c.req.param('trace')
    if (!(await openHome.has(trace))) throw noTrace()
    const bytes = Readable.toWeb(Readable.from(await openHome.bundle(trace)))
    return c.body(bytes as ReadableStream, 200, BYTES)
  })

  app.get('/trust', async (c) => c.json({ keys: await openHome.trust() }))

  app.get('/artifacts/:hash', async (c) => {
    const hash = c.req.param('hash')
    const opened = isHash(hash) ? await openHome.artifact(hash) : null
    if (!opened)
      throw new WitanError('ARTIFACT_NOT_FOUND', 'this artifact is not stored here', 'See the trace.')
    const bytes = Readable.toWeb(Readable.from(opened.bytes))
    return c.body(bytes as ReadableStream, 200, { ...BYTES, 'content-length': String(opened.size) })
  })

  app.get('/find', async (c) => {
    const { events, traces, hasMore } = await findEvents(location, c.req.query('q') ?? '', {
      protocol: c.req.query('protocol') || null,
      since: c.req.query('since') || null,
      seat: c.req.query('seat') || null,
      limit: 50,
    })
    const about = Object.fromEntries(
      traces.map(({ trace, opening }) => [trace, opening && subjectOf(opening.type, opening.payload)]),
    )
    return c.json({ events, about, has_more: hasMore })
  })

  return app
}
