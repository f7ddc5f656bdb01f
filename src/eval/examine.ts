// Checks recorded prompts, answers and grades against the set and the raw replies. What a council said is in
// the trace of that council, which is named by its head and verified by itself.

import type { Sha256 } from '../ledger/bytes.ts'
import { canonicalize, parseCanonical } from '../ledger/canonical.ts'
import { artifactsOf } from '../ledger/event.ts'
import { renderPrompt } from '../ledger/prompt.ts'
import { RAW, readRaw } from '../ledger/raw-reply.ts'
import type { Occurrence, Refusal } from '../protocol.ts'
import { isSameReading } from '../reply/reading-record.ts'
import * as is from './events.ts'
import { answersOf, distinctTexts, gradeUnit } from './grade-item.ts'
import { readable } from './payload-check.ts'
import { type EvalRequest, judgeRequest, sampleRequest } from './prompts/prompts.ts'
import { readJudgement, sampleText } from './read-reply.ts'
import { GROUND } from './refuse.ts'
import { readItems } from './set-artifact.ts'
import type { Item } from './sets/item.ts'
import { type EvalState, isOpened, NO_UNIT, type Opened, unitOf } from './state.ts'

type Content = (hash: string) => Uint8Array | null

const REQUEST = 'request.json'
const ASKED: readonly string[] = [is.SAMPLE_GIVEN, is.SAMPLE_FAILED, is.JUDGEMENT_GIVEN, is.JUDGEMENT_FAILED]

export function reads(event: Occurrence): readonly string[] {
  if (!ASKED.includes(event.type) && event.type !== is.OPENED && event.type !== 'trace_forked') return []
  const { payload } = readable(event)
  return payload === null ? [] : artifactsOf(payload).map(({ hash }) => hash)
}

const fault = (message: string, erasable = false): Refusal => ({
  code: 'ORDER_VIOLATION',
  message,
  ...(erasable && { lacks: [{ types: GROUND }] }),
})

function itemsOf(state: EvalState, content: Content): readonly Item[] | null {
  const bytes = state.set === null ? null : content(state.set)
  return bytes && readItems(bytes)
}

const artifactNamed = (event: Occurrence, name: string): string | null =>
  artifactsOf(event.payload ?? {}).find((artifact) => artifact.name === name)?.hash ?? null

/** The request that this call must have been; null where what it quotes was erased. */
function requestOf(sha256: Sha256, state: Opened, event: Occurrence, item: Item): EvalRequest | null {
  const { action, item: nth, rep, answer, order } = is.payloadOf(event, is.JUDGEMENT_GIVEN)
  const setting = { sha256, seed: state.opened.seed, trace: event.trace, action, set: state.set ?? '' }
  if (event.type === is.SAMPLE_GIVEN || event.type === is.SAMPLE_FAILED) return sampleRequest(setting, item)
  const unit = state.units.get(unitOf(state.opened, nth, rep)) ?? NO_UNIT
  const text = distinctTexts(answersOf(state.opened, unit))[answer]
  return text === undefined ? null : judgeRequest(setting, item, text, order)
}

function examineAsking(
  sha256: Sha256,
  state: Opened,
  event: Occurrence,
  item: Item,
  content: Content,
): Refusal | null {
  const expected = requestOf(sha256, state, event, item)
  if (!expected) return fault('an answer was graded that was never given', true)
  const requested = artifactNamed(event, REQUEST)
  if (requested === null) return fault('the request is not kept')
  const bytes = content(requested)
  if (bytes && canonicalize(parseCanonical(bytes) ?? null) !== canonicalize(expected))
    return fault('what was asked is not what follows from the set', true)
  const rawHash = artifactNamed(event, RAW)
  const rawBytes = rawHash === null ? null : content(rawHash)
  if (event.type === is.SAMPLE_GIVEN && rawHash === null) return fault('there was no reply')
  if (!rawBytes) return null
  const raw = readRaw(rawBytes)
  if (!raw) return fault('the recorded reply cannot be read')
  if (event.type === is.SAMPLE_GIVEN)
    return sampleText(raw) === is.payloadOf(event, is.SAMPLE_GIVEN).text
      ? null
      : fault('the answer is not the reply')
  if (event.type !== is.JUDGEMENT_GIVEN) return null
  const { reading, verdict } = is.payloadOf(event, is.JUDGEMENT_GIVEN)
  const read = readJudgement(raw, renderPrompt(expected.parts.filter(({ template }) => template === null)))
  return read.verdict === verdict && isSameReading(read.reading, reading)
    ? null
    : fault('the verdict is not what the grader replied')
}

function examineGrades(sha256: Sha256, state: Opened, event: Occurrence, item: Item): Refusal | null {
  const { item: nth, rep, grades, id, cluster } = is.payloadOf(event, is.ITEM_GRADED)
  if (item.id !== id || item.cluster !== cluster) return fault('the grades are of another item')
  const unit = state.units.get(unitOf(state.opened, nth, rep)) ?? NO_UNIT
  const expected = gradeUnit(sha256, state, unit, item, { item: nth, rep })
  return canonicalize(expected) === canonicalize(grades)
    ? null
    : fault('the grades are not what follows from the answers', true)
}

export const examineWith =
  (sha256: Sha256) =>
  (state: EvalState, event: Occurrence, content: Content): Refusal | null => {
    if (event.payload === null) return null
    if (event.type === is.OPENED) {
      const { artifacts, set } = is.payloadOf(event, is.OPENED)
      const bytes = content(artifacts[0]?.hash ?? '')
      if (!bytes) return null
      return readItems(bytes)?.length === set.items ? null : fault('the set has not the items that are said')
    }
    if (!isOpened(state)) return null
    const nth = event.payload.item
    const items = itemsOf(state, content)
    if (items === null || typeof nth !== 'number') return null
    const item = items[nth]
    if (!item) return fault('there is no such item in the set')
    if (event.type === is.ITEM_HELD)
      return is.payloadOf(event, is.ITEM_HELD).grader === item.grader
        ? null
        : fault('the item has another grader')
    if (event.type === is.ITEM_GRADED) return examineGrades(sha256, state, event, item)
    return ASKED.includes(event.type) ? examineAsking(sha256, state, event, item, content) : null
  }
