// What a mind is shown of the pool. Every message by a mind in the window, and every pin, has the same
// chance. In addition come a few protocol messages by their own quota, so that they neither flood the pool
// nor go unread: the latest audit first, then the observer's messages, oldest first, until each mind has seen
// them. A mind with k such messages before one of the observer's sees that one within `turnsUntilShown(terms,
// k)` of its turns.

import { type Sha256, utf8 } from '../ledger/bytes.ts'
import type { Sample } from './events.ts'
import { inOrder, type Message } from './messages.ts'
import type { Due, ExchangeState } from './state.ts'
import type { Terms } from './terms.ts'

// Deterministic randomness: drawn from the seed of the terms and from its purpose. Anyone who has the terms
// draws the same, so a sample can be checked. The branch is not included: two branches that differ in nothing
// else draw alike.

/** A whole number below `limit`, uniform to one part in 2^32 for any limit of this program. */
function drawn(sha256: Sha256, seed: number, purpose: string, turn: number, limit: number): number {
  const digest = sha256(utf8(`exchange\n${seed}\n${purpose}\n${turn}`))
  let value = 0
  for (const byte of digest.subarray(0, 6)) value = value * 256 + byte
  return value % limit
}

/** All of them in an order drawn for this purpose. */
export function shuffled<Item>(
  sha256: Sha256,
  seed: number,
  purpose: string,
  items: readonly Item[],
): readonly Item[] {
  const remaining = [...items]
  for (let i = 0; i + 1 < remaining.length; i++) {
    const j = i + drawn(sha256, seed, purpose, i, remaining.length - i)
    const taken = remaining[j] as Item
    remaining[j] = remaining[i] as Item
    remaining[i] = taken
  }
  return remaining
}

/** `count` different ones of the items, every choice equally likely; all of them when there are no more. */
export function draw<Item>(
  sha256: Sha256,
  seed: number,
  purpose: string,
  items: readonly Item[],
  count: number,
): readonly Item[] {
  if (items.length <= count) return items
  const remaining = [...items]
  for (let i = 0; i < count; i++) {
    const j = i + drawn(sha256, seed, purpose, i, remaining.length - i)
    const taken = remaining[j] as Item
    remaining[j] = remaining[i] as Item
    remaining[i] = taken
  }
  return remaining.slice(0, count)
}

/** The last `most` of them. */
export const lastOf = <Item>(items: readonly Item[], most: number): readonly Item[] =>
  items.length > most ? items.slice(items.length - most) : items

export const turnsUntilShown = ({ protocol }: Terms, ahead: number): number =>
  Math.ceil((ahead + 1) / (protocol.sample - 1))

const isAudit = ({ message }: Due): boolean => message.kind === 'audit'

/** What still has to be shown to everyone: a new audit replaces an older one. */
export function withDue(due: readonly Due[], message: Message, minds: readonly string[]): readonly Due[] {
  const others = message.kind === 'audit' ? due.filter((entry) => !isAudit(entry)) : due
  return [...others, { message, unseen: minds }]
}

/** After these samples were shown. */
export function shownTo(due: readonly Due[], samples: readonly Sample[]): readonly Due[] {
  if (due.length === 0) return due
  const seen = new Map(samples.map(({ mind, messages }) => [mind, new Set(messages)]))
  return due
    .map(({ message, unseen }) => ({
      message,
      unseen: unseen.filter((mind) => !seen.get(mind)?.has(message.id)),
    }))
    .filter(({ unseen }) => unseen.length > 0)
}

/** How many of the observer's messages some mind has not seen yet. */
export const unread = ({ due }: ExchangeState): number => due.filter((entry) => !isAudit(entry)).length

function candidates({ pool, pins }: ExchangeState): readonly Message[] {
  if (pins.length === 0) return pool
  const ids = new Set(pool.map(({ id }) => id))
  return [...pins.filter(({ id }) => !ids.has(id)), ...pool]
}

interface Slots {
  /** The purpose of the draw. */
  readonly purpose: string
  readonly mind: string
  readonly taken: ReadonlySet<string>
}

function protocolSlots(
  sha256: Sha256,
  { protocol, due }: ExchangeState,
  terms: Terms,
  { purpose, mind, taken }: Slots,
): readonly Message[] {
  const waiting = due.filter(({ message, unseen }) => unseen.includes(mind) && !taken.has(message.id))
  const first = [...waiting.filter(isAudit), ...waiting.filter((entry) => !isAudit(entry))]
    .slice(0, terms.protocol.sample)
    .map(({ message }) => message)
  const ids = new Set([...taken, ...first.map(({ id }) => id)])
  const rest = protocol.filter(({ id }) => !ids.has(id))
  return [
    ...first,
    ...draw(sha256, terms.pool.seed, `${purpose}/protocol`, rest, terms.protocol.sample - first.length),
  ]
}

const ids = (messages: readonly Message[]): readonly string[] =>
  [...messages].sort(inOrder).map(({ id }) => id)

export function sampleFor(
  sha256: Sha256,
  state: ExchangeState,
  terms: Terms,
  round: number,
  mind: string,
): Sample {
  const purpose = `sample/${round}/${mind}`
  const drawn = draw(sha256, terms.pool.seed, purpose, candidates(state), terms.pool.sample)
  const taken = new Set(drawn.map(({ id }) => id))
  return {
    mind,
    messages: ids([...drawn, ...protocolSlots(sha256, state, terms, { purpose, mind, taken })]),
  }
}

/** What the auditor reads: a larger sample, and every protocol message that is still kept. */
export function auditSample(sha256: Sha256, state: ExchangeState, terms: Terms, round: number): Sample {
  const drawn = draw(sha256, terms.pool.seed, `audit/${round}`, candidates(state), terms.auditor.sample)
  const taken = new Set(drawn.map(({ id }) => id))
  return {
    mind: terms.auditor.mind,
    messages: ids([...drawn, ...state.protocol.filter(({ id }) => !taken.has(id))]),
  }
}

/** The writers of the next round of the pool. */
export function writersOf({ turns }: ExchangeState, { pool }: Terms): readonly string[] {
  if (pool.parallel) return pool.minds
  return [pool.minds[turns % pool.minds.length] ?? '']
}
