// What the events of an exchange contain beyond its fold, which keeps only a window: who was shown what, the
// basis of an audit, and the history of the terms. Noted as events arrive, and limited, because the page
// drops old events.

import type { Message } from '../../../../exchange/messages.ts'
import type { ExchangeState } from '../../../../exchange/state.ts'
import { changedKeys } from '../../../../exchange/terms.ts'
import type { Occurrence } from '../../../../protocol.ts'

interface MessageRef {
  readonly text: string
  readonly cites: readonly string[]
}

export interface AuditBasis {
  readonly points: readonly MessageRef[]
  readonly rejected: readonly MessageRef[]
  readonly left_out: readonly string[]
}

export interface TermsStep {
  readonly trace: string
  readonly seq: number
  readonly at: string
  /** Which keys changed; empty for the first. */
  readonly changed: readonly string[]
  readonly reason: string | null
}

interface Sample {
  readonly mind: string
  readonly messages: readonly string[]
}

const VECTORS: readonly string[] = ['messages_embedded', 'reembedded']

/** More than any pool has in its window. */
const MOST_ROUNDS = 2_000
const MOST_AUDITS = 200

/** Sets it as the newest, and drops the oldest. */
function setBounded<Key, Value>(notes: Map<Key, Value>, key: Key, value: Value, limit: number): void {
  notes.delete(key)
  notes.set(key, value)
  for (const oldest of notes.keys()) {
    if (notes.size <= limit) return
    notes.delete(oldest)
  }
}

export class PoolNotes {
  readonly terms: TermsStep[] = []
  /** How often vectors were added. */
  vectors = 0
  readonly #samples = new Map<number, readonly Sample[]>()
  readonly #audits = new Map<string, AuditBasis>()

  /** An event, with the states before and after it. */
  take({ trace, seq, at, type, payload }: Occurrence, before: ExchangeState, now: ExchangeState): void {
    if (now.terms !== null && now.termsHash !== before.termsHash) {
      const changed = before.terms === null ? [] : changedKeys(before.terms, now.terms)
      const reason = typeof payload?.reason === 'string' ? payload.reason : null
      this.terms.push({ trace, seq, at, changed, reason })
    }
    if (payload === null) return
    if (VECTORS.includes(type)) this.vectors++
    if (type === 'round_opened' && typeof payload.round === 'number')
      setBounded(this.#samples, payload.round, payload.samples as object as readonly Sample[], MOST_ROUNDS)
    if (type === 'audit_written')
      setBounded(this.#audits, `${trace}/${seq}`, payload as object as AuditBasis, MOST_AUDITS)
  }

  /** The ids that the author of a message was shown; null where that is no longer known. */
  sampleOf({ round, author }: Message): readonly string[] | null {
    return this.#samples.get(round)?.find(({ mind }) => mind === author)?.messages ?? null
  }

  /** The basis of an audit; null where that is no longer known. */
  auditAt({ event }: Message): AuditBasis | null {
    return this.#audits.get(event) ?? null
  }
}
