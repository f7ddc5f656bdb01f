// Who may record what, and when. The rule of calls checks before this that an outcome answers a decided
// action; this file checks the consistency of an opening, that a council has its derived id, and that a
// closing agrees with the grades.

import { isHash, type Sha256 } from '../ledger/bytes.ts'
import { CALL_INDETERMINATE, CALL_LOST, CALL_STARTED, CLERK } from '../ledger/calls.ts'
import { canonicalize } from '../ledger/canonical.ts'
import { momentMs } from '../ledger/clock.ts'
import { FORKED } from '../ledger/fork.ts'
import type { Lack, Occurrence, Refusal } from '../protocol.ts'
import { isReaderVersion } from '../reply/read-reply.ts'
import { readArm } from './arms.ts'
import { councilId } from './council-ids.ts'
import * as is from './events.ts'
import { misshapen } from './payload-check.ts'
import { closingOf } from './result.ts'
import { SET_ARTIFACT } from './set-artifact.ts'
import { type EvalState, isOpened, type Opened } from './state.ts'

const SPEAKERS: ReadonlyMap<string, string> = new Map([
  [is.OPENED, is.EVALUATOR],
  [FORKED, is.EVALUATOR],
  [is.OUTCOME, is.EVALUATOR],
  [is.ITEM_HELD, CLERK],
  [is.SAMPLE_GIVEN, is.SAMPLED],
  [is.SAMPLE_FAILED, is.SAMPLED],
  [is.JUDGEMENT_GIVEN, is.GRADER],
  [is.JUDGEMENT_FAILED, is.GRADER],
  [is.ITEM_GRADED, CLERK],
  [is.CLOSED, CLERK],
])

/** Events from which grades follow: once one is erased, what follows from it is unknown. */
export const GROUND: readonly string[] = [
  is.OPENED,
  is.ITEM_HELD,
  is.SAMPLE_GIVEN,
  is.SAMPLE_FAILED,
  is.JUDGEMENT_GIVEN,
  is.JUDGEMENT_FAILED,
  is.ITEM_GRADED,
]
const LACKS: readonly Lack[] = [{ types: GROUND }]

const invalid = (message: string): Refusal => ({ code: 'SCHEMA_INVALID', message })
const order = (message: string, lacks: readonly Lack[] = []): Refusal => ({
  code: 'ORDER_VIOLATION',
  message,
  ...(lacks.length > 0 && { lacks }),
})
const role = (message: string): Refusal => ({ code: 'ROLE_POLICY_VIOLATION', message })

const isUnique = (names: readonly string[]): boolean => new Set(names).size === names.length

function refuseOpening(opening: is.EvalOpened): Refusal | null {
  const names = opening.seats.map(({ seat }) => seat)
  const { arms, primary, artifacts, chairs, stability, set } = opening
  if (!isHash(opening.seed) || !isHash(set.sha256))
    return invalid('the seed or the hash of the set is no hash')
  if (!isUnique(names)) return invalid('two seats have one name')
  if (!chairs.every((chair) => names.includes(chair))) return invalid('a chair is no seat')
  if (!isUnique(arms) || !arms.every((arm) => readArm(arm, names)))
    return invalid('an arm is unknown or named twice')
  if (!arms.includes(primary.arm) || !arms.includes(primary.against) || primary.arm === primary.against)
    return invalid('the primary comparison is not between two of the arms')
  if (artifacts.length !== 1 || artifacts[0]?.name !== SET_ARTIFACT)
    return invalid('an opening has one artifact: the set')
  if (set.items > set.size || stability > set.items) return invalid('more items are asked than there are')
  return null
}

/** A seat answers in its own name. */
function refuseSpeaker(event: Occurrence): Refusal | null {
  const seat = event.payload?.seat
  return seat === event.actor.agent
    ? null
    : role(`only ${String(seat)} may answer ${String(event.payload?.action)}`)
}

/** The action says what is asked; the payload repeats it and may not differ. */
function refuseMisnamed(event: Occurrence): Refusal | null {
  const p = event.payload ?? {}
  const base = String(p.action).slice(0, String(p.action).lastIndexOf('/'))
  const actions: Readonly<Record<string, string>> = {
    [is.ITEM_HELD]: `hold/${p.item}/${p.rep}/${p.variant}`,
    [is.SAMPLE_GIVEN]: `sample/${p.item}/${p.rep}/${p.seat}/${p.n}`,
    [is.SAMPLE_FAILED]: `sample/${p.item}/${p.rep}/${p.seat}/${p.n}`,
    [is.JUDGEMENT_GIVEN]: `judge/${p.item}/${p.rep}/${p.answer}/${p.order}`,
    [is.JUDGEMENT_FAILED]: `judge/${p.item}/${p.rep}/${p.answer}/${p.order}`,
    [is.ITEM_GRADED]: `grade/${p.item}/${p.rep}`,
  }
  const expected = actions[event.type]
  return expected === undefined || expected === base
    ? null
    : invalid(`${event.type} tells of another action than ${base}`)
}

function refuseHeld(sha256: Sha256, state: Opened, event: Occurrence): Refusal | null {
  const { council, item, rep, variant } = is.payloadOf(event, is.ITEM_HELD)
  const of = { root: state.root, seed: state.opened.seed, ms: momentMs(state.began) }
  return council.trace === councilId(sha256, of, item, rep, variant)
    ? null
    : invalid('the council has another name than the one that follows for it')
}

function refuseClosing(state: Opened, event: Occurrence): Refusal | null {
  const { action: _, ...recorded } = is.payloadOf(event, is.CLOSED)
  if (canonicalize(recorded) === canonicalize(closingOf(state))) return null
  return { ...order('the closing is not what the grades say', LACKS), finalisation: true }
}

function refuseContent(sha256: Sha256, state: Opened, event: Occurrence): Refusal | null {
  switch (event.type) {
    case is.ITEM_HELD:
      return refuseHeld(sha256, state, event)
    case is.CLOSED:
      return refuseClosing(state, event)
    case is.SAMPLE_GIVEN:
    case is.SAMPLE_FAILED:
    case is.JUDGEMENT_FAILED:
      return refuseSpeaker(event)
    case is.JUDGEMENT_GIVEN: {
      const { reading } = is.payloadOf(event, is.JUDGEMENT_GIVEN)
      return isReaderVersion(reading.reader) ? refuseSpeaker(event) : invalid('the reader is not known here')
    }
    default:
      return null
  }
}

export const refuseWith =
  (sha256: Sha256) =>
  (state: EvalState, event: Occurrence): Refusal | null => {
    if (event.type === CALL_INDETERMINATE) return invalid('an evaluation has no tools')
    if (event.type === CALL_STARTED || event.type === CALL_LOST)
      return isOpened(state) ? null : order('the evaluation is not open', [is.OPENED, FORKED])
    const speaker = SPEAKERS.get(event.type)
    if (speaker === undefined) return invalid(`${event.type} is no event of ${is.EVAL}`)
    if (event.actor.role !== speaker) return role(`only a ${speaker} may say ${event.type}`)
    const misfit = misshapen(event)
    if (misfit) return invalid(misfit)
    if (event.payload === null) return null
    if (event.type === is.OPENED || event.type === is.OUTCOME) {
      if (state.trace !== '') return order('a trace is opened once')
      return event.type === is.OPENED ? refuseOpening(is.payloadOf(event, is.OPENED)) : null
    }
    if (!isOpened(state)) return order('the evaluation is not open', [is.OPENED, FORKED])
    if (event.type === FORKED) {
      const { set } = event.payload as { readonly set?: is.EvalOpened['set'] }
      return set?.items === state.opened.set.items ? null : invalid('a regrading keeps the number of items')
    }
    if (state.isClosed) return order('the evaluation is closed')
    return refuseMisnamed(event) ?? refuseContent(sha256, state, event)
  }
