// Data of the home itself: ready models, costs, keys, refused requests.

import { Hono } from 'hono'
import { z } from 'zod'
import { doctor, type Findings } from '../../../app/doctor.ts'
import { ledgerUrl } from '../../../app/home/home.ts'
import { listKeys } from '../../../app/keys/keys.ts'
import { viewQueue } from '../../../app/queue/queue.ts'
import { listSchedules } from '../../../app/queue/schedules.ts'
import { COST_GROUPS, costsOf } from '../../../app/traces/costs.ts'
import { REFUSAL_KINDS, REFUSALS } from '../access.ts'
import type { Console } from '../console.ts'
import { parsed } from './acts.ts'

const DOCTOR_MS = 30_000
const ASK_MS = 90_000
const GROUP = z.enum(COST_GROUPS)

export function homeRoutes({ openHome: { location }, access, serving }: Console): Hono {
  const app = new Hono()

  const look = (ask: boolean): Promise<Findings> =>
    doctor({
      home: location.directory,
      file: serving.config,
      from: process.cwd(),
      env: process.env,
      ask,
      signal: AbortSignal.timeout(ask ? ASK_MS : DOCTOR_MS),
    })
  app.get('/doctor', async (c) => c.json(await look(false)))
  app.post('/doctor/ask', async (c) => c.json(await look(true)))
  app.get('/costs', async (c) => {
    const by = parsed(GROUP, c.req.query('by') ?? 'day')
    return c.json(await costsOf(location, { by, since: c.req.query('since') || null }))
  })
  app.get('/queue', async (c) => {
    const hasQueue = (await ledgerUrl(location)) !== null
    return c.json({ queue: hasQueue ? await viewQueue(location) : null })
  })
  app.get('/schedules', async (c) => {
    const hasQueue = (await ledgerUrl(location)) !== null
    return c.json({ schedules: hasQueue ? await listSchedules(location) : null })
  })
  app.get('/keys', async (c) => c.json(await listKeys(location)))
  app.get('/access', (c) =>
    c.json({
      sessions: access.sessions,
      refused: REFUSAL_KINDS.map((kind) => ({
        kind,
        words: REFUSALS[kind],
        count: access.refused.get(kind) ?? 0,
      })),
    }),
  )
  return app
}
