// What attached agents did, over all their sessions in a home, by host and folder. Everything is folded from the traces; the
// folder alone is a note of this home, since traces do not say where on a machine something lay.

import { AGENTS_PROTOCOL } from '../../agents/agents.ts'
import { isAttached } from '../../agents/attached/attached.ts'
import { isTerminal } from '../../agents/lifecycle.ts'
import type { SessionState } from '../../agents/state.ts'
import { openLog } from '../agents/decide.ts'
import type { Home } from '../home/home.ts'
import { sinceMoment } from '../traces/since.ts'
import { readHostSession } from './attachments.ts'

export interface SummaryLine {
  readonly host: string
  readonly folder: string
  readonly sessions: number
  /** Sessions that were not closed. */
  readonly open: number
  readonly calls: number
  /** Blocked by the policy or by a person. */
  readonly denied: number
  /** Calls that a person allowed. */
  readonly approved: number
  /** Calls that failed. */
  readonly failed: number
  /** Calls whose outcome is unknown. */
  readonly unknown: number
  readonly gaps: number
  /** Sessions in which nothing was held up. */
  readonly ungated: number
}

export interface AttachedSummary {
  readonly since: string | null
  readonly total: SummaryLine
  readonly lines: readonly SummaryLine[]
}

const NONE = {
  ...{ sessions: 0, open: 0, calls: 0, denied: 0, approved: 0, failed: 0, unknown: 0, gaps: 0, ungated: 0 },
} as const

type Counts = Omit<SummaryLine, 'host' | 'folder'>

function countsOf({ phase, intents, gaps, task }: SessionState): Counts {
  const all = [...intents.values()]
  const among = (...statuses: readonly string[]): number =>
    all.filter(({ status }) => statuses.includes(status)).length
  return {
    sessions: 1,
    open: isTerminal(phase) ? 0 : 1,
    calls: all.length,
    denied: among('blocked'),
    approved: all.filter(({ approvals }) => approvals.some(({ seat }) => seat !== 'policy')).length,
    failed: among('failed'),
    unknown: among('indeterminate', 'lost', 'started'),
    gaps: gaps.length,
    ungated: task?.policy.observe ? 1 : 0,
  }
}

const addCounts = <Line extends Counts>(line: Line, more: Counts): Line => ({
  ...line,
  ...Object.fromEntries(
    Object.keys(NONE).map((name) => [name, line[name as keyof Counts] + more[name as keyof Counts]]),
  ),
})

/** `since`: only sessions in which something happened from then on: 2026-11-01, 7d, 12h. */
export async function attachedSummary(home: Home, since: string | null): Promise<AttachedSummary> {
  const from = sinceMoment(since)
  const lines = new Map<string, SummaryLine>()
  let total: SummaryLine = { host: 'all', folder: '', ...NONE }
  for (const { trace, protocol, last } of await home.store.traces()) {
    if (protocol !== AGENTS_PROTOCOL || last.at < from) continue
    const { inner } = (await openLog(home.ports, trace)).state
    if (!inner.task || !isAttached(inner.task)) continue
    const host = inner.task.roles.executor.host ?? 'unknown'
    const folder = (await readHostSession(home.directory, trace))?.workspace ?? ''
    const key = JSON.stringify([host, folder])
    const counts = countsOf(inner)
    lines.set(key, addCounts(lines.get(key) ?? { host, folder, ...NONE }, counts))
    total = addCounts(total, counts)
  }
  const sorted = [...lines.values()].sort((a, b) => b.calls - a.calls)
  return { since: from || null, total, lines: sorted }
}
