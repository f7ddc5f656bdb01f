// What is laid before a council, as the prompts show it and as the pack is kept: named texts, in order, and a shorter
// form of the same for the later rounds. `context:PATH` is a file word for word; `context` is anything else.

export interface PackPart {
  /** `context`, `context:PATH` or `diff`. */
  readonly name: string
  readonly text: string
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
