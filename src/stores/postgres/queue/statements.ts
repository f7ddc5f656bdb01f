// The statements of the queue, prepared once per connection. What changes a state is one function in the server.

import type { Statement } from '../connection.ts'
import { queueSchema } from './schema.ts'

const ITEM =
  'trace, protocol, tenant, tag, details, state, worker, losses, failures, error, enqueued, changed, usd, counted'

const SCHEDULE =
  'name, cron, timezone, words, folder, tenant, tag, next_at AS "nextAt", last_at AS "lastAt", last_trace AS "lastTrace", error'

export type QueueStatements = ReturnType<typeof statementsOf>

export function statementsOf(schema: string) {
  const q = `"${queueSchema(schema)}"`
  const of = (name: string, text: string): Statement => ({ name: `witan_queue_${name}`, text })
  const call = (name: string, count: number): Statement =>
    of(name, `SELECT ${q}.${name}(${Array.from({ length: count }, (_, i) => `$${i + 1}`).join()}) AS done`)
  return {
    enqueue: call('enqueue', 5),
    cancel: call('cancel', 1),
    retry: call('retry', 1),
    // As it stood when it was offered, in one round trip. Asked again because the answer got lost, it finds its own claim.
    claim: of(
      'take',
      `SELECT ${ITEM} FROM ${q}.items
        WHERE trace = $1 AND (${q}.claim($1, $2) OR (state = 'running' AND pool = $2))`,
    ),
    finish: call('finish', 2),
    spend: call('spend', 4),
    park: call('park', 3),
    handOver: call('hand_over', 2),
    fail: call('fail', 4),
    register: call('register', 5),
    beat: call('beat', 2),
    stop: call('stop', 1),
    leave: call('leave', 1),
    limitTenant: call('limit_tenant', 3),
    limitedTenants: of(
      'limited_tenants',
      `SELECT t.tenant, t.slots, t.usd_per_day::float8 AS "usdPerDay",
        (SELECT count(*) FROM ${q}.items i WHERE i.tenant = t.tenant AND i.state IN ('offered', 'running'))::integer AS running,
        coalesce((
          SELECT sum(s.usd) FROM ${q}.spent s
          WHERE s.tenant = t.tenant AND s.at > clock_timestamp() - interval '1 day'
        ), 0)::float8 AS usd
      FROM ${q}.tenants t WHERE num_nonnulls(t.slots, t.usd_per_day) > 0 ORDER BY t.tenant`,
    ),
    beginScheduled: call('begin_scheduled', 3),
    endScheduled: call('end_scheduled', 3),
    holdProvider: call('hold_provider', 4),
    heldMs: call('held_ms', 2),
    heldProviders: of(
      'held_providers',
      `SELECT provider, transport, not_before AS until, worker, times::integer AS times
        FROM ${q}.providers WHERE not_before > clock_timestamp() ORDER BY provider, transport`,
    ),
    due: of('due', `SELECT ${SCHEDULE} FROM ${q}.due($1)`),
    schedules: of('schedules', `SELECT ${SCHEDULE} FROM ${q}.schedules ORDER BY name`),
    addSchedule: of(
      'add_schedule',
      `INSERT INTO ${q}.schedules (name, cron, timezone, words, folder, tenant, tag, next_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING name`,
    ),
    removeSchedule: of('remove_schedule', `DELETE FROM ${q}.schedules WHERE name = $1 RETURNING name`),
    figures: of(
      'figures',
      `SELECT state, count(*)::integer AS count,
        extract(epoch FROM clock_timestamp() - min(CASE WHEN worker IS NULL THEN enqueued ELSE changed END))::float8 AS oldest
      FROM ${q}.items GROUP BY state`,
    ),
    requestKey: of(
      'request_key',
      `INSERT INTO ${q}.key_requests (id, agent, roles, public_key, machine, signature)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    ),
    keyRequests: of(
      'key_requests',
      `SELECT id, agent, roles, public_key AS "publicKey", machine, signature
        FROM ${q}.key_requests WHERE answered IS NULL ORDER BY asked LIMIT 100`,
    ),
    answerRequest: of(
      'answer_request',
      `UPDATE ${q}.key_requests SET answered = clock_timestamp(), error = $2 WHERE id = $1`,
    ),
    refusal: of('refusal', `SELECT error FROM ${q}.key_requests WHERE id = $1 AND error IS NOT NULL`),
    unsealed: of(
      'unsealed',
      `SELECT trace FROM ${q}.items WHERE state = 'done' AND NOT sealed ORDER BY changed LIMIT 50`,
    ),
    sealed: of('sealed', `UPDATE ${q}.items SET sealed = true WHERE trace = $1`),
    sweep: of('sweep', `SELECT workers, traces FROM ${q}.sweep()`),
    find: of('find', `SELECT ${ITEM} FROM ${q}.items WHERE trace = $1`),
    list: of(
      'list',
      `SELECT ${ITEM} FROM ${q}.items WHERE state = ANY ($1) ORDER BY enqueued DESC, trace DESC`,
    ),
    forget: of(
      'forget',
      `DELETE FROM ${q}.items WHERE trace = ANY ($1) AND state IN ('done', 'set aside', 'cancelled')`,
    ),
    workers: of(
      'workers',
      `SELECT w.pool, w.name, w.version, w.slots, w.tags, w.started, w.beat, w.stopping,
        extract(epoch FROM clock_timestamp() - w.beat)::float8 AS silent,
        (SELECT count(*) FROM ${q}.items i WHERE i.pool = w.pool AND i.state = 'running')::integer AS running
      FROM ${q}.workers w ORDER BY w.name, w.pool`,
    ),
  }
}
