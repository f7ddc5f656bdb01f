// One limited read of one file. A link is not followed, a pipe or device is not read, and the type of the
// file is checked on the opened file, not on its name a moment before.

import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Reason } from './exclusion.ts'

export type Read =
  | { readonly bytes: Uint8Array }
  | { readonly reason: Extract<Reason, 'symlink' | 'unreadable' | 'too-large'>; readonly detail?: string }

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

async function whole(file: FileHandle, max: number): Promise<Read> {
  const stat = await file.stat()
  if (!stat.isFile()) return { reason: 'unreadable', detail: 'not a regular file' }
  if (stat.size > max) return { reason: 'too-large', detail: `${stat.size} bytes` }
  const bytes = new Uint8Array(stat.size)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, Math.min(bytes.length - length, 1 << 20))
    if (bytesRead === 0) break
    length += bytesRead
  }
  return { bytes: bytes.subarray(0, length) }
}

export async function readBounded(path: string, max: number): Promise<Read> {
  let file: FileHandle | null = null
  try {
    file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    return await whole(file, max)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return code === 'ELOOP' || code === 'EMLINK'
      ? { reason: 'symlink' }
      : { reason: 'unreadable', detail: code }
  } finally {
    await file?.close()
  }
}
