// Which providers are held back: a worker that was told "too many requests" writes down until when, and every worker looks
// before it asks. Who waits is let go a little after that moment, each at another time, so that they do not all ask at once.

/** A provider may state any time; nothing waits longer than this without asking again. */
const MOST_MS = 300_000
/** How much longer than stated the last may wait, as a share of what is left, and at most. */
const SPREAD = { share: 0.25, mostMs: 1_000 }

export const paceTables = (q: string): string => `
CREATE TABLE ${q}.providers (
  provider text NOT NULL,
  transport text NOT NULL,
  not_before timestamptz NOT NULL,
  worker text NOT NULL,
  times bigint NOT NULL DEFAULT 1,
  PRIMARY KEY (provider, transport)
);
`

export const paceFunctions = (q: string): string => `
CREATE OR REPLACE FUNCTION ${q}.hold_provider(the_provider text, the_transport text, ms float8, the_worker text) RETURNS void
LANGUAGE sql VOLATILE AS $$
  INSERT INTO ${q}.providers AS p (provider, transport, not_before, worker)
    VALUES (the_provider, the_transport,
      clock_timestamp() + interval '1 millisecond' * least(greatest(ms, 0), ${MOST_MS}), the_worker)
    ON CONFLICT (provider, transport) DO UPDATE SET
      not_before = greatest(p.not_before, excluded.not_before), worker = excluded.worker, times = p.times + 1
$$;

CREATE OR REPLACE FUNCTION ${q}.held_ms(the_provider text, the_transport text) RETURNS float8 LANGUAGE sql VOLATILE AS $$
  SELECT held.ms + random() * least(held.ms * ${SPREAD.share}, ${SPREAD.mostMs}) FROM (
    SELECT extract(epoch FROM not_before - clock_timestamp()) * 1000 AS ms
    FROM ${q}.providers WHERE provider = the_provider AND transport = the_transport
  ) AS held WHERE held.ms > 0
$$;
`
