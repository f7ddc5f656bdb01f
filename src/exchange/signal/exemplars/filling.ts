// Frames with a gap, and what goes into it.

const pick = <Item>(list: readonly Item[], at: number): readonly Item[] =>
  list.slice(at % list.length).slice(0, 1)

/** Every frame with `each` of the fillings, spread over all of them. */
export function fill(
  frames: readonly string[],
  fillings: readonly string[],
  each: number,
): readonly string[] {
  return frames.flatMap((frame, f) =>
    Array.from({ length: each }, (_, i) => f * each + i).flatMap((at) =>
      pick(fillings, at).map((filling) => sentence(frame.replace('*', filling))),
    ),
  )
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
