// The content of changed files after the change: from the working folder, or from the repository's object
// store, which is asked once for all of them. Nothing larger than a file of a snapshot is read.

import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { decode } from '../ledger/decode.ts'
import type { Changed } from './changed-files.ts'
import type { Reason } from './exclusion.ts'
import type { Repository } from './git.ts'
import { readBounded } from './read-file.ts'
import { SNAPSHOT_LIMITS } from './snapshot.ts'

export type Content = { readonly text: string; readonly bytes: number } | { readonly reason: Reason }

const NONE: Content = { text: '', bytes: 0 }
const MAX_TOTAL = 32 * 1024 * 1024

function decoded(bytes: Uint8Array): Content {
  const decoding = decode(bytes)
  return decoding === null ? { reason: 'binary' } : { text: decoding.text, bytes: bytes.length }
}

/** As it is in the working folder, unless a link leads to it. */
async function fromFolder(top: string, path: string): Promise<Content> {
  const real = await realpath(join(top, path)).catch(() => null)
  if (real === null) return { reason: 'unreadable' }
  if (real !== join(await realpath(top), path)) return { reason: 'symlink' }
  const read = await readBounded(real, SNAPSHOT_LIMITS.fileBytes)
  return 'bytes' in read ? decoded(read.bytes) : { reason: read.reason }
}

/** The blobs that are small enough, and why the others are not read. */
async function readSizes(repo: Repository, blobs: readonly string[]): Promise<Map<string, Content | null>> {
  const { out } = await repo.git(['cat-file', '--batch-check'], `${blobs.join('\n')}\n`)
  const known = new Map<string, Content | null>(blobs.map((blob) => [blob, { reason: 'unreadable' }]))
  let total = 0
  for (const line of out.toString('utf8').split('\n')) {
    const [blob = '', type, size] = line.split(' ')
    if (type !== 'blob' || !known.has(blob)) continue
    const large = Number(size) > SNAPSHOT_LIMITS.fileBytes
    if (!large) total += Number(size)
    known.set(blob, large ? { reason: 'too-large' } : total > MAX_TOTAL ? { reason: 'over-limit' } : null)
  }
  return known
}

/** The answers of `cat-file --batch`: a line with the size, then that many bytes and a line end. */
function* batchIn(out: Buffer): Generator<readonly [blob: string, bytes: Buffer]> {
  for (let at = 0; at < out.length; ) {
    const end = out.indexOf(10, at)
    if (end === -1) return
    const [blob = '', type, size = ''] = out.toString('utf8', at, end).split(' ')
    const length = type === 'blob' ? Number(size) : 0
    if (type === 'blob') yield [blob, out.subarray(end + 1, end + 1 + length)]
    at = end + 1 + (type === 'blob' ? length + 1 : 0)
  }
}

async function fromStore(repo: Repository, blobs: readonly string[]): Promise<ReadonlyMap<string, Content>> {
  if (blobs.length === 0) return new Map()
  const sizes = await readSizes(repo, blobs)
  const wanted = [...sizes].flatMap(([blob, verdict]) => (verdict === null ? [blob] : []))
  const contents = new Map<string, Content>(
    [...sizes].flatMap(([blob, verdict]) => (verdict ? [[blob, verdict]] : [])),
  )
  if (wanted.length === 0) return contents
  const { out } = await repo.git(['cat-file', '--batch'], `${wanted.join('\n')}\n`)
  for (const [blob, bytes] of batchIn(out)) contents.set(blob, decoded(bytes))
  return contents
}

/** How to read each changed file after the change; `to` is null for the working folder. */
export async function readContents(
  repo: Repository,
  to: string | null,
  changed: readonly Changed[],
): Promise<(change: Changed) => Promise<Content>> {
  const blobs = to === null ? [] : [...new Set(changed.flatMap(({ blob }) => blob ?? []))]
  const stored = await fromStore(repo, blobs)
  return async ({ status, path, blob }) => {
    if (status === 'deleted') return NONE
    if (to === null) return fromFolder(repo.top, path)
    return blob === null ? NONE : (stored.get(blob) ?? { reason: 'unreadable' })
  }
}
