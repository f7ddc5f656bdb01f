// What is compared. An arm is a way to get an answer to an item; arms share the answers of round one, so that
// only the differences are paid for.

/** As a person writes it: `council`, `single:claude`, `vote:claude`, `vote:claudex5`. */
export type Arm =
  | { readonly kind: 'council'; readonly variant: string }
  | { readonly kind: 'single'; readonly seat: string }
  | { readonly kind: 'best' }
  | { readonly kind: 'vote' }
  /** Asked without the shape of an opinion; one sample, or the vote of several. Null: as many as the council's cost buys. */
  | { readonly kind: 'samples'; readonly seat: string; readonly n: number | null; readonly plain: boolean }

/** The main council of an item. */
export const MAIN = 'main'
/** Without round two: a fork after round one. */
export const NO_R2 = 'no-r2'
/** With rounds skipped where the recorded shadow decision would have skipped them. */
export const SHORT = 'short'
/** Run again, in another order: for stability only. */
export const AGAIN = 'again'
/** Three times the same member. */
export const SOLO = 'solo.'

export const BEST_SINGLE = 'best-single'
export const MOST_SAMPLES = 25

const SAMPLES = /^vote:(.+?)(?:x([1-9]\d?))?$/

/** Null where it names no arm, or a missing seat. */
export function readArm(name: string, seats: readonly string[]): Arm | null {
  const isSeat = (seat: string): boolean => seats.includes(seat)
  if (name === 'council') return { kind: 'council', variant: MAIN }
  if (name === 'council-no-r2') return { kind: 'council', variant: NO_R2 }
  if (name === 'council-short') return { kind: 'council', variant: SHORT }
  if (name === 'vote') return { kind: 'vote' }
  if (name === BEST_SINGLE) return { kind: 'best' }
  const [head = '', rest = ''] = [name.slice(0, name.indexOf(':')), name.slice(name.indexOf(':') + 1)]
  if (head === 'single') return isSeat(rest) ? { kind: 'single', seat: rest } : null
  if (head === 'plain') return isSeat(rest) ? { kind: 'samples', seat: rest, n: 1, plain: true } : null
  if (head === 'council' && rest.endsWith('x3')) {
    const seat = rest.slice(0, -2)
    return isSeat(seat) ? { kind: 'council', variant: `${SOLO}${seat}` } : null
  }
  if (head !== 'vote') return null
  if (isSeat(rest)) return { kind: 'samples', seat: rest, n: null, plain: false }
  const [, seat = '', n] = SAMPLES.exec(name) ?? []
  const times = Number(n ?? 0)
  return isSeat(seat) && times >= 1 && times <= MOST_SAMPLES
    ? { kind: 'samples', seat, n: times, plain: false }
    : null
}

/** `single` is every seat alone and the best of them. Unknown names stay as they are. */
export const expandArms = (names: readonly string[], seats: readonly string[]): readonly string[] => [
  ...new Set(
    names.flatMap((name) =>
      name === 'single' ? [...seats.map((seat) => `single:${seat}`), BEST_SINGLE] : [name],
    ),
  ),
]

/** `council:vote:claude`: both sides may contain a colon, so every place to split is tried. */
export function readPrimary(
  text: string,
  seats: readonly string[],
): { readonly arm: string; readonly against: string } | null {
  for (let at = text.indexOf(':'); at > 0; at = text.indexOf(':', at + 1)) {
    const [arm, against] = [text.slice(0, at), text.slice(at + 1)]
    if (readArm(arm, seats) && readArm(against, seats) && arm !== against) return { arm, against }
  }
  return null
}

/** The councils that an item needs for these arms, the main one first. */
export function variantsOf(arms: readonly Arm[], isStabilityItem: boolean): readonly string[] {
  const variants = arms.flatMap((arm) =>
    arm.kind === 'council' && arm.variant !== MAIN ? [arm.variant] : [],
  )
  return [MAIN, ...new Set(variants), ...(isStabilityItem ? [AGAIN] : [])]
}

/** Variants that continue from round one of the main council. */
export const isFork = (variant: string): boolean => variant === NO_R2 || variant === SHORT
