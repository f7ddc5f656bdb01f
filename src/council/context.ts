// What a council is shown, in the form of prompts and of the stored pack: named texts, in order, and a
// shorter form of the same for the later rounds. `context:PATH` is a file word for word; `context` is
// anything else.

export interface PackPart {
  /** `context`, `context:PATH` or `diff`. */
  readonly name: string
  readonly text: string
  /** The line with which the text begins, where it is not the first of its file. Since edition 2. */
  readonly from?: number
  /** The part of round one that shows it, from 1; every part where none is named. Since edition 2. */
  readonly portion?: number
}

/** The artifact `pack.json` of `council_opened` is the canonical JSON of this. */
export interface PackText {
  readonly parts: readonly PackPart[]
  readonly condensed: readonly PackPart[]
}

export const NO_PACK: PackText = { parts: [], condensed: [] }
export const PACK = 'pack.json'
export const REQUEST = 'request.json'
export const REPLY = 'reply.json'

/** A file that was shown to the council; its lines limit where a finding can be. */
export interface ContextFile {
  readonly path: string
  readonly lines: number
  readonly bytes: number
}

/** What was shown to a council. The pack itself is the artifact `pack.json` of the event: canonical JSON of `PackText`. */
export interface ContextRecord {
  readonly kind: 'full' | 'summary' | 'none'
  readonly files: readonly ContextFile[]
  /** How many files were left out, by reason. */
  readonly excluded: { readonly [reason: string]: number }
  readonly bytes: number
  readonly tokens: number | null
  /** The range of a diff, as text; null without one. */
  readonly diff: string | null
}

/** Files that no seat is shown completely, for lack of space. */
export interface Unseen {
  readonly count: number
  /** The first of them: how much of each is shown. */
  readonly files: readonly { readonly path: string; readonly shown: 'part' | 'outline' | 'none' }[]
}
