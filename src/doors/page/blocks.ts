// The data blocks of a page, read as strictly as a bundle file: each line must be canonical, each artifact in
// its one base64 form and there once, and the last block says how many there were, so that a page that was
// cut off or combined from two is refused and not partly believed.

import { readBase64 } from '../../browser/bytes.ts'
import type { Bundle } from '../../ledger/bundle/bundle.ts'
import { BundleReader, cutOff } from '../../ledger/bundle/lines.ts'
import { isHash, utf8 } from '../../ledger/bytes.ts'
import { WitanError } from '../../ledger/errors.ts'

const PAGE_FORMAT = 'page/1'

export interface Block {
  readonly kind: string
  readonly text: string
}

export interface PageData {
  readonly bundle: Bundle
  /** Bytes as they came with the page, by the hash that the page states for them. */
  readonly artifacts: ReadonlyMap<string, Uint8Array>
  /** Artifacts over this many bytes were left out by the maker of the page. */
  readonly artifactLimit: number
}

const invalid = (message: string): WitanError =>
  new WitanError(
    'BUNDLE_INVALID',
    `the data of this page cannot be read: ${message}`,
    'The file was changed or damaged. Get it again from where it was exported.',
  )

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('a block is not JSON')
  }
}

function record(text: string, names: readonly string[]): { readonly [name: string]: unknown } {
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Object.keys(value).sort().join() !== names.join())
    throw invalid(`a block does not hold exactly ${names.join(', ')}`)
  return value as { readonly [name: string]: unknown }
}

function readLines(text: string): Bundle {
  const lines = parse(text)
  if (!Array.isArray(lines) || !lines.every((line) => typeof line === 'string'))
    throw invalid('the bundle is not a list of lines')
  const reader = new BundleReader()
  for (const line of lines) {
    if (reader.take(utf8(line)) !== null) throw invalid('a line is not one of a bundle')
  }
  return reader.finish()
}

function readArtifact(text: string): readonly [string, Uint8Array] {
  const { artifact, base64 } = record(text, ['artifact', 'base64'])
  const bytes = typeof base64 === 'string' ? readBase64(base64) : null
  if (!isHash(artifact) || !bytes) throw invalid('an artifact has no hash or no bytes')
  return [artifact, bytes]
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

export function readBlocks(blocks: readonly Block[]): PageData {
  const [first, ...between] = blocks
  const last = between.pop()
  if (first?.kind !== 'bundle' || last?.kind !== 'end') throw cutOff('the page ends before its data does')
  const {
    artifact_limit: limit,
    artifacts: count,
    witan,
  } = record(last.text, ['artifact_limit', 'artifacts', 'witan'])
  if (witan !== PAGE_FORMAT || !isCount(limit) || count !== between.length)
    throw invalid('it does not end as it says')
  const artifacts = new Map<string, Uint8Array>()
  for (const { kind, text } of between) {
    if (kind !== 'artifact') throw invalid('a block is neither of the bundle nor of an artifact')
    const [hash, bytes] = readArtifact(text)
    if (artifacts.has(hash)) throw invalid('an artifact is there twice')
    artifacts.set(hash, bytes)
  }
  const bundle = readLines(first.text)
  if (bundle.omitted.some((hash) => artifacts.has(hash)))
    throw invalid('an artifact is there that is said to be left out')
  return { bundle, artifacts, artifactLimit: limit }
}
