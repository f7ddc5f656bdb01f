// The panel as a mind. It reads the parts of a prompt by name, calls nothing and spends nothing, gives way between
// checks so that it can be stopped, and reports no model because there is none.

import { setImmediate } from 'node:timers/promises'
import type { Json } from '../../ledger/canonical.ts'
import type { PromptPart } from '../../ledger/prompt.ts'
import type { Failure, Model, Outcome, Request } from '../model.ts'
import { steps } from './panel.ts'
import { type PanelReport, proseOf } from './report.ts'
import type { Mode, Subject, SubjectFile } from './subject.ts'

export interface EmbeddedOptions {
  /** When no part named `mode` says it; a prompt with a diff is otherwise a review, any other a question. */
  readonly mode?: Mode
  /** The files of a prompt, when its context is laid out in another way than one file a part. */
  readonly files?: (parts: readonly PromptPart[]) => readonly SubjectFile[]
  /** The report in the shape that the asker's schema wants; by default as it is. */
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
  // A text without a name is about the files, not one of them: there is nothing in it to review.
  const files = mode === 'review' ? all.filter(({ path }) => !/^context(?:-\d+)?$/.test(path)) : all
  return { question: joined(parts, 'question'), mode, files, ...(diff === '' ? {} : { diff }) }
}

const asJson = (report: PanelReport): Json => JSON.parse(JSON.stringify(report)) as Json

const NO_TOKENS = { inputTokens: 0, outputTokens: 0 }

/** How long it may keep others waiting. */
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
    const object = schema === null ? null : answer(report)
    const text = object === null ? proseOf(report) : JSON.stringify(object)
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
    return {
      ok: true,
      text,
      object,
      usage: NO_TOKENS,
      cost,
      latencyMs,
      transport: 'embedded',
      model: null,
      repaired: false,
    }
  }

  return {
    provider: 'embedded',
    model: null,
    transport: 'embedded',
    available: async () => ({ ready: true, detail: 'deterministic checks, no language model', next: null }),
    ask,
  }
}
