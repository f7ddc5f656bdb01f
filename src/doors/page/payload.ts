// A payload for a reader: names and values, text as text. Text and numbers, true, false or null have
// different forms. A payload can contain half a million values; only a limited number is ever rendered.

import type { Json } from '../../ledger/canonical.ts'
import type { Payload } from '../../ledger/event.ts'
import { type Child, foreignText, h, rows } from './dom.ts'
import { longText } from './long-text.ts'

const MOST_VALUES = 1_000
const DEEPEST = 8
const SHORT = 120

interface Budget {
  remaining: number
}

const more = (n: number): HTMLElement => h('p', 'muted', `… and ${n.toLocaleString('en')} more`)

function text(value: string): Child {
  if (value === '') return h('span', 'muted', 'empty text')
  return value.length <= SHORT && !value.includes('\n') ? foreignText(value) : longText(value)
}

function members(object: Payload, depth: number, budget: Budget): Child {
  const all = Object.entries(object)
  if (all.length === 0) return h('span', 'muted', 'empty')
  const shown: (readonly [string, Child])[] = []
  for (const [name, value] of all) {
    if (budget.remaining <= 0) break
    shown.push([name, view(value, depth + 1, budget)])
  }
  return [rows(shown), shown.length < all.length ? more(all.length - shown.length) : null]
}

function items(list: readonly Json[], depth: number, budget: Budget): Child {
  if (list.length === 0) return h('span', 'muted', 'empty list')
  const shown: HTMLElement[] = []
  for (const value of list) {
    if (budget.remaining <= 0) break
    shown.push(h('li', '', view(value, depth + 1, budget)))
  }
  return [h('ol', 'items', shown), shown.length < list.length ? more(list.length - shown.length) : null]
}

function view(value: Json, depth: number, budget: Budget): Child {
  budget.remaining--
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object' || value === null) return h('code', 'literal', String(value))
  if (depth > DEEPEST) return longText(JSON.stringify(value), 'text code')
  return Array.isArray(value) ? items(value, depth, budget) : members(value as Payload, depth, budget)
}

/** The artifacts of a payload are shown separately, with their bytes. */
export function payloadView(payload: Payload): Child {
  const { artifacts, ...rest } = payload
  if (artifacts !== undefined && Object.keys(rest).length === 0) return null
  return members(rest, 0, { remaining: MOST_VALUES })
}

const TELLING = ['text', 'question', 'objective', 'message', 'reason', 'title', 'name', 'tool', 'action']
const EXCERPT = 120

/** One line that says what the event is about, where its payload has such a line. */
export function excerpt(payload: Payload): string | null {
  for (const name of TELLING) {
    const value = payload[name]
    if (typeof value !== 'string' || value === '') continue
    const line = value.slice(0, EXCERPT).replaceAll(/\s+/g, ' ')
    return value.length > EXCERPT ? `${line}…` : line
  }
  return null
}
