// Compares what an evaluation says about its councils with their own traces. The evaluation names each
// council by its head, so the hash chain up to it shows that the trace is the right one; its signatures are
// checked when that council is verified. Erased content cannot be compared, and is counted.

import { councilProtocol } from '../../council/council.ts'
import { COUNCIL } from '../../council/events.ts'
import { isOpenedCouncil, type OpenedCouncil } from '../../council/state.ts'
import { isFork } from '../../eval/arms.ts'
import * as is from '../../eval/events.ts'
import type { Bundle, Section } from '../../ledger/bundle/bundle.ts'
import { canonicalize, type Json } from '../../ledger/canonical.ts'
import {
  type End,
  eventHash,
  GENESIS,
  type Header,
  payloadHash,
  readHeader,
  readPayload,
  type SealedEvent,
} from '../../ledger/event.ts'
import { forkPointOf } from '../../ledger/fork.ts'
import { occurrence } from '../../ledger/verify/inquire.ts'
import type { Occurrence } from '../../protocol.ts'
import { sha256 } from '../../stores/digest.ts'
import { councilValues } from './council-values.ts'

/** How many of the councils of an evaluation were available and agree with it. */
export interface CouncilsCompared {
  readonly named: number
  readonly compared: number
  /** Not in this home and not beside the file. */
  readonly absent: number
  /** Part of their content was erased since. */
  readonly erased: number
}

export interface CouncilFault {
  /** The event of the evaluation that disagrees. */
  readonly event: string
  readonly message: string
}

export type CouncilRecord = Pick<Bundle, 'ancestors' | 'main'>
export type FindCouncil = (trace: string) => Promise<CouncilRecord | null>

/** What is wrong with a trace, or what prevents reading it. */
class Unlike {
  readonly message: string | null

  /** Null where it was erased, which is not a fault. */
  constructor(message: string | null) {
    this.message = message
  }
}

const ERASED = new Unlike(null)

function readEvent(event: SealedEvent, before: Pick<Header, 'seq'> & { hash: string }): Occurrence | Unlike {
  const header = readHeader(event.header)
  if (typeof header === 'string') return new Unlike(`an event of it cannot be read: ${header}`)
  const place = `${header.trace}/${header.seq}`
  if (header.seq !== before.seq + 1 || header.prev !== before.hash)
    return new Unlike(`${place} does not follow the event before it`)
  if (eventHash(sha256, event.header) !== event.hash) return new Unlike(`${place} was changed`)
  if (event.payload === null || event.salt === null) return ERASED
  const payload = readPayload(event.payload)
  if (payloadHash(sha256, event.salt, event.payload) !== header.payload_hash || typeof payload === 'string')
    return new Unlike(`what ${place} says was changed`)
  return occurrence(header, event.hash, payload)
}

function readSection({ trace, events }: Section, end: End): readonly Occurrence[] | Unlike {
  const read: Occurrence[] = []
  let before = { seq: -1, hash: GENESIS }
  for (const { event } of events.slice(0, end.size)) {
    const header = readEvent(event, before)
    if (header instanceof Unlike) return header
    if (header.trace !== trace) return new Unlike(`${header.trace}/${header.seq} is in ${trace}`)
    before = { seq: header.seq, hash: event.hash }
    read.push(header)
  }
  return read.length === end.size && before.hash === end.hash
    ? read
    : new Unlike(`${trace} is not the record that the evaluation names`)
}

/** The council as it was at the named head, including the rounds of the council it was forked from. */
function foldCouncil({ ancestors, main }: CouncilRecord, head: is.Held['council']): OpenedCouncil | Unlike {
  let events = readSection(main, head)
  for (const ancestor of ancestors.toReversed()) {
    if (events instanceof Unlike) return events
    const point = forkPointOf(events[0]?.payload ?? null)
    if (point?.trace !== ancestor.trace) return new Unlike('it continues another record than it names')
    const earlier = readSection(ancestor, { size: point.seq + 1, hash: point.hash })
    events = earlier instanceof Unlike ? earlier : [...earlier, ...events]
  }
  if (events instanceof Unlike) return events
  const protocol = councilProtocol(sha256)
  const state = events.reduce(protocol.evolve, protocol.initial)
  return isOpenedCouncil(state.inner) ? state.inner : new Unlike(`it is no trace of ${COUNCIL}`)
}

async function compareOne(item: is.Held, record: CouncilRecord): Promise<Unlike | null> {
  const state = foldCouncil(record, item.council)
  if (state instanceof Unlike) return state
  const events = record.main.events.slice(0, item.council.size).map(({ event }) => event)
  const values = await councilValues(sha256, { head: item.council, state, events }, isFork(item.variant))
  const differing = Object.entries(values).filter(
    ([name, value]) =>
      canonicalize(value as Json) !== canonicalize(item[name as keyof typeof values] as Json),
  )
  if (differing.length === 0) return null
  return new Unlike(`it says otherwise: ${differing.map(([name]) => name).join(', ')}`)
}

function* heldIn(
  sections: readonly Section[],
): Generator<{ readonly event: string; readonly item: is.Held }> {
  for (const { events } of sections) {
    for (const { event } of events) {
      const header = readHeader(event.header)
      if (typeof header === 'string' || header.type !== is.ITEM_HELD) continue
      const payload = event.payload && readPayload(event.payload)
      if (typeof payload !== 'object' || payload === null) continue
      const itemEvent = occurrence(header, event.hash, payload)
      yield { event: `${header.trace}/${header.seq}`, item: is.payloadOf(itemEvent, is.ITEM_HELD) }
    }
  }
}

/** For an evaluation that verifies by itself. A regrading repeats the councils of its ancestors. */
export async function compareCouncils(
  { ancestors, main }: CouncilRecord,
  find: FindCouncil,
): Promise<{ readonly councils: CouncilsCompared; readonly faults: readonly CouncilFault[] }> {
  const counts = { named: 0, compared: 0, absent: 0, erased: 0 }
  const faults: CouncilFault[] = []
  for (const { event, item } of heldIn([...ancestors, main])) {
    counts.named++
    const record = await find(item.council.trace)
    if (!record) {
      counts.absent++
      continue
    }
    const unlike = await compareOne(item, record)
    if (unlike === ERASED) counts.erased++
    else counts.compared++
    if (unlike?.message) faults.push({ event, message: `council ${item.council.trace}: ${unlike.message}` })
  }
  return { councils: counts, faults }
}
