// The tables of a store and the guards in them. The guards are the store's own: any program that opens the file
// with SQLite meets them, whether or not it goes through this code. Events, traces and redactions only ever grow;
// the single permitted UPDATE erases a payload that a redactions row names, the single permitted DELETE an artifact
// that one names, and that row needs an event of the registry. INSERT triggers repeat what UNIQUE says because INSERT OR REPLACE removes the old row without asking
// the DELETE triggers.

import { REGISTRY_PROTOCOL } from '../../ledger/event.ts'

/** "Witn": marks our files in the SQLite header, where `file` and we ourselves find it without opening them. */
export const APPLICATION_ID = 0x5769746e
/** Version 1 had no table of artifacts: all of them were files. */
export const SCHEMA_VERSION = 2

/**
 * A row is about 1.7 KB: pages of 4 or 8 KiB hold two or four and waste a fifth (1.40 × the canonical bytes);
 * 16 KiB hold nine (1.25 ×) at the same append rate, 32 KiB save 5 % more but append more slowly.
 */
export const PAGE_BYTES = 16_384

/** What the triggers say when an event is already there: the head moved, nothing is wrong with the caller. */
export const PLACE_TAKEN = 'witan: this place in the trace is taken'

const refuseTrigger = (table: string, verb: 'UPDATE' | 'DELETE'): string => `
  CREATE TRIGGER ${table}_refuse_${verb.toLowerCase()} BEFORE ${verb} ON ${table} BEGIN
    SELECT RAISE(ABORT, 'witan: ${table} are append-only');
  END;`

const tables = `
  CREATE TABLE traces(
    id INTEGER PRIMARY KEY,
    trace TEXT NOT NULL UNIQUE,
    protocol TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX one_registry ON traces(protocol) WHERE protocol = '${REGISTRY_PROTOCOL}';

  CREATE TABLE events(
    id INTEGER PRIMARY KEY,
    trace INTEGER NOT NULL REFERENCES traces(id),
    seq INTEGER NOT NULL CHECK (seq >= 0),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    prev BLOB NOT NULL CHECK (length(prev) = 32),
    signature BLOB NOT NULL,
    header BLOB NOT NULL,
    payload BLOB,
    salt BLOB CHECK ((salt IS NULL) = (payload IS NULL)),
    UNIQUE (trace, seq),
    UNIQUE (trace, prev)
  ) STRICT;

  CREATE TABLE redactions(
    id INTEGER PRIMARY KEY,
    trace INTEGER NOT NULL REFERENCES traces(id),
    seq INTEGER,
    artifact BLOB CHECK ((artifact IS NULL) <> (seq IS NULL)),
    registry INTEGER NOT NULL,
    registry_seq INTEGER NOT NULL,
    FOREIGN KEY (trace, seq) REFERENCES events(trace, seq),
    FOREIGN KEY (registry, registry_seq) REFERENCES events(trace, seq)
  ) STRICT;
  CREATE INDEX redactions_of ON redactions(trace, seq);

  CREATE TABLE attendance(
    id INTEGER PRIMARY KEY,
    clerk TEXT NOT NULL,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    started TEXT NOT NULL
  ) STRICT;`

const eventGuards = `
  CREATE TRIGGER events_refuse_replace BEFORE INSERT ON events
  WHEN EXISTS (SELECT 1 FROM events WHERE trace = NEW.trace AND seq = NEW.seq)
    OR EXISTS (SELECT 1 FROM events WHERE id = NEW.id)
  BEGIN
    SELECT RAISE(ABORT, '${PLACE_TAKEN}');
  END;

  CREATE TRIGGER events_refuse_gap BEFORE INSERT ON events
  WHEN NOT (NEW.seq = 0 AND NEW.prev = zeroblob(32)) AND NOT EXISTS (
    SELECT 1 FROM events WHERE trace = NEW.trace AND seq = NEW.seq - 1 AND hash = NEW.prev
  )
  BEGIN
    SELECT RAISE(ABORT, 'witan: the event does not follow the last one of its trace');
  END;

  CREATE TRIGGER events_refuse_update BEFORE UPDATE ON events
  WHEN NOT (
    NEW.payload IS NULL AND NEW.salt IS NULL
    AND NEW.id = OLD.id AND NEW.trace = OLD.trace AND NEW.seq = OLD.seq AND NEW.hash = OLD.hash
    AND NEW.prev = OLD.prev AND NEW.signature = OLD.signature AND NEW.header = OLD.header
    AND EXISTS (SELECT 1 FROM redactions WHERE trace = OLD.trace AND seq = OLD.seq)
  )
  BEGIN
    SELECT RAISE(ABORT, 'witan: events are append-only, and a payload goes only with a recorded redaction');
  END;`

const otherGuards = `
  CREATE TRIGGER traces_refuse_replace BEFORE INSERT ON traces
  WHEN EXISTS (SELECT 1 FROM traces WHERE trace = NEW.trace OR id = NEW.id) BEGIN
    SELECT RAISE(ABORT, '${PLACE_TAKEN}');
  END;

  CREATE TRIGGER traces_refuse_second_registry BEFORE INSERT ON traces
  WHEN NEW.protocol = '${REGISTRY_PROTOCOL}'
    AND EXISTS (SELECT 1 FROM traces WHERE protocol = '${REGISTRY_PROTOCOL}') BEGIN
    SELECT RAISE(ABORT, 'witan: a vault has one registry, and this one has it already');
  END;

  CREATE TRIGGER redactions_refuse_replace BEFORE INSERT ON redactions
  WHEN EXISTS (SELECT 1 FROM redactions WHERE id = NEW.id) BEGIN
    SELECT RAISE(ABORT, 'witan: redactions are append-only');
  END;

  CREATE TRIGGER redactions_refuse_unrecorded BEFORE INSERT ON redactions
  WHEN NOT EXISTS (
    SELECT 1 FROM traces JOIN events ON events.trace = traces.id
    WHERE traces.id = NEW.registry AND traces.protocol = '${REGISTRY_PROTOCOL}' AND events.seq = NEW.registry_seq
  )
  BEGIN
    SELECT RAISE(ABORT, 'witan: a redaction needs the event of the registry that records it');
  END;

  CREATE TRIGGER redactions_refuse_registry BEFORE INSERT ON redactions WHEN NEW.trace = NEW.registry BEGIN
    SELECT RAISE(ABORT, 'witan: nothing in the registry can be erased');
  END;`

/** What version 2 adds. An artifact that is not too long is a row; the longer ones are files. */
const artifacts = `
  CREATE TABLE artifacts(
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    bytes BLOB NOT NULL
  ) STRICT;

  CREATE TRIGGER artifacts_refuse_replace BEFORE INSERT ON artifacts
  WHEN EXISTS (SELECT 1 FROM artifacts WHERE hash = NEW.hash OR id = NEW.id) BEGIN
    SELECT RAISE(ABORT, 'witan: this artifact is already there');
  END;

  CREATE TRIGGER artifacts_refuse_delete BEFORE DELETE ON artifacts
  WHEN NOT EXISTS (SELECT 1 FROM redactions WHERE artifact = OLD.hash) BEGIN
    SELECT RAISE(ABORT, 'witan: an artifact goes only with a recorded redaction');
  END;`

const version = `PRAGMA user_version = ${SCHEMA_VERSION};`

export const FROM_VERSION_1 = [artifacts, refuseTrigger('artifacts', 'UPDATE'), version].join('\n')

export const DDL = [
  tables,
  eventGuards,
  refuseTrigger('events', 'DELETE'),
  otherGuards,
  refuseTrigger('traces', 'UPDATE'),
  refuseTrigger('traces', 'DELETE'),
  refuseTrigger('redactions', 'UPDATE'),
  refuseTrigger('redactions', 'DELETE'),
  `PRAGMA application_id = ${APPLICATION_ID};`,
  FROM_VERSION_1,
].join('\n')
