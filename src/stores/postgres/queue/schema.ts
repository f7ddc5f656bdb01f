// The tables of the queue and what happens in them, as functions that run whole in the server. They lie in a schema of
// their own beside the ledger's, and the jobs of graphile-worker in a third. Every function that changes a state takes the
// lock of the queue first, and the lock of a trace before that where it needs both, so that none waits for another in a
// ring. A trace that waits for someone is woken by a trigger on the ledger's own table: by the very commit that answers,
// whichever program made it.
//
// Each version adds a step to the tables, and the functions are made anew after it: none of them is ever taken away, so
// that earlier programs may go on. `oldest` says which of them may.

import { lockKey } from '../schema.ts'
import { keyTables } from './key-tables.ts'
import { lossFunctions } from './loss-functions.ts'
import { paceFunctions, paceTables } from './pace-functions.ts'
import { scheduleFunctions, scheduleTables } from './schedule-functions.ts'
import { spendFunctions, spendTables } from './spend-functions.ts'
import { queueLock, workerFunctions } from './worker-functions.ts'

/** graphile-worker counts each pick-up; when a trace is given up is decided here. */
const MOST_PICKUPS = 1000

const tables = (q: string): string => `
CREATE TABLE ${q}.meta (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  program text NOT NULL,
  version integer NOT NULL,
  oldest integer NOT NULL
);
INSERT INTO ${q}.meta (program, version, oldest) VALUES ('witan', 0, 1);

CREATE TABLE ${q}.workers (
  pool text PRIMARY KEY,
  name text NOT NULL,
  version text NOT NULL,
  slots integer NOT NULL,
  tags text[] NOT NULL,
  started timestamptz NOT NULL DEFAULT clock_timestamp(),
  beat timestamptz NOT NULL DEFAULT clock_timestamp(),
  missed timestamptz,
  stopping boolean NOT NULL DEFAULT false
);

-- What a tenant may use; one that is not named here has no limit.
CREATE TABLE ${q}.tenants (
  tenant text PRIMARY KEY,
  slots integer CHECK (slots > 0),
  usd_per_day numeric CHECK (usd_per_day >= 0)
);

CREATE TABLE ${q}.items (
  trace text PRIMARY KEY,
  protocol text NOT NULL,
  tenant text NOT NULL,
  tag text,
  details jsonb NOT NULL,
  state text NOT NULL,
  pool text,
  worker text,
  losses integer NOT NULL DEFAULT 0,
  -- How many outcomes the trace had when a worker was last lost on it.
  outcomes bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  error text,
  usd numeric,
  enqueued timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX items_state ON ${q}.items (state, enqueued);
CREATE INDEX items_paid ON ${q}.items (tenant, changed) WHERE usd IS NOT NULL;
`

/**
 * Gives waiting traces to the workers there are: as many as have a slot and half as many again, so that none waits for
 * work. Tenants share evenly: the one with the fewest under way comes first. One that has spent its day waits. A trace that
 * was begun goes before those that were not: someone waits for it, or its worker was lost.
 */
const offerFunctions = (q: string, j: string, schema: string): string => `
CREATE OR REPLACE FUNCTION ${q}.hand_out(the_trace text, the_tag text, at timestamptz) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM ${j}.add_job(
    CASE WHEN the_tag IS NULL THEN 'drive' ELSE 'drive:' || the_tag END,
    json_build_object('trace', the_trace), job_key := the_trace, max_attempts := ${MOST_PICKUPS}, run_at := at,
    priority := CASE WHEN EXISTS (SELECT FROM ${q}.items WHERE trace = the_trace AND worker IS NOT NULL) THEN -1 ELSE 0 END
  );
END $$;

CREATE OR REPLACE FUNCTION ${q}.offer() RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  chosen record;
  free integer;
  given integer := 0;
BEGIN
  ${queueLock(schema)}
  SELECT coalesce(sum(slots), 0) INTO free FROM ${q}.workers WHERE NOT stopping;
  -- Those that need a tag take no more slots than workers with it have.
  free := free + (free + 1) / 2 - (
    SELECT coalesce(sum(least(g.n, g.slots)), 0) FROM (
      SELECT count(*) AS n, CASE WHEN i.tag IS NOT NULL THEN (
        SELECT coalesce(sum(w.slots), 0) FROM ${q}.workers w WHERE NOT w.stopping AND i.tag = ANY (w.tags)
      ) END AS slots FROM ${q}.items i WHERE i.state IN ('offered', 'running') GROUP BY i.tag
    ) g
  );
  IF free <= 0 THEN RETURN 0; END IF;
  FOR chosen IN
    WITH active AS (
      SELECT tenant, count(*) AS n FROM ${q}.items WHERE state IN ('offered', 'running') GROUP BY tenant
    ), tagged AS (
      SELECT tag, count(*) AS n FROM ${q}.items WHERE state IN ('offered', 'running') GROUP BY tag
    ), spent AS (
      SELECT tenant, sum(usd) AS usd FROM ${q}.spent
      WHERE at > clock_timestamp() - interval '1 day' GROUP BY tenant
    ), ranked AS (
      SELECT i.trace, i.tag, i.tenant, i.enqueued,
        coalesce(a.n, 0) + row_number() OVER (
          PARTITION BY i.tenant ORDER BY i.worker IS NULL, i.enqueued, i.trace
        ) AS place,
        coalesce(t.n, 0) + row_number() OVER (PARTITION BY i.tag ORDER BY i.enqueued, i.trace) AS tag_place
      FROM ${q}.items i
      LEFT JOIN active a ON a.tenant = i.tenant
      LEFT JOIN tagged t ON t.tag = i.tag
      WHERE i.state = 'waiting'
    )
    SELECT r.trace, r.tag FROM ranked r
    LEFT JOIN ${q}.tenants t ON t.tenant = r.tenant
    LEFT JOIN spent s ON s.tenant = r.tenant
    WHERE (t.slots IS NULL OR r.place <= t.slots)
      AND (t.usd_per_day IS NULL OR coalesce(s.usd, 0) < t.usd_per_day)
      AND (r.tag IS NULL OR r.tag_place <= (
        SELECT sum(w.slots) FROM ${q}.workers w WHERE NOT w.stopping AND r.tag = ANY (w.tags)
      ))
    ORDER BY r.place, r.enqueued, r.trace
    LIMIT free
  LOOP
    UPDATE ${q}.items SET state = 'offered', pool = NULL WHERE trace = chosen.trace;
    PERFORM ${q}.hand_out(chosen.trace, chosen.tag, NULL);
    given := given + 1;
  END LOOP;
  RETURN given;
END $$;
`

const enqueueFunctions = (q: string, j: string, schema: string): string => `
CREATE OR REPLACE FUNCTION ${q}.enqueue(
  the_trace text, the_protocol text, the_tenant text, the_tag text, the_details jsonb
) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  ${queueLock(schema)}
  INSERT INTO ${q}.items AS i (trace, protocol, tenant, tag, details, state)
    VALUES (the_trace, the_protocol, the_tenant, the_tag, the_details, 'waiting')
    ON CONFLICT (trace) DO UPDATE SET state = 'waiting', losses = 0, failures = 0, error = NULL,
      enqueued = clock_timestamp(), changed = clock_timestamp()
      WHERE i.state IN ('done', 'parked', 'set aside', 'cancelled');
  PERFORM ${q}.offer();
  RETURN (SELECT state FROM ${q}.items WHERE trace = the_trace);
END $$;

CREATE OR REPLACE FUNCTION ${q}.cancel(the_trace text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  ${queueLock(schema)}
  UPDATE ${q}.items SET state = 'cancelled', changed = clock_timestamp()
    WHERE trace = the_trace AND state IN ('waiting', 'offered', 'running', 'parked');
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM ${j}.remove_job(the_trace);
  PERFORM ${q}.offer();
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION ${q}.retry(the_trace text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  ${queueLock(schema)}
  UPDATE ${q}.items SET state = 'waiting', losses = 0, failures = 0, error = NULL, changed = clock_timestamp()
    WHERE trace = the_trace AND state IN ('set aside', 'cancelled');
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM ${q}.offer();
  RETURN true;
END $$;
`

// A second job of one trace, or one that was cancelled meanwhile, finds nothing to claim and ends. A claim does not wait for
// the disk: the first record of the drive does, and takes it along; without one nothing was done that a crash could undo.
const driveFunctions = (q: string, schema: string): string => `
CREATE OR REPLACE FUNCTION ${q}.claim(the_trace text, the_pool text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  ${queueLock(schema)}
  IF ${q}.put_off(the_trace, the_pool) THEN RETURN false; END IF;
  UPDATE ${q}.items i SET state = 'running', pool = the_pool, changed = clock_timestamp(),
    worker = (SELECT name FROM ${q}.workers WHERE pool = the_pool)
    WHERE i.trace = the_trace AND i.state = 'offered' AND EXISTS (SELECT FROM ${q}.workers WHERE pool = the_pool);
  RETURN FOUND;
END $$;

CREATE OR REPLACE FUNCTION ${q}.finish(the_trace text, the_pool text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  ${queueLock(schema)}
  UPDATE ${q}.items SET state = 'done', error = NULL, changed = clock_timestamp()
    WHERE trace = the_trace AND pool = the_pool AND state = 'running';
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM ${q}.offer();
  RETURN true;
END $$;

-- An answer that came while the worker was leaving is not missed: the lock of the trace orders the two.
CREATE OR REPLACE FUNCTION ${q}.park(the_trace text, the_pool text, the_size integer) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  grown boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(${lockKey(schema, `'append ' || the_trace`)});
  ${queueLock(schema)}
  grown := EXISTS (
    SELECT FROM "${schema}".events e JOIN "${schema}".traces t ON t.id = e.trace
    WHERE t.trace = the_trace AND e.seq >= the_size
  );
  UPDATE ${q}.items SET state = CASE WHEN grown THEN 'waiting' ELSE 'parked' END, losses = 0, failures = 0,
    error = NULL, changed = clock_timestamp()
    WHERE trace = the_trace AND pool = the_pool AND state = 'running';
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM ${q}.offer();
  RETURN true;
END $$;

-- What was under way is offered at once, however many wait: it had a slot.
CREATE OR REPLACE FUNCTION ${q}.hand_over(the_trace text, the_pool text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  the_tag text;
BEGIN
  ${queueLock(schema)}
  UPDATE ${q}.items SET state = 'offered', pool = NULL, changed = clock_timestamp()
    WHERE trace = the_trace AND pool = the_pool AND state = 'running' RETURNING tag INTO the_tag;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM ${q}.hand_out(the_trace, the_tag, NULL);
  RETURN true;
END $$;

-- True when it was set aside; else it is offered again, later each time.
CREATE OR REPLACE FUNCTION ${q}.fail(the_trace text, the_pool text, the_error text, most integer) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  after text;
  times integer;
  the_tag text;
BEGIN
  ${queueLock(schema)}
  UPDATE ${q}.items SET failures = failures + 1, error = the_error, changed = clock_timestamp(), pool = NULL,
    state = CASE WHEN failures + 1 >= most THEN 'set aside' ELSE 'offered' END
    WHERE trace = the_trace AND pool = the_pool AND state = 'running'
    RETURNING state, failures, tag INTO after, times, the_tag;
  IF after = 'set aside' THEN PERFORM ${q}.offer(); END IF;
  IF after = 'offered' THEN
    PERFORM ${q}.hand_out(the_trace, the_tag, clock_timestamp() + interval '0.5 seconds' * 2 ^ (times - 1));
  END IF;
  RETURN coalesce(after = 'set aside', true);
END $$;

CREATE OR REPLACE FUNCTION ${q}.wake() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  the_trace text;
BEGIN
  SELECT i.trace INTO the_trace FROM ${q}.items i JOIN "${schema}".traces t ON t.trace = i.trace
    WHERE i.state = 'parked' AND t.id = (SELECT a.trace FROM added a LIMIT 1);
  IF the_trace IS NULL THEN RETURN NULL; END IF;
  ${queueLock(schema)}
  UPDATE ${q}.items SET state = 'waiting', changed = clock_timestamp() WHERE trace = the_trace AND state = 'parked';
  PERFORM ${q}.offer();
  RETURN NULL;
END $$;
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_trigger WHERE tgname = 'wake_parked' AND tgrelid = '"${schema}".events'::regclass) THEN
    RETURN;
  END IF;
  CREATE TRIGGER wake_parked AFTER INSERT ON "${schema}".events
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ${q}.wake();
END $$;
`

export const queueSchema = (schema: string): string => `${schema}_queue`
export const jobsSchema = (schema: string): string => `${schema}_jobs`

/** What each version added to the tables. A version that changes functions alone adds nothing here but its place. */
export function tableSteps(schema: string): readonly string[] {
  const q = `"${queueSchema(schema)}"`
  return [tables(q), scheduleTables(q), keyTables(q), paceTables(q), spendTables(q, schema), '']
}

/** What happens in the tables, in this version; workers of earlier ones go on with the functions that they call. */
export function functions(schema: string): string {
  const [q, j] = [`"${queueSchema(schema)}"`, `"${jobsSchema(schema)}"`]
  return [
    offerFunctions(q, j, schema),
    enqueueFunctions(q, j, schema),
    driveFunctions(q, schema),
    spendFunctions(q, schema),
    lossFunctions(q, j, schema),
    workerFunctions(q, j, schema),
    scheduleFunctions(q),
    paceFunctions(q),
  ].join('\n')
}
