// A bundle file in a browser: read whole, as strictly as on the command line. Artifacts are passed on as they
// are, without a digest.

import type { Bundle } from '../ledger/bundle/bundle.ts'
import { BundleReader, cutOff, MAX_LINE_BYTES, unlikeBundle } from '../ledger/bundle/lines.ts'
import { isHash } from '../ledger/bytes.ts'
import { WitanError } from '../ledger/errors.ts'

export interface BundleFile {
  readonly bundle: Bundle
  /** By the hash that the file states for them. */
  readonly artifacts: ReadonlyMap<string, Uint8Array>
}

const NEWLINE = 0x0a

const invalid = (message: string): WitanError =>
  new WitanError('BUNDLE_INVALID', `the bundle cannot be read: ${message}`, 'Get it again from its sender.')

export function readBundleBytes(bytes: Uint8Array): BundleFile {
  const reader = new BundleReader()
  const artifacts = new Map<string, Uint8Array>()
  let omitted: ReadonlySet<string> | null = null
  let at = 0
  const line = (): Uint8Array | null => {
    if (at >= bytes.length) return null
    const end = bytes.indexOf(NEWLINE, at)
    const foreign = at === 0 && (end < 0 || end > MAX_LINE_BYTES) ? unlikeBundle(bytes) : null
    if (foreign) throw foreign
    if ((end < 0 ? bytes.length : end) - at > MAX_LINE_BYTES)
      throw invalid('a line is too long to be one of a bundle')
    if (end < 0) throw cutOff()
    const lineBytes = bytes.subarray(at, end)
    at = end + 1
    return lineBytes
  }
  for (;;) {
    const next = line()
    if (next === null) throw cutOff()
    const record = reader.take(next)
    if (record === null) continue
    if (record.end === true) {
      const isComplete = Object.keys(record).length === 2 && record.artifacts === artifacts.size
      if (!isComplete || line() !== null) throw invalid('it does not end as it says')
      return { bundle: reader.finish(), artifacts }
    }
    const { artifact, size, ...rest } = record
    const isCount = Number.isSafeInteger(size) && Number(size) >= 0
    if (!isHash(artifact) || !isCount || Object.keys(rest).length > 0 || artifacts.has(artifact))
      throw invalid('a line is neither of the bundle nor of an artifact')
    omitted ??= new Set(reader.finish().omitted)
    if (omitted.has(artifact)) throw invalid('an artifact is there that is said to be left out')
    if (at + Number(size) > bytes.length) throw cutOff()
    artifacts.set(artifact, bytes.subarray(at, at + Number(size)))
    at += Number(size)
    if (line()?.length !== 0) throw invalid('an artifact is longer than it says')
  }
}
