// What a page shows of the home itself: who can be asked, what was spent, whose keys sign, who was turned away.

import { Hono } from 'hono'
import { doctor } from '../../../app/doctor.ts'
import { listKeys } from '../../../app/keys/keys.ts'
import { costsOf } from '../../../app/traces/costs.ts'
import { REFUSALS } from '../access.ts'
import type { Console } from '../console.ts'

const DOCTOR_MS = 30_000

export function houseRoutes({ house: { location }, access, serving }: Console): Hono {
  const app = new Hono()

  app.get('/doctor', async (c) =>
    c.json(
      await doctor({
        home: location.directory,
        file: serving.config,
        from: process.cwd(),
        env: process.env,
        signal: AbortSignal.timeout(DOCTOR_MS),
      }),
    ),
  )
  app.get('/costs', async (c) =>
    c.json(await costsOf(location, { by: 'day', since: c.req.query('since') ?? null })),
  )
  app.get('/keys', async (c) => c.json(await listKeys(location)))
  app.get('/access', (c) =>
    c.json({
      sessions: access.sessions,
      refused: [...access.refused].map(([kind, count]) => ({ kind, words: REFUSALS[kind], count })),
    }),
  )
  return app
}
