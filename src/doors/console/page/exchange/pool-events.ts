// What the events of an exchange say beyond its fold, which keeps a window alone: who was shown what, what an audit rests
// on, and how the terms became what they are.

import type { Message } from '../../../../exchange/messages.ts'
import { changedKeys, readTerms, type Terms } from '../../../../exchange/terms.ts'
import type { Payload } from '../../../../ledger/event.ts'
import type { SeenEvent } from '../trace/seen-event.ts'

function payloadIn(event: SeenEvent | undefined, type: string): Payload | null {
  if (!event || typeof event.header === 'string' || event.header.type !== type) return null
  return typeof event.payload === 'object' ? event.payload : null
}

/** The ids that the author of a message was shown; null where this trace does not tell. */
export function sampleOf(message: Message, events: readonly SeenEvent[]): readonly string[] | null {
  const [, seq] = message.event.split('/')
  for (let at = Math.min(Number(seq), events.length - 1); at >= 0; at--) {
    const opened = payloadIn(events[at], 'round_opened')
    if (opened === null || opened.round !== message.round) continue
    const samples = opened.samples as readonly {
      readonly mind: string
      readonly messages: readonly string[]
    }[]
    return samples.find(({ mind }) => mind === message.author)?.messages ?? null
  }
  return null
}

interface Point {
  readonly text: string
  readonly cites: readonly string[]
}

export interface AuditBasis {
  readonly points: readonly Point[]
  readonly rejected: readonly Point[]
  readonly left_out: readonly string[]
}

/** What an audit rests on; null where it came from another trace. */
export function auditAt(message: Message, events: readonly SeenEvent[]): AuditBasis | null {
  const [trace, seq] = message.event.split('/')
  const event = events[Number(seq)]
  if (event && typeof event.header === 'object' && event.header.trace !== trace) return null
  return payloadIn(event, 'audit_written') as AuditBasis | null
}

export interface TermsStep {
  readonly seq: number
  readonly at: string
  /** Which keys changed; empty for the first. */
  readonly changed: readonly string[]
  readonly reason: string | null
}

const STATES: readonly string[] = ['exchange_opened', 'terms_amended', 'signal_answered']

/** Every event of this trace that stated terms. */
export function termsHistory(events: readonly SeenEvent[]): readonly TermsStep[] {
  const steps: TermsStep[] = []
  let before: Terms | null = null
  for (const { seq, header, payload } of events) {
    if (typeof header === 'string' || typeof payload !== 'object' || payload === null) continue
    if (!STATES.includes(header.type)) continue
    const terms = readTerms(payload.terms)
    if (typeof terms === 'string') continue
    const changed = before === null ? [] : changedKeys(before, terms)
    const reason = typeof payload.reason === 'string' ? payload.reason : null
    steps.push({ seq, at: header.at, changed, reason })
    before = terms
  }
  return steps
}
