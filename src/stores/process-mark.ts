// Whether a process that once wrote its name down is still the one running. A number alone is not enough: numbers
// are given again, after a reboot even soon. Where the system tells when a process began, that decides.

import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { errnoOf } from './disk.ts'

export interface ProcessMark {
  readonly host: string
  readonly pid: number
  /** Boot and start time on Linux; empty where they cannot be had. */
  readonly started: string
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Not Linux, or the process ended: the caller tells these apart.
    return ''
  }
}

function startOf(pid: number): string {
  // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
  const stat = read(`/proc/${pid}/stat`)
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  return ticks === undefined ? '' : `${read('/proc/sys/kernel/random/boot_id').trim()}.${ticks}`
}
let own: ProcessMark | undefined

export function ownMark(): ProcessMark {
  own ??= { host: hostname(), pid: process.pid, started: startOf(process.pid) }
  return own
}

export function isRunning(mark: ProcessMark): boolean {
  if (mark.host !== ownMark().host) return false
  try {
    process.kill(mark.pid, 0)
  } catch (error) {
    // EPERM: it is there and belongs to another user.
    if (errnoOf(error) !== 'EPERM') return false
  }
  return startOf(mark.pid) === mark.started
}
