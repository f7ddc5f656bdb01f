// A fork is a trace whose first event names an event of another trace. Its fold starts with the parent's
// state there, and the parent does not change.

import { isHash } from './bytes.ts'
import { isTraceId, type Payload } from './event.ts'

/** The first event of a trace that continues from a point of another. */
export const FORKED = 'trace_forked'

/** Where a trace left its parent. */
export interface ForkPoint {
  readonly trace: string
  readonly seq: number
  readonly hash: string
}

/** The fork point a payload names, or null when it names none. */
export function forkPointOf(payload: Payload | null): ForkPoint | null {
  const parent = payload?.parent as Partial<ForkPoint> | undefined
  if (typeof parent?.trace !== 'string' || !isTraceId(parent.trace)) return null
  if (!Number.isSafeInteger(parent.seq) || Number(parent.seq) < 0 || !isHash(parent.hash)) return null
  return { trace: parent.trace, seq: Number(parent.seq), hash: parent.hash }
}
