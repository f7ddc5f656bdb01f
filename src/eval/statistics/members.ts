// What members of a table have in common: how often all of them are wrong, which limits what any choice among
// them can reach, how similar their errors are, and which of them is best without letting the same items
// choose and judge.

import { type Interval, shareInterval } from './pairs.ts'

/** Right or wrong on one item, by the name of the member. Those without a grade are not in it. */
export type Row = ReadonlyMap<string, boolean>

export interface AllWrong extends Interval {
  readonly n: number
  readonly wrong: number
}

/** Over the items that every member has a grade for. */
export function allWrong(rows: readonly Row[], members: readonly string[]): AllWrong {
  const whole = rows.filter((row) => members.every((name) => row.has(name)))
  const wrong = whole.filter((row) => members.every((name) => row.get(name) === false)).length
  return { n: whole.length, wrong, ...shareInterval(wrong, whole.length) }
}

/** Pearson's correlation of two columns of right and wrong; null where one of them never varies. */
export function errorCorrelation(rows: readonly Row[], a: string, b: string): number | null {
  const pairs = rows.flatMap((row) => {
    const [left, right] = [row.get(a), row.get(b)]
    return left === undefined || right === undefined ? [] : [[left ? 1 : 0, right ? 1 : 0] as const]
  })
  const n = pairs.length
  const sum = (of: (pair: readonly [number, number]) => number): number =>
    pairs.reduce((total, pair) => total + of(pair), 0)
  const [x, y] = [sum(([left]) => left), sum(([, right]) => right)]
  const both = sum(([left, right]) => left * right)
  const spread = Math.sqrt(x * (n - x) * y * (n - y))
  return spread === 0 ? null : (n * both - x * y) / spread
}

const FOLDS = 10

/**
 * For each item the grade of the member that is best on the other folds, so that no item helps to choose who
 * answers it. `folds[i]` says which items stay together. The first member wins a tie.
 */
export function crossFitted(
  rows: readonly Row[],
  members: readonly string[],
  clusters: readonly string[],
): readonly { readonly member: string; readonly grade: boolean | null }[] {
  const places = new Map<string, number>()
  for (const cluster of clusters) if (!places.has(cluster)) places.set(cluster, places.size % FOLDS)
  const foldOf = (i: number): number => places.get(clusters[i] ?? '') ?? 0
  const shares = Array.from({ length: FOLDS }, () => members.map(() => ({ right: 0, n: 0 })))
  for (const [i, row] of rows.entries()) {
    for (const [m, name] of members.entries()) {
      const grade = row.get(name)
      const cell = shares[foldOf(i)]?.[m]
      if (grade === undefined || !cell) continue
      cell.n++
      if (grade) cell.right++
    }
  }
  const best = shares.map((_, fold) => {
    let top = { member: members[0] ?? '', share: -1 }
    for (const [m, name] of members.entries()) {
      const others = shares.filter((__, other) => other !== fold)
      const n = others.reduce((sum, cells) => sum + (cells[m]?.n ?? 0), 0)
      const right = others.reduce((sum, cells) => sum + (cells[m]?.right ?? 0), 0)
      const share = n === 0 ? 0 : right / n
      if (share > top.share) top = { member: name, share }
    }
    return top.member
  })
  return rows.map((row, i) => {
    const member = best[foldOf(i)] ?? ''
    return { member, grade: row.get(member) ?? null }
  })
}
