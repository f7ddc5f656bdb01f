// A council told for people: what each seat was asked, its stance before and after the review, what the chair
// made of it, and how it ended. Details stay in the events.

import { readAction } from '../../council/actions.ts'
import type * as is from '../../council/events.ts'
import type { TargetReview } from '../../council/replies/review.ts'
import { unseenInWords } from '../../council/size/notices.ts'
import type { Occurrence } from '../../protocol.ts'
import { seatManner } from '../preview.ts'
import { basisOf, failureKind } from '../report/document.ts'
import { count, inOneLine, line, type StoryLine } from './story-line.ts'

type Teller = (payload: never, by: string) => StoryLine

const dollars = (cost: is.OpinionGiven['cost']): string =>
  cost === null ? 'cost unknown' : `$${cost.usd.toFixed(4)}`

function callText({
  model,
  transport,
  latency_ms,
  cost,
}: is.OpinionGiven | is.ReviewGiven | is.ReportGiven): string {
  const modelText = model === null ? transport : `${model} over ${transport}`
  return `${modelText}, ${(latency_ms / 1000).toFixed(1)} s, ${dollars(cost)}`
}

const failed =
  (what: string): Teller =>
  ({ seat, failure, attempts }: is.Failed) =>
    line('bad', `${seat} gave no ${what} (${failureKind(failure)}): ${inOneLine(failure.error_message)}`, [
      ...(attempts.length > 1
        ? [`${attempts.length} tries: ${attempts.map(({ transport }) => transport).join(', ')}`]
        : []),
    ])

const incomplete =
  (what: string): Teller =>
  ({ seat, reading }: is.Incomplete) => {
    const lacks = reading.outcome === 'prose' ? 'a stance' : reading.missing.join(', ')
    return line('quiet', `${seat} gave ${what} that lacks ${inOneLine(lacks)}, and is asked for it once more`)
  }

const isSevere = ({ severity }: { readonly severity: string }): boolean =>
  severity === 'critical' || severity === 'high'

const objections = ({ opinion, critiques }: TargetReview): string[] =>
  critiques
    .filter(isSevere)
    .map(({ severity, description }) => `${severity} against ${opinion}: ${inOneLine(description)}`)

const TELLERS: Readonly<Record<string, Teller>> = {
  council_opened: (opening: is.CouncilOpened, by) => {
    const { question, mode, constraints, seats, chairs, context, follow, portions, unseen } = opening
    const basis = basisOf(context)
    return line('plain', `${by} asked (${mode}): ${inOneLine(question)}`, [
      ...constraints.map((constraint) => `constraint: ${inOneLine(constraint)}`),
      ...(basis === '' ? [] : [`read: ${basis}`]),
      ...(portions === undefined ? [] : [`in ${portions} parts, the same for all seats`]),
      ...(unseen === undefined ? [] : [inOneLine(unseenInWords(unseen))]),
      ...seats.flatMap((seat) => {
        const manner = seatManner(seat)
        return manner === '' ? [] : [inOneLine(`${seat.seat}: ${manner}`)]
      }),
      `seats: ${seats.map(({ seat, model }) => (model === null ? seat : `${seat} (${model})`)).join(', ')}`,
      ...(chairs.length > 0 ? [`chair: ${chairs.join(', then ')}`] : []),
      ...(follow === null ? [] : [`follows ${follow.trace}, which came to ${follow.decision}`]),
    ])
  },
  opinion_given: (event: is.OpinionGiven) => {
    const { stance, confidence, summary, details, findings } = event.opinion
    const part = readAction(event.action)?.part ?? null
    const where = part === null ? '' : `, part ${part}`
    return line(
      'plain',
      `${event.seat}${where}: ${stance}, confidence ${confidence}. ${inOneLine(summary)}`,
      [
        ...(details.recommendation === '' ? [] : [`recommends: ${inOneLine(details.recommendation)}`]),
        ...(findings.length > 0
          ? [`${count(findings.length, 'finding')}, grave: ${findings.filter(isSevere).length}`]
          : []),
        callText(event),
      ],
    )
  },
  opinion_joined: ({ seat, opinion, missing, failure }: is.OpinionJoined) => {
    const lacks = missing.length === 0 ? [] : [`no answer to part ${missing.join(', ')}`]
    if (!opinion)
      return line('bad', `${seat} gave no opinion (${failure ? failureKind(failure) : 'erased'})`, lacks)
    const { stance, confidence, findings } = opinion
    return line('plain', `${seat} over all parts: ${stance}, confidence ${confidence}`, [
      ...(findings.length > 0
        ? [`${count(findings.length, 'finding')}, grave: ${findings.filter(isSevere).length}`]
        : []),
      ...lacks,
    ])
  },
  opinion_failed: failed('opinion'),
  opinion_incomplete: incomplete('an opinion'),
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
  review_given: (event: is.ReviewGiven) => {
    const { targets, stance_after, confidence, missed_findings } = event.review
    const critiques = targets.reduce((sum, target) => sum + target.critiques.length, 0)
    return line(
      'plain',
      `${event.seat} read ${count(targets.length, 'other opinion')} and now says ${stance_after}, confidence ${confidence}`,
      [
        ...targets.flatMap(objections),
        `${count(critiques, 'critique')}${missed_findings.length > 0 ? `, ${count(missed_findings.length, 'missed finding')}` : ''}`,
        callText(event),
      ],
    )
  },
  review_failed: failed('review'),
  review_incomplete: incomplete('a review'),
  report_given: (event: is.ReportGiven) => {
    const { decision, confidence, conclusion } = event.report
    return line(
      'good',
      `${event.seat} as chair: ${decision}, confidence ${confidence}. ${inOneLine(conclusion)}`,
      [callText(event)],
    )
  },
  report_failed: failed('report'),
  report_incomplete: incomplete('a report'),
  round_closed: ({ round }: is.RoundClosed) =>
    line('bad', `time ran out in ${round}: no further seat is asked`),
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
