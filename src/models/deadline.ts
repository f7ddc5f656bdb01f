// One clock and one way to give up per asking. The limit is on silence: each byte that comes starts it again, up to a
// cap of five limits for the whole call. What listens to the signal is stopped by the clock or by the asker, by the
// first of the two, and which one it was is remembered.

import { setTimeout as pause } from 'node:timers/promises'
import { CAP_TIMES, type Transport } from './model.ts'

export interface Deadline {
  readonly signal: AbortSignal
  /** Null while nothing has ended it. */
  readonly ended: Ended | null
  /** Something came from the other side, however little it says: a chunk, a ping, a progress message. */
  heard(): void
  /** Stops the clock, and what still listens; where all has ended by itself, nothing need be told. */
  close(ended?: boolean): void
}

export type Ended = 'silence' | 'cap' | 'aborted'

const LONGEST = 2 ** 31 - 1
/** A timer that rings later than this was kept from ringing. */
const HELD_UP_MS = 20
/** Made once: an abort without a reason makes an exception with a stack each time. */
const OVER = new Error('the asking is over')

const inWords = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`

/** Why a call was given up, as its failure says it. */
export function timeoutWords(ended: Exclude<Ended, 'aborted'>, limitMs: number): string {
  if (ended === 'silence') return `nothing came for ${inWords(limitMs)}`
  return `no whole answer within ${inWords(limitMs * CAP_TIMES)}, ${CAP_TIMES} times the limit on silence`
}

/** `reason` makes what the signal is aborted with, where those who listen want to read it there. */
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
  // Looked at when it rings, not with every chunk: a stream has thousands.
  const wait = (): NodeJS.Timeout => {
    const left = Math.min(lastHeard + limit, lastMoment) - performance.now()
    return setTimeout(onTimer, Math.min(Math.max(1, Math.ceil(left)), LONGEST))
  }
  const onTimer = () => {
    const now = performance.now()
    const late = now - (lastHeard + limit)
    if (now >= lastMoment) return end('cap')
    if (late >= 0 && late <= HELD_UP_MS) return end('silence')
    // While this process was delayed it could hear nothing: it listens as long again before it blames the other side.
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
    heard() {
      lastHeard = performance.now()
    },
    close(isOver = false) {
      clearTimeout(timer)
      asker.removeEventListener('abort', abort)
      if (!isOver) controller.abort(OVER)
    },
  }
}

/** The promise, or a rejection as soon as the signal comes; for work that cannot be stopped. */
export function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error('given up'))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

// How long who is asked may be silent. What a person says on the spot always wins, then what is set for this provider,
// then what is set for the round; else a round has its time, and a vendor's own command gets more, because real ones
// have needed it.

/** Time as a seat sees it. `sleep` returns early when the signal comes. */
export interface Time {
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const realTime: Time = {
  now: () => performance.now(),
  sleep: (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined),
}

/** Milliseconds of silence, by what is asked for; absent where none is set. */
interface Limits {
  readonly R1?: number
  readonly R2?: number
  readonly R3?: number
  /** For vendors' commands, in every round. */
  readonly cli?: number
}

/** Every limit on silence that counts for a seat. */
export interface Timeouts extends Limits {
  /** For every call, before all else. */
  readonly each?: number
  /** Of this provider; its `each` is for what it says nothing more of. */
  readonly own?: Limits & { readonly each?: number }
}

const ROUNDS: Readonly<Record<string, number>> = { R1: 60_000, R2: 90_000, R3: 120_000 }
/** An asking outside a council has no round of that kind, and no one has measured how long it needs. */
const OTHERWISE = 120_000
const CLI = 180_000

const isRound = (round: string): round is 'R1' | 'R2' | 'R3' => /^R[123]$/.test(round)

/** How long one call may be silent in this round over this transport. */
export function timeoutFor(transport: Transport, round: string, set: Timeouts = {}): number {
  const { each, own = {} } = set
  const cli = transport === 'cli'
  const said = (limits: Limits): number | undefined =>
    (cli ? limits.cli : undefined) ?? (isRound(round) ? limits[round] : undefined)
  return each ?? said(own) ?? own.each ?? said(set) ?? (cli ? CLI : (ROUNDS[round] ?? OTHERWISE))
}

/** How long one call may take in all, by the slowest of the transports. */
export const capFor = (transports: readonly Transport[], round: string, set: Timeouts = {}): number =>
  Math.max(0, ...transports.map((transport) => timeoutFor(transport, round, set))) * CAP_TIMES

/** How long it may take to find out whether a transport is there. */
export const availabilityMs = (transport: Transport): number => (transport === 'cli' ? 3_000 : 5_000)

const AUTO: readonly Transport[] = ['mcp', 'cli', 'api']

/** `auto` prefers MCP, then the vendor's command, then HTTP; a list is taken as it is, and what it omits is not asked. */
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
