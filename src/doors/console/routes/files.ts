// Downloads of a trace, and the result of a replay.

import { Hono } from 'hono'
import { z } from 'zod'
import { downloadBytes } from '../../../app/console/downloads.ts'
import { withStore } from '../../../app/home/home.ts'
import { replay } from '../../../app/traces/replay.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import type { Console } from '../console.ts'
import { parsed } from './acts.ts'

const EXPORT_BODY = z.strictObject({
  form: z.enum(['bundle', 'bare', 'page', 'proof']),
  seq: z.coerce.number().int().min(0).nullable().default(null),
})

export function fileRoutes({ openHome: { location } }: Console): Hono {
  const app = new Hono()

  app.get('/traces/:trace/export', async (c) => {
    const { form, seq } = parsed(EXPORT_BODY, c.req.query())
    const trace = await withStore(location, (store) => findTrace(store, c.req.param('trace')))
    const pieces: Uint8Array[] = []
    for await (const piece of downloadBytes(location, trace, form, seq)) pieces.push(piece)
    return c.body(Buffer.concat(pieces), 200, {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
    })
  })

  app.get('/traces/:trace/replay', async (c) => c.json(await replay(location, c.req.param('trace'))))
  return app
}
