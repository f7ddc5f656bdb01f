// How long an asking may take. What a person has set always wins; else a round has its time, and a vendor's own
// command gets more, because real ones have needed it.

import { setTimeout as pause } from 'node:timers/promises'
import type { Transport } from '../model.ts'

/** Time as a seat sees it. `sleep` returns early when the signal comes. */
export interface Time {
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const realTime: Time = {
  now: () => performance.now(),
  sleep: (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined),
}

/** Milliseconds, as configured; absent where nobody said. */
export interface Timeouts {
  readonly R1?: number
  readonly R2?: number
  readonly R3?: number
  /** For vendors' commands, in every round. */
  readonly cli?: number
}

const ROUNDS: Readonly<Record<string, number>> = { R1: 60_000, R2: 90_000, R3: 120_000 }
/** An asking outside a council has no round of that kind, and nobody has measured how long it needs. */
const OTHERWISE = 120_000
const CLI = 180_000

/** How long one call may take in this round over this transport. */
export function timeoutFor(transport: Transport, round: string, set: Timeouts = {}): number {
  const said = round === 'R1' || round === 'R2' || round === 'R3' ? set[round] : undefined
  if (transport === 'cli') return set.cli ?? said ?? CLI
  return said ?? ROUNDS[round] ?? OTHERWISE
}

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
