// What the events of an attached session contain beyond the usual, and its two own events: that something of
// the host was not recorded as it should have been, and that the host's session is over.

import type { Artifact } from '../../ledger/event.ts'
import {
  integer,
  judged,
  oneOf,
  open,
  optionally,
  type Properties,
  text as textOf,
} from '../../ledger/schema.ts'
import { id, optionalId, text } from '../schema.ts'

/** How many characters of an input the intent repeats, so that the claim of the session can quote them. */
export const QUOTED = 200

/** The host's id of a call; if it has none, an id made from what it says about the call. */
const CALLED = { call: id }
const SIGNED = {
  ...CALLED,
  quote: textOf({ minLength: 1, maxLength: 1_000 }),
  agent_id: id,
  secrets_removed: integer({ minimum: 0 }),
}

/** An intent: the call that it was signed for, how its input begins, and which sub-agent of the host makes it. */
export const openSigned = <P extends Properties>(properties: P) => optionally(open(properties), SIGNED)
/** A start: the call that runs it. */
export const openCalled = <P extends Properties>(properties: P) => optionally(open(properties), CALLED)
/** An outcome: where it was read, if not from the host's hook. */
export const openReported = <P extends Properties>(properties: P) =>
  optionally(open(properties), { from: oneOf(['transcript']) })

const artifacts = judged<readonly Artifact[]>({ type: 'array' })

/**
 * `unannounced`: a call was reported only after it had run. `unrecorded`: a call was let through although it could
 * not be recorded. `unseen`: the host's own transcript contains a call that no hook reported. `hooks_changed`: the
 * hooks in the host's settings are not those that were attached.
 */
const WHY = oneOf(['unannounced', 'unrecorded', 'unseen', 'hooks_changed'])

export const ATTACHED_SHAPES = {
  gap_recorded: optionally(open({ why: WHY, tool: optionalId, call: optionalId, reason: text }), {
    artifacts,
  }),
  /** `ended`: the host reported it. `closed`: a person closed it. `idle`: no activity for a long time. */
  host_session_ended: open({ why: oneOf(['ended', 'closed', 'idle']), reason: text }),
} as const
