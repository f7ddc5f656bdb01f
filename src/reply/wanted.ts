// A request to a model, as data: the schema, and what a schema cannot express: which words are synonyms, what
// has a default, what has none, which member a bare string means. The protocols describe their shapes in
// these terms. A description belongs to the reader's version: what a released edition reads by does not
// change.

import type { Json } from '../ledger/canonical.ts'
import type { JsonSchema } from '../ledger/schema.ts'

/** The words of an enum, each with its synonyms. */
export type Words = { readonly [word: string]: readonly string[] }

export interface Rule {
  readonly words?: Words
  /** The value if nothing, or nothing readable, was given. */
  readonly default?: Json
  /**
   * How it is read, if not by its type. `label` and `artifact`: one of those in the context. `id`: a text that may
   * not be made from a number. `input`: the input of a tool, strict JSON or missing. `exact`: an object from which
   * nothing may be dropped.
   */
  readonly as?: 'confidence' | 'line' | 'label' | 'artifact' | 'id' | 'input' | 'exact'
  /** For a list of objects: the member that the key means, where the list is given as an object. */
  readonly key?: string
  /** For a list: drop items whose label was not shown. */
  readonly shownOnly?: string
  /** For an object: the member that a bare text means, where it is not one of the usual names. */
  readonly text?: string
  /** For an object: its members may be beside it. */
  readonly beside?: true
}

/** An answer without its outer object: recognised by these members, and meant as this member of the whole. */
export interface Bare {
  readonly member: string
  readonly list: boolean
  readonly by: readonly string[]
}

export interface WantedValue {
  readonly form: 'value'
  readonly schema: JsonSchema
  /** By place (`targets[].target`), else by the last name (`severity`). */
  readonly rules: { readonly [place: string]: Rule }
  /** Places of texts of which at least one must not be empty. */
  readonly says: readonly string[]
  /** A text that must not be empty when a word has this value. */
  readonly reasonFor?: { readonly word: string; readonly is: string; readonly needs: string }
  readonly bare: readonly Bare[]
  /**
   * The answer approves or has effects. Then it is never completed for the model, never taken from reasoning, only
   * unwrapped from known names, and any second answer that differs makes it ambiguous.
   */
  readonly acts: boolean
  /** Parts of unknown members' names that would narrow the answer, and what is missing then. */
  readonly narrowedBy?: { readonly names: readonly string[]; readonly missing: string }
  /** Names of objects that answers of this shape are wrapped in. */
  readonly wrappers: readonly string[]
  /** The words of a stance, if an answer in prose counts. */
  readonly prose: Words | null
}

/** A contribution to an exchange: a private note, then messages, with lines of three hyphens between. */
export interface WantedMessages {
  readonly form: 'messages'
  readonly max_messages: number
  readonly max_chars: number
}

export type Wanted = WantedValue | WantedMessages

/** What is needed to judge an answer, in addition to its shape. */
export interface ReplyContext {
  /**
   * What others showed to the model: a value that is in it is not the model's answer. Where a model is asked to
   * correct its answer, this is the prompt without that answer.
   */
  readonly prompt: string
  /** The labels of the opinions shown, in the order shown. */
  readonly labels?: readonly string[]
  /** The ids of the artifacts that evidence may name. */
  readonly artifacts?: readonly string[]
  /** The names of the offered tools: a call of one of them is no answer. */
  readonly tools?: readonly string[]
}
