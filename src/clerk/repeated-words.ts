// Finds other events that contain text of a payload. Some events repeat others by rule: a joined opinion its
// parts, an assembled report the opinions, a review by a session's critic a model's answer. These types and
// members are a closed list; whether an event repeats this payload is decided by its text, verbatim. What
// people and models repeat by themselves is not found here.

import type { Json } from '../ledger/canonical.ts'
import { type Payload, REGISTRY_PROTOCOL, readHeader, readPayload } from '../ledger/event.ts'
import type { Store } from '../stores/store.ts'

/** Event types that repeat others, and in which members. */
const REPEATING: Readonly<Record<string, readonly string[]>> = {
  opinion_joined: ['opinion', 'failure'],
  report_assembled: ['report'],
  council_opened: ['follow'],
  proposal_created: ['plan', 'objective', 'assumptions', 'expected_evidence', 'steps', 'claims'],
  proposal_reviewed: ['reasons', 'conditions'],
  council_heard: ['reasons'],
  tool_intent_signed: ['justification'],
  intent_approved: ['reasons'],
  intent_blocked: ['reason'],
  claim_issued: ['text', 'evidence'],
  claim_challenged: ['reason'],
  claim_withdrawn: ['text', 'reason'],
  final_statement_signed: ['unproven', 'text'],
  restart_judged: ['asks', 'struck'],
}

const PARTS = ['opinion_given', 'opinion_incomplete']

/** Event types that always repeat these of their own trace, so that this is known for erased ones too. */
const MADE_OF: Readonly<Record<string, readonly string[]>> = {
  opinion_joined: PARTS,
  report_assembled: [...PARTS, 'opinion_joined'],
}

/** Text of a language, not names, places or hashes: those may be equal by chance. */
const isPhrase = (text: string): boolean =>
  (text.length >= 8 && /\s/.test(text)) || (text.length >= 4 && /[^\p{ASCII}]/u.test(text))

function* phrasesIn(value: Json | undefined): Generator<string> {
  if (typeof value === 'string') {
    const text = value.trim()
    if (isPhrase(text)) yield text
  } else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) yield* phrasesIn(each)
  }
}

/** The parts of an event that are compared. */
export interface WordedEvent {
  readonly type: string
  readonly agent: string
  /** Null once it is erased. */
  readonly payload: Payload | null
}

const isMadeOf = (event: WordedEvent, erased: WordedEvent): boolean =>
  (MADE_OF[event.type] ?? []).includes(erased.type) &&
  (event.type !== 'opinion_joined' || event.agent === erased.agent)

/** What is said about all parts is the union of what was said about each: erasing one requires erasing the other. */
const isPartOf = (event: WordedEvent, erased: WordedEvent): boolean =>
  erased.type === 'opinion_joined' && isMadeOf(erased, event)

/** Whether `event` contains text of `erased` because a rule put it there. */
export function repeatsErased(event: WordedEvent, erased: WordedEvent): boolean {
  if (event.payload === null || erased.payload === null) return false
  const { payload } = event
  const erasedPhrases = [...phrasesIn(erased.payload)]
  const members = Object.hasOwn(REPEATING, event.type) ? REPEATING[event.type] : undefined
  const heldPhrases = isPartOf(event, erased)
    ? [...phrasesIn(payload)]
    : (members ?? []).flatMap((name) => [...phrasesIn(payload[name])])
  return heldPhrases.some((phrase) =>
    erasedPhrases.some((one) => one.includes(phrase) || phrase.includes(one)),
  )
}

/** An event that repeats what is to be erased. */
export interface Repeating {
  readonly trace: string
  readonly seq: number
  readonly type: string
}

async function* wordedIn(
  store: Store,
  trace: string,
): AsyncGenerator<WordedEvent & { readonly seq: number }> {
  let seq = 0
  for await (const event of store.read(trace)) {
    const header = readHeader(event.header)
    const payload = event.payload && readPayload(event.payload)
    if (typeof header === 'object' && typeof payload === 'object')
      yield { seq, type: header.type, agent: header.actor.agent, payload }
    seq++
  }
}

/** Every event in the store that repeats this one. */
export async function eventsRepeating(
  store: Store,
  target: { readonly trace: string; readonly seq: number },
): Promise<readonly Repeating[]> {
  let erased: WordedEvent | null = null
  for await (const event of wordedIn(store, target.trace)) if (event.seq === target.seq) erased = event
  if (erased === null) return []
  const repeats: Repeating[] = []
  for (const { trace, protocol } of await store.traces()) {
    if (protocol === REGISTRY_PROTOCOL) continue
    for await (const event of wordedIn(store, trace)) {
      const isHere = trace === target.trace
      if (event.payload === null || (isHere && event.seq === target.seq)) continue
      const isKnown = erased.payload === null && isHere && event.seq > target.seq && isMadeOf(event, erased)
      if (isKnown || repeatsErased(event, erased)) repeats.push({ trace, seq: event.seq, type: event.type })
    }
  }
  return repeats
}
