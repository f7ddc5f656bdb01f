// Actions that only need a signature: the decision contains the whole payload, and the clerk that performs it
// adds only the action's id and, for an approval, the time at which it ends.

import type { Action } from '../protocol.ts'
import type { CriticVia, EventType, Payloads } from './events.ts'
import type { Role } from './lifecycle.ts'
import type { CriticSeat } from './task.ts'

type Input = Action['input']

/** The event to record and its signer: `Action.input.say` of a `record` action. */
export interface RecordInput<Type extends EventType = EventType> {
  readonly type: Type
  readonly agent: string
  readonly role: Role
  readonly payload: Omit<Payloads[Type], 'action' | 'expires'>
}

const input = (value: object): Input => ({ ...value })

export const record = <Type extends EventType>(id: string, say: RecordInput<Type>): Action => ({
  id,
  call: 'record',
  input: input({ say }),
})

/** Something must be found out first, and then recorded; the kind of the action says what. */
export const recordLater = (id: string, about: object): Action => ({
  id,
  call: 'record',
  input: input(about),
})
export const ask = (id: string, about: object): Action => ({ id, call: 'ask', input: input(about) })
export const run = (id: string, about: object): Action => ({ id, call: 'tool', input: input(about) })
export const park = (id: string, waitsFor: string, about: object): Action => ({
  id,
  call: 'park',
  waitsFor,
  input: input(about),
})

/** How a seat that is not a person answers. */
export const viaOf = ({ kind }: CriticSeat): CriticVia => (kind === 'human' ? 'terminal' : kind)

export const criticName = ({ agent }: CriticSeat): string =>
  agent ?? 'a registered person in the role of critic'
