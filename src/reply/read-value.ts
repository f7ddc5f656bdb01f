// A reply that is requested as a JSON value: its text and the calls beside it are searched for answers; only
// if there is neither is the field for reasoning used, and never for an answer that has effects. A reply
// without an answer is a refusal, an opinion in prose, or nothing.

import { type Answer, chooseAnswer } from './choose.ts'
import { withoutHidden, withoutTemplateTokens } from './hidden.ts'
import { sourceOf } from './json-node.ts'
import { stanceIn, UNSTATED } from './prose.ts'
import { PromptText } from './quoted-in-prompt.ts'
import { missing, type RawReply, REFUSED, type Reading } from './reading.ts'
import { isRefusal, isRefusalObject } from './refusal.ts'
import { type Repair, RepairLog } from './repairs.ts'
import { type Scan, scanReply } from './scan.ts'
import { Unwrapping } from './unwrap.ts'
import type { ReplyContext, WantedValue } from './wanted.ts'

const FENCE_MARKS = /^[^\S\n]*(?:`{3,}|~{3,})[^\n`]*$/gm
const BEGINS_AS_VALUE = /^(?:```\w*\s*)?(?:\{|\[\s*[[{"']|"\w+"\s*:)/
/** With fewer letters, a text is a word and no opinion. */
const LEAST_LETTERS = 10
/** With fewer words outside of a foreign value, a text is an announcement and no opinion. */
const LEAST_WORDS = 25

export function readValueReply(wanted: WantedValue, raw: RawReply, context: ReplyContext): Reading {
  const search = new Search(wanted, context)
  const text = openString(raw.text.replace(/^\ufeff/, ''))
  const log = new RepairLog()
  if (raw.text.startsWith('\ufeff')) log.note('byte-order-mark')
  if (text.isOpened) log.note('json-in-text')
  const scan = search.scan(text.inner)
  if (scan.hidden) log.note('hidden-reasoning')
  noteAround(log, scan)
  const calls = (raw.tool_calls ?? []).flatMap((call) => search.inCall(call))
  const answers = search.own([...search.inScan(scan), ...calls])
  if (search.passedOver) log.note('value-of-prompt')
  const chosen = chooseAnswer(wanted, context, answers, raw.finish_reason === 'stop' && !raw.cut)
  if (chosen !== null && !(saysNothing(wanted, chosen) && isProse(text.inner.trim(), scan))) {
    const isFiltered = raw.finish_reason === 'content_filter' && chosen.outcome !== 'kept'
    return isFiltered ? REFUSED : { ...chosen, repairs: [...log.list(), ...chosen.repairs] }
  }
  return withoutAnswer(search, raw, text.inner, scan, log)
}

function withoutAnswer(search: Search, raw: RawReply, text: string, scan: Scan, log: RepairLog): Reading {
  const { wanted } = search
  if (search.passedOver) return { ...missing('answer'), repairs: log.list() }
  if ((raw.refusal ?? '').trim() !== '' || raw.finish_reason === 'content_filter') return REFUSED
  if (scan.values.some(({ node }) => isRefusalObject(node))) return REFUSED
  const prose = withoutTemplateTokens(withoutHidden(text).text).trim()
  if (isRefusal(prose)) return REFUSED
  const hasCalls = (raw.tool_calls ?? []).length > 0
  if (text.trim() === '' && !hasCalls) return search.inReasoning(raw) ?? missing('answer')
  if (wanted.prose === null || hasCalls || !isProse(prose, scan) || search.isInPrompt(prose))
    return missing('answer')
  const stance = stanceIn(prose, wanted.prose)
  if (stance === UNSTATED && (raw.finish_reason === 'length' || raw.cut)) return missing('rest')
  log.note('prose')
  if (!prose.isWellFormed()) log.note('surrogate')
  return { outcome: 'prose', text: prose.toWellFormed(), stance, repairs: log.list().filter(isOfProse) }
}

/** A value without a stance and without content is a part of the prose around it. */
const saysNothing = ({ prose, says }: WantedValue, chosen: Reading): boolean =>
  prose !== null && chosen.outcome === 'missing' && says.every((place) => chosen.missing.includes(place))

/** Prose has nothing around it. */
const isOfProse = ({ kind }: Repair): boolean => kind !== 'text-around' && kind !== 'fence'

/** A foreign value may be in an opinion, as an example or a piece of configuration. */
function isProse(prose: string, { values, outside }: Scan): boolean {
  const letters = (prose.match(/\p{L}/gu) ?? []).length
  if (letters < LEAST_LETTERS || BEGINS_AS_VALUE.test(prose)) return false
  if (!values.some(({ node }) => node.kind === 'object' || node.start === 0)) return true
  return (outside.match(/[\p{L}\p{N}]+/gu) ?? []).length >= LEAST_WORDS
}

function noteAround(log: RepairLog, { outside, values }: Scan): void {
  if (values.length === 0) return
  const unfenced = outside.replaceAll(FENCE_MARKS, '')
  if (unfenced !== outside) log.note('fence')
  if (unfenced.trim() !== '') log.note('text-around')
}

/** A text that is one JSON string contains the actual answer. */
function openString(text: string): { readonly inner: string; readonly isOpened: boolean } {
  const trimmed = text.trim()
  if (!trimmed.startsWith('"') || !trimmed.endsWith('"')) return { inner: text, isOpened: false }
  try {
    const inner: unknown = JSON.parse(trimmed)
    return typeof inner === 'string' ? { inner, isOpened: true } : { inner: text, isOpened: false }
  } catch {
    return { inner: text, isOpened: false }
  }
}

/** The search for answers in one reply. */
class Search {
  readonly wanted: WantedValue
  passedOver = false
  private readonly context: ReplyContext
  private readonly unwrapping: Unwrapping
  private readonly prompt: PromptText

  constructor(wanted: WantedValue, context: ReplyContext) {
    this.wanted = wanted
    this.context = context
    this.unwrapping = new Unwrapping(wanted, context.tools ?? [])
    this.prompt = new PromptText(context.prompt)
  }

  scan(text: string): Scan {
    return scanReply(text, this.unwrapping.counts)
  }

  inScan({ values }: Scan): readonly Answer[] {
    return values.flatMap(({ node, flaws }) =>
      this.unwrapping.candidatesIn(node, flaws).map((candidate) => ({ ...candidate, state: node.state })),
    )
  }

  inCall(call: { readonly name: string; readonly arguments: string }): readonly Answer[] {
    const { inner, isOpened } = openString(call.arguments)
    const { values } = scanReply(inner, () => true)
    return values.flatMap(({ node, flaws }) =>
      this.unwrapping.ofCall(call.name, node, flaws).map((candidate) => ({
        ...candidate,
        state: node.state,
        repairs: isOpened
          ? [{ kind: 'json-in-text' as const, at: '' }, ...candidate.repairs]
          : candidate.repairs,
      })),
    )
  }

  /** Without those that are in the prompt. */
  own(answers: readonly Answer[]): readonly Answer[] {
    const own = answers.filter(({ written }) => !this.prompt.holds(sourceOf(written)))
    if (own.length < answers.length) this.passedOver = true
    return own
  }

  isInPrompt(text: string): boolean {
    return this.prompt.holds(text)
  }

  /** It counts if it is, or ends with, one whole answer, and contains no other that differs. */
  inReasoning({ reasoning_content: text = '', finish_reason, cut }: RawReply): Reading | null {
    if (this.wanted.acts || text.trim() === '') return null
    const scan = this.scan(text)
    const answers = this.own(this.inScan(scan))
    if (!scan.endsWithValue || this.passedOver) return null
    const chosen = chooseAnswer(this.wanted, this.context, answers, finish_reason === 'stop' && !cut)
    if (chosen?.outcome !== 'kept') return null
    return { ...chosen, repairs: [{ kind: 'reasoning-field', at: [], times: 1 }, ...chosen.repairs] }
  }
}
