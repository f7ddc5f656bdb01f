// Exact HDBSCAN: the minimum spanning tree of mutual reachability (Prim, n² distances, no matrix kept), the
// condensed tree over it, and the clusters that persist longest in it. The result depends only on the
// distances, not on the order of points or on which of several equal spanning trees was found.

export interface Density {
  readonly minSize: number
  readonly minSamples: number
}

interface Edge {
  readonly a: number
  readonly b: number
  readonly distance: number
}

/** The distance to the `samples`-th nearest, itself counted as the first. */
function coreDistances(n: number, distance: (a: number, b: number) => number, samples: number): Float64Array {
  const cores = new Float64Array(n)
  const row = new Float64Array(n)
  for (let a = 0; a < n; a++) {
    for (let b = 0; b < n; b++) row[b] = a === b ? 0 : distance(a, b)
    cores[a] = row.slice().sort()[Math.min(samples, n) - 1] ?? 0
  }
  return cores
}

function spanningTree(n: number, distance: (a: number, b: number) => number, cores: Float64Array): Edge[] {
  const best = new Float64Array(n).fill(Number.POSITIVE_INFINITY)
  const from = new Int32Array(n)
  const inside = new Uint8Array(n)
  const edges: Edge[] = []
  for (let current = 0, step = 1; step < n; step++) {
    inside[current] = 1
    let next = -1
    for (let other = 0; other < n; other++) {
      if (inside[other]) continue
      const reach = Math.max(distance(current, other), cores[current] ?? 0, cores[other] ?? 0)
      if (reach < (best[other] ?? 0)) {
        best[other] = reach
        from[other] = current
      }
      if (next === -1 || (best[other] ?? 0) < (best[next] ?? 0)) next = other
    }
    edges.push({ a: from[next] ?? 0, b: next, distance: best[next] ?? 0 })
    current = next
  }
  return edges.sort((x, y) => x.distance - y.distance || x.a - y.a || x.b - y.b)
}

/** A node of the single-linkage tree: leaves are points, the rest are merges. */
interface Merge {
  readonly left: number
  readonly right: number
  readonly distance: number
  readonly size: number
}

function merges(n: number, edges: readonly Edge[]): Merge[] {
  const owner = Array.from({ length: 2 * n }, (_, i) => i)
  const find = (of: number): number => {
    let at = of
    while (owner[at] !== at) at = owner[at] ?? at
    for (let walk = of; owner[walk] !== at; ) [owner[walk], walk] = [at, owner[walk] ?? at]
    return at
  }
  const made: Merge[] = []
  const sizeOf = (node: number): number => (node < n ? 1 : (made[node - n]?.size ?? 0))
  for (const { a, b, distance } of edges) {
    const [left, right] = [find(a), find(b)]
    const node = n + made.length
    made.push({ left, right, distance, size: sizeOf(left) + sizeOf(right) })
    owner[left] = node
    owner[right] = node
  }
  return made
}

interface Candidate {
  readonly born: number
  readonly parent: number
  readonly children: number[]
  readonly points: number[]
  stability: number
}

/** Walks from the root downwards; a side below `minSize` drops out of its cluster, two sides above it split it. */
function condense(n: number, tree: readonly Merge[], minSize: number): Candidate[] {
  const candidates: Candidate[] = [{ born: 0, parent: -1, children: [], points: [], stability: 0 }]
  const lambda = (distance: number): number => 1 / Math.max(distance, 1e-9)
  const leaves = (node: number): number[] => {
    const points: number[] = []
    for (const stack = [node]; stack.length > 0; ) {
      const at = stack.pop() ?? 0
      const merge = tree[at - n]
      if (at < n || !merge) points.push(at)
      else stack.push(merge.right, merge.left)
    }
    return points
  }
  const sizeOf = (node: number): number => (node < n ? 1 : (tree[node - n]?.size ?? 1))
  // Merges at one distance are one merge of many: their order depends on the spanning tree.
  const sidesOf = ({ left, right, distance }: Merge): number[] =>
    [left, right].flatMap((side) => {
      const below = tree[side - n]
      return side >= n && below && below.distance === distance ? sidesOf(below) : [side]
    })
  const stack = [{ node: n + tree.length - 1, cluster: 0 }]
  for (let work = stack.pop(); work; work = stack.pop()) {
    const own = candidates[work.cluster]
    const merge = tree[work.node - n]
    if (!own) continue
    if (!merge) {
      own.points.push(work.node)
      continue
    }
    const at = lambda(merge.distance)
    const sides = sidesOf(merge)
    const big = sides.filter((side) => sizeOf(side) >= minSize)
    for (const side of sides) {
      const fits = sizeOf(side) >= minSize
      if (fits && big.length === 1) {
        stack.push({ node: side, cluster: work.cluster })
        continue
      }
      own.stability += sizeOf(side) * (at - own.born)
      if (!fits) {
        own.points.push(...leaves(side))
        continue
      }
      own.children.push(candidates.length)
      stack.push({ node: side, cluster: candidates.length })
      candidates.push({ born: at, parent: work.cluster, children: [], points: [], stability: 0 })
    }
  }
  return candidates
}

/** From the leaves upwards, a cluster is kept when it persists longer than its children together; the root is never one. */
function select(candidates: readonly Candidate[]): Set<number> {
  const selected = new Set<number>()
  const worth = candidates.map(({ stability }) => stability)
  for (let at = candidates.length - 1; at > 0; at--) {
    const below = candidates[at]?.children.reduce((sum, child) => sum + (worth[child] ?? 0), 0) ?? 0
    if (below > (worth[at] ?? 0)) worth[at] = below
    else selected.add(at)
  }
  const covered = (at: number): boolean => {
    for (let up = candidates[at]?.parent ?? -1; up > 0; up = candidates[up]?.parent ?? -1) {
      if (selected.has(up)) return true
    }
    return false
  }
  return new Set([...selected].filter((at) => !covered(at)))
}

/** For each point its cluster, numbered by first member, or -1. Where nothing splits, all points are without a cluster. */
export function hdbscan(
  n: number,
  distance: (a: number, b: number) => number,
  { minSize, minSamples }: Density,
): number[] {
  const labels = new Array<number>(n).fill(-1)
  if (n < minSize || n < 2) return labels
  const tree = merges(n, spanningTree(n, distance, coreDistances(n, distance, minSamples)))
  const candidates = condense(n, tree, minSize)
  const selected = select(candidates)
  const chosen = candidates.map((_, at) => {
    for (let up = at; up > 0; up = candidates[up]?.parent ?? -1) if (selected.has(up)) return up
    return -1
  })
  for (const [at, { points }] of candidates.entries())
    for (const point of points) labels[point] = chosen[at] ?? -1
  const order = new Map<number, number>()
  return labels.map((label) => {
    if (label !== -1 && !order.has(label)) order.set(label, order.size)
    return label === -1 ? -1 : (order.get(label) ?? -1)
  })
}
