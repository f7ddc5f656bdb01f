// Keys that machines ask the registrar for, and what is sealed by it. The table decides nothing: a request counts by the
// signature of a machine whose key the registry holds, which the registrar checks.

export const keyTables = (q: string): string => `
CREATE TABLE ${q}.key_requests (
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
CREATE INDEX open_requests ON ${q}.key_requests (asked) WHERE answered IS NULL;

ALTER TABLE ${q}.items ADD COLUMN sealed boolean NOT NULL DEFAULT false;
CREATE INDEX unsealed ON ${q}.items (changed) WHERE state = 'done' AND NOT sealed;
`
