// One clock and one way to stop for each call. The limit is on silence: each byte that arrives restarts it,
// up to five limits for the whole call. The clock or the caller stops what listens to the signal, whichever
// comes first, and which one it was is remembered.

import { setTimeout as pause } from 'node:timers/promises'
import { CAP_TIMES, type Transport } from './model.ts'

export interface Deadline {
  readonly signal: AbortSignal
  /** Null until it has ended. */
  readonly ended: Ended | null
  /** Something came from the other side, however small: a chunk, a ping, a progress message. */
  noteActivity(): void
  /** Stops the clock, and listeners; if everything has ended by itself, no signal is needed. */
  close(ended?: boolean): void
}

export type Ended = 'silence' | 'cap' | 'aborted'

const LONGEST = 2 ** 31 - 1
/** A timer that fires later than this was delayed. */
const HELD_UP_MS = 20
/** Made once: an abort without a reason creates an exception with a stack each time. */
const OVER = new Error('the asking is over')

const inWords = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`

/** Why a call was stopped, as its failure states it. */
export function timeoutWords(ended: Exclude<Ended, 'aborted'>, limitMs: number): string {
  if (ended === 'silence') return `nothing came for ${inWords(limitMs)}`
  return `no whole answer within ${inWords(limitMs * CAP_TIMES)}, ${CAP_TIMES} times the limit on silence`
}

/** `reason` makes the abort reason, where listeners need to read it there. */
export function startDeadline(
  limitMs: number,
  asker: AbortSignal,
  reason: (ended: Ended) => unknown = () => undefined,
): Deadline {
  const controller = new AbortController()
  const limit = Math.min(Math.max(1, limitMs), LONGEST)
  const start = performance.now()
  const lastMoment = start + limit * CAP_TIMES
  let lastHeard = start
  let ended: Ended | null = null
  const end = (why: Ended) => {
    ended ??= why
    controller.abort(reason(why))
  }
  const abort = () => end('aborted')
  // Checked when it fires, not with every chunk: a stream has thousands.
  const wait = (): NodeJS.Timeout => {
    const remainingMs = Math.min(lastHeard + limit, lastMoment) - performance.now()
    return setTimeout(onTimer, Math.min(Math.max(1, Math.ceil(remainingMs)), LONGEST))
  }
  const onTimer = () => {
    const now = performance.now()
    const late = now - (lastHeard + limit)
    if (now >= lastMoment) return end('cap')
    if (late >= 0 && late <= HELD_UP_MS) return end('silence')
    // While this process was delayed it could not read: it listens as long again before it blames the other side.
    if (late > 0) lastHeard = now - limit + Math.min(limit, late)
    timer = wait()
  }
  let timer = wait()
  if (asker.aborted) abort()
  else asker.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    get ended() {
      return ended
    },
    noteActivity() {
      lastHeard = performance.now()
    },
    close(isOver = false) {
      clearTimeout(timer)
      asker.removeEventListener('abort', abort)
      if (!isOver) controller.abort(OVER)
    },
  }
}

/** The promise, or a rejection as soon as the signal is aborted; for work that cannot be stopped. */
export function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error('given up'))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

// How long a model may be silent. The option of a command comes first, then the setting of this provider,
// then that of the round; otherwise a round has its default, and a vendor's own command gets more, because
// real ones have needed it.

/** Time as a seat sees it. `sleep` returns early when the signal is aborted. */
export interface Time {
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const realTime: Time = {
  now: () => performance.now(),
  sleep: (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined),
}

/** Milliseconds of silence, by round; absent where none is set. */
interface Limits {
  readonly R1?: number
  readonly R2?: number
  readonly R3?: number
  /** For vendors' commands, in every round. */
  readonly cli?: number
}

/** Every limit on silence that applies to a seat. */
export interface Timeouts extends Limits {
  /** For every call, before all others. */
  readonly each?: number
  /** Of this provider; its `each` applies where it has no other value. */
  readonly own?: Limits & { readonly each?: number }
}

const ROUNDS: Readonly<Record<string, number>> = { R1: 60_000, R2: 90_000, R3: 120_000 }
/** A call outside a council has no such round, and it was never measured how long it needs. */
const OTHERWISE = 120_000
const CLI = 180_000

const isRound = (round: string): round is 'R1' | 'R2' | 'R3' => /^R[123]$/.test(round)

/** How long one call may be silent in this round over this transport. */
export function timeoutFor(transport: Transport, round: string, set: Timeouts = {}): number {
  const { each, own = {} } = set
  const cli = transport === 'cli'
  const limitIn = (limits: Limits): number | undefined =>
    (cli ? limits.cli : undefined) ?? (isRound(round) ? limits[round] : undefined)
  return each ?? limitIn(own) ?? own.each ?? limitIn(set) ?? (cli ? CLI : (ROUNDS[round] ?? OTHERWISE))
}

/** How long one call may take in all, by the slowest of the transports. */
export const capFor = (transports: readonly Transport[], round: string, set: Timeouts = {}): number =>
  Math.max(0, ...transports.map((transport) => timeoutFor(transport, round, set))) * CAP_TIMES

/** How long checking whether a transport is available may take. */
export const availabilityMs = (transport: Transport): number => (transport === 'cli' ? 3_000 : 5_000)

const AUTO: readonly Transport[] = ['mcp', 'cli', 'api']

/**
 * `auto` prefers MCP, then the vendor's command, then HTTP; a list is used as it is, and ways that it omits are not tried.
 */
export function inOrder<One extends { readonly transport: Transport }>(
  minds: readonly One[],
  order: 'auto' | readonly Transport[],
): readonly One[] {
  if (order !== 'auto') return order.flatMap((way) => minds.filter(({ transport }) => transport === way))
  const rank = ({ transport }: One) => {
    const place = AUTO.indexOf(transport)
    return place === -1 ? AUTO.length : place
  }
  return [...minds].sort((a, b) => rank(a) - rank(b))
}
