// Artifacts that are not too long, as rows of the database: a model's request or answer costs one statement, where a
// file of its own costs two flushes and a dozen calls to the system. They go into the same log as the event that names
// them, and before it: anyone who finds the event after a power cut finds them too, and one flush serves all. The longer
// ones are files, and so are all that an older Witan stored.

import { concat, hexDigest, isHash } from '../../ledger/bytes.ts'
import type { ArtifactFiles } from '../artifact-files.ts'
import { sha256 } from '../digest.ts'
import type { ArtifactStat } from '../store.ts'
import type { Connection } from './connection.ts'

/** Up to about here SQLite reads and writes faster than a file system. */
const MOST_BYTES = 64 << 10

/** Node 22 gives SQLite no bytes at all as NULL. */
const PUT = `
  INSERT INTO artifacts(hash, bytes)
  SELECT ?1, coalesce(?2, x'') WHERE NOT EXISTS (SELECT 1 FROM artifacts WHERE hash = ?1)`

const bytesOf = (hash: string): Uint8Array => Buffer.from(hash, 'hex')

/** Only what a redactions row names can be erased. */
export const eraseRow = (connection: Connection, hash: string): void =>
  void connection.run('DELETE FROM artifacts WHERE hash = ?', bytesOf(hash))

async function* all(
  pieces: Iterable<Uint8Array>,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* pieces
  yield* rest
}

/** What a source yields: whole when it fits a row, else as a source again. */
async function gathered(source: AsyncIterable<Uint8Array>): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const pieces: Uint8Array[] = []
  const iterator = source[Symbol.asyncIterator]()
  for (let size = 0; ; ) {
    const { done, value } = await iterator.next()
    if (done) return concat(...pieces)
    // A source may use its buffer again.
    pieces.push(value.slice())
    size += value.length
    if (size > MOST_BYTES) return all(pieces, { [Symbol.asyncIterator]: () => iterator })
  }
}

export function artifactRows(
  connection: Connection,
  files: ArtifactFiles,
  committed: () => void,
): Pick<ArtifactFiles, 'put' | 'stat' | 'open'> {
  let isThere = false

  /** A file that an older Witan made has no such table until it is opened for writing. */
  function hasTable(): boolean {
    isThere ||=
      connection.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'artifacts'") !== undefined
    return isThere
  }

  const row = (columns: string, hash: string) =>
    isHash(hash) && hasTable()
      ? connection.get(`SELECT ${columns} FROM artifacts WHERE hash = ?`, bytesOf(hash))
      : undefined

  function putRow(bytes: Uint8Array): ArtifactStat {
    const hash = hexDigest(sha256, bytes)
    connection.runAlone(true, PUT, bytesOf(hash), bytes)
    committed()
    return { hash, size: bytes.length }
  }

  return {
    async put(bytes) {
      const content = bytes instanceof Uint8Array ? bytes : await gathered(bytes)
      return content instanceof Uint8Array && content.length <= MOST_BYTES
        ? putRow(content)
        : files.put(content)
    },
    async stat(hash) {
      const stored = row('length(bytes) AS size', hash)
      return stored === undefined ? files.stat(hash) : { hash, size: Number(stored.size) }
    },
    async open(hash) {
      const content = row('bytes', hash)?.bytes
      if (!(content instanceof Uint8Array)) return files.open(hash)
      return (async function* () {
        yield content
      })()
    },
  }
}
