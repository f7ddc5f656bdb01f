// The text form of a bundle: one canonical JSON object for each line. What is written is read back unchanged,
// and every line must have its canonical form, so that no changed byte can hide in a lenient reader. Artifact
// bytes are between lines in a file, or apart from them in a page; they are not handled here.

import { fromHex, fromUtf8, isHash, toHex, utf8 } from '../bytes.ts'
import { canonicalize, type Json, parseCanonical } from '../canonical.ts'
import { WitanError } from '../errors.ts'
import { isTraceId, type SealedEvent } from '../event.ts'
import type { Bundle, Carried, Position, Section } from './bundle.ts'

export const BUNDLE_FORMAT = 'bundle/1'
/** A header, a payload of 1 MiB with every character escaped, and some reserve. */
export const MAX_LINE_BYTES = 8 << 20

export const cutOff = (message = 'the end of the bundle is missing'): WitanError =>
  new WitanError('BUNDLE_TRUNCATED', message, 'The file was cut off. Get it again, whole.')

type Record = { readonly [name: string]: Json }
type Part = 'registry' | 'ancestor' | 'main'

const text = (bytes: Uint8Array): string => {
  const decoded = fromUtf8(bytes)
  if (decoded !== null) return decoded
  throw new WitanError(
    'VAULT_CORRUPT',
    'an event in the store is not UTF-8 text',
    'Verify the trace in its home to see where; restore the store from a backup.',
  )
}

const eventRecord = ({ event, proof }: Carried): Record => ({
  event: text(event.header),
  hash: event.hash,
  payload: event.payload && text(event.payload),
  proof,
  salt: event.salt && toHex(event.salt),
  signature: toHex(event.signature),
})

/** One event as a line of a bundle has it, without a proof: what a page that follows a trace is sent. */
export const eventLine = (event: SealedEvent): string => canonicalize(eventRecord({ event, proof: [] }))

function* sectionLines(part: Part, section: Section): Generator<string> {
  const { checkpoint, earlier, form, trace } = section
  yield canonicalize({ checkpoint, earlier, form, section: part, trace })
  for (const { size, hash, proof } of section.positions) yield canonicalize({ hash, position: size, proof })
  for (const carried of section.events) yield canonicalize(eventRecord(carried))
}

export function* bundleLines(bundle: Bundle): Generator<string> {
  yield canonicalize({ content: bundle.content, trace: bundle.trace, witan: BUNDLE_FORMAT })
  if (bundle.registry !== bundle.main) yield* sectionLines('registry', bundle.registry)
  for (const section of bundle.ancestors) yield* sectionLines('ancestor', section)
  yield* sectionLines('main', bundle.main)
  for (const omitted of bundle.omitted) yield canonicalize({ omitted })
}

const isHashes = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isHash)
const has = (value: object, members: number): boolean => Object.keys(value).length === members
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function readEvent(record: Record): Carried | null {
  const { event, hash, payload, proof, salt, signature, ...rest } = record
  if (typeof event !== 'string' || !isHash(hash) || !isHashes(proof) || typeof signature !== 'string')
    return null
  if (Object.keys(rest).length > 0) return null
  const saltBytes = typeof salt === 'string' ? fromHex(salt) : null
  const signatureBytes = fromHex(signature)
  if ((payload !== null && typeof payload !== 'string') || (salt !== null && !saltBytes) || !signatureBytes)
    return null
  const sealed: SealedEvent = {
    header: utf8(event),
    hash,
    signature: signatureBytes,
    payload: payload === null ? null : utf8(payload),
    salt: saltBytes,
  }
  return { event: sealed, proof }
}

interface OpenSection extends Section {
  readonly events: Carried[]
  readonly positions: Position[]
}

function readSection(record: Record): OpenSection | null {
  const { checkpoint, earlier, form, section, trace, ...rest } = record
  if (Object.keys(rest).length > 0 || typeof section !== 'string') return null
  if (typeof trace !== 'string' || !isTraceId(trace) || (form !== 'whole' && form !== 'sparse')) return null
  if (checkpoint !== null && typeof checkpoint !== 'string') return null
  const before = earlier as Partial<NonNullable<Section['earlier']>> | null
  if (before !== null) {
    if (typeof before?.note !== 'string' || !isHashes(before.proof) || !has(before, 2)) return null
  }
  return { trace, form, checkpoint, positions: [], earlier: before as Section['earlier'], events: [] }
}

function readPosition({ hash, position, proof, ...rest }: Record): Position | null {
  if (!isCount(position) || !isHash(hash) || !isHashes(proof) || !has(rest, 0)) return null
  return { size: position, hash, proof }
}

/** How every bundle begins, for any subject. */
const BEGINNING = utf8('{"content":"')

/** For a file whose first line does not end: what is wrong with it, unless it is a truncated bundle. */
export const unlikeBundle = (start: Uint8Array): WitanError | null =>
  BEGINNING.subarray(0, start.length).every((byte, at) => byte === start[at]) ? null : foreign(null)

function foreign(record: Record | null): WitanError {
  // Only text of this form is repeated: anything else in the file must not reach a terminal.
  const newer = typeof record?.witan === 'string' && /^bundle\/[0-9]{1,4}$/.test(record.witan)
  return newer
    ? new WitanError(
        'BUNDLE_FOREIGN',
        `this is a ${record.witan}, which this version cannot read`,
        'Update Witan.',
      )
    : new WitanError(
        'BUNDLE_FOREIGN',
        'this file is not a Witan bundle',
        'Give a file that `witan export` or `witan prove` wrote.',
      )
}

/** Takes the lines of a bundle one by one. */
export class BundleReader {
  #line = 0
  #bundle: { trace: string; content: Bundle['content'] } | null = null
  #registry: OpenSection | null = null
  readonly #ancestors: OpenSection[] = []
  #main: OpenSection | null = null
  #open: OpenSection | null = null
  readonly #omitted: string[] = []
  /** Whether the artifacts or the end of a file have begun. */
  #isOver = false

  /** The record when it is not one of a bundle's own: a file has such lines for its artifacts and its end. */
  take(bytes: Uint8Array): Record | null {
    this.#line++
    const value = parseCanonical(bytes)
    const record =
      typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record) : null
    if (!this.#bundle) {
      if (record?.witan !== BUNDLE_FORMAT) throw foreign(record)
      return this.#opening(record)
    }
    if (!record) throw this.#invalid('it is not a canonical JSON object')
    if ('section' in record) return this.#section(record)
    if ('position' in record) {
      const position = readPosition(record)
      if (!position || !this.#open) throw this.#invalid('it is not a position in a section')
      if (this.#isOver || this.#open.events.length > 0) throw this.#misplaced()
      this.#open.positions.push(position)
      return null
    }
    if ('event' in record) {
      const carried = readEvent(record)
      if (!carried || !this.#open) throw this.#invalid('it is not an event in a section')
      if (this.#isOver || this.#omitted.length > 0) throw this.#misplaced()
      this.#open.events.push(carried)
      return null
    }
    if ('omitted' in record) {
      if (!isHash(record.omitted) || Object.keys(record).length > 1)
        throw this.#invalid('it names no artifact')
      if (this.#isOver || !this.#main) throw this.#misplaced()
      this.#omitted.push(record.omitted)
      return null
    }
    this.#isOver = true
    return record
  }

  finish(): Bundle {
    const registry = this.#registry ?? this.#main
    if (!this.#bundle || !this.#main || !registry || this.#main.trace !== this.#bundle.trace) {
      throw this.#invalid('the section of the trace it is about is missing')
    }
    const [ancestors, main, omitted] = [this.#ancestors, this.#main, this.#omitted]
    return { ...this.#bundle, registry, ancestors, main, omitted }
  }

  #opening(record: Record): null {
    const { content, trace } = record
    const sound = typeof trace === 'string' && isTraceId(trace) && (content === 'full' || content === 'none')
    if (!sound || Object.keys(record).length !== 3)
      throw this.#invalid('it is not the first line of a bundle')
    this.#bundle = { trace, content }
    return null
  }

  #section(record: Record): null {
    const section = readSection(record)
    if (!section) throw this.#invalid('it does not open a section')
    if (this.#isOver || this.#omitted.length > 0 || !this.#isNext(record.section)) throw this.#misplaced()
    if (record.section === 'registry' && !this.#registry) this.#registry = section
    else if (record.section === 'ancestor') this.#ancestors.push(section)
    else if (record.section === 'main' && !this.#main) this.#main = section
    else throw this.#invalid('it opens a section that is there already')
    this.#open = section
    return null
  }

  /** The registry comes first and the trace itself last. */
  #isNext(part: Json | undefined): boolean {
    return part === 'main' || (!this.#main && (part !== 'registry' || this.#ancestors.length === 0))
  }

  #misplaced(): WitanError {
    return this.#invalid('it stands where no such line belongs')
  }

  #invalid(message: string): WitanError {
    return new WitanError(
      'BUNDLE_INVALID',
      `line ${this.#line} of the bundle cannot be read: ${message}`,
      'The file was changed or damaged. Get it again from where it was exported.',
    )
  }
}
