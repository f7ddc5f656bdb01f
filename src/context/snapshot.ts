// The current content of the given files, read once and within limits. It is raw: it leaves this room only
// through a pack, which cleans it first.

import { decode } from '../ledger/decode.ts'
import { linesOf } from '../ledger/text/lines.ts'
import { byPath, type Exclusion } from './exclusion.ts'
import { readBounded } from './read-file.ts'
import { type Found, type WalkLimits, walk } from './walk.ts'

/** A file of a snapshot, as text. */
export interface SnapshotFile {
  readonly path: string
  readonly raw: string
  readonly bytes: number
  readonly lines: number
  readonly named: boolean
}

/** The files of a folder as they were at one moment, with those left out. */
export interface Snapshot {
  readonly files: readonly SnapshotFile[]
  readonly excluded: readonly Exclusion[]
}

/** How much of a folder is read at most. */
export interface SnapshotLimits extends WalkLimits {
  readonly fileBytes: number
  readonly totalBytes: number
}

/** How much of a folder is read at most, where it is not set. */
export const SNAPSHOT_LIMITS: SnapshotLimits = {
  entries: 50_000,
  files: 5_000,
  fileBytes: 1_048_576,
  totalBytes: 67_108_864,
}

const AT_ONCE = 16

async function readFound({ path, absolute, named }: Found, max: number): Promise<SnapshotFile | Exclusion> {
  const read = await readBounded(absolute, max)
  if (!('bytes' in read)) return { path, ...read }
  const decoded = decode(read.bytes)
  if (decoded === null) return { path, reason: 'binary' }
  return { path, raw: decoded.text, bytes: read.bytes.length, lines: linesOf(decoded.text).length, named }
}

/** Reads a folder once, without what must not leave it. */
export async function takeSnapshot(
  root: string,
  paths: readonly string[],
  limits: Partial<SnapshotLimits> = {},
): Promise<Snapshot> {
  const { fileBytes, totalBytes, ...walking } = { ...SNAPSHOT_LIMITS, ...limits }
  const walked = await walk(root, paths, walking)
  const files: SnapshotFile[] = []
  const excluded: Exclusion[] = [...walked.excluded]
  let total = 0
  for (let i = 0; i < walked.files.length; i += AT_ONCE) {
    const batch = walked.files.slice(i, i + AT_ONCE)
    const read = total > totalBytes ? [] : await Promise.all(batch.map((each) => readFound(each, fileBytes)))
    for (const [n, { path }] of batch.entries()) {
      const each = read[n]
      if (each && 'reason' in each) excluded.push(each)
      else if (each && total + each.bytes <= totalBytes) {
        total += each.bytes
        files.push(each)
      } else excluded.push({ path, reason: 'over-limit' })
    }
  }
  return { files: files.sort(byPath), excluded: excluded.sort(byPath) }
}
