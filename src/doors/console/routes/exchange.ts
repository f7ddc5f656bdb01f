// Routes for exchanges only: the map of a pool, and two branches side by side.

import { Hono } from 'hono'
import { poolMap } from '../../../app/console/pool-map.ts'
import { compareTraces } from '../../../app/exchange/compare-traces.ts'
import { withHome } from '../../../app/home/home.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import type { Console } from '../console.ts'

export function exchangeRoutes({ openHome: { location } }: Console): Hono {
  const app = new Hono()
  const maps = poolMap(location)
  app.get('/traces/:trace/map', async (c) => {
    const { data, leftOut, isQuick } = await maps(c.req.param('trace'))
    return c.json({ data, left_out: leftOut, is_quick: isQuick })
  })
  app.get('/traces/:trace/compare/:other', (c) =>
    withHome({ ...location, mode: 'read' }, async (home) => {
      const trace = await findTrace(home.store, c.req.param('trace'))
      const other = await findTrace(home.store, c.req.param('other'))
      return c.json(await compareTraces(home, trace, other))
    }),
  )
  return app
}
