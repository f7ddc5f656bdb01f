// The values that an evaluation records of a council: a function of that council's own trace, so that a
// verifier who has it can compute them again.

import type { CouncilValues } from '../../clerk/performers/eval/performer.ts'
import { councilResult } from '../../council/council-result.ts'
import { labelsFor } from '../../council/prompts/shown-opinions.ts'
import { isSevere } from '../../council/replies/finding.ts'
import { opinionId, opinionsOf, reviewsOf } from '../../council/seat-ids.ts'
import type { OpenedCouncil } from '../../council/state.ts'
import type { Held } from '../../eval/events.ts'
import { keptText } from '../../eval/read-reply.ts'
import type { Sha256 } from '../../ledger/bytes.ts'
import { readHeader, type SealedEvent } from '../../ledger/event.ts'
import { payloadIn } from '../../stores/searched-text.ts'
import { askedIn } from '../traces/outcome.ts'

type Events = Iterable<SealedEvent> | AsyncIterable<SealedEvent>

const round = (type: string): 'R1' | 'R2' | 'R3' | null => {
  if (type.startsWith('opinion_')) return 'R1'
  if (type.startsWith('review_')) return 'R2'
  return type.startsWith('report_') ? 'R3' : null
}

/** The usage of one trace: sums, and the longest call of each round one after the other. */
async function readAccount(events: Events): Promise<Pick<CouncilValues, 'spent' | 'ms'>> {
  let [usd, tokens, unknown, calls, chair] = [0, 0, 0, 0, 0]
  let areTokensKnown = true
  const longest = { R1: 0, R2: 0 }
  for await (const event of events) {
    const header = readHeader(event.header)
    const payload = payloadIn(event.payload)
    if (typeof header === 'string' || payload === null) continue
    const asked = askedIn(header.at, header.actor.agent, payload)
    if (!asked) continue
    calls += Array.isArray(payload.attempts) ? Math.max(1, payload.attempts.length) : 1
    if (asked.usd === null) unknown++
    usd += asked.usd ?? 0
    if (asked.input_tokens === null || asked.output_tokens === null) areTokensKnown = false
    tokens += (asked.input_tokens ?? 0) + (asked.output_tokens ?? 0)
    const ms = typeof payload.latency_ms === 'number' ? payload.latency_ms : 0
    const of = round(header.type)
    if (of === 'R3') chair += ms
    else if (of !== null) longest[of] = Math.max(longest[of], ms)
  }
  const isKnown = calls > 0 && unknown < calls
  return {
    spent: { usd: isKnown ? usd : null, unknown, calls, tokens: areTokensKnown ? tokens : null },
    ms: Math.round(longest.R1 + longest.R2 + chair),
  }
}

type Located = { readonly file: string | null; readonly line: number | null }

/** A finding without a place cannot match anything, and counts as a false alarm. */
const placesOf = (findings: readonly Located[]) =>
  findings.map(({ file, line }) => ({ file: (file ?? '').slice(0, 400), line: Math.max(0, line ?? 0) }))

const tokensOf = (usage: { readonly input_tokens: number | null; readonly output_tokens: number | null }) =>
  usage.input_tokens === null || usage.output_tokens === null
    ? null
    : usage.input_tokens + usage.output_tokens

export interface HeldCouncil {
  readonly head: Held['council']
  readonly state: OpenedCouncil
  /** Its own, without those of a parent. */
  readonly events: Events
}

/** `isFork`: answers of its parent are recorded in the parent. */
export async function councilValues(
  sha256: Sha256,
  { head, state, events }: HeldCouncil,
  isFork: boolean,
): Promise<CouncilValues> {
  const { report, status } = councilResult(sha256, state)
  const shadows = [state.decisions.R1, state.decisions.R2].flatMap(
    (decision) => decision?.shadow.rounds_skipped ?? [],
  )
  return {
    council: head,
    status: status ?? 'open',
    opinions: isFork ? [] : opinionValues(state),
    reviews: isFork ? [] : reviewValues(sha256, state),
    report: report && {
      event: state.closed?.report ?? '',
      text: keptText(`${report.summary}\n${report.conclusion}`),
      confidence: report.confidence,
      synthesis: report.synthesis,
      findings: placesOf(report.findings),
    },
    skips: isFork ? [] : shadows,
    ...(await readAccount(events)),
  }
}

const opinionValues = (state: OpenedCouncil): CouncilValues['opinions'] =>
  opinionsOf(state).map((opinion) => ({
    seat: opinion.seat,
    event: opinion.event,
    text: keptText(`${opinion.summary}\n${opinion.details.recommendation}`),
    confidence: opinion.confidence,
    usd: opinion.cost_usd,
    tokens: tokensOf(opinion.usage),
    ms: Math.round(opinion.latency_ms),
    findings: placesOf(opinion.findings),
  }))

function reviewValues(sha256: Sha256, state: OpenedCouncil): CouncilValues['reviews'] {
  const lengths = new Map(
    opinionsOf(state).map((opinion) => [
      opinionId(state, opinion.seat),
      {
        seat: opinion.seat,
        chars: JSON.stringify([opinion.summary, opinion.details, opinion.risks, opinion.findings]).length,
      },
    ]),
  )
  return reviewsOf(state).map((review) => {
    const places = [...labelsFor(sha256, state, review.seat).values()]
    return {
      seat: review.seat,
      event: review.event,
      text: keptText(review.recommendation_after),
      confidence: review.confidence,
      usd: review.cost_usd,
      tokens: tokensOf(review.usage),
      ms: Math.round(review.latency_ms),
      targets: review.targets.flatMap(({ opinion, critiques }) => {
        const known = lengths.get(opinion)
        const place = places.indexOf(opinion) + 1
        if (!known || place < 1) return []
        const severe = critiques.filter(({ severity }) => isSevere(severity)).length
        return [{ ...known, place, critiques: critiques.length, severe }]
      }),
    }
  })
}
