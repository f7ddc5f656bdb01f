// Acts from a page: every act is first shown as the bytes that would be signed, and performed when these are
// confirmed. What was shown can be confirmed once, for two minutes, in the console that showed it.

import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import { z } from 'zod'
import type { SessionState } from '../../../agents/state.ts'
import { pendingDecisions } from '../../../app/agents/pending.ts'
import { type Act, confirmAct, type Prepared, prepareAct } from '../../../app/console/acts.ts'
import { opinionsOn, policiesOf } from '../../../app/console/inbox.ts'
import { WitanError } from '../../../ledger/errors.ts'
import type { Console } from '../console.ts'
import type { TraceList } from '../trace-list.ts'

const SHOWN_MS = 120_000
const MOST_SHOWN = 32

const trace = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
const words = z.string().max(20_000)
const risk = z.enum(['low', 'medium', 'high', 'critical'])

const subject = z.string().min(1).max(200)

const VERDICT = {
  trace,
  as: z.enum(['approve', 'block', 'challenge', 'failed', 'again']),
  ground: z.enum(['weak', 'contradicted']).exactOptional(),
  minutes: z.int().min(1).max(10_080).exactOptional(),
  conditions: z
    .strictObject({
      tools: z.array(words).exactOptional(),
      max_risk: risk.exactOptional(),
      steps: z.array(words).exactOptional(),
    })
    .exactOptional(),
  reason: words,
  by: z.string().max(64).exactOptional(),
}

const ACT = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('decide'), subject, ...VERDICT }),
  z.strictObject({
    act: z.literal('decide-several'),
    subjects: z.array(subject).min(2).max(50),
    ...VERDICT,
  }),
  z.strictObject({
    act: z.literal('observe'),
    trace,
    does: z.enum([
      'say',
      'pass',
      'inject',
      'pin',
      'unpin',
      'pause',
      'acknowledge',
      'halt',
      'grant',
      'amend',
      'branch',
      'rollback',
    ]),
    text: words,
    terms: z.record(z.string(), z.unknown()).exactOptional(),
    course: z
      .strictObject({
        round: z.int().min(0).nullable(),
        carry: z.enum(['window', 'audit', 'none']),
        current: z.boolean(),
      })
      .exactOptional(),
  }),
  z.strictObject({ act: z.literal('abort'), trace, reason: words.min(1) }),
  z.strictObject({
    act: z.literal('redact'),
    trace,
    seq: z.int().min(0).nullable(),
    artifact: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
    reason: words.min(1),
  }),
])

const CONFIRMED = z.strictObject({ token: z.string(), passphrase: z.string().max(1_000).nullable() })

export function parsed<Value>(schema: z.ZodType<Value>, body: unknown): Value {
  const read = schema.safeParse(body)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new WitanError('USAGE', `${issue?.path.join('.')}: ${issue?.message}`, 'Correct it and try again.')
}

interface Waiting {
  readonly prepared: Prepared
  readonly until: number
}

function blockedWhy({ intents }: SessionState, subject: string): string | null {
  const intent = intents.get(subject)
  return intent?.status === 'blocked' ? (intent.reason ?? '') : null
}

export function actRoutes({ openHome: { location } }: Console, list: TraceList): Hono {
  const app = new Hono()
  const shown = new Map<string, Waiting>()

  app.get('/inbox', async (c) => {
    const { pending, unread } = await pendingDecisions(location, null)
    const policies = await policiesOf(
      location,
      pending.map(({ trace: of }) => of),
    )
    const decisions = pending.map(({ state, ...decision }) => ({
      ...decision,
      policy_text: policies.get(decision.trace) ?? null,
      objective: state.task?.objective ?? '',
      said: opinionsOn(state, decision.subject),
      definition: state.intents.get(decision.subject)?.definition ?? null,
      blocked: blockedWhy(state, decision.subject),
      critics: state.task?.roles.critics.map(({ seat }) => seat) ?? [],
    }))
    return c.json({ decisions, unread })
  })

  app.post('/acts/prepare', async (c) => {
    const act: Act = parsed(ACT, await c.req.json())
    const prepared = await prepareAct(location, act)
    const token = randomBytes(32).toString('hex')
    for (const [id, { until }] of shown) if (until < Date.now()) shown.delete(id)
    for (const oldest of [...shown.keys()].slice(0, 1 - MOST_SHOWN)) shown.delete(oldest)
    const until = Date.now() + SHOWN_MS
    shown.set(token, { prepared, until })
    return c.json({
      token,
      events: prepared.events,
      passphrase_of: prepared.passphraseOf,
      until: new Date(until).toISOString(),
    })
  })

  app.post('/acts/confirm', async (c) => {
    const { token, passphrase } = parsed(CONFIRMED, await c.req.json())
    const waiting = shown.get(token)
    if (!waiting || waiting.until < Date.now()) {
      shown.delete(token)
      throw new WitanError(
        'USAGE',
        'what was shown is too old to be confirmed',
        'Look at it again, then decide.',
      )
    }
    try {
      const done = await confirmAct(location, waiting.prepared, passphrase)
      shown.delete(token)
      return c.json(done)
    } catch (error) {
      // A mistyped passphrase may be typed again; anything else has to be previewed again.
      if (!(error instanceof WitanError && error.code === 'KEY_LOCKED')) shown.delete(token)
      throw error
    } finally {
      void list.look()
    }
  })

  return app
}
