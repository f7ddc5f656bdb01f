// Processor time, by who used it: from /proc, in seconds.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const TICK = Number(execFileSync('getconf', ['CLK_TCK']).toString())

/** Parent, and processor time with that of children that have ended. */
function statOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [own, ended] = [fields[11] + fields[12], fields[13] + fields[14]]
  return { parent: fields[1], own: own / TICK, ended: ended / TICK }
}

export const secondsOf = (pid) => statOf(pid).own

/** A server by one of its backends: its postmaster, those who live, and those who ended. */
export function secondsOfServer(backend) {
  const { parent: postmaster } = statOf(backend)
  const { own, ended } = statOf(postmaster)
  let sum = own + ended
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const child = statOf(name)
      if (child.parent === postmaster) sum += child.own
    } catch {
      // Ended meanwhile: counted by the postmaster.
    }
  }
  return sum
}

/** The whole machine. */
export function secondsBusy() {
  const [, ...ticks] = readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/\s+/).map(Number)
  const all = ticks.slice(0, 8).reduce((sum, one) => sum + one, 0)
  return (all - ticks[3] - ticks[4]) / TICK
}
