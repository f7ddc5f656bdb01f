// What models write while they write it, for the pages that show their trace. Nothing of it is on record, so nothing of it
// is owed: each text comes as its end, whole, and a page that joins is told the last of each.

import type { LiveText, OpenHome } from '../../app/console/open-home.ts'

const MOST_KEPT = 256

type Listener = (encodedText: string) => void

export class LiveTexts {
  readonly #hearing = new Map<Listener, string>()
  readonly #last = new Map<string, LiveText>()

  /** Listens in this home. Where that cannot be done, pages go without. */
  async listen(openHome: OpenHome): Promise<void> {
    await openHome
      .hearWriting(
        () => [...new Set(this.#hearing.values())],
        (writing) => this.#take(writing),
      )
      .catch(() => undefined)
  }

  /** What is being written in this trace, until the returned function is called. */
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
