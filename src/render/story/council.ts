// A council told as a person would tell it: what was asked of whom, where each seat stood and stands, what the chair
// made of it, and how it ended. Details stay in the events.

import type * as is from '../../council/events.ts'
import type { TargetReview } from '../../council/replies/review.ts'
import type { Occurrence } from '../../protocol.ts'
import { basisOf } from './context-line.ts'
import { count, inOneLine, line, type StoryLine } from './story-line.ts'

type Teller = (payload: never, by: string) => StoryLine

const dollars = (cost: is.OpinionGiven['cost']): string =>
  cost === null ? 'cost unknown' : `$${cost.usd.toFixed(4)}`

function took({
  model,
  transport,
  latency_ms,
  cost,
}: is.OpinionGiven | is.ReviewGiven | is.ReportGiven): string {
  const who = model === null ? transport : `${model} over ${transport}`
  return `${who}, ${(latency_ms / 1000).toFixed(1)} s, ${dollars(cost)}`
}

const failed =
  (what: string): Teller =>
  ({ seat, failure, attempts }: is.Failed) =>
    line('bad', `${seat} gave no ${what} (${failure.error_type}): ${inOneLine(failure.error_message)}`, [
      ...(attempts.length > 1
        ? [`${attempts.length} tries: ${attempts.map(({ transport }) => transport).join(', ')}`]
        : []),
    ])

const grave = ({ severity }: { readonly severity: string }): boolean =>
  severity === 'critical' || severity === 'high'

const objections = ({ opinion, critiques }: TargetReview): string[] =>
  critiques
    .filter(grave)
    .map(({ severity, description }) => `${severity} against ${opinion}: ${inOneLine(description)}`)

const TELLERS: Readonly<Record<string, Teller>> = {
  council_opened: ({ question, mode, constraints, seats, chairs, context, follow }: is.CouncilOpened, by) => {
    const basis = basisOf(context)
    return line('plain', `${by} asked (${mode}): ${inOneLine(question)}`, [
      ...constraints.map((constraint) => `constraint: ${inOneLine(constraint)}`),
      ...(basis === '' ? [] : [`read: ${basis}`]),
      `seats: ${seats.map(({ seat, model }) => (model === null ? seat : `${seat} (${model})`)).join(', ')}`,
      ...(chairs.length > 0 ? [`chair: ${chairs.join(', then ')}`] : []),
      ...(follow === null ? [] : [`follows ${follow.trace}, which came to ${follow.decision}`]),
    ])
  },
  opinion_given: (given: is.OpinionGiven) => {
    const { stance, confidence, summary, details, findings } = given.opinion
    return line('plain', `${given.seat}: ${stance}, confidence ${confidence}. ${inOneLine(summary)}`, [
      ...(details.recommendation === '' ? [] : [`recommends: ${inOneLine(details.recommendation)}`]),
      ...(findings.length > 0
        ? [`${count(findings.length, 'finding')}, grave: ${findings.filter(grave).length}`]
        : []),
      took(given),
    ])
  },
  opinion_failed: failed('opinion'),
  agreement_scored: ({ encoder, pairs }: is.AgreementScored) =>
    line(
      'quiet',
      pairs.length === 0 ? 'how alike they are could not be measured' : `how alike they are, by ${encoder}`,
      pairs.map(({ a, b, cosine }) => `${a} and ${b}: ${cosine}`),
    ),
  short_circuit_decided: ({
    after,
    triggered,
    rounds_skipped,
    impossible,
    reason,
  }: is.ShortCircuitDecided) => {
    if (triggered)
      return line('plain', `after ${after}: without ${rounds_skipped.join(', ')}. ${inOneLine(reason)}`)
    return line(
      'quiet',
      `after ${after}: ${impossible.length > 0 ? `there can be no ${impossible.join(', ')}` : 'it goes on'}`,
    )
  },
  review_given: (given: is.ReviewGiven) => {
    const { targets, stance_after, confidence, missed_findings } = given.review
    const critiques = targets.reduce((sum, target) => sum + target.critiques.length, 0)
    return line(
      'plain',
      `${given.seat} read ${count(targets.length, 'other opinion')} and now says ${stance_after}, confidence ${confidence}`,
      [
        ...targets.flatMap(objections),
        `${count(critiques, 'critique')}${missed_findings.length > 0 ? `, ${count(missed_findings.length, 'missed finding')}` : ''}`,
        took(given),
      ],
    )
  },
  review_failed: failed('review'),
  report_given: (given: is.ReportGiven) => {
    const { decision, confidence, conclusion } = given.report
    return line(
      'good',
      `${given.seat} as chair: ${decision}, confidence ${confidence}. ${inOneLine(conclusion)}`,
      [took(given)],
    )
  },
  report_failed: failed('report'),
  round_closed: ({ round }: is.RoundClosed) => line('bad', `time ran out in ${round}: nobody more is asked`),
  close_requested: ({ reason }: is.CloseRequested, by) =>
    line('plain', `${by} wants it closed with what there is: ${inOneLine(reason)}`),
  report_assembled: ({ report }: is.ReportAssembled) => {
    const { decision, confidence, conclusion, notices, unresolved, unsupported, disagreements } = report
    return line('good', `the report: ${decision}, confidence ${confidence}. ${inOneLine(conclusion)}`, [
      ...notices.map(inOneLine),
      ...disagreements.map(({ topic }) => `dissent: ${inOneLine(topic)}`),
      ...unresolved.map(({ id, description }) => `unresolved ${id}: ${inOneLine(description)}`),
      ...(unsupported.length > 0 ? [`${count(unsupported.length, 'citation')} that do not hold`] : []),
    ])
  },
  council_closed: ({ status, reason, metrics }: is.CouncilClosed) => {
    const { calls, calls_lost, total_duration_ms } = metrics
    const lost = calls_lost > 0 ? `, ${calls_lost} lost` : ''
    return line(
      status === 'reported' ? 'good' : 'bad',
      `closed, ${status.replaceAll('_', ' ')}${status === 'reported' || reason === '' ? '' : `: ${inOneLine(reason)}`}`,
      [`${count(calls, 'call')}${lost} in ${(total_duration_ms / 1000).toFixed(1)} s`],
    )
  },
}

export function tell({ type, payload, actor }: Occurrence): StoryLine | null {
  const teller = Object.hasOwn(TELLERS, type) ? TELLERS[type] : undefined
  return teller && payload ? teller(payload as never, actor.agent) : null
}
