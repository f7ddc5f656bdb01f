// Text that models are writing, for the pages that show their trace. It is not recorded, and delivery is not
// guaranteed: each message is the whole end of a text, and a page that joins gets the last of each.

import type { LiveText, OpenHome } from '../../app/console/open-home.ts'

const MOST_KEPT = 256

type Listener = (encodedText: string) => void

export class LiveTexts {
  readonly #hearing = new Map<Listener, string>()
  readonly #last = new Map<string, LiveText>()

  /** Listens in this home. Where that is not possible, pages show none. */
  async listen(openHome: OpenHome): Promise<void> {
    await openHome
      .hearWriting(
        () => [...new Set(this.#hearing.values())],
        (writing) => this.#take(writing),
      )
      .catch(() => undefined)
  }

  /** Text that is being written in this trace, until the returned function is called. */
  hear(trace: string, hear: Listener): () => void {
    this.#hearing.set(hear, trace)
    for (const writing of this.#last.values()) if (writing.trace === trace) hear(JSON.stringify(writing))
    return () => this.#hearing.delete(hear)
  }

  #take(writing: LiveText): void {
    const key = `${writing.trace}/${writing.who}`
    this.#last.delete(key)
    this.#last.set(key, writing)
    for (const oldest of [...this.#last.keys()].slice(0, -MOST_KEPT)) this.#last.delete(oldest)
    const encodedText = JSON.stringify(writing)
    for (const [listener, of] of this.#hearing) if (of === writing.trace) listener(encodedText)
  }
}
