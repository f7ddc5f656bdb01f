// A protocol is a pure state machine over signed events. It executes nothing and knows neither time nor
// randomness: both reach it as events. Two readers of the same events fold the same state and draw the same
// conclusions, which makes resuming, forking and verifying one and the same operation.

import type { Json } from './ledger/canonical.ts'

/** Who records something: an agent, in a role, under a key. */
export interface Actor {
  readonly agent: string
  readonly role: string
  readonly key: string
}

/** An event as a protocol sees it. `payload` is null when it was erased by a recorded redaction. */
export interface Occurrence {
  readonly trace: string
  readonly seq: number
  readonly at: string
  readonly type: string
  readonly actor: Actor
  readonly hash: string
  readonly payload: { readonly [name: string]: Json } | null
}

/** An event of a protocol, typed by the table of its payloads: one member of the union for each type. */
export type EventOf<Payloads> = {
  [Type in keyof Payloads & string]: Omit<Occurrence, 'type' | 'payload'> & {
    readonly type: Type
    /** Null once erased. */
    readonly payload: Payloads[Type] | null
  }
}[keyof Payloads & string]

/** What was compared with its schema before, or decided by the protocol that reads it, by its type. */
const typed = <Value>(value: { readonly [name: string]: Json } | null): Value => value as unknown as Value

/** Reads payloads by that table. Only for events whose payload was checked against the schema of the type before. */
export const payloadReader =
  <Payloads>() =>
  <Type extends keyof Payloads>({ payload }: Pick<Occurrence, 'payload'>, _type: Type): Payloads[Type] =>
    typed(payload)

/**
 * Events that, once erased, may explain why something was not found: any of a type, or only those that could
 * really have contained it. An erased event still shows its type, its signer and its position.
 */
export type Lack =
  | string
  | {
      readonly types: readonly string[]
      /** Hash of an event before which it cannot have been recorded. */
      readonly since?: string
      /** Only these agents could have recorded it. */
      readonly by?: readonly string[]
      /** How many must be missing to explain the result; one by default. */
      readonly least?: number
    }

/** Why an event may not be recorded. */
export interface Refusal {
  readonly code:
    | 'SCHEMA_INVALID'
    | 'ORDER_VIOLATION'
    | 'ROLE_POLICY_VIOLATION'
    | 'APPROVAL_MISSING'
    | 'CLAIM_UNPROVEN'
  readonly message: string
  /**
   * The guard did not find something earlier; one of these events, if erased, may have contained it. Never simply
   * any event: otherwise a single erasure would turn every later violation into something unknown.
   */
  readonly lacks?: readonly Lack[]
  /** The objection of another guard to the same event; an erasure must explain that too. */
  readonly besides?: Refusal
  /** The guard belongs to the closing of the session. */
  readonly finalisation?: true
}

/** Something that should happen next. The id is deterministic: kind, round, seat or proposal, attempt. */
export interface Action {
  readonly id: string
  /**
   * `ask`: paid, repeatable: a lost one is asked again. `tool`: has side effects: a lost one is indeterminate and
   * never rerun. `record`: pure bookkeeping by the clerk. `park`: someone else answers, later, perhaps elsewhere.
   */
  readonly call: 'ask' | 'tool' | 'record' | 'park'
  /** Who has to answer, as text, when the action is parked. */
  readonly waitsFor?: string
  readonly input: { readonly [name: string]: Json }
}

/** The input of an action as the protocol that decided it typed it. */
export const inputOf = <Input>({ input }: Pick<Action, 'input'>): Input => typed(input)

/** How a folded state is saved and restored, so that a long trace need not be folded from its beginning. */
export interface SnapshotForm<State> {
  /** Increased whenever the state, or the folding of the same events, changes. */
  readonly id: string
  /** Null where the state is in the middle of something that is better folded again. */
  take(state: State): Json | null
  /** Restores the value of `take` under the same id. */
  restore(taken: Json): State
}

/** A pure state machine over signed events: the state, the allowed events, and what should happen next. */
export interface Protocol<State = unknown> {
  /** Name and version, for example "registry/1". */
  readonly id: string
  readonly initial: State
  /** Folds one event. Total: never throws, also on an erased payload. */
  evolve(state: State, event: Occurrence): State
  /** Who may record what, and when. Null when the event is allowed. */
  refuse(state: State, event: Occurrence): Refusal | null
  /** What should happen next. Ids are unique within one answer. */
  decide(state: State): readonly Action[]
  /** True once the trace needs nothing more; the clerk then seals it with a checkpoint. */
  finished(state: State): boolean
  /** Hashes of the artifacts that a claim made by this event is based on. */
  evidence?(state: State, event: Occurrence): readonly string[]
  /** Hashes of the artifacts, each of at most `MAX_READ_BYTES`, whose content judging this or a later event needs. */
  reads?(event: Occurrence): readonly string[]
  /**
   * Checks an event against its artifacts, in the state before it, once `refuse` has accepted it. Used only by
   * verifiers. `content` is null for what is absent, altered, erased or left out, which is reported elsewhere, and
   * for what no event so far said it `reads`.
   */
  examine?(state: State, event: Occurrence, content: (hash: string) => Uint8Array | null): Refusal | null
  /** A remark about an allowed event: verifiers pass it on as a warning of the code RECORD_GAP. */
  warns?(event: Occurrence): string | null
  /** Why this first event cannot be judged: it names an unknown edition of the rules. Null otherwise. */
  unknownEdition?(event: Occurrence): string | null
  /** For protocols of long traces. Verifiers never use it. */
  readonly snapshot?: SnapshotForm<State>
}

/**
 * The largest artifact that a protocol may judge by its content. A larger one is stored and digested, never held in memory.
 */
export const MAX_READ_BYTES = 4 * 1024 * 1024
