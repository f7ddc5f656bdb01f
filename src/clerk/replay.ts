// Runs a trace again from its record, offline: every answer comes from the trace, and at every call the
// protocol must decide the same call again, with the same input. Differences are reported, not corrected.

import type { Sha256 } from '../ledger/bytes.ts'
import { toHex, utf8 } from '../ledger/bytes.ts'
import { CALL_STARTED } from '../ledger/calls.ts'
import { canonicalize } from '../ledger/canonical.ts'
import { WitanError } from '../ledger/errors.ts'
import { GENESIS } from '../ledger/event.ts'
import { FORKED, forkPointOf } from '../ledger/fork.ts'
import type { Action, Occurrence, Protocol } from '../protocol.ts'
import type { Store } from '../stores/store.ts'
import { corrupt, readStored } from './stored-events.ts'

/** Where a repeated decision differs from the trace. */
export interface Divergence {
  /** `trace/seq` of the event that does not follow from what came before it. */
  readonly event: string
  readonly action: string
  readonly what: 'not decided' | 'other call' | 'other input' | 'erased'
}

/** The result of a replay. */
export interface Replayed {
  readonly trace: string
  readonly events: number
  /** How many calls were decided again. */
  readonly decisions: number
  /** Over all of them in order: the same trace gives the same digest anywhere. */
  readonly digest: string
  readonly divergences: readonly Divergence[]
  /** What the protocol would do next; empty for a finished trace. */
  readonly next: readonly string[]
}

/** What `call_started` records about an action's input, so that a replay can tell whether it decides the same. */
export const inputDigest = (sha256: Sha256, input: Action['input']): string =>
  toHex(sha256(utf8(canonicalize(input))))

/** What a trace is replayed from. */
interface ReplayPorts {
  readonly store: Store
  readonly sha256: Sha256
}

async function fold<State>(
  { store, sha256 }: ReplayPorts,
  protocol: Protocol<State>,
  trace: string,
  to: number | undefined,
  step: (state: State, event: Occurrence) => void,
): Promise<State> {
  let state = protocol.initial
  let end = { size: 0, hash: GENESIS }
  for await (const event of store.read(trace, 0, to)) {
    const { header, occurrence, flaw } = readStored(sha256, event, { trace, ...end })
    if (flaw !== null) throw corrupt(trace, end.size, flaw)
    if (header.protocol !== protocol.id) {
      throw new WitanError(
        'PROTOCOL_UNKNOWN',
        `${trace} is a trace of ${header.protocol}, not of ${protocol.id}`,
        'Replay it under its own protocol.',
      )
    }
    const point = occurrence.type === FORKED && occurrence.seq === 0 ? forkPointOf(occurrence.payload) : null
    if (point) state = await fold({ store, sha256 }, protocol, point.trace, point.seq + 1, () => undefined)
    step(state, occurrence)
    state = protocol.evolve(state, occurrence)
    end = { size: occurrence.seq + 1, hash: event.hash }
  }
  return state
}

/** Decides every call of a trace again from the recorded answers, offline, and compares. */
export async function replayTrace<State>(
  kit: ReplayPorts,
  protocol: Protocol<State>,
  trace: string,
): Promise<Replayed> {
  const divergences: Divergence[] = []
  const decided: { action: string; call: string; input: string }[] = []
  let events = 0

  function difference(state: State, { payload }: Occurrence): Divergence['what'] | null {
    if (!payload) return 'erased'
    const action = protocol.decide(state).find((candidate) => candidate.id === payload.action)
    if (!action) return 'not decided'
    const input = inputDigest(kit.sha256, action.input)
    decided.push({ action: action.id, call: action.call, input })
    if (action.call !== payload.call) return 'other call'
    return input === payload.input ? null : 'other input'
  }

  function compare(state: State, event: Occurrence): void {
    events++
    const what = event.type === CALL_STARTED ? difference(state, event) : null
    const action = String(event.payload?.action ?? '')
    if (what) divergences.push({ event: `${event.trace}/${event.seq}`, action, what })
  }

  const state = await fold(kit, protocol, trace, undefined, compare)
  return {
    trace,
    events,
    decisions: decided.length,
    digest: toHex(kit.sha256(utf8(canonicalize(decided)))),
    divergences,
    next: protocol.finished(state) ? [] : protocol.decide(state).map((action) => action.id),
  }
}
