// The command that a host starts for each of its calls, as it stands in the host's settings. A resident process is asked first,
// over a socket that only its user can reach; where none listens, a hook is started in a process of its own, under a limit of time
// from outside, since a process that hangs cannot be trusted to end itself. When calls are gated, only a clean yes lets one
// pass: not a crash, not a kill, not a program that is missing, not silence.

import type { Mode } from './attached-policy.ts'
import type { HostName } from './attachments.ts'

/** What of this machine a hook can use, by its whole path. */
export interface HookMeans {
  /** Ends a command after so many seconds; its words come before them. Empty where there is none. */
  readonly limiter: readonly string[]
  /** The program that asks the resident process; null where a hook does that itself. */
  readonly curl: string | null
  /** Where the resident process listens; null where none is wanted. */
  readonly socket: string | null
}

export interface HookCommand {
  /** The program that answers a hook, and its first arguments. */
  readonly program: readonly string[]
  readonly host: HostName
  readonly mode: Mode
  readonly id: string
  /** Null where each user has their own. */
  readonly home: string | null
  /** What counts for all users; null where the home knows it. */
  readonly terms: string | null
  /** For how many seconds a call waits for a person. */
  readonly wait: number
  readonly means: HookMeans
}

/** In single quotes for a shell. */
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** More than the hook itself takes for an answer, less than the host does. */
const ANSWER_MARGIN_S = 12

/**
 * Leaves the answer in $r and how it went in $c: 7 where no one listens, and then nothing of the input was read. A socket of
 * another user counts as none, and what a person has set for curl does not count.
 */
function residentRequest({ host, mode, id, wait, means: { curl, socket } }: HookCommand): string | null {
  if (curl === null || socket === null) return null
  const options = `-q -sm ${wait + ANSWER_MARGIN_S} --unix-socket ${quoted(socket)} -T - -H Expect: -H "x-agent: $AI_AGENT"`
  const askScript = `r=$(${quoted(curl)} ${options} -w '%{http_code}' http://witan/${host}/${mode}/${id}); c=$?`
  return `c=7; [ -S ${quoted(socket)} ] && [ -O ${quoted(socket)} ] && { ${askScript}; }`
}

function hookProcess({ program, host, mode, id, home, terms, wait, means }: HookCommand): string {
  const words = [
    ...(means.limiter.length > 0 ? [...means.limiter, String(wait + ANSWER_MARGIN_S)] : []),
    ...program,
  ]
  const flags = Object.entries({ home, terms, socket: means.socket })
    .flatMap(([name, value]) => (value === null ? [] : [` --${name} ${quoted(value)}`]))
    .join('')
  return `${words.map(quoted).join(' ')} ${host} --${mode} --as ${id}${flags}`
}

/** Before a call that is gated. */
export function gatingCommand(command: HookCommand): string {
  const denied = (why: string): string => `echo "Witan: the hook ${why}, so the call is denied" >&2; exit 2`
  const askScript = residentRequest(command)
  const first =
    askScript === null
      ? ''
      : `${askScript}; case $c$r in 0204) exit 0;; 0?*403) printf '%s\\n' "\${r%403}" >&2; exit 2;; 7*) ;; *) ${denied('gave no answer ($c)')};; esac; `
  return `${first}${hookProcess(command)}; c=$?; [ $c -eq 0 ] && exit 0; [ $c -eq 2 ] && exit 2; ${denied('ended with $c')}`
}

/** Of what is only told: no way in which it ends holds the host up. */
export function tellingCommand(command: HookCommand): string {
  const askScript = residentRequest(command)
  const first = askScript === null ? '' : `${askScript}; [ $c -eq 7 ] || exit 0; `
  return `${first}${hookProcess(command)}; exit 0`
}
