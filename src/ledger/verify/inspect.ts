// The checks of a single event by itself and its neighbours, in a fixed order, before its protocol is asked.
// The first that fails is reported; a warning hides nothing.

import { proofBytes } from '../bundle/bundle.ts'
import { claimedHash } from '../bytes.ts'
import { artifactsOf, eventHash, GENESIS, type Header, payloadHash, SALT_BYTES } from '../event.ts'
import { FORKED } from '../fork.ts'
import { CHECKPOINT_RECORDED, REDACTION_RECORDED } from '../registry/registry.ts'
import { verifyInclusion } from '../tree/merkle.ts'
import type { Context } from './context.ts'
import type { ReadEvent, ReadSection } from './inquire.ts'
import type { Check, VerifyCode } from './report.ts'

interface Fault {
  readonly check: Check
  readonly code: VerifyCode
  readonly message: string
  readonly artifact?: string
}

/** An event about which only its protocol can say more. */
export interface InspectedEvent {
  readonly read: ReadEvent
  readonly header: Header
}

const fault = (check: Check, code: VerifyCode, message: string, artifact?: string): Fault =>
  artifact === undefined ? { check, code, message } : { check, code, message, artifact }

function chainFault(ctx: Context, section: ReadSection, index: number, header: Header): Fault | null {
  const read = section.events[index] as ReadEvent
  if (section.form === 'whole') {
    const before = section.events[index - 1]?.event.hash ?? GENESIS
    if (header.seq !== index)
      return fault('chain', 'CHAIN_BREAK', `event ${header.seq} stands in place ${index}`)
    return header.prev === before
      ? null
      : fault('chain', 'CHAIN_BREAK', 'prev is not the hash of the event before it')
  }
  const before = section.events[index - 1]?.header
  if (typeof before === 'object' && before.seq >= header.seq)
    return fault('chain', 'CHAIN_BREAK', 'single events stand in the order of their numbers, each once')
  const checkpoint = ctx.checkpointOf(section.checkpoint)
  const included =
    checkpoint &&
    verifyInclusion(ctx.sha256, {
      leaf: claimedHash(read.event.hash),
      index: header.seq,
      size: checkpoint.size,
      proof: proofBytes(read.proof),
      root: checkpoint.root,
    })
  return included
    ? null
    : fault('chain', 'CHAIN_BREAK', 'the proof does not lead from this event to the checkpoint')
}

function positionFault(ctx: Context, section: ReadSection, header: Header): Fault | null {
  const { size, hash } = header.registry
  if (header.trace === ctx.inquiry.registry.trace) {
    if (size !== header.seq || hash !== header.prev) {
      return fault(
        'key_status',
        'KEY_UNKNOWN',
        'a registry event must name its own predecessor as registry position',
      )
    }
    if (size === 0 || section === ctx.inquiry.registry) return null
  }
  if (ctx.isRegistryPosition(size, hash)) return null
  return fault('key_status', 'KEY_UNKNOWN', `the registry at hand was never at size ${size} with this head`)
}

function signatureFault(ctx: Context, read: ReadEvent): Fault | null {
  if (read.event.signature.length === 0)
    return fault('signature', 'SIG_MISSING', 'the event has no signature')
  if (read.question < 0) return fault('key_status', 'KEY_UNKNOWN', 'key is not in the registry')
  if (ctx.answers.signatures[read.question] === true) return null
  return fault('signature', 'SIG_INVALID', 'the signature does not fit the header and key')
}

function artifactFault(ctx: Context, read: ReadEvent): Fault | null {
  if (typeof read.payload !== 'object' || !read.payload) return null
  const artifacts = artifactsOf(read.payload)
  if (artifacts.length === 0) return null
  const faults: (Fault | null)[] = artifacts.map(({ hash, size, name }) => {
    const answer = ctx.answers.artifacts.get(hash)
    ctx.findings.examined('artifact_existence')
    if (!answer || answer.state === 'absent') {
      const limit = ctx.limitOf(hash)
      if (!limit) return fault('artifact_existence', 'ARTIFACT_MISSING', `artifact ${name} is not here`, hash)
      ctx.findings.add('artifact_existence', limit, `bytes of artifact ${name} were not checked`, {
        event: read.id,
        artifact: hash,
        severity: 'warning',
      })
      return null
    }
    ctx.findings.examined('artifact_hash')
    if (answer.state === 'intact' && answer.size === size) return null
    return fault('artifact_hash', 'ARTIFACT_HASH_MISMATCH', `artifact ${name} holds other bytes`, hash)
  })
  return faults.find((f) => f?.check === 'artifact_existence') ?? faults.find(Boolean) ?? null
}

function payloadFault(ctx: Context, section: ReadSection, read: ReadEvent, header: Header): Fault | null {
  const { payload, salt } = read.event
  const withheld = ctx.inquiry.bundle.content === 'none' && section !== ctx.inquiry.registry
  if (withheld) {
    if (!payload && !salt) return null
    return fault(
      'schema',
      'SCHEMA_INVALID',
      'the bundle says that it holds no content, yet this event has some',
    )
  }
  if ((payload === null) !== (salt === null)) {
    // There is nothing to check against the header, yet something would be shown and folded.
    return fault('schema', 'SCHEMA_INVALID', 'payload and salt can only be absent together')
  }
  if (!payload || !salt) {
    if (!ctx.isErased(read.id))
      return fault('payload_hash', 'PAYLOAD_MISSING', 'payload is absent without a redaction')
    ctx.findings.add('payload_hash', 'REDACTION_LIMITED', 'payload was erased by a recorded redaction', {
      event: read.id,
      severity: 'warning',
    })
    return null
  }
  ctx.findings.examined('payload_hash')
  if (salt.length !== SALT_BYTES || payloadHash(ctx.sha256, salt, payload) !== header.payload_hash) {
    return fault('payload_hash', 'PAYLOAD_HASH_MISMATCH', 'payload is not the one the header commits to')
  }
  return typeof read.payload === 'string' ? fault('schema', 'SCHEMA_INVALID', read.payload) : null
}

function faultOf(ctx: Context, section: ReadSection, index: number): Fault | Header {
  const read = section.events[index] as ReadEvent
  const { header } = read
  const { findings } = ctx
  findings.examined('schema')
  if (typeof header === 'string') return fault('schema', 'SCHEMA_INVALID', header)
  if (header.trace !== section.trace)
    return fault('schema', 'SCHEMA_INVALID', 'the event belongs to another trace')
  if (header.protocol !== ctx.protocolOf(section)) {
    return fault('schema', 'SCHEMA_INVALID', 'the event is of another protocol than its trace')
  }
  if (section.form === 'whole' && read.proof.length > 0)
    return fault('schema', 'SCHEMA_INVALID', 'the event stands in a whole trace and needs no proof')
  findings.examined('event_hash')
  if (eventHash(ctx.sha256, read.event.header) !== read.event.hash) {
    return fault('event_hash', 'HASH_MISMATCH', 'the header does not have the hash recorded for it')
  }
  findings.examined('chain')
  const chain = chainFault(ctx, section, index, header)
  if (chain) return chain
  findings.examined('signature')
  const signature = signatureFault(ctx, read)
  if (signature) return signature
  findings.examined('key_status')
  const key = positionFault(ctx, section, header) ?? ctx.keyFault(section, header)
  if (key) return key
  findings.examined('key_role')
  return artifactFault(ctx, read) ?? payloadFault(ctx, section, read, header) ?? header
}

/** The event for its protocol to judge, or null when a check failed and was reported. */
export function inspect(ctx: Context, section: ReadSection, index: number): InspectedEvent | null {
  const read = section.events[index] as ReadEvent
  const faultOrHeader = faultOf(ctx, section, index)
  if (!('code' in faultOrHeader)) return { read, header: faultOrHeader }
  ctx.findings.add(faultOrHeader.check, faultOrHeader.code, faultOrHeader.message, {
    event: read.id,
    artifact: faultOrHeader.artifact ?? null,
  })
  return null
}

// What no rule needs is refused. A verdict covers the whole file, and unchecked bytes would be covered
// unnoticed: in a proof that is not followed, an artifact that no event names, a trace that is not replayed.

function refuse(ctx: Context, message: string, where: { event?: string; artifact?: string } = {}): void {
  ctx.findings.add('schema', 'SCHEMA_INVALID', message, where)
}

const headerOf = ({ header }: ReadEvent) => (typeof header === 'object' ? header : null)

/** The sizes at which an extract of the registry has to show its last event. */
function sizesNamed(sections: readonly ReadSection[]): ReadonlySet<number> {
  const sizes = new Set<number>()
  for (const { events } of sections) for (const read of events) sizes.add(headerOf(read)?.registry.size ?? 0)
  return sizes
}

function checkPositions(ctx: Context): void {
  const { registry, ancestors, main } = ctx.inquiry
  const others = [...ancestors, main].filter((section) => section !== registry)
  for (const { trace, positions } of others)
    if (positions.length > 0) refuse(ctx, `${trace} comes with positions, which only the registry has`)
  const named = registry.form === 'sparse' ? sizesNamed(others) : new Set<number>()
  let before = 0
  for (const { size } of registry.positions) {
    if (size <= before) refuse(ctx, `position ${size} of the registry stands behind position ${before}`)
    else if (!named.has(size)) refuse(ctx, `no event here names position ${size} of the registry`)
    before = size
  }
}

/** Redactions and checkpoints belong here when they are about something that is here; events about keys always do. */
function checkExtract(ctx: Context): void {
  const { bundle, registry, ancestors, main, questions } = ctx.inquiry
  if (registry === main || registry.form === 'whole') return
  const traces = new Set([...ancestors, main].map(({ trace }) => trace))
  const artifacts = new Set(questions.artifacts)
  // Without content it is unknown which artifacts the trace names.
  const mayBeNamed = (hash: string): boolean => bundle.content === 'none' || artifacts.has(hash)
  for (const read of registry.events) {
    const { payload } = read
    const type = headerOf(read)?.type
    if (typeof payload !== 'object' || !payload) continue
    if (type !== REDACTION_RECORDED && type !== CHECKPOINT_RECORDED) continue
    if (typeof payload.trace === 'string' && traces.has(payload.trace)) continue
    if (typeof payload.artifact === 'string' && mayBeNamed(payload.artifact)) continue
    refuse(ctx, 'the extract of the registry holds what concerns nothing here', { event: read.id })
  }
}

function checkSections(ctx: Context): void {
  const { bundle, registry, ancestors, main } = ctx.inquiry
  if (main.trace === registry.trace) {
    if (bundle.content === 'none') refuse(ctx, 'the registry cannot come without its content')
    if (main !== registry && main.form === 'whole') refuse(ctx, 'the whole registry is here twice')
  }
  for (const { trace, checkpoint } of ancestors)
    if (checkpoint !== null) refuse(ctx, `${trace} is only forked from, yet comes with a checkpoint`)
  for (const { trace, form, earlier } of new Set([registry, ...ancestors, main])) {
    if (form === 'whole' && earlier)
      refuse(ctx, `${trace} is here whole, yet comes with a proof that it extends an earlier checkpoint`)
  }
}

/** With content, replaying shows whether each is the parent that the next one names. */
function checkUnreplayed(ctx: Context): void {
  const { bundle, registry, ancestors, main } = ctx.inquiry
  if (bundle.content === 'full') return
  const seen = new Set([registry.trace, main.trace])
  for (const [i, section] of ancestors.entries()) {
    const first = (ancestors[i + 1] ?? main).events[0]
    const isParent =
      section.form === 'whole' &&
      section.events.length > 0 &&
      !seen.has(section.trace) &&
      ctx.protocolOf(section) === ctx.protocolOf(main) &&
      (first && headerOf(first))?.type === FORKED
    if (!isParent) refuse(ctx, `${section.trace} comes with a trace that is no fork of it`)
    seen.add(section.trace)
  }
}

function checkArtifacts(ctx: Context): void {
  const { bundle, questions } = ctx.inquiry
  const named = new Set(questions.artifacts)
  for (const [artifact, { state }] of ctx.answers.artifacts) {
    if (state !== 'absent' && !named.has(artifact))
      refuse(ctx, 'an artifact is here that no event names', { artifact })
  }
  const seen = new Set<string>()
  for (const artifact of bundle.omitted) {
    if (!named.has(artifact)) refuse(ctx, 'an artifact is left out that no event names', { artifact })
    else if (seen.has(artifact)) refuse(ctx, 'an artifact is said to be left out twice', { artifact })
    seen.add(artifact)
  }
}

/** After a failure, things that belong to it may look unneeded: they are not reported again. */
export function checkSurplus(ctx: Context): void {
  if (ctx.findings.status === 'fail') return
  checkSections(ctx)
  checkUnreplayed(ctx)
  checkPositions(ctx)
  checkExtract(ctx)
  checkArtifacts(ctx)
}
