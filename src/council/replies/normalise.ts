// Turns a model's answer into the recorded value. Every member is taken by name and everything else is
// dropped; a label becomes the id of its opinion. The same answer always gives the same record, which is how
// a verifier finds one that differs from its reply.

import type { Json } from '../../ledger/canonical.ts'
import type { JsonSchema } from '../../ledger/schema.ts'
import { misfit } from '../../ledger/schema-fault.ts'
import type { Edition } from '../editions.ts'
import type { ReportAnswer } from '../report/report.ts'
import type { FindingAnswer } from './finding.ts'
import type { ArchitectureAnswer, Mode, OpinionAnswer } from './opinion.ts'
import type { FindingVerdict, ReviewAnswer, TargetReview } from './review.ts'
import { ASKED_REPORT, ASKED_REVIEW, OPINION_READ } from './schemas.ts'

export type Read<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly why: string }

/** Lone surrogates have no UTF-8: they are replaced, everything else stays as written. */
const clean = (value: Json): Json => {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(clean)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, clean(member)]))
}

type AskedFinding = Omit<FindingAnswer, 'file' | 'line'> & { readonly file: string; readonly line: number }

function finding(asked: AskedFinding): FindingAnswer {
  const {
    rule,
    severity,
    category,
    file,
    line,
    quote,
    description,
    rationale,
    fix,
    impact,
    tests,
    priority,
  } = asked
  const path = file.trim() === '' ? null : file.trim()
  const at = path !== null && Number.isSafeInteger(line) && line > 0 ? line : null
  return {
    rule,
    severity,
    category,
    file: path,
    line: at,
    quote,
    description,
    rationale,
    fix,
    impact,
    tests,
    priority,
  }
}

const findings = (asked: readonly AskedFinding[] | undefined): readonly FindingAnswer[] =>
  (asked ?? []).map(finding)

const architecture = (asked: Partial<ArchitectureAnswer>): ArchitectureAnswer => ({
  alternatives: asked.alternatives ?? [],
  verification_plan: asked.verification_plan ?? [],
  in_scope: asked.in_scope ?? [],
  out_of_scope: asked.out_of_scope ?? [],
  information_needed: asked.information_needed ?? [],
})

const isBlank = (...texts: readonly string[]): boolean => texts.every((each) => each.trim() === '')

/** A model's answer, where it has the requested shape. */
function fitting<Asked>(schema: JsonSchema, object: Json): Read<Asked> {
  const fault = misfit(schema, object)
  return fault ? { ok: false, why: fault } : { ok: true, answer: clean(object) as Asked }
}

type AskedOpinion = Omit<OpinionAnswer, 'findings'> & { readonly findings?: readonly AskedFinding[] }

export function readOpinion(mode: Mode, object: Json, shapes: Edition['shapes'] = 1): Read<OpinionAnswer> {
  const fitted = fitting<AskedOpinion>(OPINION_READ[shapes][mode], object)
  if (!fitted.ok) return fitted
  const asked = fitted.answer
  const { stance, summary, details, risks, assumptions, questions, stakes, confidence } = asked
  if (isBlank(summary, details.recommendation)) return { ok: false, why: 'the opinion says nothing' }
  return {
    ok: true,
    answer: {
      stance,
      summary,
      details,
      risks,
      assumptions,
      questions,
      ...(stakes === undefined ? {} : { stakes }),
      confidence,
      ...architecture(asked),
      findings: findings(asked.findings),
    },
  }
}

type AskedTarget = Omit<TargetReview, 'opinion' | 'dimensions' | 'findings'> &
  TargetReview['dimensions'] & { readonly target: string; readonly findings?: readonly FindingVerdict[] }

type AskedReview = Omit<ReviewAnswer, 'targets' | 'missed_findings'> & {
  readonly targets: readonly AskedTarget[]
  readonly missed_findings?: readonly AskedFinding[]
}

/** `A`, `Opinion A` and `"A"` are the same label. */
const bare = (label: string): string =>
  label
    .trim()
    .replace(/^opinion\s+/i, '')
    .replace(/^"(.*)"$/, '$1')
    .toUpperCase()

/** `A.f2` → `op-3.f2`; a name that was not shown is dropped. */
function verdict(asked: FindingVerdict, idOf: ReadonlyMap<string, string>): readonly FindingVerdict[] {
  const [, label = '', number = ''] = /^(.*)\.f(\d{1,4})$/i.exec(asked.finding.trim()) ?? []
  const opinion = idOf.get(bare(label))
  if (!opinion) return []
  const { severity, note } = asked
  return [{ finding: `${opinion}.f${Number(number)}`, verdict: asked.verdict, severity, note }]
}

function target(asked: AskedTarget, idOf: ReadonlyMap<string, string>): readonly TargetReview[] {
  const opinion = idOf.get(bare(asked.target))
  if (!opinion) return []
  const { errors, omissions, risks, counter_arguments, assumptions } = asked
  return [
    {
      opinion,
      dimensions: { errors, omissions, risks, counter_arguments, assumptions },
      critiques: asked.critiques,
      agreement_points: asked.agreement_points,
      disagreement_points: asked.disagreement_points,
      findings: (asked.findings ?? []).flatMap((each) => verdict(each, idOf)),
    },
  ]
}

/** `labels`: what the reviewer was shown, label → id of the opinion. */
export function readReview(
  mode: Mode,
  object: Json,
  labels: ReadonlyMap<string, string>,
): Read<ReviewAnswer> {
  const fitted = fitting<AskedReview>(ASKED_REVIEW[mode], object)
  if (!fitted.ok) return fitted
  const asked = fitted.answer
  const targets = asked.targets.flatMap((each) => target(each, labels))
  if (targets.length === 0) return { ok: false, why: 'the review speaks of none of the opinions shown' }
  const { stance_after, recommendation_after, why, confidence } = asked
  return {
    ok: true,
    answer: {
      targets,
      missed_findings: findings(asked.missed_findings),
      stance_after,
      recommendation_after,
      why,
      confidence,
    },
  }
}

type AskedReport = Omit<ReportAnswer, 'findings'> & {
  readonly findings?: readonly (AskedFinding & { readonly sources: readonly string[] })[]
}

export function readReport(mode: Mode, object: Json): Read<ReportAnswer> {
  const fitted = fitting<AskedReport>(ASKED_REPORT[mode], object)
  if (!fitted.ok) return fitted
  const asked = fitted.answer
  if (isBlank(asked.conclusion, asked.summary)) return { ok: false, why: 'the report concludes nothing' }
  if (asked.decision === 'need-info' && isBlank(asked.need_info_reason))
    return { ok: false, why: 'the report needs information and does not say why' }
  return {
    ok: true,
    answer: {
      decision: asked.decision,
      conclusion: asked.conclusion,
      need_info_reason: asked.need_info_reason,
      summary: asked.summary,
      confidence: asked.confidence,
      rationale: asked.rationale,
      risks: asked.risks,
      next_actions: asked.next_actions,
      disagreements: asked.disagreements,
      uncertainties: asked.uncertainties,
      consensus_points: asked.consensus_points,
      answered_critiques: asked.answered_critiques,
      ...architecture(asked),
      findings: (asked.findings ?? []).map((each) => ({ ...finding(each), sources: each.sources })),
    },
  }
}
