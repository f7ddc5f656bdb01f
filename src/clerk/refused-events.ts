// Why an event is not appended: its protocol refuses it there, or its key may not sign it. Both depend on the
// heads of trace and registry, and may change once someone else has written. Nothing is written here.

import { isWitanError, WitanError } from '../ledger/errors.ts'
import type { Header } from '../ledger/event.ts'
import { FORKED } from '../ledger/fork.ts'
import { judgeKey } from '../ledger/registry/keys.ts'
import type { RegistryState } from '../ledger/registry/registry.ts'
import type { Unsigned } from '../ledger/signing.ts'
import type { Actor, Occurrence, Protocol, Refusal } from '../protocol.ts'

/** The rules of the trace do not accept this event now. */
export class RefusedError extends WitanError {
  readonly refusal: Refusal

  constructor(type: string, trace: string, refusal: Refusal) {
    super(
      'EVENT_REFUSED',
      `${refusal.message}; so ${type} may not follow in ${trace}`,
      `See \`witan show ${trace}\` for where it stands.`,
    )
    this.refusal = refusal
  }
}

/** The trace was begun by a newer Witan, under rules that are unknown here. */
export const newerEdition = (trace: string, unknown: string): WitanError =>
  new WitanError(
    'EDITION_UNKNOWN',
    `${trace} cannot be read: ${unknown}`,
    'Install a newer release of Witan: the changelog says which one brought that edition.',
  )

/** What may be decided differently after others have written, into the trace or into the registry. */
export const isJudgement = (error: unknown): boolean =>
  error instanceof RefusedError || isWitanError(error, 'KEY_RETIRED') || isWitanError(error, 'KEY_NOT_FOUND')

function checkKey(registry: RegistryState, header: Header): void {
  const fault = judgeKey(registry, header, () => undefined)
  if (!fault) return
  if (fault.code === 'KEY_ROLE_MISMATCH') {
    throw new RefusedError(header.type, header.trace, {
      code: 'ROLE_POLICY_VIOLATION',
      message: fault.message,
    })
  }
  throw new WitanError(
    fault.code === 'KEY_REVOKED' ? 'KEY_RETIRED' : 'KEY_NOT_FOUND',
    `${header.actor.agent} cannot sign ${header.type}: ${fault.message}`,
    'Run `witan keys list` to see which keys are in force.',
  )
}

/** Only the log of the registry is judged by its own state: every other log has a registry beside it. */
export const ownRegistry = (state: unknown): RegistryState => state as RegistryState

const MISPLACED: Refusal = { code: 'ORDER_VIOLATION', message: 'a fork is a first event' }

export interface JudgedChain<State> {
  readonly state: State
  readonly occurrences: readonly Occurrence[]
}

/** Throws at the first that may not follow. `registry`: null where the chain is one of the registry itself. */
export function judgeChain<State>(
  protocol: Protocol<State>,
  registry: RegistryState | null,
  from: State,
  chain: readonly Unsigned[],
): JudgedChain<State> {
  const signers = new Set<Actor>()
  const occurrences: Occurrence[] = []
  let state = from
  for (const { fields, hash, text } of chain) {
    const { trace, seq, at, type, actor } = fields
    // As every later reader gets it: even the order of members is that of the signed bytes.
    const occurrence: Occurrence = { trace, seq, at, type, actor, hash, payload: JSON.parse(text) }
    const refusal = type === FORKED && seq > 0 ? MISPLACED : protocol.refuse(state, occurrence)
    if (refusal) throw new RefusedError(type, trace, refusal)
    state = protocol.evolve(state, occurrence)
    occurrences.push(occurrence)
    if (!signers.has(actor)) checkKey(registry ?? ownRegistry(state), fields)
    signers.add(actor)
  }
  return { state, occurrences }
}

/** A performer's draft about an action has to name it. */
export const neverAnswered = (action: string): WitanError =>
  new WitanError(
    'EVENT_REFUSED',
    `what was recorded does not answer ${action}`,
    'Report this: the performer of this action, or its protocol, is at fault.',
  )
