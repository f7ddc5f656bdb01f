// Makes bundles from a store. `wholeBundle` reads and signs nothing, so that verifying a home does not change
// it; the others contain only what an outsider needs of the registry, under a checkpoint signed for the
// bundle.

import type { Bundle, Carried, Section } from '../ledger/bundle/bundle.ts'
import type { Sha256 } from '../ledger/bytes.ts'
import { isHash, toHex } from '../ledger/bytes.ts'
import { WitanError } from '../ledger/errors.ts'
import { artifactsOf, type Header, readHeader, readPayload, type SealedEvent } from '../ledger/event.ts'
import { FORKED, forkPointOf } from '../ledger/fork.ts'
import { CHECKPOINT_RECORDED, KEY_EVENTS, REDACTION_RECORDED } from '../ledger/registry/registry.ts'
import { consistencyProof, inclusionProof, inclusionProofs } from '../ledger/tree/merkle.ts'
import { hashBytes, readTreeHead } from '../ledger/tree/tree-head.ts'
import type { Store } from '../stores/store.ts'
import { attestedRegistryNote, withRecordedLines } from './attested-notes.ts'
import { redactionOf } from './redaction.ts'
import type { Registrar } from './registrar.ts'
import { notFound } from './reliance/growing-trees.ts'

/** What a bundle is to contain. */
export interface ExtractOptions {
  /** Leave every payload and artifact of the trace out. */
  readonly withoutContent?: boolean
  /** Artifacts over this many bytes are named as left out. */
  readonly artifactLimit?: number
}

/** What a bundle is taken from. */
interface ExtractPorts {
  readonly store: Store
  readonly registrar: Registrar
  readonly sha256: Sha256
}

const withoutProof = (event: SealedEvent): Carried => ({ event, proof: [] })

const wholeSection = (trace: string, events: readonly SealedEvent[]): Section => ({
  trace,
  form: 'whole',
  checkpoint: null,
  events: events.map(withoutProof),
  positions: [],
  earlier: null,
})

async function readAll(store: Store, trace: string, to?: number): Promise<SealedEvent[]> {
  const events: SealedEvent[] = []
  for await (const event of store.read(trace, 0, to)) events.push(event)
  return events
}

const headerOf = (event: SealedEvent): Header | null => {
  const header = readHeader(event.header)
  return typeof header === 'string' ? null : header
}

/** Prefixes of the traces that this one was forked from, oldest first. The verifier reports a missing parent. */
async function collectAncestors(
  store: Store,
  trace: string,
  events: readonly SealedEvent[],
  offspring: readonly string[] = [],
): Promise<Section[]> {
  const first = events[0]
  if (!first?.payload || headerOf(first)?.type !== FORKED) return []
  const payload = readPayload(first.payload)
  const point = typeof payload === 'string' ? null : forkPointOf(payload)
  // A store could contain forks that name each other.
  const seen = [...offspring, trace]
  if (!point || seen.includes(point.trace)) return []
  const prefix = await readAll(store, point.trace, point.seq + 1)
  return [...(await collectAncestors(store, point.trace, prefix, seen)), wholeSection(point.trace, prefix)]
}

function artifactsNamed(sections: readonly Section[]): Map<string, number> {
  const named = new Map<string, number>()
  for (const { event } of sections.flatMap((section) => section.events)) {
    const payload = event.payload && readPayload(event.payload)
    if (typeof payload === 'object' && payload)
      for (const a of artifactsOf(payload)) named.set(a.hash, a.size)
  }
  return named
}

/** The artifacts that sections name, for writers and checkers. */
export const artifactsIn = (bundle: Bundle): readonly string[] =>
  bundle.content === 'none' ? [] : [...artifactsNamed([...bundle.ancestors, bundle.main]).keys()]

/** A trace with the prefixes it was forked from, without anything to judge its keys by. Null where the store has none. */
export async function collectSections(
  store: Store,
  trace: string,
): Promise<Pick<Bundle, 'ancestors' | 'main'> | null> {
  const events = await readAll(store, trace)
  if (events.length === 0) return null
  return { ancestors: await collectAncestors(store, trace, events), main: wholeSection(trace, events) }
}

/** The trace and the whole registry as the store holds them. */
export async function wholeBundle(store: Store, trace: string): Promise<Bundle> {
  const registryTrace = await store.registry()
  const sections = await collectSections(store, trace)
  if (!sections) throw notFound(trace)
  const isRegistry = registryTrace === trace || registryTrace === null
  const registry = isRegistry
    ? sections.main
    : wholeSection(registryTrace, await readAll(store, registryTrace))
  return { trace, content: 'full', registry, ...sections, omitted: [] }
}

function isReliedOn(
  event: SealedEvent,
  traces: ReadonlySet<string>,
  artifacts: ReadonlyMap<string, number>,
): boolean {
  const type = headerOf(event)?.type ?? ''
  if (KEY_EVENTS.includes(type)) return true
  if (type !== REDACTION_RECORDED && type !== CHECKPOINT_RECORDED) return false
  const payload = event.payload && readPayload(event.payload)
  if (typeof payload !== 'object' || !payload) return false
  return traces.has(String(payload.trace)) || (isHash(payload.artifact) && artifacts.has(payload.artifact))
}

async function registryExtract(kit: ExtractPorts, sections: readonly Section[]): Promise<Section> {
  const { store, registrar, sha256 } = kit
  const checkpoint = await registrar.sign(registrar.trace)
  const { size } = readTreeHead(checkpoint)
  const events = await readAll(store, registrar.trace, size)
  const leaves = events.map((event) => hashBytes(event.hash))
  const proofOf = inclusionProofs(sha256, leaves)
  const prove = (index: number): string[] => proofOf(index).map(toHex)
  const traces = new Set(sections.map((section) => section.trace))
  const artifacts = artifactsNamed(sections)
  const sizes = new Set<number>()
  for (const { event } of sections.flatMap((section) => section.events))
    sizes.add(headerOf(event)?.registry.size ?? 0)
  // An older verifier checks it like any earlier checkpoint, and ignores the lines of others.
  const attested = attestedRegistryNote(registrar.log.state, size)
  const knownSizes = [...sizes].filter((position) => position > 0 && position <= size).sort((a, b) => a - b)
  return {
    trace: registrar.trace,
    form: 'sparse',
    checkpoint,
    events: events.flatMap((event, i) =>
      isReliedOn(event, traces, artifacts) ? [{ event, proof: prove(i) }] : [],
    ),
    positions: knownSizes.map((position) => ({
      size: position,
      hash: (events[position - 1] as SealedEvent).hash,
      proof: prove(position - 1),
    })),
    earlier:
      attested === null
        ? null
        : {
            note: attested,
            proof: consistencyProof(sha256, leaves, readTreeHead(attested).size).map(toHex),
          },
  }
}

const withoutContents = (section: Section): Section => ({
  ...section,
  events: section.events.map(({ event, proof }) => ({
    event: { ...event, payload: null, salt: null },
    proof,
  })),
})

/** A checkpoint for the bundle, with what others added below the recorded one. */
const signedNote = async (registrar: Registrar, trace: string): Promise<string> =>
  withRecordedLines(registrar.log.state, await registrar.sign(trace))

/** Everything an outsider needs to check the trace. */
export async function extract(
  kit: ExtractPorts,
  trace: string,
  options: ExtractOptions = {},
): Promise<Bundle> {
  const { store, registrar } = kit
  const checkpoint = await signedNote(registrar, trace)
  const { size } = readTreeHead(checkpoint)
  const events = await readAll(store, trace, size)
  const main: Section = { ...wholeSection(trace, events), checkpoint }
  if (trace === registrar.trace)
    return { trace, content: 'full', registry: main, ancestors: [], main, omitted: [] }
  const ancestors = await collectAncestors(store, trace, events)
  const registry = await registryExtract(kit, [...ancestors, main])
  if (options.withoutContent) {
    return {
      trace,
      content: 'none',
      registry,
      ancestors: ancestors.map(withoutContents),
      main: withoutContents(main),
      omitted: [],
    }
  }
  const omitted = await omittedFrom(
    kit,
    [...ancestors, main],
    options.artifactLimit ?? Number.POSITIVE_INFINITY,
  )
  return { trace, content: 'full', registry, ancestors, main, omitted }
}

async function omittedFrom(
  kit: ExtractPorts,
  sections: readonly Section[],
  limit: number,
): Promise<readonly string[]> {
  const omitted: string[] = []
  for (const hash of artifactsNamed(sections).keys()) {
    const stat = await kit.store.statArtifact(hash)
    if (stat && stat.size > limit) omitted.push(hash)
  }
  return omitted
}

/** One event with the proof that it is in the trace. */
export async function proveEvent(
  kit: ExtractPorts,
  trace: string,
  seq: number,
  options: ExtractOptions = {},
): Promise<Bundle> {
  const { store, registrar, sha256 } = kit
  const checkpoint = await signedNote(registrar, trace)
  const { size } = readTreeHead(checkpoint)
  if (!Number.isSafeInteger(seq) || seq < 0 || seq >= size) {
    throw new WitanError(
      'EVENT_NOT_FOUND',
      `${trace} has ${size} events, there is no ${seq}`,
      `Name one from 0 to ${size - 1}.`,
    )
  }
  const leaves = (await store.hashes(trace, 0, size)).map(hashBytes)
  const events: Carried[] = []
  for await (const event of store.read(trace, seq, seq + 1)) {
    events.push({ event, proof: inclusionProof(sha256, leaves, seq).map(toHex) })
  }
  const main: Section = { trace, form: 'sparse', checkpoint, events, positions: [], earlier: null }
  const registry = await registryExtract(kit, [main])
  const omitted = await omittedFrom(kit, [main], options.artifactLimit ?? Number.POSITIVE_INFINITY)
  return { trace, content: 'full', registry, ancestors: [], main, omitted }
}

/** Proof that the trace as it stands extends the checkpoint that someone holds. */
export async function proveExtension(kit: ExtractPorts, earlierNote: string): Promise<Bundle> {
  const { store, registrar, sha256 } = kit
  const earlier = readTreeHead(earlierNote)
  const foreign = new WitanError(
    'NOTE_INVALID',
    `the checkpoint (${earlier.origin}, size ${earlier.size}) is not one of this home's past`,
    'Give a checkpoint that this home made of a trace it still holds.',
  )
  if (earlier.registry !== registrar.trace || earlier.size === 0) throw foreign
  const checkpoint = await registrar.sign(earlier.trace)
  const { size } = readTreeHead(checkpoint)
  if (earlier.size > size) throw foreign
  const leaves = (await store.hashes(earlier.trace, 0, size)).map(hashBytes)
  const proof = consistencyProof(sha256, leaves, earlier.size).map(toHex)
  const main: Section = {
    trace: earlier.trace,
    form: 'sparse',
    checkpoint,
    events: [],
    positions: [],
    earlier: { note: earlierNote, proof },
  }
  const registry = await registryExtract(kit, [main])
  return { trace: earlier.trace, content: 'full', registry, ancestors: [], main, omitted: [] }
}

/** Whether the registry records that this artifact or payload was erased. */
export function isRedacted(
  registrar: Registrar,
  target: { trace: string; seq: number } | { artifact: string },
): boolean {
  const place = 'artifact' in target ? { trace: '', seq: null, ...target } : { ...target, artifact: null }
  return redactionOf(registrar.log.state, place) !== undefined
}
