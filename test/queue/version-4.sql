
CREATE TABLE "witan_queue".meta (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  program text NOT NULL,
  version integer NOT NULL,
  oldest integer NOT NULL
);
INSERT INTO "witan_queue".meta (program, version, oldest) VALUES ('witan', 0, 1);

CREATE TABLE "witan_queue".workers (
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
CREATE TABLE "witan_queue".tenants (
  tenant text PRIMARY KEY,
  slots integer CHECK (slots > 0),
  usd_per_day numeric CHECK (usd_per_day >= 0)
);

CREATE TABLE "witan_queue".items (
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
CREATE INDEX items_state ON "witan_queue".items (state, enqueued);
CREATE INDEX items_paid ON "witan_queue".items (tenant, changed) WHERE usd IS NOT NULL;


CREATE FUNCTION "witan_queue".hand_out(the_trace text, the_tag text, at timestamptz) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM "witan_jobs".add_job(
    CASE WHEN the_tag IS NULL THEN 'drive' ELSE 'drive:' || the_tag END,
    json_build_object('trace', the_trace), job_key := the_trace, max_attempts := 1000, run_at := at,
    priority := CASE WHEN EXISTS (SELECT FROM "witan_queue".items WHERE trace = the_trace AND worker IS NOT NULL) THEN -1 ELSE 0 END
  );
END $$;

CREATE FUNCTION "witan_queue".offer() RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  chosen record;
  free integer;
  given integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('witan/witan/' || 'queue', 0));
  SELECT coalesce(sum(slots), 0) INTO free FROM "witan_queue".workers WHERE NOT stopping;
  free := free + (free + 1) / 2 - (SELECT count(*) FROM "witan_queue".items WHERE state IN ('offered', 'running'));
  IF free <= 0 THEN RETURN 0; END IF;
  FOR chosen IN
    WITH active AS (
      SELECT tenant, count(*) AS n FROM "witan_queue".items WHERE state IN ('offered', 'running') GROUP BY tenant
    ), tagged AS (
      SELECT tag, count(*) AS n FROM "witan_queue".items WHERE state IN ('offered', 'running') GROUP BY tag
    ), spent AS (
      SELECT tenant, sum(usd) AS usd FROM "witan_queue".items
      WHERE usd IS NOT NULL AND changed > clock_timestamp() - interval '1 day' GROUP BY tenant
    ), ranked AS (
      SELECT i.trace, i.tag, i.tenant, i.enqueued,
        coalesce(a.n, 0) + row_number() OVER (PARTITION BY i.tenant ORDER BY i.enqueued, i.trace) AS place,
        coalesce(t.n, 0) + row_number() OVER (PARTITION BY i.tag ORDER BY i.enqueued, i.trace) AS tag_place
      FROM "witan_queue".items i
      LEFT JOIN active a ON a.tenant = i.tenant
      LEFT JOIN tagged t ON t.tag = i.tag
      WHERE i.state = 'waiting'
    )
    SELECT r.trace, r.tag FROM ranked r
    LEFT JOIN "witan_queue".tenants t ON t.tenant = r.tenant
    LEFT JOIN spent s ON s.tenant = r.tenant
    WHERE (t.slots IS NULL OR r.place <= t.slots)
      AND (t.usd_per_day IS NULL OR coalesce(s.usd, 0) < t.usd_per_day)
      AND (r.tag IS NULL OR r.tag_place <= (
        SELECT sum(w.slots) FROM "witan_queue".workers w WHERE NOT w.stopping AND r.tag = ANY (w.tags)
      ))
    ORDER BY r.place, r.enqueued, r.trace
    LIMIT free
  LOOP
    UPDATE "witan_queue".items SET state = 'offered', pool = NULL, changed = clock_timestamp() WHERE trace = chosen.trace;
    PERFORM "witan_queue".hand_out(chosen.trace, chosen.tag, NULL);
    given := given + 1;
  END LOOP;
  RETURN given;
END $$;


CREATE FUNCTION "witan_queue".enqueue(
  the_trace text, the_protocol text, the_tenant text, the_tag text, the_details jsonb
) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('witan/witan/' || 'queue', 0));
  INSERT INTO "witan_queue".items AS i (trace, protocol, tenant, tag, details, state)
    VALUES (the_trace, the_protocol, the_tenant, the_tag, the_details, 'waiting')
    ON CONFLICT (trace) DO UPDATE SET state = 'waiting', losses = 0, failures = 0, error = NULL,
      enqueued = clock_timestamp(), changed = clock_timestamp()
      WHERE i.state IN ('done', 'parked', 'set aside', 'cancelled');
  PERFORM "witan_queue".offer();
  RETURN (SELECT state FROM "witan_queue".items WHERE trace = the_trace);
END $$;

CREATE FUNCTION "witan_queue".cancel(the_trace text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('witan/witan/' || 'queue', 0));
  UPDATE "witan_queue".items SET state = 'cancelled', changed = clock_timestamp()
    WHERE trace = the_trace AND state IN ('waiting', 'offered', 'running', 'parked');
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM "witan_jobs".remove_job(the_trace);
  PERFORM "witan_queue".offer();
  RETURN true;
END $$;

CREATE FUNCTION "witan_queue".retry(the_trace text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('witan/witan/' || 'queue', 0));
  UPDATE "witan_queue".items SET state = 'waiting', losses = 0, failures = 0, error = NULL, changed = clock_timestamp()
    WHERE trace = the_trace AND state IN ('set aside', 'cancelled');
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM "witan_queue".offer();
  RETURN true;
END $$;


CREATE FUNCTION "witan_queue".claim(the_trace text, the_pool text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM pg_advisory_xact_lock(hashtextextended('witan/witan/' || 'queue', 0));
  UPDATE "witan_queue".items i SET state = 'running', pool = the_pool, changed = clock_timestamp(),
    worker = (SELECT name FROM "witan_queue".workers WHERE pool = the_pool)
    WHERE i.trace = the_trace AND i.state = 'offered' AND EXISTS (SELECT FROM "witan_queue".workers WHERE pool = the_pool);
  RETURN FOUND;
END $$;

CREATE FUNCTION "witan_queue".finish(the_trace text, the_pool text, the_usd numeric) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('witan/witan/' || 'queue', 0));
  UPDATE "witan_queue".items SET state = 'done', usd = the_usd, error = NULL, changed = clock_timestamp()
    WHERE trace = the_trace AND pool = the_pool AND state = 'running';
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM "witan_queue".offer();
  RETURN true;
END $$;

-- An answer that came while the worker was leaving is not missed: the lock of the trace orders the two.
CREATE FUNCTION "witan_queue".park(the_trace text, the_pool text, the_size integer) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  grown boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('witan/witan/' || 'append ' || the_trace, 0));
  PERFORM pg_advisory_xact_lock(hashtextextended('witan/witan/' || 'queue', 0));
  grown := EXISTS (
    SELECT FROM "witan".events e JOIN "witan".traces t ON t.id = e.trace
    WHERE t.trace = the_trace AND e.seq >= the_size
  );
  UPDATE "witan_queue".items SET state = CASE WHEN grown THEN 'waiting' ELSE 'parked' END, losses = 0, failures = 0,
    error = NULL, changed = clock_timestamp()
    WHERE trace = the_trace AND pool = the_pool AND state = 'running';
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM "witan_queue".offer();
  RETURN true;
END $$;

-- What was under way is offered at once, however many wait: it had a slot.
CREATE FUNCTION "witan_queue".hand_over(the_trace text, the_pool text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  the_tag text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('witan/witan/' || 'queue', 0));
  UPDATE "witan_queue".items SET state = 'offered', pool = NULL, changed = clock_timestamp()
    WHERE trace = the_trace AND pool = the_pool AND state = 'running' RETURNING tag INTO the_tag;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM "witan_queue".hand_out(the_trace, the_tag, NULL);
  RETURN true;
END $$;

-- True when it was set aside; else it is offered again, later each time.
CREATE FUNCTION "witan_queue".fail(the_trace text, the_pool text, the_error text, most integer) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  after text;
  times integer;
  the_tag text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('witan/witan/' || 'queue', 0));
  UPDATE "witan_queue".items SET failures = failures + 1, error = the_error, changed = clock_timestamp(), pool = NULL,
    state = CASE WHEN failures + 1 >= most THEN 'set aside' ELSE 'offered' END
    WHERE trace = the_trace AND pool = the_pool AND state = 'running'
    RETURNING state, failures, tag INTO after, times, the_tag;
  IF after = 'set aside' THEN PERFORM "witan_queue".offer(); END IF;
  IF after = 'offered' THEN
    PERFORM "witan_queue".hand_out(the_trace, the_tag, clock_timestamp() + interval '0.5 seconds' * 2 ^ (times - 1));
  END IF;
  RETURN coalesce(after = 'set aside', true);
END $$;

CREATE FUNCTION "witan_queue".wake() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  the_trace text;
BEGIN
  SELECT i.trace INTO the_trace FROM "witan_queue".items i JOIN "witan".traces t ON t.trace = i.trace
    WHERE i.state = 'parked' AND t.id = (SELECT a.trace FROM added a LIMIT 1);
  IF the_trace IS NULL THEN RETURN NULL; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('witan/witan/' || 'queue', 0));
  UPDATE "witan_queue".items SET state = 'waiting', changed = clock_timestamp() WHERE trace = the_trace AND state = 'parked';
  PERFORM "witan_queue".offer();
  RETURN NULL;
END $$;
CREATE TRIGGER wake_parked AFTER INSERT ON "witan".events
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "witan_queue".wake();


CREATE FUNCTION "witan_queue".outcomes_of(the_trace text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT count(*) FROM "witan".events e JOIN "witan".traces t ON t.id = e.trace
  WHERE t.trace = the_trace AND convert_from(e.header, 'UTF8')::jsonb ->> 'type'
    NOT IN ('call_started', 'call_lost', 'call_indeterminate')
$$;

-- Traces whose worker is gone are offered again at once; those whose job is nowhere to be found wait again.
CREATE FUNCTION "witan_queue".take_back() RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  back record;
  n integer := 0;
BEGIN
  FOR back IN
    WITH gone AS (
      SELECT i.trace, i.state = 'running' AS was_driven, i.losses, i.outcomes AS before,
        CASE WHEN i.state = 'running' THEN "witan_queue".outcomes_of(i.trace) ELSE i.outcomes END AS outcomes
      FROM "witan_queue".items i
      WHERE (i.state = 'running' AND NOT EXISTS (SELECT FROM "witan_queue".workers w WHERE w.pool = i.pool))
        OR (i.state = 'offered' AND NOT EXISTS (SELECT FROM "witan_jobs"._private_jobs x WHERE x.key = i.trace))
    ), counted AS (
      SELECT g.trace, g.was_driven, g.outcomes, CASE
        WHEN NOT g.was_driven THEN g.losses
        WHEN g.outcomes > g.before THEN 1
        ELSE g.losses + 1 END AS losses
      FROM gone g
    )
    UPDATE "witan_queue".items i SET
      losses = c.losses,
      outcomes = c.outcomes,
      error = CASE WHEN c.was_driven AND c.losses >= 8
        THEN 'its worker was lost ' || c.losses || ' times, the last was ' || coalesce(i.worker, 'unknown')
        ELSE i.error END,
      state = CASE
        WHEN NOT c.was_driven THEN 'waiting'
        WHEN c.losses >= 8 THEN 'set aside'
        ELSE 'offered' END,
      pool = NULL, changed = clock_timestamp()
    FROM counted c WHERE c.trace = i.trace
    RETURNING i.trace, i.tag, i.state
  LOOP
    PERFORM "witan_jobs".remove_job(back.trace);
    IF back.state = 'offered' THEN PERFORM "witan_queue".hand_out(back.trace, back.tag, NULL); END IF;
    n := n + 1;
  END LOOP;
  PERFORM "witan_queue".offer();
  RETURN n;
END $$;


CREATE FUNCTION "witan_queue".register(the_pool text, the_name text, the_version text, the_slots integer, the_tags text[])
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('witan/witan/' || 'queue', 0));
  INSERT INTO "witan_queue".workers (pool, name, version, slots, tags)
    VALUES (the_pool, the_name, the_version, the_slots, the_tags) ON CONFLICT DO NOTHING;
  PERFORM "witan_queue".offer();
END $$;

-- Which of its traces are no longer its own; null when others were told that it is gone.
CREATE FUNCTION "witan_queue".beat(the_pool text, driven text[]) RETURNS text[] LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE "witan_queue".workers SET beat = clock_timestamp() WHERE pool = the_pool;
  IF NOT FOUND THEN RETURN NULL; END IF;
  RETURN ARRAY (
    SELECT d FROM unnest(driven) AS d
    WHERE NOT EXISTS (SELECT FROM "witan_queue".items WHERE trace = d AND pool = the_pool AND state = 'running')
  );
END $$;

-- No more work is offered to it; what it drives stays its own until it says otherwise.
CREATE FUNCTION "witan_queue".stop(the_pool text) RETURNS void LANGUAGE sql VOLATILE AS $$
  UPDATE "witan_queue".workers SET stopping = true WHERE pool = the_pool
$$;

CREATE FUNCTION "witan_queue".leave(the_pool text) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('witan/witan/' || 'queue', 0));
  DELETE FROM "witan_queue".workers WHERE pool = the_pool;
  PERFORM "witan_jobs".force_unlock_workers(ARRAY[the_pool]);
  PERFORM "witan_queue".take_back();
END $$;

-- A stopped process keeps its lock: its connection is ended. Of several workers that sweep at once one does.
CREATE FUNCTION "witan_queue".sweep(OUT workers text[], OUT traces integer) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  gone text[];
BEGIN
  workers := '{}';
  traces := 0;
  IF NOT pg_try_advisory_xact_lock(hashtextextended('witan/witan/' || 'sweep', 0))
    OR clock_timestamp() - pg_postmaster_start_time() < interval '3 seconds' THEN RETURN; END IF;
  PERFORM pg_terminate_backend(holder.pid)
    FROM "witan_queue".workers w CROSS JOIN LATERAL (
  SELECT l.pid FROM pg_locks l
  WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('witan/witan/' || 'attend ' || w.pool, 0)) AS holder
    WHERE w.beat < clock_timestamp() - interval '10 seconds';
  UPDATE "witan_queue".workers w SET missed = CASE WHEN found.here THEN NULL ELSE coalesce(w.missed, clock_timestamp()) END
    FROM (SELECT o.pool, EXISTS (
  SELECT l.pid FROM pg_locks l
  WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('witan/witan/' || 'attend ' || o.pool, 0)) AS here FROM "witan_queue".workers o) AS found
    WHERE found.pool = w.pool AND found.here = (w.missed IS NOT NULL);
  gone := ARRAY (
    SELECT w.pool FROM "witan_queue".workers w
    WHERE w.beat < clock_timestamp() - interval '10 seconds'
      OR w.missed < clock_timestamp() - interval '1500 milliseconds'
  );
  PERFORM pg_advisory_xact_lock(hashtextextended('witan/witan/' || 'queue', 0));
  workers := ARRAY (SELECT w.name FROM "witan_queue".workers w WHERE w.pool = ANY (gone));
  DELETE FROM "witan_queue".workers w WHERE w.pool = ANY (gone);
  gone := gone || ARRAY (
    SELECT DISTINCT x.locked_by FROM "witan_jobs"._private_jobs x
    WHERE x.locked_at < clock_timestamp() - interval '10 seconds'
      AND NOT EXISTS (SELECT FROM "witan_queue".workers w WHERE w.pool = x.locked_by)
  );
  PERFORM "witan_jobs".force_unlock_workers(gone);
  traces := "witan_queue".take_back();
  IF cardinality(gone) > 0 THEN PERFORM pg_notify('jobs:insert', '{"r":"sweep","count":10}'); END IF;
END $$;


CREATE TABLE "witan_queue".schedules (
  name text PRIMARY KEY,
  cron text NOT NULL,
  timezone text NOT NULL,
  words text[] NOT NULL,
  folder text,
  tenant text NOT NULL,
  tag text,
  next_at timestamptz NOT NULL,
  last_at timestamptz,
  last_trace text,
  error text
);

CREATE FUNCTION "witan_queue".due(the_tags text[]) RETURNS SETOF "witan_queue".schedules LANGUAGE sql STABLE AS $$
  SELECT * FROM "witan_queue".schedules
  WHERE next_at <= clock_timestamp() AND (tag IS NULL OR tag = ANY (the_tags)) ORDER BY next_at LIMIT 8
$$;

CREATE FUNCTION "witan_queue".begin_scheduled(the_name text, due_at timestamptz, following timestamptz) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE "witan_queue".schedules SET last_at = clock_timestamp(), next_at = following, last_trace = NULL, error = NULL
    WHERE name = the_name AND next_at = due_at;
  RETURN FOUND;
END $$;

CREATE FUNCTION "witan_queue".end_scheduled(the_name text, the_trace text, the_error text) RETURNS void
LANGUAGE sql VOLATILE AS $$
  UPDATE "witan_queue".schedules SET last_trace = the_trace, error = the_error WHERE name = the_name
$$;

CREATE FUNCTION "witan_queue".limit_tenant(the_tenant text, the_slots integer, the_usd numeric) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF the_slots IS NULL AND the_usd IS NULL THEN
    DELETE FROM "witan_queue".tenants WHERE tenant = the_tenant;
  ELSE
    INSERT INTO "witan_queue".tenants (tenant, slots, usd_per_day) VALUES (the_tenant, the_slots, the_usd)
      ON CONFLICT (tenant) DO UPDATE SET slots = the_slots, usd_per_day = the_usd;
  END IF;
  PERFORM "witan_queue".offer();
END $$;


CREATE TABLE "witan_queue".key_requests (
  id text PRIMARY KEY,
  agent text NOT NULL,
  roles text[] NOT NULL,
  public_key bytea NOT NULL,
  machine text NOT NULL,
  signature bytea NOT NULL,
  asked timestamptz NOT NULL DEFAULT clock_timestamp(),
  answered timestamptz,
  error text
);
CREATE INDEX open_requests ON "witan_queue".key_requests (asked) WHERE answered IS NULL;

ALTER TABLE "witan_queue".items ADD COLUMN sealed boolean NOT NULL DEFAULT false;
CREATE INDEX unsealed ON "witan_queue".items (changed) WHERE state = 'done' AND NOT sealed;


CREATE TABLE "witan_queue".providers (
  provider text NOT NULL,
  transport text NOT NULL,
  not_before timestamptz NOT NULL,
  worker text NOT NULL,
  times bigint NOT NULL DEFAULT 1,
  PRIMARY KEY (provider, transport)
);

CREATE FUNCTION "witan_queue".hold_provider(the_provider text, the_transport text, ms float8, the_worker text) RETURNS void
LANGUAGE sql VOLATILE AS $$
  INSERT INTO "witan_queue".providers AS p (provider, transport, not_before, worker)
    VALUES (the_provider, the_transport,
      clock_timestamp() + interval '1 millisecond' * least(greatest(ms, 0), 300000), the_worker)
    ON CONFLICT (provider, transport) DO UPDATE SET
      not_before = greatest(p.not_before, excluded.not_before), worker = excluded.worker, times = p.times + 1
$$;

CREATE FUNCTION "witan_queue".held_ms(the_provider text, the_transport text) RETURNS float8 LANGUAGE sql VOLATILE AS $$
  SELECT held.ms + random() * least(held.ms * 0.25, 1000) FROM (
    SELECT extract(epoch FROM not_before - clock_timestamp()) * 1000 AS ms
    FROM "witan_queue".providers WHERE provider = the_provider AND transport = the_transport
  ) AS held WHERE held.ms > 0
$$;
