// Many spans in little memory: a text full of secrets has hundreds of thousands of them. Four numbers are
// kept for each; what they say about their kind is kept once.

import type { Span } from './format.ts'

type Nature = Omit<Span, 'start' | 'end'>

const FIRST = 64
/** Start, end, and the number of its nature. */
const FIELDS = 3

export class Spans {
  readonly #natures: Nature[] = []
  #numbers = new Uint32Array(FIRST * FIELDS)
  #count = 0
  #last = 0

  #natureOf({ rule, what, severity, excuse }: Span): number {
    const isSame = (nature: Nature | undefined): boolean =>
      nature?.rule === rule &&
      nature.what === what &&
      nature.severity === severity &&
      nature.excuse === excuse
    if (!isSame(this.#natures[this.#last])) {
      const known = this.#natures.findIndex(isSame)
      this.#last = known === -1 ? this.#natures.push({ rule, what, severity, excuse }) - 1 : known
    }
    return this.#last
  }

  add(spans: Iterable<Span>): void {
    for (const span of spans) {
      const at = this.#count++ * FIELDS
      if (at === this.#numbers.length) {
        const longer = new Uint32Array(this.#numbers.length * 2)
        longer.set(this.#numbers)
        this.#numbers = longer
      }
      this.#numbers[at] = span.start
      this.#numbers[at + 1] = span.end
      this.#numbers[at + 2] = this.#natureOf(span)
    }
  }

  #at(index: number, field: number): number {
    return this.#numbers[index * FIELDS + field] ?? 0
  }

  /**
   * Sorted by their beginning. Overlapping ones become one: as long as all of them together, with the name of the
   * most specific, which was found first.
   */
  *united(): Generator<Span> {
    const order = Uint32Array.from({ length: this.#count }, (_, i) => i)
    order.sort((a, b) => this.#at(a, 0) - this.#at(b, 0) || a - b)
    for (let i = 0; i < order.length; ) {
      let best = order[i++] ?? 0
      const start = this.#at(best, 0)
      let end = this.#at(best, 1)
      let excuse = this.#excuseOf(best)
      for (let next = order[i]; next !== undefined && this.#at(next, 0) < end; next = order[++i]) {
        const isReal = excuse === null || this.#excuseOf(next) === null
        best = Math.min(best, next)
        end = Math.max(end, this.#at(next, 1))
        excuse = isReal ? null : this.#excuseOf(best)
      }
      const nature = this.#natures[this.#at(best, 2)]
      if (nature) yield { ...nature, start, end, excuse }
    }
  }

  #excuseOf(index: number): string | null {
    return this.#natures[this.#at(index, 2)]?.excuse ?? null
  }
}
