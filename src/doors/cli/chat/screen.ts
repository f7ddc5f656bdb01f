// Where an observer reads and types at once: what is told appears above the line being typed and leaves it as it is.
// Without a terminal the same lines go out and come in plainly, so that a script can hold the conversation too.

import { clearScreenDown, createInterface, cursorTo, type Interface } from 'node:readline'

export interface Hearing {
  line(text: string): void
  /** Ctrl-C. */
  interrupt(): void
  /** Nothing more will be typed. */
  end(): void
}

export class Screen {
  readonly #typing: Interface
  readonly #isTerminal: boolean

  constructor(names: readonly string[], hearing: Hearing) {
    this.#isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true
    this.#typing = createInterface({
      input: process.stdin,
      output: process.stderr,
      terminal: this.#isTerminal,
      completer: (line: string) => [names.filter((name) => name.startsWith(line)), line],
    })
    this.#typing.setPrompt(this.#isTerminal ? '> ' : '')
    this.#typing.on('line', (text) => {
      hearing.line(text)
      this.#typing.prompt()
    })
    this.#typing.on('SIGINT', () => hearing.interrupt())
    this.#typing.on('close', () => hearing.end())
  }

  print(lines: readonly string[]): void {
    if (lines.length === 0) return
    if (this.#isTerminal) {
      cursorTo(process.stderr, 0)
      clearScreenDown(process.stderr)
    }
    process.stderr.write(`${lines.join('\n')}\n`)
    if (this.#isTerminal) this.#typing.prompt(true)
  }

  close(): void {
    if (this.#isTerminal) {
      cursorTo(process.stderr, 0)
      clearScreenDown(process.stderr)
    }
    this.#typing.close()
  }
}
