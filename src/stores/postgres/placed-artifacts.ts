// Where an artifact lies: in rows of the database, or, beyond a size and where there is one, in the shared folder. The
// database knows of both, so that a machine without the folder tells "not reachable from here" from "not there".

import type { ArtifactStat } from '../store.ts'
import { type ArtifactRows, type FoundRow, pieces } from './artifacts.ts'
import { type SharedFolder, unreachable } from './shared-folder.ts'

export interface PlacedArtifacts {
  put(source: Uint8Array | AsyncIterable<Uint8Array>): Promise<ArtifactStat>
  stat(hash: string): Promise<ArtifactStat | null>
  open(hash: string): Promise<AsyncIterable<Uint8Array> | null>
  /** Makes sure that their bytes can be erased from here, and gives what erases those outside the database. */
  eraser(hashes: readonly string[]): Promise<() => Promise<void>>
}

async function* joined(
  first: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

const elsewhere = (hash: string): Error =>
  unreachable(
    `artifact ${hash} lies in the shared folder, and this machine names none`,
    'Set vault.artifacts.folder in config.yaml, or WITAN_ARTIFACTS_FOLDER, to where it is mounted.',
  )

export function placedArtifacts(rows: ArtifactRows, folder: SharedFolder | null): PlacedArtifacts {
  /** What fits the database is held until its end is seen; it is bounded by the setting. */
  async function put(source: Uint8Array | AsyncIterable<Uint8Array>): Promise<ArtifactStat> {
    if (folder === null) return rows.put(source)
    if (source instanceof Uint8Array && source.length <= folder.above) return rows.put(source)
    const buffered: Uint8Array[] = []
    const rest = pieces(source)
    for (let size = 0; size <= folder.above; ) {
      const next = await rest.next()
      if (next.done) return rows.put(Buffer.concat(buffered))
      buffered.push(next.value)
      size += next.value.length
    }
    await folder.check()
    const artifact = await folder.files.put(joined(buffered, rest))
    // Someone stored the same bytes in the database: one copy is enough, and one is to be erased one day.
    if (!(await rows.note(artifact))) await folder.files.erase(artifact.hash)
    return artifact
  }

  async function fromFolder(hash: string, { size }: FoundRow): Promise<AsyncIterable<Uint8Array>> {
    if (folder === null) throw elsewhere(hash)
    await folder.check()
    const opened = await folder.files.open(hash)
    if (opened) return opened
    throw unreachable(
      `artifact ${hash} of ${size} bytes is missing in ${folder.folder}`,
      'Restore the folder from the backup that belongs to the database.',
    )
  }

  return {
    put,
    async stat(hash) {
      const row = await rows.find(hash)
      return row && { hash, size: row.size }
    },
    async open(hash) {
      const row = await rows.find(hash)
      if (row === null) return null
      return row.here ? rows.chunks(row) : fromFolder(hash, row)
    },
    async eraser(hashes) {
      if (folder === null) {
        for (const hash of hashes) if ((await rows.find(hash))?.here === false) throw elsewhere(hash)
        return async () => undefined
      }
      if (hashes.length > 0) await folder.check()
      return async () => {
        for (const hash of hashes) await folder.files.erase(hash)
      }
    },
  }
}
