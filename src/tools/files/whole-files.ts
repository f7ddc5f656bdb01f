// Whole files in and out. Reading stops at the limit; writing is a temporary file in the same folder and one rename,
// so that a reader sees the old content or the new, and a link that is there is replaced and never followed.

import { createHash, randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path/posix'
import type { Place } from '../allowed-paths.ts'
import { Fault } from '../call-tool.ts'
import { createFile, type Folder, lookAt, openFile, withFolder } from './folder.ts'
import { checkNames } from './linked-names.ts'

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function contentIn(folder: Folder, name: string, maxBytes: number, place: Place): Promise<Uint8Array> {
  const handle = await openFile(folder, name)
  try {
    const file = await handle.stat()
    await checkNames(file, place)
    const { size } = file
    if (size > maxBytes) throw new Fault('output_too_large', `the file has ${size} bytes, over ${maxBytes}`)
    // It may be growing right now.
    const buffer = Buffer.alloc(size)
    let length = 0
    while (length < size) {
      const { bytesRead } = await handle.read(buffer, length, size - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return buffer.subarray(0, length)
  } finally {
    await handle.close()
  }
}

export async function readContent(place: Place, maxBytes: number): Promise<Uint8Array> {
  if (place.path === place.realRoot) throw new Fault('error', 'the path is a folder')
  if (!place.exists) throw new Fault('not_found', 'there is no such file')
  return withFolder(dirname(place.path), (folder) => contentIn(folder, basename(place.path), maxBytes, place))
}

export interface Written {
  /** Of the earlier content; null when there was none. */
  readonly before: string | null
  readonly after: string
}

/** `next` gets the current content and returns the new one. */
export async function replaceContent(
  place: Place,
  maxBytes: number,
  next: (before: Uint8Array | null) => Uint8Array,
): Promise<Written> {
  return withFolder(dirname(place.path), async (folder) => {
    const name = basename(place.path)
    const there = await lookAt(folder, name)
    const before = there === null ? null : await contentIn(folder, name, maxBytes, place)
    const content = next(before)
    if (content.length > maxBytes) {
      throw new Fault('denied', `the content has ${content.length} bytes, over ${maxBytes}`)
    }
    const temporary = `.witan-${randomBytes(8).toString('hex')}.tmp`
    const handle = await createFile(folder, temporary, there?.mode ?? 0o666)
    try {
      await handle.writeFile(content)
      if (there !== null) await handle.chmod(there.mode)
      await handle.sync()
      await handle.close()
      await rename(folder.at(temporary), folder.at(name))
    } catch (error) {
      await handle.close().catch(() => {})
      await rm(folder.at(temporary), { force: true })
      throw error
    }
    return { before: before === null ? null : sha256(before), after: sha256(content) }
  })
}
