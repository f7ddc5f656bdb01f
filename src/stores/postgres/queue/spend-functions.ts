// What traces cost. It is counted whenever a drive of one ends, however it ends, from the events that were recorded since it
// was last counted: so a trace that parks and never finishes counts too, what a lost worker spent counts with the next
// drive, and nothing counts twice. The day of a tenant is summed up from these counts.

import { queueLock } from './worker-functions.ts'

const sizeOf = (schema: string, trace: string): string =>
  `(SELECT count(*) FROM "${schema}".events e JOIN "${schema}".traces t ON t.id = e.trace WHERE t.trace = ${trace})`

export const spendTables = (q: string, schema: string): string => `
CREATE TABLE ${q}.spent (
  tenant text NOT NULL,
  usd numeric NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX spent_lately ON ${q}.spent (tenant, at);

-- How many events of the trace were looked through for what they cost.
ALTER TABLE ${q}.items ADD COLUMN counted integer NOT NULL DEFAULT 0;
UPDATE ${q}.items i SET counted = ${sizeOf(schema, 'i.trace')} WHERE i.state = 'done';
INSERT INTO ${q}.spent (tenant, usd, at) SELECT tenant, usd, changed FROM ${q}.items WHERE usd IS NOT NULL;
`

// It does not wait for the disk: what the drive came to is told next, and takes it along.
export const spendFunctions = (q: string, schema: string): string => `
-- False when someone else has counted these events.
CREATE OR REPLACE FUNCTION ${q}.spend(the_trace text, since integer, the_size integer, the_usd numeric)
RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  the_tenant text;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  ${queueLock(schema)}
  UPDATE ${q}.items SET counted = the_size, usd = CASE WHEN the_usd IS NULL THEN usd ELSE coalesce(usd, 0) + the_usd END
    WHERE trace = the_trace AND counted = since RETURNING tenant INTO the_tenant;
  IF NOT FOUND THEN RETURN false; END IF;
  IF the_usd IS NOT NULL THEN
    DELETE FROM ${q}.spent WHERE tenant = the_tenant AND at < clock_timestamp() - interval '2 days';
    INSERT INTO ${q}.spent (tenant, usd) VALUES (the_tenant, the_usd);
  END IF;
  RETURN true;
END $$;

-- Workers of the first four versions say at its end, and only then, what the whole trace cost.
CREATE OR REPLACE FUNCTION ${q}.finish(the_trace text, the_pool text, the_usd numeric) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  ${queueLock(schema)}
  PERFORM ${q}.spend(i.trace, i.counted, ${sizeOf(schema, 'i.trace')}::integer, the_usd - coalesce(i.usd, 0))
    FROM ${q}.items i WHERE i.trace = the_trace AND i.pool = the_pool AND i.state = 'running' AND the_usd IS NOT NULL;
  RETURN ${q}.finish(the_trace, the_pool);
END $$;
`
