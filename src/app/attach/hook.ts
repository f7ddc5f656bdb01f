// One hook of a host: from what the host says to what is recorded, and back to what the host is told. The trace of a host's
// session is opened with its first call. Who gates is answered only once it is on disk.

import { realpath } from 'node:fs/promises'
import type { Home } from '../home/home.ts'
import { deniedWords, type HostCall } from './announce-call.ts'
import type { AttachedSession, HostOutcome } from './attached-session.ts'
import { type Attachment, beginPart, latestPart } from './attachments.ts'
import { openPart } from './open-part.ts'
import { versionInTranscript } from './transcript.ts'
import { recordUnrecorded } from './unrecorded.ts'

/** What a host says to a hook. */
export interface HookRequest {
  readonly session: string
  readonly version: string
  readonly cwd: string
  readonly transcript: string | null
  readonly hostEvent: /** Nothing is recorded of it: a trace is opened with the first call. */
    | { readonly kind: 'start' }
    | { readonly kind: 'before'; readonly call: HostCall }
    | { readonly kind: 'after'; readonly outcome: HostOutcome }
    | { readonly kind: 'end' }
}

/** What the host is told. */
export type HookAnswer =
  | { readonly kind: 'pass' }
  | { readonly kind: 'deny'; readonly reason: string }
  /** Its session is over; the trace is to be concluded. */
  | { readonly kind: 'ended'; readonly trace: string }

/** The session as it stands; a new part where the last one is over, or is held under another policy than is in force. */
export async function sessionFor(
  home: Home,
  attachment: Attachment,
  request: HookRequest,
): Promise<AttachedSession> {
  for (;;) {
    const { part, nth } = await latestPart(home.directory, attachment.id, request.session)
    const last = part && (await openPart(home, attachment, part))
    if (last && !last.isOver) {
      if (last.state.task?.policy.hash === last.policyHash) return last
      await last.end('closed', 'another policy is in force since')
      continue
    }
    await beginPart(home.directory, nth, {
      trace: home.ports.newTrace(),
      attachment: attachment.id,
      session: request.session,
      version: (await versionInTranscript(attachment.host, request.transcript)) ?? request.version,
      workspace: await realpath(request.cwd).catch(() => request.cwd),
      transcript: request.transcript,
      continues: part?.trace ?? null,
    })
  }
}

export async function handleHook(
  home: Home,
  attachment: Attachment,
  request: HookRequest,
): Promise<HookAnswer> {
  const { hostEvent } = request
  if (hostEvent.kind === 'start') return { kind: 'pass' }
  if (hostEvent.kind === 'end') {
    const { part } = await latestPart(home.directory, attachment.id, request.session)
    if (!part) return { kind: 'pass' }
    await recordUnrecorded(await openPart(home, attachment, part), request.session)
    return { kind: 'ended', trace: part.trace }
  }
  const session = await sessionFor(home, attachment, request)
  await recordUnrecorded(session, request.session)
  if (hostEvent.kind === 'after') {
    await session.finish(hostEvent.outcome)
    await session.tend()
    return { kind: 'pass' }
  }
  const patience = AbortSignal.timeout(attachment.wait * 1_000)
  const announced = await session.announce(hostEvent.call, patience)
  const reason = deniedWords(session.log.trace, announced)
  return reason === null ? { kind: 'pass' } : { kind: 'deny', reason }
}
