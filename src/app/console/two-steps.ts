// An act in two steps: first the exact bytes that would be signed, and by which key; then, once the person
// has seen them, exactly those. The act runs twice, with the same time, salt and ids; the first time nothing
// is signed, the second time only what was shown. If the trace has changed meanwhile, the bytes differ, and
// nothing is signed.

import type { Ports } from '../../clerk/ports.ts'
import { Registrar } from '../../clerk/registrar.ts'
import { fromUtf8, toHex } from '../../ledger/bytes.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Actor } from '../../protocol.ts'
import type { Home } from '../home/home.ts'

/** What is shown to a person. */
export interface ToBeSigned {
  readonly actor: Actor
  /** The exact bytes that are signed, as text: the DSSE encoding of the header. */
  readonly message: string
  readonly header: string
  readonly payload: string
  readonly hash: string
}

/** Time, randomness and ids of the first step. */
interface Tape {
  readonly now: string[]
  readonly salt: Uint8Array[]
  readonly newTrace: string[]
}

export interface Rehearsed {
  readonly events: readonly ToBeSigned[]
  readonly tape: Tape
}

type Act<Result> = (home: Home) => Promise<Result>

class Shown extends Error {
  readonly events: readonly ToBeSigned[]
  constructor(events: readonly ToBeSigned[]) {
    super('nothing is signed in the first step')
    this.events = events
  }
}

interface Sealing {
  readonly actor: Actor
  readonly message: Uint8Array
  readonly header?: Uint8Array
  readonly text?: string
  readonly hash?: string
}

const textOf = (bytes: Uint8Array | undefined): string => (bytes && fromUtf8(bytes)) ?? ''

/** A request for a signature contains the complete event (ledger/signing.ts). */
const shownOf = ({ actor, message, header, text = '', hash = '' }: Sealing): ToBeSigned => ({
  actor,
  message: textOf(message),
  header: textOf(header),
  payload: text,
  hash,
})

const withPorts = (home: Home, ports: Ports): Home => ({
  ...home,
  ports,
  registrar: () => Registrar.open(ports),
})

/** What would be signed. Effects that come after signing do not happen. */
export async function rehearse(home: Home, act: Act<unknown>): Promise<Rehearsed> {
  const tape: Tape = { now: [], salt: [], newTrace: [] }
  const noted = <Value>(list: Value[], value: Value): Value => {
    list.push(value)
    return value
  }
  const ports: Ports = {
    ...home.ports,
    now: () => noted(tape.now, home.ports.now()),
    salt: () => noted(tape.salt, home.ports.salt()),
    newTrace: () => noted(tape.newTrace, home.ports.newTrace()),
    sign: (requests) => Promise.reject(new Shown(requests.map(shownOf))),
  }
  try {
    await act(withPorts(home, ports))
  } catch (error) {
    if (error instanceof Shown) return { events: error.events, tape }
    throw error
  }
  throw new WitanError('USAGE', 'there is nothing to sign', 'Look again: it may be done already.')
}

const moved = (): WitanError =>
  new WitanError(
    'HEAD_MOVED',
    'the trace has moved on since you looked: nothing was signed',
    'Look at it again, then decide.',
  )

/** Performs it, if what is to be signed is what was shown. */
export function perform<Result>(home: Home, { events, tape }: Rehearsed, act: Act<Result>): Promise<Result> {
  const remaining = { now: [...tape.now], salt: [...tape.salt], newTrace: [...tape.newTrace] }
  let isFirst = true
  const ports: Ports = {
    ...home.ports,
    now: () => remaining.now.shift() ?? home.ports.now(),
    salt: () => remaining.salt.shift() ?? home.ports.salt(),
    newTrace: () => remaining.newTrace.shift() ?? home.ports.newTrace(),
    async sign(requests) {
      const isSame =
        requests.length === events.length &&
        requests.every(
          ({ actor, message }, i) =>
            actor.key === events[i]?.actor.key && toHex(message) === toHex(Buffer.from(events[i].message)),
        )
      if (isFirst && !isSame) throw moved()
      // Consequences of a confirmed act (the branch that it orders) need no second confirmation.
      isFirst = false
      return home.ports.sign(requests)
    },
  }
  return act(withPorts(home, ports))
}
