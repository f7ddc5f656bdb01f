// Councils that are started from a page, and traces that are resumed here. What a council would send to which
// provider is shown first; it starts when the person has seen that and agreed.

import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import { z } from 'zod'
import type { PlannedCouncil } from '../../../app/console/runs.ts'
import { WitanError } from '../../../ledger/errors.ts'
import type { Console } from '../console.ts'
import type { TraceList } from '../trace-list.ts'
import { parsed } from './acts.ts'

const SHOWN_MS = 10 * 60_000
const MOST_SHOWN = 8

const trace = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)

const COUNCIL_BODY = z.strictObject({
  question: z.string().trim().min(1).max(100_000),
  mode: z.enum(['ask', 'architecture', 'review']),
  seats: z.array(z.string().max(200)).max(12),
  panel: z.string().max(64).nullable(),
  chair: z.string().max(200).nullable(),
  maxCost: z.number().min(0).max(1_000_000).nullable(),
  context: z.array(z.string().max(4_000)).max(50),
  texts: z.array(z.strictObject({ name: z.string().max(300), text: z.string().max(2_000_000) })).max(50),
  follow: trace.nullable(),
})

const BEGIN = z.strictObject({ token: z.string() })
const RETRY = z.strictObject({ trace, seats: z.array(z.string().max(200)).max(12) })
const FORK = z.strictObject({ trace, after: z.enum(['R1', 'R2']), chair: z.string().max(200).nullable() })
const RESUME = z.strictObject({ trace })

export function runRoutes({ runs }: Console, list: TraceList): Hono {
  const app = new Hono()
  const planned = new Map<string, { readonly council: PlannedCouncil; readonly until: number }>()

  app.get('/panels', async (c) => c.json({ panels: await runs.panels() }))
  app.get('/runs', (c) => c.json({ runs: runs.list() }))

  app.post('/councils/plan', async (c) => {
    const council = await runs.plan(parsed(COUNCIL_BODY, await c.req.json()))
    const token = randomBytes(32).toString('hex')
    for (const oldest of [...planned.keys()].slice(0, 1 - MOST_SHOWN)) planned.delete(oldest)
    planned.set(token, { council, until: Date.now() + SHOWN_MS })
    const { preview, question, removed } = council
    return c.json({ token, preview, question, removed })
  })

  app.post('/councils/begin', async (c) => {
    const { token } = parsed(BEGIN, await c.req.json())
    const plan = planned.get(token)
    planned.delete(token)
    if (!plan || plan.until < Date.now())
      throw new WitanError('USAGE', 'what was shown is too old', 'Look again at what would be sent.')
    return c.json({ trace: await runs.begin(plan.council) })
  })

  const startRun = (work: (body: unknown) => Promise<string>) => async (body: unknown) => {
    const begunTrace = await work(body)
    void list.look()
    return { trace: begunTrace }
  }
  const retry = startRun((body) => {
    const { trace: of, seats } = parsed(RETRY, body)
    return runs.retry(of, seats)
  })
  const fork = startRun((body) => {
    const { trace: of, after, chair } = parsed(FORK, body)
    return runs.fork(of, after, chair)
  })
  const resume = startRun((body) => runs.resume(parsed(RESUME, body).trace))
  app.post('/councils/retry', async (c) => c.json(await retry(await c.req.json())))
  app.post('/councils/fork', async (c) => c.json(await fork(await c.req.json())))
  app.post('/runs/resume', async (c) => c.json(await resume(await c.req.json())))
  return app
}
