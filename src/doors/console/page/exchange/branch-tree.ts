// The tree of branches of a trace, from the parents of the listed traces.

import type { WireRow } from '../wire.ts'

export interface Branch {
  readonly row: WireRow
  readonly depth: number
}

const MAX_DEPTH = 256

function rootOf(trace: string, rows: ReadonlyMap<string, WireRow>): string {
  let current = trace
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const parent = rows.get(current)?.parent?.trace
    if (parent === undefined || !rows.has(parent)) break
    current = parent
  }
  return current
}

/** Each branch after its parent, the older first. */
export function branchesOf(trace: string, rows: ReadonlyMap<string, WireRow>): readonly Branch[] {
  const children = new Map<string, WireRow[]>()
  for (const row of rows.values()) {
    if (row.parent === null) continue
    children.set(row.parent.trace, [...(children.get(row.parent.trace) ?? []), row])
  }
  const branches: Branch[] = []
  const seen = new Set<string>()
  const visit = (row: WireRow | undefined, depth: number): void => {
    if (!row || seen.has(row.trace) || depth > MAX_DEPTH) return
    seen.add(row.trace)
    branches.push({ row, depth })
    const own = children.get(row.trace) ?? []
    for (const child of [...own].sort((a, b) => (a.started < b.started ? -1 : 1))) visit(child, depth + 1)
  }
  visit(rows.get(rootOf(trace, rows)), 0)
  return branches
}
