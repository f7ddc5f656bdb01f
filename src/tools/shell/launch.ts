// How bubblewrap is started. Its options go through a pipe and never on a command line, where every user of
// the machine could read them. Inside, the program waits until this process, alive, has answered it: a
// sandbox whose owner was killed during its setup runs nothing. No descriptor of ours is passed on except the
// three of the program itself.

import type { ChildProcess } from 'node:child_process'
import { openSync, readdirSync, readFileSync } from 'node:fs'
import { release } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { ControlGroup } from './control-group.ts'
import { type SandboxLimits, THREADS_EACH } from './limits.ts'
import { seccompFilter } from './seccomp.ts'

const [ARGUMENTS, LEASH, STATUS, LIFE, FILTER] = [3, 4, 5, 6, 7]
const OPEN_FILES = 4_096
const MOST_REPORTS = 4_096
const CLOSED_ON_EXEC = 0o2000000
export const SANDBOX_SHELL = 'witan'
/** The program starts only after an answer from a living owner. */
const GATE = `echo ready >&${LEASH} && read -r go <&${LEASH} || exit 125; exec ${LEASH}<&-`
/**
 * Around bubblewrap: when this process is gone, all parts of an unfinished sandbox go with it. It begins in the
 * process group of its shell; once it has left that, it is bound to its parent's life or waits for the answer.
 */
const around = (join: string): string =>
  `(read -r end <&${LIFE}; kill -s KILL -- -$$) </dev/null >/dev/null 2>&1 ` +
  `${ARGUMENTS}<&- ${LEASH}<&- ${STATUS}<&- ${FILTER}<&- & ${join}exec "$@" ${LIFE}<&-`
/** The first process loads the filter after it has bound its life to its parent's: the filter shows that both are done. */
const BOUND =
  'n=0; while [ $n -lt 1000 ]; do n=$((n + 1)); while read -r key value; do ' +
  'case $key$value in Seccomp:2) n=1000;; esac; done </proc/1/status; done'

type Descriptors = readonly ('pipe' | number)[]

export interface Launch {
  readonly command: readonly string[]
  /** For descriptors from 3 on. */
  readonly stdio: Descriptors
  /** Right after the start; `onReport` is called with each report. */
  feed(child: ChildProcess, onReport?: () => void): Launched
}

interface Launched {
  /** The first process of the sandbox: all others end with it. Null until it exists. */
  readonly first: number | null
  readonly reports: string
  /** Releases it: an unfinished sandbox runs nothing any more. */
  cut(): void
}

/** Since Linux 5.14 the limit counts in the sandbox alone; before, it counts all processes of the user. */
function countsBySandbox(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  return major > 5 || (major === 5 && minor >= 14)
}

/**
 * Space for addresses that a program reserves as writable and hardly uses: Node 24 takes 512 MiB for its code and
 * does not start without. Actual use is counted while it runs.
 */
const RESERVED_BYTES = 512 << 20

function limitsScript({ memoryBytes, diskBytes, processes }: SandboxLimits): string {
  const kib = (bytes: number) => Math.max(1, Math.floor(bytes / 1024))
  const limit = (option: string, value: number) => `ulimit -${option} ${value} 2>/dev/null || :`
  const most = processes * THREADS_EACH
  // Shells name the number of processes differently.
  const forks = `(ulimit -u ${most}) 2>/dev/null && ulimit -u ${most} || ${limit('p', most)}`
  return [
    limit('c', 0),
    limit('n', OPEN_FILES),
    limit('d', kib(memoryBytes + RESERVED_BYTES)),
    limit('f', 2 * kib(diskBytes)),
    ...(countsBySandbox() ? [forks] : []),
  ].join('; ')
}

/** Descriptors that our own parent left open and that a child would inherit. */
function inherited(): number[] {
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'latin1'))?.[1] ?? '0'
      return (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0 ? [Number(name)] : []
    } catch {
      // The descriptor of this very listing.
      return []
    }
  })
}

/** One for all: what is not closed at the start of a program is replaced by it, and reads as empty. */
let nothing: number | null = null

/** Node ignores the setting "ignored" beyond the first three. */
function stdioFor(pipes: number): Descriptors {
  const highest = Math.max(2, ...inherited())
  const more = Math.max(0, highest - 2 - pipes)
  if (more > 0) nothing ??= openSync('/dev/null', 'r+')
  return [...Array(pipes).fill('pipe'), ...Array(more).fill(nothing)]
}

export interface LaunchOptions {
  readonly bwrap: string
  /** Of the sandbox. */
  readonly args: readonly string[]
  readonly argv: readonly string[]
  readonly limits: SandboxLimits
  readonly network: boolean
  /** The group that the sandbox joins before its setup, with everything it starts. */
  readonly group: ControlGroup | null
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

export function launchOf({ bwrap, args, argv, limits, network, group }: LaunchOptions): Launch {
  const join = group === null ? '' : `echo $$ >${quoted(group.processes)} || exit 125; `
  const filter = seccompFilter({ network, memoryCounted: false })
  const bwrapArgs = [...args, '--json-status-fd', String(STATUS)]
  if (filter !== null) bwrapArgs.push('--seccomp', String(FILTER))
  const gate = filter === null ? GATE : `${BOUND}; ${GATE}`
  const script = `${gate}; ${limitsScript(limits)}; exec "$@"`
  return {
    command: [
      ...['/bin/sh', '-c', around(join), SANDBOX_SHELL, bwrap, '--args', String(ARGUMENTS)],
      ...['--', '/bin/sh', '-c', script, SANDBOX_SHELL, ...argv],
    ],
    stdio: stdioFor(filter === null ? 4 : 5),
    feed(child, onReport = () => {}) {
      const streams = child.stdio as unknown as (Readable & Writable)[]
      let reports = ''
      const stream = (at: number) => {
        const pipe = streams[at]
        // A sandbox that ends early is noticed by its end.
        pipe?.on('error', () => {})
        return pipe
      }
      stream(ARGUMENTS)?.end(bwrapArgs.map((word) => `${word}\0`).join(''))
      if (filter !== null) stream(FILTER)?.end(filter)
      const [leash, life] = [stream(LEASH), stream(LIFE)]
      const launched = {
        get first() {
          const pid = /"child-pid":\s*(\d+)/.exec(reports)?.[1]
          return pid === undefined ? null : Number(pid)
        },
        get reports() {
          return reports
        },
        cut: () => {
          leash?.destroy()
          life?.destroy()
        },
      }
      stream(STATUS)
        ?.setEncoding('utf8')
        .on('data', (text: string) => {
          reports = (reports + text).slice(0, MOST_REPORTS)
          onReport()
        })
      leash?.once('data', () => leash.write('go\n'))
      return launched
    },
  }
}
