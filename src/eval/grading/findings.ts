// Compares findings of a review with the planted faults: a finding hits a fault when it names its file and a
// line near enough. One fault is hit once; a finding that hits nothing is a false alarm.

export interface Place {
  readonly file: string
  readonly line: number
}

export interface Hits {
  /** Planted faults that were found. */
  readonly hit: number
  readonly planted: number
  readonly reported: number
}

/** A finding this many lines away still hits the fault. */
const NEAR_LINES = 3

const bare = (path: string): string => path.trim().replace(/^(?:\.\/|[ab]\/)/, '')

export function placeOf(target: string): Place {
  const at = target.lastIndexOf(':')
  return { file: bare(target.slice(0, at)), line: Number(target.slice(at + 1)) }
}

export const isNear = (a: Place, b: Place): boolean =>
  bare(a.file) === bare(b.file) && Math.abs(a.line - b.line) <= NEAR_LINES

/** Findings of the same place count once. */
function distinctPlaces(findings: readonly Place[]): readonly Place[] {
  const distinct: Place[] = []
  for (const finding of findings) if (!distinct.some((one) => isNear(one, finding))) distinct.push(finding)
  return distinct
}

export function countHits(target: readonly string[], findings: readonly Place[]): Hits {
  const open = new Set(target.map((_, i) => i))
  const places = target.map(placeOf)
  let hit = 0
  const reported = distinctPlaces(findings)
  for (const finding of reported) {
    const nearest = [...open]
      .filter((i) => isNear(places[i] as Place, finding))
      .sort(
        (a, b) =>
          Math.abs((places[a]?.line ?? 0) - finding.line) - Math.abs((places[b]?.line ?? 0) - finding.line),
      )[0]
    if (nearest === undefined) continue
    open.delete(nearest)
    hit++
  }
  return { hit, planted: target.length, reported: reported.length }
}

/** Every planted fault was found; the precision says how much else was reported. */
export const foundAll = ({ hit, planted }: Hits): boolean => hit === planted

export const precision = ({ hit, reported }: Hits): number | null => (reported === 0 ? null : hit / reported)
export const recall = ({ hit, planted }: Hits): number | null => (planted === 0 ? null : hit / planted)

export function f1({ hit, planted, reported }: Hits): number | null {
  return planted + reported === 0 ? null : (2 * hit) / (planted + reported)
}

/** What more than half of the members report. */
export function votedPlaces(members: readonly (readonly Place[])[]): readonly Place[] {
  const all = distinctPlaces(members.flat())
  return all.filter(
    (place) => members.filter((own) => own.some((one) => isNear(one, place))).length * 2 > members.length,
  )
}
