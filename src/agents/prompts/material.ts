// What prompts are made of: our own text, which is templates with a hash, and text of others, between fences
// that they cannot write. Nothing from a tool, a file or a model is ever outside a fence.

import { fromUtf8, type Sha256, toHex, utf8 } from '../../ledger/bytes.ts'
import type { PromptPart } from '../../ledger/prompt.ts'
import type { JsonSchema } from '../../ledger/schema.ts'
import { fenced } from '../../ledger/text/fence.ts'
import { nearestPassage } from './nearest-passage.ts'

export interface Material {
  readonly sha256: Sha256
  /** The bytes of an artifact; null where they are not available. */
  content(hash: string): Uint8Array | null
}

export type AskedRole = 'planner' | 'executor' | 'critic'

/** Which action a prompt is for, and which proposal, intent or claim it is about. */
export interface Asked {
  readonly action: string
  readonly subject: string
}

/** A request to a model, as `RecordedRequest` keeps it. */
export interface Prompt {
  readonly system: string
  readonly parts: readonly PromptPart[]
  readonly schema: JsonSchema
}

/** How much of the latest result, and of a page, is shown. */
export const SHOWN_BYTES = 16 * 1024
const HEAD_BYTES = 200
const NOT_AT_HAND = '(its bytes are not at hand)'
const NOTHING_NEAR = '(nothing in it resembles the quote)'

/** The longest stretch of whole characters; null when it is not text. */
function textOf(bytes: Uint8Array): string | null {
  for (let cut = 0; cut < 4 && cut <= bytes.length; cut++) {
    const text = fromUtf8(bytes.subarray(0, bytes.length - cut))
    if (text !== null) return text
  }
  return null
}

/** A page may begin inside a character, which is then left out. */
function fromBoundary(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < start + 4 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++
  return at
}

export class Writer {
  readonly #material: Material
  /** What the marks of this prompt are derived from. */
  readonly #seed: string
  readonly parts: PromptPart[] = []

  constructor(material: Material, seed: string) {
    this.#material = material
    this.#seed = seed
  }

  /** Words of ours. */
  own(name: string, id: string, text: string): void {
    const hash = toHex(this.#material.sha256(utf8(text)))
    this.parts.push({ name, text, quotes: null, template: { id: `agents/${id}`, hash } })
  }

  /** Text of others, no matter whose: also the operator's, which may quote files. */
  words(name: string, label: string, words: string, quotes: PromptPart['quotes'] = null): void {
    const { sha256 } = this.#material
    const text = fenced({ sha256, seed: this.#seed }, 'data', label, words)
    this.parts.push({ name, text, quotes, template: null })
  }

  artifact(name: string, hash: string, start = 0, length = SHOWN_BYTES): void {
    const quotes = { kind: 'artifact', id: hash } as const
    const bytes = this.#material.content(hash)
    if (!bytes) {
      this.words(name, `artifact ${hash}`, NOT_AT_HAND, quotes)
      return
    }
    const from = fromBoundary(bytes, Math.min(start, bytes.length))
    const to = Math.min(bytes.length, from + Math.min(length, SHOWN_BYTES))
    const label = `artifact ${hash}, bytes ${from} to ${to} of ${bytes.length}`
    this.words(name, label, textOf(bytes.subarray(from, to)) ?? '(these bytes are no text)', quotes)
  }

  /** The passage nearest to a quote that the artifact does not contain. */
  nearest(name: string, hash: string, quote: string): void {
    const bytes = this.#material.content(hash)
    const range = bytes && nearestPassage(bytes, quote)
    if (range) this.artifact(name, hash, range[0], range[1] - range[0])
    else
      this.words(name, `artifact ${hash}`, bytes ? NOTHING_NEAR : NOT_AT_HAND, { kind: 'artifact', id: hash })
  }

  /** The id and the first words. */
  head(name: string, hash: string): void {
    this.artifact(name, hash, 0, HEAD_BYTES)
  }
}
