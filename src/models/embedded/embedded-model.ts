// The panel as a model. It reads the parts of a prompt by name, calls nothing and spends nothing, pauses
// between checks so that it can be stopped, and reports no model because there is none.

import { setImmediate } from 'node:timers/promises'
import type { Json } from '../../ledger/canonical.ts'
import type { PromptPart } from '../../ledger/prompt.ts'
import { quoted } from '../../ledger/secrets/quote.ts'
import type { Failure, Model, Outcome, Request } from '../model.ts'
import { changeOf } from './change.ts'
import { CHECKS } from './checks/all.ts'
import { byWeight, type Check, type Finding, type Hit, severityOf } from './finding.ts'
import { gapsIn, passages, readsAsEnglish } from './question.ts'
import { type PanelReport, proseOf, reportOf } from './report.ts'
import type { Mode, Subject, SubjectFile } from './terms.ts'

// The embedded panel: named checks over what it is shown, the same answer for the same input. It matches, it
// does not think: it never adopts, never rejects, never speaks as a person, and says that no language model
// was asked.

const MAX_FINDINGS = 200
const MAX_DISMISSED = 50

function findingOf(hit: Hit): Finding {
  const { rule, path, line, quote, note } = hit
  return {
    rule: rule.id,
    severity: severityOf(hit),
    category: rule.category,
    path,
    line,
    quote: quote === undefined ? null : quoted(quote),
    description: note === undefined ? rule.description : `${rule.description} ${note}`,
    rationale: rule.rationale,
    fix: rule.fix,
  }
}

/** Keeps the most severe and counts the rest: many small findings can neither displace a severe one nor fill the memory. */
class Worst {
  readonly #limit: number
  #hits: Hit[] = []
  #count = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  add(hit: Hit): void {
    this.#count++
    this.#hits.push(hit)
    if (this.#hits.length >= 20 * this.#limit) this.#hits = this.list()
  }

  list(): Hit[] {
    return this.#hits.sort(byWeight).slice(0, this.#limit)
  }

  left(what: string): string[] {
    return this.#count > this.#limit ? [`Further ${what} not listed: ${this.#count - this.#limit}.`] : []
  }
}

/** Yields between checks, so that the caller can stop it. */
function* review(subject: Subject, checks: readonly Check[]): Generator<undefined, PanelReport> {
  const change = changeOf(subject)
  const [reported, dismissed] = [new Worst(MAX_FINDINGS), new Worst(MAX_DISMISSED)]
  for (const check of checks) {
    yield
    for (const hit of check.find(change)) {
      if (hit === null) yield
      else (hit.dismissed === undefined ? reported : dismissed).add(hit)
    }
  }
  const nothing = change.files.length === 0
  return reportOf('review', {
    findings: reported.list().map(findingOf),
    dismissed: dismissed
      .list()
      .map(({ rule, path, line, dismissed = '' }) => ({ rule: rule.id, path, line, reason: dismissed })),
    unseen: [
      ...change.unseen,
      ...(nothing ? ['Neither a diff nor a file was given: there was nothing to check.'] : []),
      ...reported.left('findings'),
      ...dismissed.left('dismissals'),
    ],
    rules: checks.flatMap(({ rules }) => rules.map(({ id }) => id)),
  })
}

function* inquiry(subject: Subject): Generator<undefined, PanelReport> {
  const gaps = gapsIn(subject.question)
  yield
  const { found, cut } = passages(subject.question, subject.files)
  const unseen = [
    ...(cut ? ['The context is longer than four million characters: the rest was not read.'] : []),
    ...(readsAsEnglish(subject.question)
      ? []
      : ['The word lists for gaps are English; this question may be in another language.']),
  ]
  return reportOf(subject.mode, { gaps, passages: found, unseen })
}

/** The panel's work in steps; it can be stopped at each `yield`. */
const steps = (subject: Subject, checks: readonly Check[] = CHECKS): Generator<undefined, PanelReport> =>
  subject.mode === 'review' ? review(subject, checks) : inquiry(subject)

export function examine(subject: Subject, checks: readonly Check[] = CHECKS): PanelReport {
  const work = steps(subject, checks)
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

export interface EmbeddedOptions {
  /** Used when no part named `mode` states it; a prompt with a diff is otherwise a review, any other a question. */
  readonly mode?: Mode
  /** The files of a prompt, when its context is not arranged as one file for each part. */
  readonly files?: (parts: readonly PromptPart[]) => readonly SubjectFile[]
  /** The report in the shape of the requested schema; by default as it is. */
  readonly answer?: (report: PanelReport) => Json
}

const MODES: readonly string[] = ['ask', 'architecture', 'review'] satisfies Mode[]
const isMode = (text: string | undefined): text is Mode => text !== undefined && MODES.includes(text)

const joined = (parts: readonly PromptPart[], name: string): string =>
  parts
    .filter((part) => part.name === name)
    .map(({ text }) => text)
    .join('\n')

/** `context:PATH` is that file; a part named just `context` is a text without a name. */
function filesIn(parts: readonly PromptPart[]): SubjectFile[] {
  return parts
    .filter(({ name }) => name === 'context' || name.startsWith('context:'))
    .map(({ name, text }, i) => ({
      path: name.slice('context:'.length) || (i === 0 ? 'context' : `context-${i + 1}`),
      text,
    }))
}

export function subjectOf(parts: readonly PromptPart[], options: EmbeddedOptions = {}): Subject {
  const diff = joined(parts, 'diff')
  const named = parts.find(({ name }) => name === 'mode')?.text.trim()
  const mode = isMode(named) ? named : (options.mode ?? (diff === '' ? 'ask' : 'review'))
  const all = (options.files ?? filesIn)(parts)
  // A text without a name is about the files, not one of them: it contains nothing to review.
  const files = mode === 'review' ? all.filter(({ path }) => !/^context(?:-\d+)?$/.test(path)) : all
  return { question: joined(parts, 'question'), mode, files, ...(diff === '' ? {} : { diff }) }
}

const asJson = (report: PanelReport): Json => JSON.parse(JSON.stringify(report)) as Json

const NO_TOKENS = { inputTokens: 0, outputTokens: 0 }

/** How long it may block others. */
const TURN_MS = 20

/** Null when it was stopped before the end. */
async function run(subject: Subject, stopped: () => boolean): Promise<PanelReport | null> {
  const work = steps(subject)
  let breath = performance.now()
  for (;;) {
    if (stopped()) return null
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() - breath < TURN_MS) continue
    await setImmediate()
    breath = performance.now()
  }
}

export function embeddedModel(options: EmbeddedOptions = {}): Model {
  const answer = options.answer ?? asJson

  async function ask({ parts, schema, limits, signal }: Request): Promise<Outcome> {
    const started = performance.now()
    const elapsed = () => performance.now() - started
    const failure = (type: Failure['type'], cause: Failure['cause'], message: string): Failure => ({
      ok: false,
      type,
      cause,
      message,
      retryAfterMs: null,
      latencyMs: Math.round(elapsed()),
      transport: 'embedded',
      usage: NO_TOKENS,
    })
    const report = await run(subjectOf(parts, options), () => signal.aborted || elapsed() > limits.timeoutMs)
    if (signal.aborted) return failure('network', 'aborted', 'The checks were stopped before the end.')
    if (report === null)
      return failure('timeout', null, `The checks took longer than ${limits.timeoutMs} ms.`)
    const text = schema === null ? proseOf(report) : JSON.stringify(answer(report))
    const bytes = new TextEncoder().encode(text).length
    if (bytes > limits.maxReplyBytes) {
      return failure(
        'parse_error',
        'reply_too_large',
        `The report has ${bytes} bytes, over ${limits.maxReplyBytes}.`,
      )
    }
    const latencyMs = Math.round(elapsed())
    const cost = { usd: 0, from: 'free' } as const
    return { ok: true, text, usage: NO_TOKENS, cost, latencyMs, transport: 'embedded', model: null }
  }

  return {
    provider: 'embedded',
    model: null,
    transport: 'embedded',
    available: async () => ({ ready: true, detail: 'deterministic checks, no language model', next: null }),
    ask,
  }
}
