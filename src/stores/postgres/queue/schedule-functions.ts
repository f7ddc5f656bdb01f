// Runs at set times. A schedule is a command line and the moment of its next run; of several workers the one that moves
// that moment on begins the run. What was missed while no worker was there is made up for once.

export const scheduleTables = (q: string): string => `
CREATE TABLE ${q}.schedules (
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
`

export const scheduleFunctions = (q: string): string => `
CREATE OR REPLACE FUNCTION ${q}.due(the_tags text[]) RETURNS SETOF ${q}.schedules LANGUAGE sql STABLE AS $$
  SELECT * FROM ${q}.schedules
  WHERE next_at <= clock_timestamp() AND (tag IS NULL OR tag = ANY (the_tags)) ORDER BY next_at LIMIT 8
$$;

CREATE OR REPLACE FUNCTION ${q}.begin_scheduled(the_name text, due_at timestamptz, following timestamptz) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE ${q}.schedules SET last_at = clock_timestamp(), next_at = following, last_trace = NULL, error = NULL
    WHERE name = the_name AND next_at = due_at;
  RETURN FOUND;
END $$;

CREATE OR REPLACE FUNCTION ${q}.end_scheduled(the_name text, the_trace text, the_error text) RETURNS void
LANGUAGE sql VOLATILE AS $$
  UPDATE ${q}.schedules SET last_trace = the_trace, error = the_error WHERE name = the_name
$$;

CREATE OR REPLACE FUNCTION ${q}.limit_tenant(the_tenant text, the_slots integer, the_usd numeric) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF the_slots IS NULL AND the_usd IS NULL THEN
    DELETE FROM ${q}.tenants WHERE tenant = the_tenant;
  ELSE
    INSERT INTO ${q}.tenants (tenant, slots, usd_per_day) VALUES (the_tenant, the_slots, the_usd)
      ON CONFLICT (tenant) DO UPDATE SET slots = the_slots, usd_per_day = the_usd;
  END IF;
  PERFORM ${q}.offer();
END $$;
`
