// Artifacts as rows of about one megabyte, so that an artifact of any size passes through a small, fixed amount of
// memory. One whose row has no chunks lies in the shared folder instead. What fits one row is stored in one transaction.
// Anything longer is an upload, invisible until the whole of it is published under its hash; the upload of a process that
// died is known by the lock that is not held any more and is swept before the next upload.

import { createHash, randomUUID } from 'node:crypto'
import { isHash } from '../../ledger/bytes.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { ArtifactStat } from '../store.ts'
import type { Connections, Statement } from './connection.ts'
import type { Presence } from './presence.ts'

export interface ArtifactRows {
  put(source: Uint8Array | AsyncIterable<Uint8Array>): Promise<ArtifactStat>
  /** Makes known an artifact whose bytes lie in the shared folder; false when they lie in rows already. */
  note(artifact: ArtifactStat): Promise<boolean>
  find(hash: string): Promise<FoundRow | null>
  chunks(row: FoundRow): AsyncIterable<Uint8Array>
}

export interface FoundRow {
  readonly size: number
  readonly upload: string
  /** False when the bytes lie in the shared folder. */
  readonly here: boolean
}

interface Upload {
  add(piece: Buffer): Promise<void>
  publish(hash: Buffer, size: number): Promise<void>
  /** Ends the upload; what was not published is removed. */
  end(): Promise<void>
}

const CHUNK = 1 << 20
const ATTEMPTS = 5

/** The same bytes in pieces of CHUNK, the last one shorter. Copies: a source may reuse what it yielded. */
export async function* pieces(source: Uint8Array | AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  if (source instanceof Uint8Array) {
    const all = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    for (let at = 0; at < all.length; at += CHUNK) yield all.subarray(at, at + CHUNK)
    return
  }
  let piece = Buffer.allocUnsafe(CHUNK)
  let filled = 0
  for await (const bytes of source) {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + CHUNK - filled)
      piece.set(part, filled)
      at += part.length
      filled += part.length
      if (filled < CHUNK) continue
      yield piece
      piece = Buffer.allocUnsafe(CHUNK)
      filled = 0
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
}

/** A crash of the server took chunks that were not yet on its disk, or the upload was swept while it was away. */
class CutOff extends WitanError {
  constructor() {
    super(
      'VAULT_UNREACHABLE',
      'the server went away while the artifact was stored',
      'Store the artifact again.',
    )
  }
}

export function openArtifactRows(connections: Connections, presence: Presence, schema: string): ArtifactRows {
  const s = `"${schema}"`
  const statement = (name: string, text: string): Statement => ({ name: `witan_${name}`, text })
  const PUT_SMALL = statement('put_small', `SELECT ${s}.put_small($1, $2, $3)`)
  const SWEEP = statement('sweep', `SELECT ${s}.sweep()`)
  const BEGIN = statement('begin', `INSERT INTO ${s}.uploads VALUES ($1) ON CONFLICT DO NOTHING`)
  const PUT_CHUNK = statement('put_chunk', `SELECT ${s}.put_chunk($1, $2, $3) AS kept`)
  const PUBLISH = statement('publish', `SELECT ${s}.publish($1, $2, $3, $4) AS kept`)
  const DISCARD = statement('discard', `SELECT ${s}.discard($1)`)
  const STAT = statement(
    'stat',
    `SELECT a.size::float8 AS size, a.upload,
      EXISTS (SELECT FROM ${s}.artifact_chunks c WHERE c.upload = a.upload AND c.n = 0) AS here
    FROM ${s}.artifacts a WHERE a.hash = $1`,
  )
  const CHUNKS = statement('chunk', `SELECT bytes FROM ${s}.artifact_chunks WHERE upload = $1 AND n = $2`)

  async function beginUpload(): Promise<Upload> {
    await connections.query(SWEEP, [])
    const id = randomUUID()
    const release = await presence.hold(`upload ${id}`)
    await connections.query(BEGIN, [id]).catch(async (error: unknown) => {
      await release()
      throw error
    })
    let chunks = 0
    let published = false
    return {
      async add(piece) {
        const [row] = await connections.query<{ kept: boolean }>(PUT_CHUNK, [id, chunks, piece])
        if (!row?.kept) throw new CutOff()
        chunks += 1
      },
      async publish(hash, size) {
        const [row] = await connections.query<{ kept: boolean }>(PUBLISH, [id, hash, size, chunks])
        if (!row?.kept) throw new CutOff()
        published = true
      },
      async end() {
        // A failure to remove is nothing lost: the sweep finds it.
        if (!published) await connections.query(DISCARD, [id]).catch(() => {})
        await release()
      },
    }
  }

  /** Bytes in hand can be stored again after a crash of the server; a stream is used up. */
  async function put(source: Uint8Array | AsyncIterable<Uint8Array>): Promise<ArtifactStat> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await store(source)
      } catch (error) {
        const again = error instanceof CutOff && source instanceof Uint8Array && attempt < ATTEMPTS
        if (!again) throw error
      }
    }
  }

  async function store(source: Uint8Array | AsyncIterable<Uint8Array>): Promise<ArtifactStat> {
    const digest = createHash('sha256')
    let size = 0
    let last: Buffer = Buffer.alloc(0)
    let upload: Upload | null = null
    try {
      for await (const piece of pieces(source)) {
        if (size > 0) {
          upload ??= await beginUpload()
          await upload.add(last)
        }
        digest.update(piece)
        size += piece.length
        last = piece
      }
      const hash = digest.digest()
      if (upload === null) {
        await connections.query(PUT_SMALL, [hash, last, randomUUID()])
      } else {
        await upload.add(last)
        await upload.publish(hash, size)
      }
      return { hash: hash.toString('hex'), size }
    } finally {
      await upload?.end()
    }
  }

  async function find(hash: string): Promise<FoundRow | null> {
    if (!isHash(hash)) return null
    const [row] = await connections.query<FoundRow>(STAT, [Buffer.from(hash, 'hex')])
    return row ?? null
  }

  async function* chunks({ upload }: FoundRow): AsyncGenerator<Uint8Array> {
    for (let n = 0; ; n++) {
      const [row] = await connections.query<{ bytes: Buffer }>(CHUNKS, [upload, n])
      if (row === undefined) return
      if (row.bytes.length > 0) yield row.bytes
    }
  }

  return {
    put,
    async note({ hash, size }) {
      const upload = await beginUpload()
      try {
        await upload.publish(Buffer.from(hash, 'hex'), size)
      } finally {
        await upload.end()
      }
      return (await find(hash))?.here === false
    },
    find,
    chunks,
  }
}
