// Where an exchange stands, as a plain value: its round, its themes, the level of the restart signal, what it used.

import type { ExchangeState } from '../../exchange/state.ts'
import { DEMO, isDemo } from './demo-minds.ts'

export const noteOf = ({ terms }: ExchangeState): string | null => (terms && isDemo(terms) ? DEMO : null)

export function exchangeValue(trace: string, state: ExchangeState) {
  const { closed, until, phase, signal, level, clusters, totals, halted, movedTo, stopped, encoder } = state
  return {
    trace,
    status: halted ? 'halted' : movedTo !== null ? 'moved' : stopped !== null ? 'stopped' : 'open',
    round: closed,
    granted: until,
    moved_to: movedTo,
    stopped,
    phase: phase ? 'structured' : 'free-running',
    signal: signal ? { number: signal.number, round: signal.round, asked: signal.asked } : null,
    level: level.level,
    encoder,
    clusters: clusters?.notes ?? [],
    totals,
    note: noteOf(state),
  }
}
