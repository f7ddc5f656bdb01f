// Artifacts as files named by the SHA-256 of their bytes. A file appears under its name only when all its bytes
// are on the disk: temporary file, flush, rename, flush of the directory. So a name that exists is whole, an
// interrupted writer leaves nothing but a temporary file that is never read, and writers need no lock: two that
// bring the same bytes rename equal files onto the same name. Only plain files count: a link is never followed, neither
// to read what it points at into a bundle nor to overwrite it, and no pipe or device can block a reader forever.

import { createHash, randomBytes } from 'node:crypto'
import { closeSync, constants, openSync, renameSync, type Stats, writeSync } from 'node:fs'
import { type FileHandle, lstat, open, readdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isHash } from '../ledger/bytes.ts'
import { WitanError } from '../ledger/errors.ts'
import { errnoOf, flush, makeDirectory, onDisk, sharedDirectorySync } from './disk.ts'
import { isRunning, ownMark } from './process-mark.ts'
import type { ArtifactStat } from './store.ts'

export interface ArtifactFiles {
  put(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<ArtifactStat>
  stat(hash: string): Promise<ArtifactStat | null>
  open(hash: string): Promise<AsyncIterable<Uint8Array> | null>
  /** Overwrites the bytes before the name goes; also those that an interrupted writer left behind. */
  erase(hash: string): Promise<void>
}

const CHUNK_BYTES = 256 * 1024
const STALE_MS = 3_600_000
/** Names its writer, so that what a dead one left is known at once; a writer on another host counts by age. */
const TEMPORARY = /^([\w.-]*)~([0-9]+)~([\w.-]*)~[0-9a-f]{16}$/
const plain = (host: string): string => host.replace(/[^\w.-]/g, '_')
const ZEROS = new Uint8Array(CHUNK_BYTES)
/** Should something else have taken the place of the file in the moment since it was looked at. Not on Windows. */
const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

async function absentAsNull<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null
    throw error
  }
}

const plainFile = async (path: string): Promise<Stats | null> => {
  const there = await absentAsNull(() => lstat(path))
  return there?.isFile() ? there : null
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done, bytes.length - done)).bytesWritten
  }
}

async function* readAll(path: string, hash: string): AsyncGenerator<Uint8Array> {
  const handle = await absentAsNull(() => open(path, constants.O_RDONLY | NO_FOLLOW))
  if (handle === null) {
    throw new WitanError('ARTIFACT_NOT_FOUND', `artifact ${hash} is gone`, 'It was erased meanwhile.')
  }
  try {
    for (;;) {
      const buffer = new Uint8Array(CHUNK_BYTES)
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

/** Unlinking alone would leave the bytes to anyone who reads the freed blocks. */
async function overwrite(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDWR | NO_FOLLOW)
  try {
    const { size } = await handle.stat()
    for (let at = 0; at < size; at += CHUNK_BYTES) {
      await handle.write(ZEROS, 0, Math.min(CHUNK_BYTES, size - at), at)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A directory is none of ours and stays; of a link only the link goes. */
async function scrub(path: string): Promise<void> {
  const there = await lstat(path)
  if (there.isDirectory()) return
  if (there.isFile()) await overwrite(path)
  await unlink(path)
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** In one go: so few bytes are with the system sooner than another thread would have taken them over. */
async function writeNow(path: string, bytes: Uint8Array): Promise<void> {
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done)
    await flush(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export function openArtifactFiles(directory: string): ArtifactFiles {
  const root = join(directory, 'artifacts')
  const temporary = join(root, 'tmp')
  const flushed = new Set<string>()
  const syncDirectory = sharedDirectorySync()
  let swept = false

  const pathOf = (hash: string): string => join(root, hash.slice(0, 2), hash)

  /** Its own entry in the parent is flushed too, once: another process may have made it and died before that. */
  async function ensure(folder: string): Promise<void> {
    if (flushed.has(folder)) return
    await makeDirectory(folder)
    await syncDirectory(dirname(folder))
    flushed.add(folder)
  }

  async function isStale(name: string): Promise<boolean> {
    const [, host, pid, started] = TEMPORARY.exec(name) ?? []
    const own = ownMark()
    if (host === plain(own.host))
      return !isRunning({ host: own.host, pid: Number(pid), started: started ?? '' })
    const stats = await absentAsNull(() => lstat(join(temporary, name)))
    return stats !== null && Date.now() - stats.mtimeMs > STALE_MS
  }

  async function sweep(): Promise<void> {
    for (const name of (await absentAsNull(() => readdir(temporary))) ?? []) {
      if (await isStale(name)) await absentAsNull(() => scrub(join(temporary, name)))
    }
  }

  async function prepare(): Promise<string> {
    for (const folder of [root, temporary]) await ensure(folder)
    if (!swept) await sweep()
    swept = true
    const { host, pid, started } = ownMark()
    return join(temporary, `${plain(host)}~${pid}~${started}~${randomBytes(8).toString('hex')}`)
  }

  async function write(path: string, source: AsyncIterable<Uint8Array>): Promise<ArtifactStat> {
    const handle = await onDisk(path, () => open(path, 'wx', 0o600))
    try {
      const digest = createHash('sha256')
      let size = 0
      for await (const chunk of source) {
        digest.update(chunk)
        size += chunk.length
        await onDisk(path, () => writeAll(handle, chunk))
      }
      await onDisk(path, () => handle.sync())
      return { hash: digest.digest('hex'), size }
    } finally {
      await handle.close()
    }
  }

  async function publish(path: string, hash: string): Promise<void> {
    const target = pathOf(hash)
    await ensure(dirname(target))
    try {
      renameSync(path, target)
    } catch (error) {
      if (errnoOf(error) !== 'EISDIR') throw error
      const next = 'Move the directory away and try again; nothing was lost.'
      throw new WitanError('VAULT_CORRUPT', `${target}: a directory is where an artifact belongs`, next)
    }
    await syncDirectory(dirname(target))
  }

  async function putStream(source: AsyncIterable<Uint8Array>): Promise<ArtifactStat> {
    const path = await onDisk(root, prepare)
    try {
      const artifact = await write(path, source)
      await onDisk(root, () => publish(path, artifact.hash))
      return artifact
    } catch (error) {
      await absentAsNull(() => unlink(path))
      throw error
    }
  }

  /** Its name is known beforehand, so that its folder is made ready meanwhile. */
  async function putWhole(bytes: Uint8Array, hash: string): Promise<ArtifactStat> {
    const path = await onDisk(root, prepare)
    try {
      await onDisk(root, async () => {
        await Promise.all([writeNow(path, bytes), ensure(dirname(pathOf(hash)))])
        await publish(path, hash)
      })
      return { hash, size: bytes.length }
    } catch (error) {
      await absentAsNull(() => unlink(path))
      throw error
    }
  }

  /** The same bytes twice at once, as when several are asked the same, are written once. */
  const underWay = new Map<string, Promise<ArtifactStat>>()

  function putOnce(bytes: Uint8Array): Promise<ArtifactStat> {
    const hash = createHash('sha256').update(bytes).digest('hex')
    const known = underWay.get(hash)
    if (known) return known
    const writing = putWhole(bytes, hash).finally(() => underWay.delete(hash))
    underWay.set(hash, writing)
    return writing
  }

  return {
    async put(bytes) {
      if (!(bytes instanceof Uint8Array)) return putStream(bytes)
      return bytes.length <= CHUNK_BYTES ? putOnce(bytes) : putStream(once(bytes))
    },

    async stat(hash) {
      if (!isHash(hash)) return null
      const file = await plainFile(pathOf(hash))
      return file && { hash, size: file.size }
    },

    async open(hash) {
      if (!isHash(hash) || !(await plainFile(pathOf(hash)))) return null
      return readAll(pathOf(hash), hash)
    },

    async erase(hash) {
      if (!isHash(hash)) return
      await onDisk(root, async () => {
        await sweep()
        const gone = await absentAsNull(async () => {
          await scrub(pathOf(hash))
          return true
        })
        if (gone) await syncDirectory(dirname(pathOf(hash)))
      })
    },
  }
}
