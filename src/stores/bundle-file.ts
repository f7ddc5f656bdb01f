// A bundle as one file that can be written and read as a stream: the lines of the bundle, then each artifact as a
// line naming hash and size followed by its raw bytes, then a line that says that this is the end. Nothing in the
// file is ever used as a path: artifacts are digested as they pass by, or handed to the caller that asked for them.

import { createHash } from 'node:crypto'
import { getHeapStatistics } from 'node:v8'
import type { Bundle } from '../ledger/bundle/bundle.ts'
import { BundleReader, bundleLines, cutOff, MAX_LINE_BYTES, unlikeBundle } from '../ledger/bundle/lines.ts'
import { isHash, utf8 } from '../ledger/bytes.ts'
import { canonicalize } from '../ledger/canonical.ts'
import { WitanError } from '../ledger/errors.ts'
import type { ArtifactAnswer } from '../ledger/verify/inquire.ts'
import { MAX_READ_BYTES } from '../protocol.ts'

const NEWLINE = 0x0a

/** Where artifacts are read from: a store, or a bundle. */
export interface ArtifactSource {
  statArtifact(hash: string): Promise<{ readonly size: number } | null>
  openArtifact(hash: string): Promise<AsyncIterable<Uint8Array> | null>
}

const line = (text: string): Uint8Array => utf8(`${text}\n`)

/** A bundle as the bytes of one file. Artifacts that the source does not hold are left out; verification will say so. */
export async function* writeBundle(
  bundle: Bundle,
  artifacts: readonly string[],
  source: ArtifactSource,
): AsyncGenerator<Uint8Array> {
  for (const text of bundleLines(bundle)) yield line(text)
  let written = 0
  for (const hash of artifacts) {
    if (bundle.omitted.includes(hash)) continue
    const stat = await source.statArtifact(hash)
    const bytes = stat && (await source.openArtifact(hash))
    if (!stat || !bytes) continue
    yield line(canonicalize({ artifact: hash, size: stat.size }))
    let bytesRead = 0
    for await (const chunk of bytes) {
      bytesRead += chunk.length
      yield chunk
    }
    if (bytesRead !== stat.size) {
      throw new WitanError(
        'ARTIFACT_CORRUPT',
        `artifact ${hash} changed its size while it was read`,
        'Export again.',
      )
    }
    yield line('')
    written++
  }
  yield line(canonicalize({ artifacts: written, end: true }))
}

const invalid = (message: string): WitanError =>
  new WitanError(
    'BUNDLE_INVALID',
    `the bundle cannot be read: ${message}`,
    'Get it again from where it was exported.',
  )

/** What verifying takes for each line and byte of it: 200,000 events of a kilobyte took between 500 and 700 MB. */
const MEMORY_PER = { line: 2_200, byte: 1.5 }

const tooLarge = (lines: number): WitanError =>
  new WitanError(
    'BUNDLE_TOO_LARGE',
    `after ${lines} lines the bundle takes more memory to verify than this process may use`,
    'Allow it more, for example 16 GB: NODE_OPTIONS=--max-old-space-size=16384 witan verify FILE',
  )

/** Serves a stream of chunks as lines and counted bytes. */
class LineReader {
  readonly #source: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array()
  #isBegun = false

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async #more(): Promise<Uint8Array | null> {
    const next = await this.#source.next()
    return next.done ? null : next.value
  }

  /** The next line without its newline; null at the end of the stream. */
  async line(): Promise<Uint8Array | null> {
    const parts: Uint8Array[] = []
    let size = 0
    for (;;) {
      const at = this.#rest.indexOf(NEWLINE)
      const part = at < 0 ? this.#rest : this.#rest.subarray(0, at)
      parts.push(part)
      size += part.length
      if (size > MAX_LINE_BYTES)
        throw this.#unended(parts, invalid('a line is too long to be one of a bundle'))
      if (at >= 0) {
        this.#isBegun = true
        this.#rest = this.#rest.subarray(at + 1)
        return parts.length === 1 ? part : Buffer.concat(parts)
      }
      const more = await this.#more()
      if (!more) {
        this.#rest = new Uint8Array()
        if (size > 0) throw this.#unended(parts, cutOff())
        return null
      }
      this.#rest = more
    }
  }

  #unended(parts: readonly Uint8Array[], fault: WitanError): WitanError {
    const start = parts.find(({ length }) => length > 0)
    return (this.#isBegun ? null : start && unlikeBundle(start)) ?? fault
  }

  async *bytes(count: number): AsyncGenerator<Uint8Array> {
    let remaining = count
    while (remaining > 0) {
      if (this.#rest.length === 0) {
        const more = await this.#more()
        if (!more) throw cutOff()
        this.#rest = more
      }
      const part = this.#rest.subarray(0, remaining)
      this.#rest = this.#rest.subarray(part.length)
      remaining -= part.length
      yield part
    }
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }
}

/** A bundle that was read to its end, with what its artifacts are. */
export interface ReadBundle {
  readonly bundle: Bundle
  readonly artifacts: ReadonlyMap<string, ArtifactAnswer>
}

/** Reads a bundle to its end, digesting its artifacts as they pass and keeping the bytes of those that are wanted. */
export async function readBundle(
  source: AsyncIterable<Uint8Array>,
  wantedOf: (bundle: Bundle) => ReadonlySet<string> | Promise<ReadonlySet<string>> = () => new Set(),
  memory: number = getHeapStatistics().heap_size_limit,
): Promise<ReadBundle> {
  const feed = new LineReader(source)
  let [lines, memoryUsed] = [0, 0]
  const reader = new BundleReader()
  const artifacts = new Map<string, ArtifactAnswer>()
  let opened: Bundle | null = null
  let omitted: ReadonlySet<string> | null = null
  let wanted: ReadonlySet<string> | null = null
  try {
    for (;;) {
      const bytes = await feed.line()
      if (!bytes) throw cutOff()
      lines++
      memoryUsed += MEMORY_PER.line + MEMORY_PER.byte * bytes.length
      if (memoryUsed > memory) throw tooLarge(lines)
      const record = reader.take(bytes)
      if (!record) continue
      if (record.end === true) {
        const complete = Object.keys(record).length === 2 && record.artifacts === artifacts.size
        if (!complete || (await feed.line()) !== null) throw invalid('it does not end as it says')
        return { bundle: reader.finish(), artifacts }
      }
      const { artifact, size, ...rest } = record
      const isCount = Number.isSafeInteger(size) && Number(size) >= 0
      if (!isHash(artifact) || !isCount || Object.keys(rest).length > 0 || artifacts.has(artifact)) {
        throw invalid('a line is neither of the bundle nor of an artifact')
      }
      opened ??= reader.finish()
      omitted ??= new Set(opened.omitted)
      if (omitted.has(artifact)) throw invalid('an artifact is there that is said to be left out')
      wanted ??= await wantedOf(opened)
      artifacts.set(artifact, await readArtifact(feed.bytes(Number(size)), artifact, wanted.has(artifact)))
      if ((await feed.line())?.length !== 0) throw invalid('an artifact is longer than it says')
    }
  } finally {
    await feed.close()
  }
}

/** What the bytes are; kept only where they are wanted, and no more of them than a verifier may hold. */
export async function readArtifact(
  bytes: AsyncIterable<Uint8Array>,
  hash: string,
  wanted: boolean,
): Promise<ArtifactAnswer> {
  const sha = createHash('sha256')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    sha.update(chunk)
    size += chunk.length
    if (wanted && size <= MAX_READ_BYTES) chunks.push(Uint8Array.from(chunk))
  }
  const state = sha.digest('hex') === hash ? 'intact' : 'altered'
  const isKept = wanted && size <= MAX_READ_BYTES
  return isKept ? { state, size, content: Buffer.concat(chunks) } : { state, size }
}
