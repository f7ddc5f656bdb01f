// Reads along what a program says, as its user would: on from where they were, until something is there.

import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'

export class OutputReader {
  readonly #child: ChildProcess
  #seen = ''
  #from = 0
  #wake: () => void = () => undefined

  constructor(child: ChildProcess, ...streams: readonly (Readable | null)[]) {
    this.#child = child
    for (const stream of streams)
      stream?.on('data', (chunk: Buffer) => {
        this.#seen += chunk
        this.#wake()
      })
    child.on('close', () => this.#wake())
  }

  get seen(): string {
    return this.#seen
  }

  /** Reads on until this is there; fails when the program ends before. */
  async until(text: string): Promise<void> {
    for (;;) {
      const at = this.#seen.indexOf(text, this.#from)
      if (at >= 0) {
        this.#from = at + text.length
        return
      }
      if (this.#child.exitCode !== null) throw new Error(`it ended without '${text}':\n${this.#seen}`)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
