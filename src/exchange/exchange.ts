// The protocol of an exchange: a pool of minds, an auditor that everyone can read, and an observer who alone
// decides whether and how it continues. Powers are checked first, so that an actor that exceeds them gets
// that error and not one about the wrong time.

import type { Sha256 } from '../ledger/bytes.ts'
import { type WithOpenCalls, withCalls } from '../ledger/calls.ts'
import { asJson } from '../ledger/canonical.ts'
import { withEditions } from '../ledger/editions.ts'
import type { Lack, Occurrence, Protocol, SnapshotForm } from '../protocol.ts'
import { decideWith } from './decide.ts'
import { KNOWN, NEWEST, namedIn } from './editions.ts'
import { OUTCOMES } from './events.ts'
import { foldWith } from './evolve.ts'
import { examineWith, reads } from './examine.ts'
import { isCompleting } from './prompts/completing.ts'
import { beyondPowers } from './refuse/powers.ts'
import { courseSince } from './refuse/refusals.ts'
import { refuseWith } from './refuse.ts'
import { type Ends, type ExchangeState, INITIAL } from './state.ts'

// Saves the state of an exchange as plain JSON and reads it back. Only between rounds: a round is soon folded
// again. Everything is limited by the terms, except the ends of rounds, which take a few bytes each and are
// kept in columns.

/** The ends of rounds in one trace after another, oldest first. */
interface Column {
  readonly trace: string
  readonly rounds: number[]
  readonly seqs: number[]
}

function columnsOf(ends: Ends): readonly Column[] {
  const links: NonNullable<Ends>[] = []
  for (let end = ends; end; end = end.rest) links.push(end)
  const columns: Column[] = []
  for (const { trace, round, seq } of links.reverse()) {
    if (columns.at(-1)?.trace !== trace) columns.push({ trace, rounds: [], seqs: [] })
    columns.at(-1)?.rounds.push(round)
    columns.at(-1)?.seqs.push(seq)
  }
  return columns
}

function endsOf(columns: readonly Column[]): Ends {
  let ends: Ends = null
  for (const { trace, rounds, seqs } of columns) {
    for (const [i, round] of rounds.entries()) ends = { round, trace, seq: seqs[i] ?? 0, rest: ends }
  }
  return ends
}

const exchangeForm: SnapshotForm<ExchangeState> = {
  // A state that a newer release folded under newer rules is folded again here, and then refused.
  id: `exchange-state/6 editions/${NEWEST}`,
  take: ({ round, judging, ends, ...state }) =>
    round || judging ? null : asJson({ ...state, round, judging, ends: columnsOf(ends) }),
  restore(taken) {
    const { ends, ...state } = taken as unknown as Omit<ExchangeState, 'ends'> & {
      readonly ends: Column[]
    }
    return { ...state, ends: endsOf(ends) }
  },
}

export const EXCHANGE_PROTOCOL = 'exchange/1'

/**
 * Events that may explain why nothing asks for this: for a mind in a round that may continue, only that its answer
 * lacked something.
 */
function unasked(state: ExchangeState, action: string): readonly Lack[] {
  const { terms, round, stopped, movedTo, phase, termsSince } = state
  const [kind, number] = action.split('/')
  const goesOn = terms !== null && stopped === null && movedTo === null && phase?.event !== null
  if (kind !== 'mind' || !goesOn || round?.kind !== 'pool' || String(round.round) !== number)
    return courseSince(termsSince)
  return isCompleting(action) ? ['mind_incomplete'] : []
}

export function exchangeProtocol(sha256: Sha256): Protocol<WithOpenCalls<ExchangeState>> {
  const decide = decideWith(sha256)
  const called = withCalls(
    {
      id: EXCHANGE_PROTOCOL,
      initial: INITIAL,
      evolve: foldWith(sha256),
      refuse: refuseWith(decide),
      decide,
      finished: (state) => state.halted,
      reads,
      examine: examineWith(sha256),
      snapshot: exchangeForm,
    },
    { outcomes: OUTCOMES, started: ['mind', 'audit', 'embed', 'judge'], lacks: unasked },
  )
  const empowered = {
    ...called,
    refuse: (state: WithOpenCalls<ExchangeState>, event: Occurrence) =>
      beyondPowers(state.inner, event) ?? called.refuse(state, event),
  }
  return withEditions(empowered, { opening: 'exchange_opened', known: KNOWN, named: namedIn })
}
