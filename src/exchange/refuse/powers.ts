// Who may do what, checked before anything else: the powers and limits of the specification's table. Minds
// only write; the auditor audits and cannot change its spec; the observer steers and never writes as a mind;
// a policy acts only under its own name; the clerk keeps the trace and decides nothing.

import { FORKED } from '../../ledger/fork.ts'
import type { Occurrence, Refusal } from '../../protocol.ts'
import { isUnknownIn } from '../editions.ts'
import { AUDITOR, JUDGE, MIND, OBSERVER, POLICY } from '../events.ts'
import { speakersOf } from '../schema.ts'
import type { ExchangeState } from '../state.ts'
import { EDITION, misshapen } from './refusals.ts'

const notAllowed = (message: string): Refusal => ({ code: 'ROLE_POLICY_VIOLATION', message })

function observerOf(state: ExchangeState, event: Occurrence): string | null {
  if (event.type !== 'exchange_opened') return state.terms?.observer.name ?? null
  const terms = event.payload?.terms as { readonly observer?: { readonly name?: unknown } } | undefined
  return typeof terms?.observer?.name === 'string' ? terms.observer.name : null
}

/** An actor acts under its name in the terms. */
function refuseName(state: ExchangeState, event: Occurrence): Refusal | null {
  const { agent, role } = event.actor
  if (role === OBSERVER) {
    const name = observerOf(state, event)
    return name === null || agent === name ? null : notAllowed(`${agent} is not the observer of these terms`)
  }
  if (role === POLICY)
    return agent === POLICY ? null : notAllowed('a policy signs as itself, under no other name')
  if (role === MIND)
    return agent === event.payload?.mind ? null : notAllowed(`${agent} writes as another mind`)
  if (role === JUDGE) {
    const judge = state.judging?.mind
    return judge === undefined || agent === judge
      ? null
      : notAllowed(`${agent} is not the judge that is asked`)
  }
  if (role !== AUDITOR) return null
  const name = state.round?.under?.auditor.mind
  return name === undefined || agent === name
    ? null
    : notAllowed(`${agent} is not the auditor of these terms`)
}

export function beyondPowers(state: ExchangeState, event: Occurrence): Refusal | null {
  if (isUnknownIn(state, event.type))
    return { ...misshapen(`${event.type} is no event of this edition`), lacks: [EDITION] }
  const speakers = event.type === FORKED ? [OBSERVER, POLICY] : speakersOf(event.type)
  if (!speakers || event.payload === null) return null
  if (!speakers.includes(event.actor.role)) {
    return notAllowed(
      `${event.type} is not in the power of a ${event.actor.role}: only of ${speakers.join(' or ')}`,
    )
  }
  return refuseName(state, event)
}
