// What a file system reports, said as one of our coded errors. Anything else passes through as it is: a caller's
// own fault, or a bug, must not come out dressed as trouble with the disk.

import { closeSync, fsync, openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { type ErrorCode, WitanError } from '../ledger/errors.ts'

export type Fault = readonly [code: ErrorCode, what: string, next: string]

export const FULL: Fault = [
  'DISK_FULL',
  'there is no space left',
  'Free some space and try again; what was stored before is whole.',
]

export const READONLY: Fault = [
  'HOME_READONLY',
  'it cannot be written to',
  'Make the directory and its files writable for this user, or work on a writable copy.',
]

export const BROKEN: Fault = [
  'VAULT_UNREACHABLE',
  'the storage reports an error',
  'Check the disk or the mount, then try again.',
]

const ERRNO: ReadonlyMap<string, Fault> = new Map([
  ['ENOSPC', FULL],
  ['EDQUOT', FULL],
  ['EROFS', READONLY],
  ['EACCES', READONLY],
  ['EPERM', READONLY],
  ['EIO', BROKEN],
])

export const asError = ([code, what, next]: Fault, where: string, cause: unknown): WitanError =>
  new WitanError(
    code,
    `${where}: ${what} (${cause instanceof Error ? cause.message : String(cause)})`,
    next,
    {
      cause,
    },
  )

export const errnoOf = (error: unknown): string =>
  String((error as { readonly code?: unknown } | null)?.code ?? '')

/** For calls to the file system alone: a caller's stream may fail with the same codes and mean another file. */
export async function onDisk<Result>(where: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const fault = ERRNO.get(errnoOf(error))
    throw fault ? asError(fault, where, error) : error
  }
}

export const flush: (descriptor: number) => Promise<void> = promisify(fsync)

/**
 * A new or renamed file survives a power cut only once its directory has been flushed too. Only the flush waits for
 * the disk, so that only the flush is worth a thread.
 */
export async function syncDirectory(directory: string): Promise<void> {
  const descriptor = openSync(directory, 'r')
  try {
    await flush(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * For many who need the same directories flushed: anyone who comes while a flush is under way, which may have begun too
 * early for them, shares the one after it.
 */
export function sharedDirectorySync(
  sync: (directory: string) => Promise<void> = syncDirectory,
): (directory: string) => Promise<void> {
  const running = new Map<string, Promise<void>>()
  const following = new Map<string, Promise<void>>()

  function startSync(directory: string): Promise<void> {
    following.delete(directory)
    const syncing = sync(directory).finally(() => {
      if (running.get(directory) === syncing) running.delete(directory)
    })
    running.set(directory, syncing)
    return syncing
  }

  return (directory) => {
    const current = running.get(directory)
    if (!current) return startSync(directory)
    const next = following.get(directory) ?? current.catch(() => undefined).then(() => startSync(directory))
    following.set(directory, next)
    return next
  }
}

const cannotMakeFolder = (directory: string, cause: unknown): WitanError =>
  new WitanError(
    'FILE_NOT_FOUND',
    `the folder ${directory} cannot be created: its parent is not a folder, or is a link that leads nowhere`,
    'Name another path, for a home with `--home DIR`.',
    { cause },
  )

/** For its owner alone, with the parents it needs. `recursive` would report a read-only disk as ENOENT. */
export async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { mode: 0o700 })
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return
    if (errnoOf(error) !== 'ENOENT' || dirname(directory) === directory) throw error
    await makeDirectory(dirname(directory))
    // Once more and no further: below a link that leads nowhere, and in /proc, it is missing no matter what stands above it.
    await mkdir(directory, { mode: 0o700 }).catch((again: unknown) => {
      if (errnoOf(again) === 'ENOENT') throw cannotMakeFolder(directory, again)
      if (errnoOf(again) !== 'EEXIST') throw again
    })
  }
}
