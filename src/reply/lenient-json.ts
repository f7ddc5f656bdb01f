// One JSON value as models write it, read in one pass without going back. Unreadable text ends the value at
// that place, and nothing is guessed: no bracket is closed and no value made up. The depth is limited.

import type { JsonNode, Member, NodeState } from './json-node.ts'
import { isQuote, readQuoted } from './lenient-text.ts'
import type { RepairKind } from './repairs.ts'

const MOST_LEVELS = 64

const BLANKS = /[\s\ufeff\u200b]+/y
const LINE_COMMENT = /(?:\/\/|#)[^\n]*/y
const NAME = /[A-Za-z_$][\w$-]{0,63}/y
const TOKEN = /[-+.\w%/]+/y
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const LOOSE_NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const MEASURE = /^\d+(?:\.\d+)?%$|^\d+(?:\.\d+)?\/\d+$/
const WORD = /^[A-Za-z][\w-]*$/
const LITERALS: Readonly<Record<string, boolean | null>> = {
  true: true,
  false: false,
  null: null,
  none: null,
  nil: null,
  undefined: null,
  nan: null,
}

export interface ReadValue {
  readonly node: JsonNode
  readonly flaws: ReadonlySet<RepairKind>
}

/** Reads values of one text. */
export class LenientJson {
  private readonly text: string
  private at = 0
  private flaws = new Set<RepairKind>()
  /** The end of a comment that begins before here; so that the text is searched once and not from every bracket. */
  private commentEnd = 0

  constructor(text: string) {
    this.text = text
  }

  /** The value that begins at `start`. */
  valueAt(start: number): ReadValue {
    this.at = start
    this.flaws = new Set()
    const node = this.value(0)
    return { node, flaws: this.flaws }
  }

  private value(level: number): JsonNode {
    const char = this.text.charAt(this.at)
    if (char === '{') return this.object(level)
    if (char === '[') return this.list(level)
    if (isQuote(char)) return this.quoted()
    return this.bare()
  }

  private object(level: number): JsonNode {
    const start = this.at
    const members: Member[] = []
    const done = (state: NodeState): JsonNode => ({ kind: 'object', members, ...this.placed(start, state) })
    if (level === MOST_LEVELS) return done('broken')
    const state = this.contents('}', () => {
      const name = this.name()
      if (name === null) return this.at === this.text.length ? 'cut' : 'broken'
      this.blanks()
      if (this.at === this.text.length) return 'cut'
      if (this.text.charAt(this.at) !== ':') return 'broken'
      this.at += 1
      this.blanks()
      if (this.at === this.text.length) return 'cut'
      const value = this.value(level + 1)
      members.push({ name, value })
      return value.state
    })
    return done(state)
  }

  private list(level: number): JsonNode {
    const start = this.at
    const items: JsonNode[] = []
    const done = (state: NodeState): JsonNode => ({ kind: 'list', items, ...this.placed(start, state) })
    if (level === MOST_LEVELS) return done('broken')
    const state = this.contents(']', () => {
      const item = this.value(level + 1)
      items.push(item)
      return item.state
    })
    return done(state)
  }

  /** What is between brackets: parts, commas, and at last the closing bracket. */
  private contents(closer: string, part: () => NodeState): NodeState {
    this.at += 1
    let last: 'opening' | 'part' | 'comma' = 'opening'
    for (;;) {
      this.blanks()
      const char = this.text.charAt(this.at)
      const isOver = char === '' || this.text.startsWith('```', this.at)
      if (isOver) return last === 'part' ? 'unclosed' : 'cut'
      if (char === closer) {
        if (last === 'comma') this.flaws.add('comma')
        this.at += 1
        return 'whole'
      }
      if (char === ',') {
        if (last !== 'part') this.flaws.add('comma')
        last = 'comma'
        this.at += 1
        continue
      }
      if (last === 'part') this.flaws.add('comma')
      const before = this.at
      const state = part()
      if (state !== 'whole') return state
      if (this.at === before) return 'broken'
      last = 'part'
    }
  }

  private name(): string | null {
    if (isQuote(this.text.charAt(this.at))) {
      const { value, end, state } = readQuoted(this.text, this.at, 'name', (kind) => this.flaws.add(kind))
      this.at = end
      return state === 'whole' ? value : null
    }
    const name = this.take(NAME)
    if (name !== '') this.flaws.add('unquoted-name')
    return name === '' ? null : name
  }

  private quoted(): JsonNode {
    const start = this.at
    const { value, end, state } = readQuoted(this.text, start, 'value', (kind) => this.flaws.add(kind))
    this.at = end
    return { kind: 'text', value, ...this.placed(start, state) }
  }

  /** A number, a literal or a single word. */
  private bare(): JsonNode {
    const start = this.at
    const token = this.take(TOKEN)
    const isNumber = NUMBER.test(token)
    if (isNumber || LOOSE_NUMBER.test(token)) {
      const value = Number(token)
      if (!isNumber) this.flaws.add('number')
      return { kind: 'number', value, ...this.placed(start, Number.isFinite(value) ? 'whole' : 'broken') }
    }
    const folded = token.toLowerCase()
    if (Object.hasOwn(LITERALS, folded)) {
      if (!/^(?:true|false|null)$/.test(token)) this.flaws.add('literal')
      return { kind: 'literal', value: LITERALS[folded] ?? null, ...this.placed(start, 'whole') }
    }
    const isRead = MEASURE.test(token) || WORD.test(token)
    if (isRead) this.flaws.add('unquoted-text')
    return { kind: 'text', value: token, ...this.placed(start, isRead ? 'whole' : 'broken') }
  }

  private blanks(): void {
    for (;;) {
      const before = this.at
      this.take(BLANKS)
      if (this.take(LINE_COMMENT) !== '' || this.blockComment()) this.flaws.add('comment')
      if (this.at === before) return
    }
  }

  private blockComment(): boolean {
    if (!this.text.startsWith('/*', this.at)) return false
    if (this.commentEnd < this.at + 4) {
      const end = this.text.indexOf('*/', this.at + 2)
      this.commentEnd = end === -1 ? Number.POSITIVE_INFINITY : end + 2
    }
    if (this.commentEnd === Number.POSITIVE_INFINITY) return false
    this.at = this.commentEnd
    return true
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)?.[0] ?? ''
    this.at += match.length
    return match
  }

  private placed(start: number, state: NodeState) {
    return { of: this.text, start, end: this.at, state }
  }
}
