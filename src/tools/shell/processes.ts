// Which processes a program has started, by asking the system; a limit on their number that the system would
// not enforce for root is enforced by counting and killing.

import { readdirSync, readFileSync } from 'node:fs'

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    // It ended during the check, or the system does not tell.
    return []
  }
}

/** All processes below one, or the first of them up to a number. */
export function descendantsOf(pid: number, most: number): number[] {
  const pids: number[] = []
  const queue = [pid]
  for (let next = queue.shift(); next !== undefined && pids.length < most; next = queue.shift()) {
    const children = childrenOf(next)
    pids.push(...children)
    queue.push(...children)
  }
  return pids
}

/** False for those that have ended and wait to be reaped. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    // No such file: gone since, or a system without /proc, where the answer to a signal counts.
    return process.platform !== 'linux'
  }
}

export function kill(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // ESRCH: it is gone, as intended.
  }
}
