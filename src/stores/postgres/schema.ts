// The tables of a PostgreSQL store and the guards inside the server, which hold against any SQL client: events,
// traces and redactions only ever grow. The one permitted change nulls the payload and salt of an event that a
// redactions row names; a redactions row needs the registry event that says who wanted it. Functions run whole
// operations in one round trip; they must stay VOLATILE, so that what they read after taking a lock is read with a
// snapshot newer than the lock.

export const SCHEMA_VERSION = 1
/** SQLSTATE of refusals raised by our own triggers. */
export const REFUSED = 'WTN01'
/** Where appends are announced, with the trace as the text. */
export const CHANNEL = 'witan'
export const TABLES = [
  'witan_meta',
  'traces',
  'events',
  'redactions',
  'uploads',
  'artifacts',
  'artifact_chunks',
]

const tables = (s: string): string => `
CREATE TABLE ${s}.witan_meta (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  program text NOT NULL,
  version integer NOT NULL
);
INSERT INTO ${s}.witan_meta (program, version) VALUES ('witan', ${SCHEMA_VERSION});

CREATE TABLE ${s}.traces (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  trace text NOT NULL UNIQUE,
  protocol text NOT NULL
);
CREATE UNIQUE INDEX one_registry ON ${s}.traces ((true)) WHERE protocol = 'registry/1';

-- No foreign key to traces: its check per row would cost a batch more than the insert itself, and rows come in
-- through append() alone, which makes the trace first.
CREATE TABLE ${s}.events (
  trace integer NOT NULL,
  seq integer NOT NULL CHECK (seq >= 0),
  prev bytea NOT NULL CHECK (octet_length(prev) = 32),
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  header bytea NOT NULL,
  signature bytea NOT NULL,
  payload bytea,
  salt bytea,
  CHECK ((payload IS NULL) = (salt IS NULL)),
  PRIMARY KEY (trace, seq),
  UNIQUE (trace, prev)
);

CREATE TABLE ${s}.redactions (
  trace integer NOT NULL REFERENCES ${s}.traces,
  seq integer,
  artifact bytea,
  registry_trace integer NOT NULL,
  registry_seq integer NOT NULL,
  CHECK (num_nonnulls(seq, artifact) = 1),
  UNIQUE (trace, seq),
  UNIQUE (artifact, trace),
  FOREIGN KEY (registry_trace, registry_seq) REFERENCES ${s}.events (trace, seq)
);

-- An upload is in the making; its chunks become an artifact when a row of artifacts names it.
CREATE TABLE ${s}.uploads (id uuid PRIMARY KEY);
CREATE TABLE ${s}.artifacts (
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  size bigint NOT NULL,
  upload uuid NOT NULL UNIQUE
);
CREATE TABLE ${s}.artifact_chunks (
  upload uuid NOT NULL,
  n integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (upload, n)
);
ALTER TABLE ${s}.artifact_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;
`

const guards = (s: string): string => `
CREATE FUNCTION ${s}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on %.% is refused: what was recorded stays as it is', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME
    USING ERRCODE = '${REFUSED}';
END $$;

CREATE FUNCTION ${s}.guard_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.payload IS NULL AND NEW.salt IS NULL
    AND (NEW.trace, NEW.seq, NEW.prev, NEW.hash, NEW.header, NEW.signature)
      = (OLD.trace, OLD.seq, OLD.prev, OLD.hash, OLD.header, OLD.signature)
    AND EXISTS (SELECT FROM ${s}.redactions r WHERE r.trace = OLD.trace AND r.seq = OLD.seq)
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'an event is never changed, and its payload goes only with a recorded redaction'
    USING ERRCODE = '${REFUSED}';
END $$;

CREATE FUNCTION ${s}.guard_redaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM ${s}.traces WHERE id = NEW.registry_trace AND protocol = 'registry/1') THEN
    RAISE EXCEPTION 'a redaction needs an event of the registry that records it' USING ERRCODE = '${REFUSED}';
  END IF;
  IF NEW.trace = NEW.registry_trace THEN
    RAISE EXCEPTION 'nothing in the registry can be erased' USING ERRCODE = '${REFUSED}';
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION ${s}.guard_artifact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM ${s}.redactions WHERE artifact = OLD.hash) THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'an artifact goes only with a recorded redaction' USING ERRCODE = '${REFUSED}';
END $$;

CREATE FUNCTION ${s}.guard_chunk() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE the_upload uuid := CASE TG_OP WHEN 'INSERT' THEN NEW.upload ELSE OLD.upload END;
BEGIN
  IF EXISTS (SELECT FROM ${s}.artifacts WHERE upload = the_upload) THEN
    RAISE EXCEPTION '% on the bytes of a stored artifact is refused', TG_OP USING ERRCODE = '${REFUSED}';
  END IF;
  RETURN CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END;
END $$;
`

const fires = (s: string, table: string, name: string, when: string, does: string): string => `
CREATE TRIGGER ${name} BEFORE ${when} ON ${s}.${table} FOR EACH ${does}();
ALTER TABLE ${s}.${table} ENABLE ALWAYS TRIGGER ${name};`

const triggers = (s: string): string =>
  [
    fires(
      s,
      'traces',
      'append_only',
      'UPDATE OR DELETE OR TRUNCATE',
      `STATEMENT EXECUTE FUNCTION ${s}.refuse`,
    ),
    fires(
      s,
      'redactions',
      'append_only',
      'UPDATE OR DELETE OR TRUNCATE',
      `STATEMENT EXECUTE FUNCTION ${s}.refuse`,
    ),
    fires(s, 'redactions', 'guard', 'INSERT', `ROW EXECUTE FUNCTION ${s}.guard_redaction`),
    fires(s, 'events', 'append_only', 'DELETE OR TRUNCATE', `STATEMENT EXECUTE FUNCTION ${s}.refuse`),
    fires(s, 'events', 'guard', 'UPDATE', `ROW EXECUTE FUNCTION ${s}.guard_event`),
    fires(s, 'artifacts', 'append_only', 'UPDATE OR TRUNCATE', `STATEMENT EXECUTE FUNCTION ${s}.refuse`),
    fires(s, 'artifacts', 'guard', 'DELETE', `ROW EXECUTE FUNCTION ${s}.guard_artifact`),
    fires(
      s,
      'artifact_chunks',
      'append_only',
      'UPDATE OR TRUNCATE',
      `STATEMENT EXECUTE FUNCTION ${s}.refuse`,
    ),
    fires(s, 'artifact_chunks', 'guard', 'INSERT OR DELETE', `ROW EXECUTE FUNCTION ${s}.guard_chunk`),
  ].join('\n')

/** The advisory lock of a name within this schema; 64 bits, so that no other user of the database meets it. */
export const lockKey = (schema: string, name: string): string =>
  `hashtextextended('witan/${schema}/' || ${name}, 0)`

// The watch lock is held, shared, by each process that watches the trace. NOTIFY serialises the commits of the whole server,
// so it is paid only when someone listens; a watcher that comes during the append waits for its commit and then
// reads the new head.
const appending = (s: string, schema: string): string => `
CREATE FUNCTION ${s}.append(
  the_trace text, the_protocol text, expected_size integer, expected_hash bytea, prevs bytea[], hashes bytea[],
  headers bytea[], signatures bytea[], payloads bytea[], salts bytea[], registry_size integer
) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  the_id integer;
  head record;
BEGIN
  PERFORM pg_advisory_xact_lock(${lockKey(schema, `'append ' || the_trace`)});
  IF EXISTS (
    SELECT FROM ${s}.events e JOIN ${s}.traces t ON t.id = e.trace
    WHERE t.protocol = 'registry/1' AND e.seq >= registry_size
  ) THEN
    RETURN false;
  END IF;
  SELECT id INTO the_id FROM ${s}.traces WHERE trace = the_trace;
  IF the_id IS NULL THEN
    IF expected_size <> 0 THEN RETURN false; END IF;
    INSERT INTO ${s}.traces (trace, protocol) VALUES (the_trace, the_protocol) RETURNING id INTO the_id;
  ELSE
    SELECT seq + 1 AS size, hash INTO head FROM ${s}.events WHERE trace = the_id ORDER BY seq DESC LIMIT 1;
    IF head.size IS DISTINCT FROM expected_size OR head.hash IS DISTINCT FROM expected_hash THEN
      RETURN false;
    END IF;
  END IF;
  INSERT INTO ${s}.events (trace, seq, prev, hash, header, signature, payload, salt)
    SELECT the_id, expected_size + r.n - 1, r.prev, r.hash, r.header, r.signature, r.payload, r.salt
    FROM unnest(prevs, hashes, headers, signatures, payloads, salts) WITH ORDINALITY
      AS r (prev, hash, header, signature, payload, salt, n);
  IF NOT pg_try_advisory_xact_lock(${lockKey(schema, `'watch ' || the_trace`)}) THEN
    PERFORM pg_notify('${CHANNEL}', the_trace);
  END IF;
  RETURN true;
END $$;
`

const erasing = (s: string): string => `
CREATE FUNCTION ${s}.erase(
  the_trace text, the_seq integer, the_artifact bytea, registry text, registry_seq integer
) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  the_id integer;
  registry_id integer;
  gone uuid;
BEGIN
  SELECT id INTO registry_id FROM ${s}.traces WHERE trace = registry AND protocol = 'registry/1';
  IF NOT EXISTS (SELECT FROM ${s}.events e WHERE e.trace = registry_id AND e.seq = registry_seq) THEN
    RETURN 'no registry event';
  END IF;
  SELECT id INTO the_id FROM ${s}.traces WHERE trace = the_trace;
  IF the_id IS NULL THEN RETURN 'no trace'; END IF;
  IF the_seq IS NOT NULL AND NOT EXISTS (SELECT FROM ${s}.events WHERE trace = the_id AND seq = the_seq) THEN
    RETURN 'no event';
  END IF;
  INSERT INTO ${s}.redactions VALUES (the_id, the_seq, the_artifact, registry_id, registry_seq)
    ON CONFLICT DO NOTHING;
  UPDATE ${s}.events SET payload = NULL, salt = NULL
    WHERE trace = the_id AND seq = the_seq AND payload IS NOT NULL;
  DELETE FROM ${s}.artifacts WHERE hash = the_artifact RETURNING upload INTO gone;
  DELETE FROM ${s}.artifact_chunks WHERE upload = gone;
  RETURN 'erased';
END $$;
`

// Chunks are committed without waiting for the disk: publish() waits, and the log it waits for holds them too.
const uploading = (s: string, schema: string): string => `
CREATE FUNCTION ${s}.put_small(the_hash bytea, the_bytes bytea, the_upload uuid) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF EXISTS (SELECT FROM ${s}.artifacts WHERE hash = the_hash) THEN RETURN; END IF;
  INSERT INTO ${s}.artifact_chunks VALUES (the_upload, 0, the_bytes);
  INSERT INTO ${s}.artifacts VALUES (the_hash, octet_length(the_bytes), the_upload) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN DELETE FROM ${s}.artifact_chunks WHERE upload = the_upload; END IF;
END $$;

CREATE FUNCTION ${s}.put_chunk(the_upload uuid, the_n integer, the_bytes bytea) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM FROM ${s}.uploads WHERE id = the_upload FOR KEY SHARE;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO ${s}.artifact_chunks VALUES (the_upload, the_n, the_bytes) ON CONFLICT DO NOTHING;
  RETURN true;
END $$;

CREATE FUNCTION ${s}.publish(the_upload uuid, the_hash bytea, the_size bigint, chunks integer) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  DELETE FROM ${s}.uploads WHERE id = the_upload;
  IF NOT FOUND THEN RETURN EXISTS (SELECT FROM ${s}.artifacts WHERE hash = the_hash); END IF;
  IF (SELECT count(*) FROM ${s}.artifact_chunks WHERE upload = the_upload) <> chunks THEN
    DELETE FROM ${s}.artifact_chunks WHERE upload = the_upload;
    RETURN false;
  END IF;
  INSERT INTO ${s}.artifacts VALUES (the_hash, the_size, the_upload) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN DELETE FROM ${s}.artifact_chunks WHERE upload = the_upload; END IF;
  RETURN true;
END $$;

CREATE FUNCTION ${s}.discard(the_upload uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  DELETE FROM ${s}.uploads WHERE id = the_upload;
  IF FOUND THEN DELETE FROM ${s}.artifact_chunks WHERE upload = the_upload; END IF;
END $$;

CREATE FUNCTION ${s}.sweep() RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE the_upload uuid;
BEGIN
  FOR the_upload IN SELECT id FROM ${s}.uploads LOOP
    IF pg_try_advisory_xact_lock(${lockKey(schema, `'upload ' || the_upload`)}) THEN
      PERFORM ${s}.discard(the_upload);
    END IF;
  END LOOP;
END $$;
`

/** Everything a new store needs, for one transaction. */
export function schemaSql(schema: string): string {
  const s = `"${schema}"`
  return [
    `CREATE SCHEMA IF NOT EXISTS ${s};`,
    tables(s),
    guards(s),
    triggers(s),
    appending(s, schema),
    erasing(s),
    uploading(s, schema),
  ].join('\n')
}
