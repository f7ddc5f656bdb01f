// One hook of a host: from what the host says to what is recorded, and back to what the host is told. The trace of a host's
// session is opened with its first call. Who gates is answered only once it is on disk.

import { realpath } from 'node:fs/promises'
import { hostTool } from '../../tools/hosts/host-tools.ts'
import { verifierOf } from '../agents/session-equipment.ts'
import type { Home } from '../home/home.ts'
import { employ, personName } from '../home/signers.ts'
import { attachedPolicy } from './attached-policy.ts'
import { type AttachedDesk, AttachedSession, type HostCall, type HostOutcome } from './attached-session.ts'
import { type Attachment, beginPart, type HostSession, latestPart, PROGRAM } from './attachments.ts'
import { attachedSigners, openAttached } from './open-attached.ts'
import { versionInTranscript } from './transcript.ts'
import { takeUnrecorded } from './unrecorded.ts'

/** What a host says to a hook. */
export interface HookRequest {
  readonly session: string
  readonly version: string
  readonly cwd: string
  readonly transcript: string | null
  readonly said:
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

export async function deskFor(home: Home, attachment: Attachment, workspace: string): Promise<AttachedDesk> {
  const host = PROGRAM[attachment.host]
  const define = (tool: string) => hostTool(host, tool)
  const registrar = await employ(home, attachedSigners(personName()))
  const policy = await attachedPolicy(attachment.mode, attachment.policy, define, workspace)
  const verify = verifierOf(home, registrar.log.state.registrars)
  return { ports: home.ports, registrar, policy, define, verify }
}

export async function openPart(
  home: Home,
  attachment: Attachment,
  part: HostSession,
): Promise<AttachedSession> {
  const desk = await deskFor(home, attachment, part.workspace)
  const log = await openAttached(home.ports, desk.registrar, part.trace, {
    as: { host: PROGRAM[attachment.host], version: part.version, session: part.session },
    order: attachment.order,
    policy: desk.policy,
    proof: attachment.proof,
    operator: personName(),
    continues: part.continues,
  })
  return new AttachedSession(log, desk)
}

/** The session as it stands; a new part where the last one is over, or is held under another policy than is in force. */
async function sessionFor(
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

async function recordUnrecorded(session: AttachedSession, of: string): Promise<void> {
  for (const { tool, call, reason } of await takeUnrecorded(of))
    await session.gap({ why: 'unrecorded', tool, call, reason })
}

const waitingWords = (trace: string, intent: string): string =>
  `Witan: ${intent} needs a person's approval and nobody has answered yet. A person types: ` +
  `witan agents approve ${trace} ${intent} --reason "…" (witan agents pending shows it). Then make the same call again.`

export async function handleHook(
  home: Home,
  attachment: Attachment,
  request: HookRequest,
): Promise<HookAnswer> {
  const { said } = request
  if (said.kind === 'end') {
    const { part } = await latestPart(home.directory, attachment.id, request.session)
    if (!part) return { kind: 'pass' }
    await recordUnrecorded(await openPart(home, attachment, part), request.session)
    return { kind: 'ended', trace: part.trace }
  }
  const session = await sessionFor(home, attachment, request)
  await recordUnrecorded(session, request.session)
  if (said.kind === 'after') {
    await session.finish(said.outcome)
    return { kind: 'pass' }
  }
  const patience = AbortSignal.timeout(attachment.wait * 1_000)
  const announced = await session.announce(said.call, patience)
  const { trace } = session.log
  if (announced.kind === 'go') return { kind: 'pass' }
  if (announced.kind === 'waiting') return { kind: 'deny', reason: waitingWords(trace, announced.intent) }
  return { kind: 'deny', reason: `Witan blocked ${announced.intent} in ${trace}: ${announced.reason}` }
}
