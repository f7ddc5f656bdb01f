// The state of an exchange as plain JSON and back. Between rounds alone: what a round holds is soon folded again. All of
// it is bounded by the terms but where the rounds ended, which costs a few bytes a round and is kept in columns.

import { asJson } from '../ledger/canonical.ts'
import type { SnapshotForm } from '../protocol.ts'
import { NEWEST } from './editions.ts'
import type { Ends, ExchangeState } from './state.ts'

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

export const exchangeForm: SnapshotForm<ExchangeState> = {
  // What a newer release folded under newer rules is folded again here, and then refused.
  id: `exchange-state/3 editions/${NEWEST}`,
  take: ({ round, ends, ...state }) => (round ? null : asJson({ ...state, round, ends: columnsOf(ends) })),
  restore(taken) {
    const { ends, ...state } = taken as unknown as Omit<ExchangeState, 'ends'> & {
      readonly ends: Column[]
    }
    return { ...state, ends: endsOf(ends) }
  },
}
