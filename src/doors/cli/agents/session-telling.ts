// A running session on the screen: each event as a permanent line, and below them one line that shows who is
// working on what, for how long, and what a model is writing. Without a terminal the lines are printed
// plainly.

import type { Session } from '../../../app/agents/session.ts'
import { CALL_STARTED } from '../../../ledger/calls.ts'
import type { Occurrence } from '../../../protocol.ts'
import { EMPTY_DRAFT, extendDraft, thousands, type Writing } from '../../../render/board/board-lines.ts'
import { actWords } from '../../../render/call-words.ts'
import { withDemoMark } from '../../../render/demo-mark.ts'
import { plain } from '../../../render/plain.ts'
import { eventLine, followActs, openCallsLine } from '../../../render/session.ts'
import type { Call } from '../command.ts'
import { Telling } from '../exchange/screen.ts'

export class SessionTelling extends Telling {
  readonly #session: Session
  readonly #call: Call
  readonly #heard = followActs()
  readonly #open = new Map<string, Writing>()

  constructor(session: Session, call: Call) {
    super()
    this.#session = session
    this.#call = call
  }

  /** For an intent that was signed before this process started, the session state says what it is. */
  readonly #acts = (event: Occurrence): string | null => {
    const intent = this.#session.state.intents.get(String(event.payload?.intent))
    return this.#heard(event) ?? (intent ? actWords(intent.tool, intent.input) : null)
  }

  readonly tell = (event: Occurrence): void => {
    const action = event.payload?.action
    if (event.type === CALL_STARTED) this.#open.set(String(action), EMPTY_DRAFT)
    else if (typeof action === 'string') this.#open.delete(action)
    const line = eventLine(event, this.#call, this.#acts)
    this.print(
      line === null ? [] : [this.#marked(line)],
      openCallsLine([...this.#open.keys()], this.#session.state),
    )
  }

  #marked(text: string): string {
    return this.#session.state.task?.scripted ? withDemoMark(text, this.#call) : text
  }

  readonly speaks = ({ action, words }: { readonly action: string; readonly words: string | null }): void => {
    const before = words === null ? EMPTY_DRAFT : (this.#open.get(action) ?? EMPTY_DRAFT)
    if (this.#open.has(action)) this.#open.set(action, words === null ? before : extendDraft(before, words))
  }

  protected override detail(room: number): string {
    const [writing] = [...this.#open.values()].filter(({ chars }) => chars > 0)
    if (!writing) return ''
    const count = ` · ${thousands(writing.chars)} characters`
    const letters = [...plain(writing.words.replaceAll(/\s+/g, ' ').trim().toWellFormed())]
    const width = room - count.length - 2
    if (width < 12 || letters.length === 0) return count.length <= room ? count : ''
    const tail =
      letters.length > width ? `…${letters.slice(letters.length - width + 1).join('')}` : letters.join('')
    return `${count}  ${this.#call.paint.dim(tail)}`
  }
}
