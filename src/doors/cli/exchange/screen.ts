// The observer's screen: new lines appear above the line that says who is writing, and that above the input
// line, which stays as it is. Without a terminal the same lines are written and read plainly, so that a
// script can use it too.

import { fstatSync } from 'node:fs'
import { Socket } from 'node:net'
import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline'
import { clip } from '../../../render/plain.ts'
import type { PoolLayout } from '../../../render/pool-view.ts'
import { paintFor } from '../command.ts'

const TICK_MS = 1_000
/** A wait that is longer than this shows a counter. */
const LONG_S = 3
const NARROWEST = 40

const widthOf = ({ columns }: { readonly columns?: number }): number => Math.max(columns ?? 80, NARROWEST)

/** How a pool is shown on stderr while it runs. */
export async function liveSheet(): Promise<PoolLayout> {
  const { stderr } = process
  return { paint: await paintFor(stderr), width: widthOf(stderr), rounds: stderr.isTTY !== true }
}

/** Shows permanent lines, and below them one that changes. Only a terminal has such a line. */
export class Telling {
  protected readonly isTerminal: boolean
  #status: { readonly words: string; readonly since: number } | null = null
  readonly #timer: NodeJS.Timeout | null

  constructor(isTerminal = process.stderr.isTTY === true) {
    this.isTerminal = isTerminal
    this.#timer = isTerminal ? setInterval(() => this.#status && this.print([]), TICK_MS) : null
    this.#timer?.unref()
  }

  print(lines: readonly string[], status: string | null = this.#status?.words ?? null): void {
    if (status !== (this.#status?.words ?? null))
      this.#status = status === null ? null : { words: status, since: Date.now() }
    if (this.isTerminal) this.clear()
    if (lines.length > 0) process.stderr.write(`${lines.join('\n')}\n`)
    if (this.isTerminal) this.draw(this.#statusLine())
  }

  #statusLine(): string | null {
    if (this.#status === null) return null
    const seconds = Math.floor((Date.now() - this.#status.since) / 1_000)
    const waited = seconds >= LONG_S ? ` ${seconds} s` : ''
    const room = widthOf(process.stderr) - 1
    const words = clip(this.#status.words, room - waited.length) + waited
    return words + this.detail(room - words.length)
  }

  /** Further text of the line, in at most this many characters. */
  protected detail(_room: number): string {
    return ''
  }

  protected clear(): void {
    cursorTo(process.stderr, 0)
    clearScreenDown(process.stderr)
  }

  protected draw(status: string | null): void {
    if (status !== null) process.stderr.write(status)
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#status = null
    if (this.isTerminal) this.clear()
  }
}

export interface Hearing {
  line(text: string): void
  /** Ctrl-C. */
  interrupt(): void
  /** No more input will come. */
  end(): void
}

const PROMPT = '> '
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Emoji_Presentation}/gu

/** How many rows the terminal took for what was typed. */
function rowsOf(text: string): number {
  const columns = [...text].length + (text.match(WIDE)?.length ?? 0) + PROMPT.length
  return Math.floor(columns / widthOf(process.stderr)) + 1
}

/** The same with an input line. */
export class Screen extends Telling {
  readonly #typing: Interface
  #hasStatus = false

  constructor(names: readonly string[], hearing: Hearing) {
    super(process.stdin.isTTY === true && process.stderr.isTTY === true)
    if (process.stdin instanceof Socket) process.stdin.ref()
    this.#typing = createInterface({
      input: process.stdin,
      output: process.stderr,
      terminal: this.isTerminal,
      completer: (line: string) => [names.filter((name) => name.startsWith(line)), line],
    })
    this.#typing.setPrompt(this.isTerminal ? PROMPT : '')
    this.#typing.on('line', (text) => {
      this.#keep(text)
      hearing.line(text)
      if (this.isTerminal) this.print([])
    })
    this.#typing.on('SIGINT', () => hearing.interrupt())
    this.#typing.on('close', () => hearing.end())
  }

  /** Typed text stays on the screen; the status line above it does not, nor does an empty line. */
  #keep(text: string): void {
    if (!this.isTerminal) return
    moveCursor(process.stderr, 0, -rowsOf(text) - (this.#hasStatus ? 1 : 0))
    this.#hasStatus = false
    super.clear()
    if (text !== '') process.stderr.write(`${PROMPT}${text}\n`)
  }

  protected override clear(): void {
    const rows = this.#typing.getCursorPos().rows + (this.#hasStatus ? 1 : 0)
    this.#hasStatus = false
    moveCursor(process.stderr, 0, -rows)
    super.clear()
  }

  protected override draw(status: string | null): void {
    if (status !== null) process.stderr.write(`${status}\n`)
    this.#hasStatus = status !== null
    this.#typing.prompt(true)
  }

  override close(): void {
    super.close()
    this.#typing.close()
  }
}

/** A pipe may be about to be written to, or to be closed: this is the longest wait for it. */
const SILENT_MS = 500

/** Whether anything can be typed: not from an empty file or a pipe that was closed. */
export async function canBeTyped(): Promise<boolean> {
  const { stdin } = process
  if (stdin.isTTY) return true
  const mayStaySilent = ((about) => about.isFIFO() || about.isSocket())(fstatSync(0))
  return new Promise((resolve) => {
    const timer = mayStaySilent ? setTimeout(() => settle(true), SILENT_MS) : null
    const settle = (typed: boolean): void => {
      if (timer) clearTimeout(timer)
      stdin.off('readable', readable).off('end', ended).off('error', ended)
      // Otherwise an open pipe would keep a command that fails next from ending.
      if (stdin instanceof Socket) stdin.unref()
      resolve(typed)
    }
    const readable = (): void => {
      if (stdin.readableLength > 0) settle(true)
      // The end is only detected by reading.
      else stdin.read()
    }
    const ended = (): void => settle(false)
    stdin.on('readable', readable).on('end', ended).on('error', ended)
  })
}
