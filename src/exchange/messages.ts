// The messages of the pool. The kind of a message comes from its event and never from its text, and its text
// is kept without a prefix: the one prefix of its kind is added whenever it is shown. Lines that begin like a
// prefix are shown with a backslash before them, so that a message cannot pretend to be of another kind.

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

/** Compatible forms and invisible characters are resolved; similar letters of other scripts are not. */
const looksLikeAPrefix = (line: string): boolean =>
  LIKE_A_PREFIX.test(line.slice(0, 200).normalize('NFKC').replaceAll(INVISIBLE, ''))

/** A mind asks for a restart explicitly by beginning with `[RESTART]`, which is allowed. */
export const isRestart = ({ kind, text }: Pick<Message, 'kind' | 'text'>): boolean =>
  kind === 'mind' && hasRestartTag(text)

export function escaped(text: string, restart = false): string {
  return text
    .split(LINE_BREAK)
    .map((line, i) => (i % 2 === 0 && !(restart && i === 0) && looksLikeAPrefix(line) ? `\\${line}` : line))
    .join('')
}

/** The message as everyone is shown it: one prefix by its kind, then its text. */
export function shownText(message: Message): string {
  const words = escaped(message.text, isRestart(message)) + (message.cut ? ' […]' : '')
  return message.kind === 'mind' ? words : `${PREFIXES[message.kind]} ${words}`
}

/** Typed text, without the prefix that its kind will be given, no matter how often it was typed. */
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

/** Oldest first; within a round messages of minds come before messages about them. */
export function inOrder(a: Pick<Message, 'id'>, b: Pick<Message, 'id'>): number {
  const [one, other] = [keyOf(a.id), keyOf(b.id)]
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2]
}
