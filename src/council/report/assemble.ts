// A report that no model wrote: made from round one by rule, when the synthesis was skipped, stopped or
// failed. It states the majority's decision and says so; in a tie it says need-info.

import { type Edition, editionOf } from '../editions.ts'
import { isWorse, type Severity } from '../replies/finding.ts'
import { type ArchitectureAnswer, type CouncilOpinion, type Stance, UNSTATED } from '../replies/opinion.ts'
import { isChecksOnly, opinionsOf, reviewsOf } from '../seat-ids.ts'
import type { OpenedCouncil } from '../state.ts'
import { mostComplete } from './completeness.ts'
import { finalReport } from './final-report.ts'
import { countStances, plurality } from './majority.ts'
import {
  CHECKS_ONLY,
  type CouncilFinalReport,
  DISCLAIMER,
  type Disagreement,
  type NextAction,
  type ReportAnswer,
  type ReportFindingAnswer,
  type ReportRisk,
} from './report.ts'

const distinct = (items: readonly string[]): readonly string[] => [...new Set(items)]

/** Findings of the same place and category are one finding; the most severe represents them. */
function mergedFindings(
  state: OpenedCouncil,
  opinions: readonly CouncilOpinion[],
): readonly ReportFindingAnswer[] {
  const all = [
    ...opinions.flatMap(({ id, findings }) =>
      findings.map((each, i) => ({ each, source: `${id}.f${i + 1}` })),
    ),
    ...reviewsOf(state).flatMap(({ id, missed_findings }) =>
      missed_findings.map((each, i) => ({ each, source: `${id}.f${i + 1}` })),
    ),
  ]
  const merged = new Map<string, ReportFindingAnswer>()
  for (const { each, source } of all) {
    const isPlaced = each.file !== null && each.line !== null
    const key = isPlaced ? JSON.stringify([each.file, each.line, each.category]) : source
    const known = merged.get(key)
    const worst = known && !isWorse(each.severity, known.severity) ? known : each
    merged.set(key, { ...worst, sources: [...(known?.sources ?? []), source] })
  }
  return [...merged.values()]
}

function mergedRisks(opinions: readonly CouncilOpinion[]): readonly ReportRisk[] {
  return opinions.flatMap(({ id, risks }) =>
    risks.map((risk) => ({ ...risk, mentioned_by: [id], status: 'disputed' as const })),
  )
}

function architecture(opinions: readonly CouncilOpinion[]): ArchitectureAnswer {
  const all = <Item>(member: (opinion: CouncilOpinion) => readonly Item[]): readonly Item[] =>
    opinions.flatMap(member)
  return {
    alternatives: all(({ alternatives }) => alternatives),
    verification_plan: distinct(all(({ verification_plan }) => verification_plan)),
    in_scope: distinct(all(({ in_scope }) => in_scope)),
    out_of_scope: distinct(all(({ out_of_scope }) => out_of_scope)),
    information_needed: distinct(all(({ information_needed }) => information_needed)),
  }
}

function stancesApart(opinions: readonly CouncilOpinion[]): readonly Disagreement[] {
  const counts = countStances(opinions.map(({ stance }) => stance))
  if (Object.keys(counts).length < 2) return []
  const positions = Object.keys(counts).map((position) => ({
    position,
    held_by: opinions.filter(({ stance }) => stance === position).map(({ id }) => id),
  }))
  return [{ topic: 'the decision', positions, resolution: '', why: 'nobody was asked to resolve it' }]
}

const PRIORITY_OF: Readonly<Record<Severity, NextAction['priority']>> = {
  critical: 'now',
  high: 'now',
  medium: 'soon',
  low: 'later',
}

const actionsFrom = (opinions: readonly CouncilOpinion[]): readonly NextAction[] => [
  ...opinions.flatMap(({ risks }) =>
    risks.flatMap(({ mitigation, severity }) =>
      mitigation.trim() === ''
        ? []
        : [{ action: mitigation, priority: PRIORITY_OF[severity], success_criteria: '' }],
    ),
  ),
  ...distinct(opinions.flatMap(({ verification_plan }) => verification_plan)).map((action) => ({
    action,
    priority: 'soon' as const,
    success_criteria: '',
  })),
]

const NO_STANCE = 'No opinion states a stance.'

interface Conclusion {
  readonly decision: Stance
  readonly conclusion: string
  readonly need_info_reason: string
  readonly summary: string
}

function concludeByCount(state: OpenedCouncil, opinions: readonly CouncilOpinion[]): Conclusion {
  const [first] = opinions
  if (isChecksOnly(state)) {
    const summary = opinions.map((opinion) => opinion.summary).join('\n')
    const conclusion = first?.details.recommendation ?? ''
    return { decision: 'need-info', conclusion, need_info_reason: CHECKS_ONLY, summary }
  }
  const voices = opinions.filter(({ embedded }) => !embedded)
  const counts = countStances(voices.map(({ stance }) => stance))
  const stance = plurality(counts)
  const tally = Object.entries(counts)
    .map(([name, n]) => `${name} ${n}`)
    .join(', ')
  const divided = tally === '' ? NO_STANCE : 'The opinions are evenly divided.'
  const leading = mostComplete(voices.filter((voice) => voice.stance === (stance ?? voice.stance)))
  return {
    decision: stance ?? 'need-info',
    conclusion: stance === null ? divided : (leading?.details.recommendation ?? ''),
    need_info_reason: stance === null ? (tally === '' ? NO_STANCE : `evenly divided: ${tally}`) : '',
    summary: `Put together from ${voices.length} opinions without a synthesis (${tally}).`,
  }
}

function fromAll(state: OpenedCouncil): ReportAnswer {
  const opinions = opinionsOf(state)
  const stances = new Set(opinions.map(({ stance }) => stance))
  const [only] = stances
  return {
    ...concludeByCount(state, opinions),
    confidence: 'low',
    // Findings of checks are quoted lines and what was let pass; checks recommend nothing of their own.
    rationale: opinions.flatMap(({ id, details, embedded }) =>
      (embedded ? details.key_considerations : [details.recommendation]).map((point) => ({
        point,
        supported_by: [id],
      })),
    ),
    risks: mergedRisks(opinions),
    next_actions: actionsFrom(opinions),
    disagreements: stancesApart(opinions),
    uncertainties: distinct(opinions.flatMap(({ questions }) => questions)).map((point) => ({
      point,
      confidence: 'low',
      verification: '',
    })),
    consensus_points:
      opinions.length > 1 && stances.size === 1 && only !== UNSTATED ? [`All opinions say ${only}.`] : [],
    answered_critiques: [],
    findings: mergedFindings(state, opinions),
    ...architecture(opinions),
  }
}

function fromOne(state: OpenedCouncil, best: CouncilOpinion): ReportAnswer {
  return {
    decision: best.stance,
    conclusion: best.details.recommendation,
    need_info_reason: best.stance === 'need-info' ? best.summary : '',
    summary: best.summary,
    confidence: best.confidence,
    rationale: [{ point: best.details.rationale, supported_by: [best.id] }],
    risks: mergedRisks([best]),
    next_actions: actionsFrom([best]),
    disagreements: stancesApart(opinionsOf(state)),
    uncertainties: best.questions.map((point) => ({ point, confidence: 'low', verification: '' })),
    consensus_points: [],
    answered_critiques: [],
    findings: mergedFindings(state, opinionsOf(state)),
    ...architecture([best]),
  }
}

/** At the latest event: its recorder has just folded up to there. */
function assemble1(state: OpenedCouncil, synthesis: 'fallback' | 'none'): CouncilFinalReport {
  const best = synthesis === 'fallback' ? mostComplete(opinionsOf(state)) : null
  const answer = best ? fromOne(state, best) : fromAll(state)
  return finalReport(state, answer, {
    synthesis,
    chair: null,
    shown_opinion: best?.id ?? null,
    notices: synthesis === 'fallback' ? [DISCLAIMER] : [],
    at: state.at,
  })
}

const ASSEMBLY: Readonly<Record<Edition['assembly'], typeof assemble1>> = { 1: assemble1 }

export const assembledReport = (state: OpenedCouncil, synthesis: 'fallback' | 'none'): CouncilFinalReport =>
  ASSEMBLY[editionOf(state).assembly](state, synthesis)
