// Every error as a code, a sentence and a next step, the same for every entrance.

import { type ErrorCode, WitanError } from '../ledger/errors.ts'
import { type SettingFault, SettingsError } from './config/faults.ts'

/** An error, in the shape in which every entrance reports it. */
export interface Failure {
  /** `INTERNAL` for a fault in Witan itself. */
  readonly code: ErrorCode | 'INTERNAL'
  readonly message: string
  /** What to do about it. */
  readonly next: string
  /** Each fault of a settings file. */
  readonly faults?: readonly SettingFault[]
  readonly details?: readonly string[]
}

const SYSTEM: Readonly<
  Record<string, readonly [code: 'DISK_FULL' | 'FILE_NOT_FOUND' | 'FILE_UNREADABLE', next: string]>
> = {
  ENOSPC: ['DISK_FULL', 'Free some space and try again; what was stored before is whole.'],
  EDQUOT: ['DISK_FULL', 'Free some space and try again; what was stored before is whole.'],
  ENOENT: ['FILE_NOT_FOUND', 'Check the path.'],
  EACCES: ['FILE_UNREADABLE', 'Check who may use this file.'],
  EPERM: ['FILE_UNREADABLE', 'Check who may use this file.'],
  EROFS: ['FILE_UNREADABLE', 'The file system is read-only: choose another place.'],
  EISDIR: ['FILE_UNREADABLE', 'This is a directory: name a file.'],
  EIO: ['FILE_UNREADABLE', 'The disk reports an error: check it.'],
  EMFILE: ['FILE_UNREADABLE', 'Too many files are open: raise the limit and try again.'],
}

/** A part of Witan that is loaded on first use is no longer where it was when this process began. */
const isGone = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'ERR_MODULE_NOT_FOUND'

const CHANGED: Failure = {
  code: 'FILE_NOT_FOUND',
  message: 'the files of Witan were replaced or removed while it ran, as by an upgrade',
  next: 'Stop it and start it again; if that does not help, install Witan again.',
}

/** What any error is reported as. */
export function failureOf(error: unknown): Failure {
  if (error instanceof SettingsError) {
    const { code, message, next, faults, details } = error
    return { code, message, next, faults, details }
  }
  if (error instanceof WitanError) {
    const { code, message, next } = error
    return { code, message, next }
  }
  const message = error instanceof Error ? error.message : String(error)
  if (isGone(error)) return CHANGED
  const known = SYSTEM[String((error as { code?: unknown } | null)?.code)]
  if (known) return { code: known[0], message, next: known[1] }
  const next = 'This is a fault in Witan. Run it again with WITAN_DEBUG=1 and report what it prints.'
  return { code: 'INTERNAL', message, next }
}
