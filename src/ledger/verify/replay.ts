// Replays the protocol's own state machine over the record. An event that its protocol would have refused is
// a failure, however well it is signed and chained. A failed event is still folded, so that one fault is
// reported once and not again at everything that follows.

import { MAX_READ_BYTES, type Occurrence, type Protocol, type Refusal } from '../../protocol.ts'
import type { Bundle, Section } from '../bundle/bundle.ts'
import { Erasures } from '../erasures.ts'
import { readHeader, readPayload } from '../event.ts'
import { FORKED, forkPointOf } from '../fork.ts'
import type { Context } from './context.ts'
import { type Answers, occurrence, type ReadEvent, type ReadSection } from './inquire.ts'
import { type InspectedEvent, inspect } from './inspect.ts'
import type { Check } from './report.ts'

// Most artifacts are only digested. Some a protocol must read to judge: a quote of a claim, the prompt of a
// model. Which ones is asked here, before the artifacts are read, so that only those are kept in memory.

type Read = Pick<ReadEvent, 'event' | 'header' | 'payload'>

/** Hashes of the artifacts whose content verification wants to see. */
export function artifactsToRead(
  sections: readonly { readonly events: Iterable<Read> }[],
  protocols: readonly Protocol[],
): ReadonlySet<string> {
  const wanted = new Set<string>()
  const known = new Map(protocols.map((protocol) => [protocol.id, protocol]))
  for (const { events } of sections) {
    for (const { event, header, payload } of events) {
      if (typeof header === 'string' || typeof payload === 'string' || payload === null) continue
      const asked = known.get(header.protocol)?.reads?.(occurrence(header, event.hash, payload))
      for (const hash of asked ?? []) wanted.add(hash)
    }
  }
  return wanted
}

function* readings({ events }: Section): Generator<Read> {
  for (const { event } of events) {
    yield { event, header: readHeader(event.header), payload: event.payload && readPayload(event.payload) }
  }
}

/** The same for a bundle that has not been read yet; nothing of what is read is kept. */
export const artifactsToReadIn = (
  { ancestors, main }: Bundle,
  protocols: readonly Protocol[],
): ReadonlySet<string> =>
  artifactsToRead(
    [...ancestors, main].map((section) => ({ events: readings(section) })),
    protocols,
  )

/** Why a required artifact cannot be read, though no fault is known; null when it can. */
function unreadable(answers: Answers, hash: string): string | null {
  const answer = answers.artifacts.get(hash)
  if (answer?.state !== 'intact' || answer.content) return null
  return answer.size > MAX_READ_BYTES
    ? 'an artifact that must be read to judge this is too large for that'
    : 'an artifact that must be read to judge this was not given to the verifier'
}

function checkOf(refusal: Refusal): Check {
  if (refusal.finalisation) return 'finalisation'
  if (refusal.code === 'CLAIM_UNPROVEN') return 'claim_evidence'
  return refusal.code === 'SCHEMA_INVALID' ? 'schema' : 'protocol_replay'
}

class Replay {
  readonly #ctx: Context
  readonly #protocol: Protocol
  #state: unknown
  readonly #erasures = new Erasures()
  #faulty = false
  /** The rules of this trace are unknown here: the rest is only checked event by event. */
  #isUnjudged = false
  #at = ''
  #registrySize = 0

  constructor(ctx: Context, protocol: Protocol) {
    this.#ctx = ctx
    this.#protocol = protocol
    this.#state = protocol.initial
  }

  /** Time and registry position never decrease, also across a fork. */
  #backwards({ header }: InspectedEvent): Refusal | null {
    if (header.at < this.#at) return { code: 'ORDER_VIOLATION', message: 'at runs backwards' }
    if (header.registry.size < this.#registrySize) {
      return { code: 'ORDER_VIOLATION', message: 'the registry position runs backwards' }
    }
    return null
  }

  #misplacedFork({ header }: InspectedEvent): Refusal | null {
    if (header.type !== FORKED || header.seq === 0) return null
    return { code: 'ORDER_VIOLATION', message: `${FORKED} can only be the first event of a trace` }
  }

  /** The payload of an erased event is unknown; its position is known. */
  #refuse(event: Occurrence): Refusal | null {
    return event.payload ? this.#protocol.refuse(this.#state, event) : null
  }

  /** Whether the event is certainly at fault: differences that an erasure may explain hide no other fault. */
  #report(sound: InspectedEvent, refusal: Refusal): boolean {
    // Content that is missing because of a faulty event is not reported again.
    if (refusal.lacks && this.#faulty) return true
    const where = { event: sound.read.id }
    const unexplained = this.#erasures.unexplained(refusal)
    if (unexplained === null) {
      const message = `cannot be judged, since something before it was erased: ${refusal.message}`
      this.#ctx.findings.add('protocol_replay', 'REDACTION_LIMITED', message, {
        ...where,
        severity: 'warning',
      })
    } else {
      this.#ctx.findings.add(checkOf(unexplained), unexplained.code, unexplained.message, where)
    }
    return unexplained !== null
  }

  #checkEvidence(sound: InspectedEvent, event: Occurrence): void {
    const { findings, answers } = this.#ctx
    for (const artifact of this.#protocol.evidence?.(this.#state, event) ?? []) {
      findings.examined('claim_evidence')
      if (answers.artifacts.get(artifact)?.state === 'intact') continue
      const limit = this.#ctx.limitOf(artifact)
      findings.add(
        'claim_evidence',
        limit ?? 'CLAIM_UNPROVEN',
        'an artifact that the claim stands on is not intact',
        {
          event: sound.read.id,
          artifact,
          severity: limit ? 'warning' : 'error',
        },
      )
    }
  }

  #content = (hash: string): Uint8Array | null => {
    const answer = this.#ctx.answers.artifacts.get(hash)
    return (answer?.state === 'intact' && answer.content) || null
  }

  #checkContent(sound: InspectedEvent, event: Occurrence): void {
    for (const hash of this.#protocol.reads?.(event) ?? []) {
      const message = unreadable(this.#ctx.answers, hash)
      if (message === null) continue
      this.#ctx.findings.add('artifact_existence', 'ARTIFACT_MISSING', message, {
        event: sound.read.id,
        artifact: hash,
      })
      return
    }
    const refusal = this.#protocol.examine?.(this.#state, event, this.#content)
    if (refusal) this.#report(sound, refusal)
  }

  /** Judges the event when it is valid, and folds it either way. */
  step(section: ReadSection, index: number): void {
    const sound = inspect(this.#ctx, section, index)
    const read = section.events[index]
    if (!read || typeof read.header === 'string') return
    const payload = typeof read.payload === 'string' ? null : read.payload
    const event = occurrence(read.header, read.event.hash, payload)
    if (sound && !this.#isUnjudged) {
      if (payload) this.#ctx.findings.examined('protocol_replay')
      const refusal = this.#backwards(sound) ?? this.#misplacedFork(sound) ?? this.#refuse(event)
      const isRefused = refusal !== null && this.#report(sound, refusal)
      if (payload && !isRefused) {
        this.#checkEvidence(sound, event)
        this.#checkContent(sound, event)
        const gap = this.#protocol.warns?.(event)
        const where = { event: sound.read.id, severity: 'warning' } as const
        if (gap) this.#ctx.findings.add('protocol_replay', 'RECORD_GAP', gap, where)
      }
    }
    if (this.#protocol.unknownEdition?.(event)) this.#isUnjudged = true
    if (!sound) this.#faulty = true
    const { type, actor } = read.header
    this.#erasures.pass({ type, agent: actor.agent, hash: read.event.hash }, sound !== null && !payload)
    this.#state = this.#protocol.evolve(this.#state, event)
    if (read.header.at > this.#at) this.#at = read.header.at
    this.#registrySize = Math.max(this.#registrySize, read.header.registry.size)
  }

  finish(): void {
    if (this.#protocol.finished(this.#state)) this.#ctx.findings.examined('finalisation')
  }
}

/** Checks every event by itself, where there is nothing to replay it on. */
export const inspectAll = (ctx: Context, section: ReadSection): readonly (InspectedEvent | null)[] =>
  section.events.map((_, index) => inspect(ctx, section, index))

interface ParentFault {
  readonly code: 'FORK_PARENT_MISSING' | 'REDACTION_LIMITED' | 'SCHEMA_INVALID'
  readonly message: string
}

/** Why the section cannot be replayed on what came before it: nothing, or the parent that its first event names. */
function parentFault(
  ctx: Context,
  section: ReadSection,
  parent: ReadSection | undefined,
): ParentFault | null {
  const first = section.events[0]
  if (!first || typeof first.header === 'string' || first.header.type !== FORKED) {
    // Replayed on another trace, an event could use approvals that were never given to it.
    const message = 'it is no fork, but the bundle has a parent trace'
    return parent ? { code: 'SCHEMA_INVALID', message } : null
  }
  if (first.payload === null && ctx.isErased(first.id)) {
    return {
      code: 'REDACTION_LIMITED',
      message: 'cannot be replayed, since the name of its parent was erased',
    }
  }
  const point = typeof first.payload === 'string' ? null : forkPointOf(first.payload)
  const fits =
    point !== null &&
    parent?.form === 'whole' &&
    parent.trace === point.trace &&
    parent.events.length === point.seq + 1 &&
    parent.events.at(-1)?.event.hash === point.hash
  if (fits) return null
  const message = point
    ? `parent ${point.trace}/${point.seq} is not here as named`
    : 'the fork names no parent'
  return { code: 'FORK_PARENT_MISSING', message }
}

function reportParent(ctx: Context, section: ReadSection, fault: ParentFault): void {
  const check = fault.code === 'SCHEMA_INVALID' ? 'schema' : 'protocol_replay'
  const severity = fault.code === 'REDACTION_LIMITED' ? 'warning' : 'error'
  ctx.findings.add(check, fault.code, fault.message, { event: section.events[0]?.id ?? null, severity })
}

/** Replays whole sections one on the other: the prefixes of the parents first, then the trace itself. */
export function replay(ctx: Context, sections: readonly ReadSection[]): void {
  const last = sections.at(-1)
  const id = last && ctx.protocolOf(last)
  const protocol = id ? ctx.protocols.get(id) : undefined
  if (!last || !protocol) {
    if (id)
      ctx.findings.add('schema', 'SCHEMA_INVALID', `this version of Witan does not know the protocol ${id}`)
    for (const section of sections) inspectAll(ctx, section)
    return
  }
  const run = new Replay(ctx, protocol)
  let isUnbroken = true
  sections.forEach((section, i) => {
    const fault = parentFault(ctx, section, sections[i - 1])
    if (fault) isUnbroken = false
    if (isUnbroken) {
      for (const index of section.events.keys()) run.step(section, index)
      return
    }
    const sound = inspectAll(ctx, section)
    if (fault && (sound[0] || section.events.length === 0)) reportParent(ctx, section, fault)
  })
  run.finish()
}
