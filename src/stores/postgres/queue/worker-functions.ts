// Who works here: workers register, are heard of, leave, and are found gone. One that vanished is known by its lock, which
// the server lets go with its connection; one that was stopped or cut off by its silence. What it drove goes back to the
// others then (loss-functions.ts).

import { lockKey } from '../schema.ts'

/** How long a worker may not be heard of, and how long its lock may be away, before it counts as gone. */
const BEAT_LIMIT = '10 seconds'
const LOCK_LIMIT = '1500 milliseconds'
/** Workers need this long to be heard of and to take their locks again when the server was started. */
const SETTLING = '3 seconds'

/** Taken first by every function that changes a state. */
export const queueLock = (schema: string): string =>
  `PERFORM pg_advisory_xact_lock(${lockKey(schema, "'queue'")});`

const isPresentSql = (schema: string, pool: string): string => `
  SELECT l.pid FROM pg_locks l
  WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (l.classid::bigint << 32 | l.objid::bigint) = ${lockKey(schema, `'attend ' || ${pool}`)}`

export const workerFunctions = (q: string, j: string, schema: string): string => `
CREATE OR REPLACE FUNCTION ${q}.register(the_pool text, the_name text, the_version text, the_slots integer, the_tags text[])
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  ${queueLock(schema)}
  INSERT INTO ${q}.workers (pool, name, version, slots, tags)
    VALUES (the_pool, the_name, the_version, the_slots, the_tags) ON CONFLICT DO NOTHING;
  PERFORM ${q}.offer();
END $$;

-- Which of its traces are no longer its own; null when others were told that it is gone.
CREATE OR REPLACE FUNCTION ${q}.beat(the_pool text, driven text[]) RETURNS text[] LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE ${q}.workers SET beat = clock_timestamp() WHERE pool = the_pool;
  IF NOT FOUND THEN RETURN NULL; END IF;
  RETURN ARRAY (
    SELECT d FROM unnest(driven) AS d
    WHERE NOT EXISTS (SELECT FROM ${q}.items WHERE trace = d AND pool = the_pool AND state = 'running')
  );
END $$;

-- No more work is offered to it; what it drives stays its own until it says otherwise.
CREATE OR REPLACE FUNCTION ${q}.stop(the_pool text) RETURNS void LANGUAGE sql VOLATILE AS $$
  UPDATE ${q}.workers SET stopping = true WHERE pool = the_pool
$$;

-- What it still has is handed over: it is no loss.
CREATE OR REPLACE FUNCTION ${q}.leave(the_pool text) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  ${queueLock(schema)}
  PERFORM ${q}.hand_over(i.trace, the_pool) FROM ${q}.items i WHERE i.pool = the_pool AND i.state = 'running';
  DELETE FROM ${q}.workers WHERE pool = the_pool;
  PERFORM ${j}.force_unlock_workers(ARRAY[the_pool]);
  PERFORM ${q}.take_back();
END $$;

-- A stopped process keeps its lock: its connection is ended. Of several workers that sweep at once one does.
CREATE OR REPLACE FUNCTION ${q}.sweep(OUT workers text[], OUT traces integer) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  gone text[];
BEGIN
  workers := '{}';
  traces := 0;
  IF NOT pg_try_advisory_xact_lock(${lockKey(schema, "'sweep'")})
    OR clock_timestamp() - pg_postmaster_start_time() < interval '${SETTLING}' THEN RETURN; END IF;
  PERFORM pg_terminate_backend(holder.pid)
    FROM ${q}.workers w CROSS JOIN LATERAL (${isPresentSql(schema, 'w.pool')}) AS holder
    WHERE w.beat < clock_timestamp() - interval '${BEAT_LIMIT}';
  UPDATE ${q}.workers w SET missed = CASE WHEN found.here THEN NULL ELSE coalesce(w.missed, clock_timestamp()) END
    FROM (SELECT o.pool, EXISTS (${isPresentSql(schema, 'o.pool')}) AS here FROM ${q}.workers o) AS found
    WHERE found.pool = w.pool AND found.here = (w.missed IS NOT NULL);
  gone := ARRAY (
    SELECT w.pool FROM ${q}.workers w
    WHERE w.beat < clock_timestamp() - interval '${BEAT_LIMIT}'
      OR w.missed < clock_timestamp() - interval '${LOCK_LIMIT}'
  );
  ${queueLock(schema)}
  workers := ARRAY (SELECT w.name FROM ${q}.workers w WHERE w.pool = ANY (gone));
  DELETE FROM ${q}.workers w WHERE w.pool = ANY (gone);
  gone := gone || ARRAY (
    SELECT DISTINCT x.locked_by FROM ${j}._private_jobs x
    WHERE x.locked_at < clock_timestamp() - interval '${BEAT_LIMIT}'
      AND NOT EXISTS (SELECT FROM ${q}.workers w WHERE w.pool = x.locked_by)
  );
  PERFORM ${j}.force_unlock_workers(gone);
  traces := ${q}.take_back();
  IF cardinality(gone) > 0 THEN PERFORM pg_notify('jobs:insert', '{"r":"sweep","count":10}'); END IF;
END $$;
`
