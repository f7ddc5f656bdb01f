// What is in the pool. The kind of a message comes from the event that carried it and never from its words, and
// its words are kept without a prefix: the one prefix of its kind is put before it whenever it is shown. Lines that
// begin like the prefix of some kind are shown with a backslash before them, so that what a message says about
// itself cannot be taken for what it is.

import { hasRestartTag } from './signal/dominance.ts'

export type MessageKind = 'mind' | 'injection' | 'audit' | 'auditor_role' | 'observer_role' | 'observer'

export interface Message {
  /** `round.number` for what minds wrote, `round.pnumber` for protocol messages: unique on a branch. */
  readonly id: string
  readonly round: number
  readonly kind: MessageKind
  readonly author: string
  /** `trace/seq` of the event that carried it: unique everywhere, together with the id. */
  readonly event: string
  readonly text: string
  /** True when it was longer and was cut at the limit of the terms. */
  readonly cut: boolean
  readonly cluster: string | null
  readonly score: number | null
}

const PREFIXES: Readonly<Record<Exclude<MessageKind, 'mind'>, string>> = {
  injection: '>>>',
  audit: '[AUDIT]',
  auditor_role: '[AUDITOR ROLE]',
  observer_role: '[OBSERVER ROLE]',
  observer: '[OBSERVER]',
}

const LINE_BREAK = /(\r\n|[\n\r\v\f\u0085\u2028\u2029])/
const INVISIBLE = /[\p{Cf}\p{Cc}\p{Zs}]/gu
const LIKE_A_PREFIX = /^\\*(?:>>>|\[(?:AUDIT|AUDITORROLE|OBSERVERROLE|OBSERVER|RESTART)\])/i

/** Compatible forms and invisible characters are seen through; letters of other scripts that look alike are not. */
const looksLikeAPrefix = (line: string): boolean =>
  LIKE_A_PREFIX.test(line.slice(0, 200).normalize('NFKC').replaceAll(INVISIBLE, ''))

/** A mind asks for a restart outright by beginning with `[RESTART]`; that much it may. */
export const isRestart = ({ kind, text }: Pick<Message, 'kind' | 'text'>): boolean =>
  kind === 'mind' && hasRestartTag(text)

export function escaped(text: string, restart = false): string {
  return text
    .split(LINE_BREAK)
    .map((line, i) => (i % 2 === 0 && !(restart && i === 0) && looksLikeAPrefix(line) ? `\\${line}` : line))
    .join('')
}

/** The message as everyone is shown it: one prefix by its kind, then its words. */
export function shownText(message: Message): string {
  const words = escaped(message.text, isRestart(message)) + (message.cut ? ' […]' : '')
  return message.kind === 'mind' ? words : `${PREFIXES[message.kind]} ${words}`
}

/** What someone typed, without the prefix that its kind will be given, no matter how often they typed it. */
export function withoutPrefix(kind: 'injection' | 'observer', typed: string): string {
  const prefix = PREFIXES[kind]
  let text = typed.trim()
  while (text.toUpperCase().startsWith(prefix)) text = text.slice(prefix.length).trim()
  return text
}

const keyOf = (id: string): readonly [number, number, number] => {
  const [, round, p, number] = /^(\d+)\.(p?)(\d+)$/.exec(id) ?? []
  return [Number(round), p ? 1 : 0, Number(number)]
}

/** Oldest first; within a round what minds wrote comes before what was said about it. */
export function inOrder(a: Pick<Message, 'id'>, b: Pick<Message, 'id'>): number {
  const [one, other] = [keyOf(a.id), keyOf(b.id)]
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2]
}
