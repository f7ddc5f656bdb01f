// The embedded panel: named checks over what is laid before it, the same answer for the same input. It looks, it does
// not think: it never adopts, never rejects, never speaks as a person, and says that no language model was asked.

import { quoted } from '../../ledger/secrets/quote.ts'
import { changeOf } from './change.ts'
import { CHECKS } from './checks/all.ts'
import { byWeight, type Check, type Finding, type Hit, severityOf } from './finding.ts'
import { gapsIn, readsAsEnglish } from './gaps.ts'
import { passages } from './relevance.ts'
import { type PanelReport, reportOf } from './report.ts'
import type { Subject } from './subject.ts'

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

/** Keeps the worst and counts the rest: no flood of small findings can push out a grave one or fill the memory. */
class Worst {
  readonly #limit: number
  #kept: Hit[] = []
  #count = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  add(hit: Hit): void {
    this.#count++
    this.#kept.push(hit)
    if (this.#kept.length >= 20 * this.#limit) this.#kept = this.list()
  }

  list(): Hit[] {
    return this.#kept.sort(byWeight).slice(0, this.#limit)
  }

  left(what: string): string[] {
    return this.#count > this.#limit ? [`Further ${what} not listed: ${this.#count - this.#limit}.`] : []
  }
}

/** Yields between checks, so that whoever runs it can stop. */
function* review(subject: Subject, checks: readonly Check[]): Generator<undefined, PanelReport> {
  const change = changeOf(subject)
  const [found, dismissed] = [new Worst(MAX_FINDINGS), new Worst(MAX_DISMISSED)]
  for (const check of checks) {
    yield
    for (const hit of check.find(change)) {
      if (hit === null) yield
      else (hit.dismissed === undefined ? found : dismissed).add(hit)
    }
  }
  const nothing = change.files.length === 0
  return reportOf('review', {
    findings: found.list().map(findingOf),
    dismissed: dismissed
      .list()
      .map(({ rule, path, line, dismissed = '' }) => ({ rule: rule.id, path, line, reason: dismissed })),
    unseen: [
      ...change.unseen,
      ...(nothing ? ['Neither a diff nor a file was given: there was nothing to check.'] : []),
      ...found.left('findings'),
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

/** The panel's work in steps; each `yield` is a place to stop. */
export const steps = (
  subject: Subject,
  checks: readonly Check[] = CHECKS,
): Generator<undefined, PanelReport> =>
  subject.mode === 'review' ? review(subject, checks) : inquiry(subject)

export function examine(subject: Subject, checks: readonly Check[] = CHECKS): PanelReport {
  const work = steps(subject, checks)
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
