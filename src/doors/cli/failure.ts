// Every way in which a command can go wrong ends here, as a code, a sentence, a next step and an exit code.

import { type SettingFault, SettingsError } from '../../app/config/faults.ts'
import { WitanError } from '../../ledger/errors.ts'
import { plain, plainJson } from '../../render/plain.ts'
import { wrap } from '../../render/wrap.ts'
import { EXIT, EXIT_OF, type ExitCode } from './exit-codes.ts'

export interface Failure {
  readonly code: string
  readonly message: string
  readonly next: string
  readonly exit: ExitCode
  /** Each thing that is wrong with a file of settings. */
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

export function failureOf(error: unknown): Failure {
  if (error instanceof SettingsError) {
    const { code, message, next, faults, details } = error
    return { code, message, next, faults, details, exit: EXIT_OF[code] }
  }
  if (error instanceof WitanError) {
    const { code, message, next } = error
    return { code, message, next, exit: EXIT_OF[code] }
  }
  const message = error instanceof Error ? error.message : String(error)
  const known = SYSTEM[String((error as { code?: unknown } | null)?.code)]
  if (known) return { code: known[0], message, next: known[1], exit: EXIT_OF[known[0]] }
  const next = 'This is a fault in Witan. Run it again with WITAN_DEBUG=1 and report what it prints.'
  return { code: 'INTERNAL', message, next, exit: EXIT.internal }
}

export const failureJson = ({ code, message, next, faults }: Failure): string =>
  plainJson({ error: { code, message, next, ...(faults && { faults }) } })

function nextLines(next: string, width: number): readonly string[] {
  const line = `next: ${plain(next)}`
  const command = line.length > width ? line.match(/^(.*: )(witan [^.;]+)$/) : null
  if (!command) return [wrap(line, 0, width)]
  return [wrap((command[1] ?? '').trimEnd(), 0, width), `  ${command[2]}`]
}

/** With a width, lines are broken between words, and a command stands whole on its own line, to be copied. */
export function failureText(
  { code, message, next, details = [] }: Failure,
  width = Number.POSITIVE_INFINITY,
): string {
  const fitted = (text: string, indent: number): string => wrap(plain(text), indent, width)
  return [
    fitted(`error ${code}: ${message}`, 0),
    ...details.map((line) => `  ${fitted(line, 2)}`),
    ...nextLines(next, width),
  ].join('\n')
}
