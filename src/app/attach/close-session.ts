// An attached session comes to its end: the host said so, a person does, or nothing came for long. What the host's own
// transcript knows and no hook told is added first, as what it is; then the session claims what is provable and is
// audited. A host that died leaves its session open; closing it is the same.

import { AGENTS_PROTOCOL } from '../../agents/agents.ts'
import { resultOf, type SessionResult } from '../../agents/result.ts'
import { momentMs } from '../../ledger/clock.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Home } from '../home/home.ts'
import { personName } from '../home/signers.ts'
import {
  type Attachment,
  type Gateway,
  type HostSession,
  readHostSession,
  termsNamed,
} from './attachments.ts'
import { openPart } from './open-part.ts'
import { reconcile } from './reconcile.ts'
import { recordUnrecorded } from './unrecorded.ts'

export interface Closed extends SessionResult {
  /** What the session was found to lack, in words. */
  readonly gaps: number
  readonly calls: number
}

async function openSessionPart(
  home: Home,
  trace: string,
): Promise<{ part: HostSession; attachment: Attachment | Gateway }> {
  const part = await readHostSession(home.directory, trace)
  const attachment = part && (await termsNamed(home.directory, part.attachment))
  if (attachment) return { part, attachment }
  throw new WitanError(
    'TRACE_NOT_FOUND',
    `this home does not know the host of ${trace}`,
    'Close it in the home in which it was attached.',
  )
}

const REASONS = {
  ended: 'the host said that its session is over',
  closed: 'a person closed it',
  idle: 'nothing came from the host for long',
} as const

/** Whether the trace is of a host that was attached to this home. */
export const isOfHost = async (home: Home, trace: string): Promise<boolean> =>
  (await readHostSession(home.directory, trace)) !== null

export async function closeAttached(
  home: Home,
  trace: string,
  why: keyof typeof REASONS = 'closed',
): Promise<Closed> {
  const { part, attachment } = await openSessionPart(home, trace)
  const session = await openPart(home, attachment, part)
  if (!session.log.protocol.finished(session.log.state)) {
    if (!session.isOver && attachment.host !== 'gateway') {
      await recordUnrecorded(session, part.session)
      await reconcile(session, attachment, part.transcript)
    }
    await session.end(why, REASONS[why])
    await session.conclude(personName())
  }
  const { state } = session
  return { ...resultOf(trace, state), gaps: state.gaps.length, calls: state.intents.size }
}

/** With what a session ends. One that ends with something else may be open. */
const LAST_EVENTS: readonly string[] = ['verification_run_completed', 'session_failed', 'session_aborted']

/** Closes those in which nothing happened for so many minutes. One that cannot be closed does not keep the others open. */
export async function closeIdle(home: Home, minutes: number): Promise<readonly Closed[]> {
  const before = momentMs(home.ports.now()) - minutes * 60_000
  const closed: Closed[] = []
  const faults: unknown[] = []
  for (const { trace, protocol, last } of await home.store.traces()) {
    if (protocol !== AGENTS_PROTOCOL || LAST_EVENTS.includes(last.type) || momentMs(last.at) > before)
      continue
    if (!(await isOfHost(home, trace))) continue
    try {
      closed.push(await closeAttached(home, trace, 'idle'))
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 0) throw faults[0]
  return closed
}
