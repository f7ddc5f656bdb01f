// What seats write while they write it, for pages that show their council. Nothing of it is on record, so nothing of it
// is owed: it is told a few times a second, and only its end is kept.

import type { Runs, SpeakingIn } from '../../app/console/runs.ts'

const TELL_MS = 120
const KEPT = 2_000

type Hear = (told: string) => void

export class Speech {
  readonly #hearing = new Map<Hear, string>()
  readonly #texts = new Map<string, Map<string, string>>()
  readonly #changed = new Map<string, Set<string>>()
  #timer: NodeJS.Timeout | null = null

  constructor(runs: Runs) {
    runs.hear((speaking) => this.#take(speaking))
  }

  /** What is being written in this trace, until the returned function is called. */
  hear(trace: string, hear: Hear): () => void {
    this.#hearing.set(hear, trace)
    for (const [seat, text] of this.#texts.get(trace) ?? []) hear(JSON.stringify({ trace, seat, text }))
    return () => this.#hearing.delete(hear)
  }

  #take({ trace, seat, words }: SpeakingIn): void {
    const texts = this.#texts.get(trace) ?? new Map<string, string>()
    this.#texts.set(trace, texts)
    texts.set(seat, words === null ? '' : `${texts.get(seat) ?? ''}${words}`.slice(-KEPT))
    this.#changed.set(trace, (this.#changed.get(trace) ?? new Set()).add(seat))
    this.#timer ??= setTimeout(() => this.#tell(), TELL_MS)
  }

  #tell(): void {
    this.#timer = null
    for (const [trace, seats] of this.#changed) {
      for (const seat of seats) {
        const told = JSON.stringify({ trace, seat, text: this.#texts.get(trace)?.get(seat) ?? '' })
        for (const [hear, of] of this.#hearing) if (of === trace) hear(told)
      }
    }
    this.#changed.clear()
  }
}
