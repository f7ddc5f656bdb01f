// What a lost worker costs a trace. Only losses since its last outcome count: a trace that gets on is never set aside for
// having met bad weather, and one that loses every worker before anything comes of it is. Calls that were announced or lost
// are not outcomes: each new worker adds those by itself. Nor does a loss count whose cause is known to be another: the worker
// said that it leaves, or the database was started anew since it took the trace. Which of the traces of a lost worker was the
// cause cannot be told, so those that may be one after a few losses are no longer run by the same worker at once.

import { CALL_INDETERMINATE, CALL_LOST, CALL_STARTED } from '../../../ledger/calls.ts'

/** A trace that so many workers were lost on, one after another and without an outcome, is not given to another. */
const MOST_LOSSES = 8
/** From so many on, it may be what ends its workers. */
const SUSPICIOUS = 3
/** Until it is looked again whether a worker runs no other such trace. */
const APART = '1 second'
/** A worker that picked a job up claims its trace within milliseconds. */
const UNCLAIMED = '5 seconds'

export const lossFunctions = (q: string, j: string, schema: string): string => `
CREATE OR REPLACE FUNCTION ${q}.outcomes_of(the_trace text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT count(*) FROM "${schema}".events e JOIN "${schema}".traces t ON t.id = e.trace
  WHERE t.trace = the_trace AND convert_from(e.header, 'UTF8')::jsonb ->> 'type'
    NOT IN ('${CALL_STARTED}', '${CALL_LOST}', '${CALL_INDETERMINATE}')
$$;

CREATE OR REPLACE FUNCTION ${q}.is_suspicious(i ${q}.items) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN i.losses < ${SUSPICIOUS} THEN false ELSE ${q}.outcomes_of(i.trace) = i.outcomes END
$$;

-- True when the trace is to wait: it may be what ends its workers, and so may another that this one runs.
CREATE OR REPLACE FUNCTION ${q}.put_off(the_trace text, the_pool text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  the_tag text;
BEGIN
  SELECT i.tag INTO the_tag FROM ${q}.items i
    WHERE i.trace = the_trace AND i.state = 'offered' AND ${q}.is_suspicious(i) AND EXISTS (
      SELECT FROM ${q}.items o WHERE o.pool = the_pool AND o.state = 'running' AND ${q}.is_suspicious(o)
    );
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM ${q}.hand_out(the_trace, the_tag, clock_timestamp() + interval '${APART}');
  RETURN true;
END $$;

-- Traces whose worker is gone are offered again at once. So are those whose job is nowhere to be found, or was picked up by
-- a worker that was not told, since the server's answer got lost; what was never begun takes its turn again.
CREATE OR REPLACE FUNCTION ${q}.take_back() RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  back record;
  n integer := 0;
BEGIN
  FOR back IN
    WITH gone AS (
      SELECT i.trace, i.state = 'running' AS was_driven, i.losses, i.outcomes AS before,
        i.state = 'running' AND i.changed > pg_postmaster_start_time() AS counts,
        CASE WHEN i.state = 'running' THEN ${q}.outcomes_of(i.trace) ELSE i.outcomes END AS outcomes
      FROM ${q}.items i
      WHERE (i.state = 'running' AND NOT EXISTS (SELECT FROM ${q}.workers w WHERE w.pool = i.pool))
        OR (i.state = 'offered' AND NOT EXISTS (
          SELECT FROM ${j}._private_jobs x WHERE x.key = i.trace
            AND (x.locked_at IS NULL OR x.locked_at > clock_timestamp() - interval '${UNCLAIMED}')
        ))
    ), counted AS (
      SELECT g.trace, g.was_driven, g.outcomes,
        CASE WHEN g.outcomes > g.before THEN 0 ELSE g.losses END + g.counts::integer AS losses
      FROM gone g
    )
    UPDATE ${q}.items i SET
      losses = c.losses,
      outcomes = c.outcomes,
      error = CASE WHEN c.was_driven AND c.losses >= ${MOST_LOSSES}
        THEN 'its worker was lost ' || c.losses || ' times, the last was ' || coalesce(i.worker, 'unknown')
        ELSE i.error END,
      state = CASE
        WHEN NOT c.was_driven AND i.worker IS NULL THEN 'waiting'
        WHEN c.was_driven AND c.losses >= ${MOST_LOSSES} THEN 'set aside'
        ELSE 'offered' END,
      pool = NULL, changed = clock_timestamp()
    FROM counted c WHERE c.trace = i.trace
    RETURNING i.trace, i.tag, i.state
  LOOP
    PERFORM ${j}.remove_job(back.trace);
    IF back.state = 'offered' THEN PERFORM ${q}.hand_out(back.trace, back.tag, NULL); END IF;
    n := n + 1;
  END LOOP;
  PERFORM ${q}.offer();
  RETURN n;
END $$;
`
