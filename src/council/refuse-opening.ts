// The consistency of a council's seats, when it opens and when a fork changes it: unique names, chairs that
// have a seat and can write, and a quorum that can be reached.

import type { Occurrence, Refusal } from '../protocol.ts'
import { PACK } from './context.ts'
import { editionOf } from './editions.ts'
import {
  type Amendment,
  type CouncilOpened,
  FORKED_SEAT_FIELDS,
  SCRIPTED_PROVIDER,
  type SeatRecord,
} from './events.ts'
import type { CouncilPolicy } from './policy.ts'
import { refuseNewer } from './refuse-misplaced.ts'
import { refuseRetry } from './retry.ts'
import type { OpenedCouncil } from './state.ts'

const invalid = (message: string): Refusal => ({ code: 'SCHEMA_INVALID', message })
const order = (message: string): Refusal => ({ code: 'ORDER_VIOLATION', message })

const isUnique = (names: readonly string[]): boolean => new Set(names).size === names.length

/** As in headers: a seat signs under its own name. */
const AGENT = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/

function refuseTable(
  seats: readonly SeatRecord[],
  chairs: readonly string[],
  { quorum }: CouncilPolicy,
): Refusal | null {
  const names = seats.map(({ seat }) => seat)
  if (!isUnique(names)) return invalid('two seats have one name')
  if (!names.every((name) => AGENT.test(name))) return invalid('the name of a seat is not a valid agent name')
  const asked = seats.filter(({ roles }) => roles.includes('participant'))
  if (asked.length === 0) return invalid('no seat is asked for an opinion')
  if (!isUnique(chairs)) return invalid('a chair is named twice')
  const canChair = ({ roles, embedded }: SeatRecord): boolean => roles.includes('chair') && !embedded
  if (!chairs.every((chair) => seats.some((each) => each.seat === chair && canChair(each))))
    return invalid('a chair is no seat that may chair')
  const models = asked.filter(({ embedded }) => !embedded)
  if (models.length === 0) return null
  if (chairs.length === 0 && quorum.r3_required) return invalid('there is no chair')
  return models.length < quorum.r1_min ? invalid('the table is smaller than the quorum of R1') : null
}

/** A report that says no model was asked may depend on no seat with a model. */
const refuseScripted = ({ scripted }: CouncilOpened, seats: readonly SeatRecord[]): Refusal | null =>
  scripted && seats.some(({ provider }) => provider !== SCRIPTED_PROVIDER)
    ? invalid('a seat of a scripted demo is not scripted')
    : null

export function refuseOpening(opening: CouncilOpened): Refusal | null {
  const { context, artifacts, seats, chairs, policy } = opening
  const packs = artifacts.filter(({ name }) => name === PACK)
  if (packs.length !== artifacts.length || packs.length > 1)
    return invalid('an opening has at most one artifact: the pack')
  if ((context.kind === 'none') !== (packs.length === 0))
    return invalid('context and pack do not go together')
  if (!isUnique(context.files.map(({ path }) => path))) return invalid('a file is listed twice')
  return (
    refuseNewer(opening, editionOf({ opened: opening })) ??
    refuseScripted(opening, seats) ??
    refuseTable(seats, chairs, policy)
  )
}

/** A seat that answered keeps its identity. */
function isSameSeat(known: SeatRecord, other: SeatRecord): boolean {
  return FORKED_SEAT_FIELDS.every((field) => known[field] === other[field])
}

export function refuseFork(state: OpenedCouncil, event: Occurrence): Refusal | null {
  if (state.isClosed) return order('the council is closed there; fork it after an earlier event')
  const amend = (event.payload?.amend ?? {}) as Amendment
  const { seats = state.opened.seats, chairs = state.opened.chairs, policy = state.opened.policy } = amend
  const other = seats.find((amended) => {
    const known = state.seats.find(({ seat }) => seat === amended.seat)
    return known !== undefined && !isSameSeat(known, amended)
  })
  if (other) return invalid('a seat of a known name is someone else')
  return (
    refuseNewer(amend, editionOf(state)) ??
    refuseScripted(state.opened, seats) ??
    refuseTable(seats, chairs, policy) ??
    refuseRetry(state, amend.retry)
  )
}
