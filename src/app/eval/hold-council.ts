// The councils of an evaluation: each its own trace, under a name that was known before. One that was cut off is gone on
// with; one that is over is read. What an evaluation keeps of it is taken from its own record.

import type { CouncilErrand, CouncilValues } from '../../clerk/performers/eval/performer.ts'
import type { AskableSeat } from '../../clerk/seat.ts'
import type { Amendment, SeatRecord } from '../../council/events.ts'
import type { CouncilPolicy } from '../../council/policy.ts'
import { labelsFor } from '../../council/prompts/shown.ts'
import { isSevere } from '../../council/replies/finding.ts'
import { opinionId, opinionsOf, reviewsOf } from '../../council/seat-ids.ts'
import { type Convened, isConvened } from '../../council/state.ts'
import { NO_R2, SOLO } from '../../eval/arms.ts'
import { councilSeed } from '../../eval/council-ids.ts'
import { constraintsOf, questionOf } from '../../eval/prompts/prompts.ts'
import { keptText } from '../../eval/read-reply.ts'
import type { Item } from '../../eval/sets/item.ts'
import { toHex } from '../../ledger/bytes.ts'
import { WitanError } from '../../ledger/errors.ts'
import { readHeader } from '../../ledger/event.ts'
import { payloadIn } from '../../stores/searched-text.ts'
import type { Store } from '../../stores/store.ts'
import { contextGiven } from '../council/brought.ts'
import { beginCouncil, type Council, resumeCouncil } from '../council/council.ts'
import { forkCouncil } from '../council/fork.ts'
import type { Convening } from '../council/open-council.ts'
import type { Office } from '../office.ts'
import { stoppedEarly } from '../run.ts'
import { askedIn } from '../traces/outcome.ts'

export interface EvalTable {
  readonly records: readonly SeatRecord[]
  readonly chairs: readonly string[]
  readonly seats: ReadonlyMap<string, AskableSeat>
  readonly policy: CouncilPolicy
  readonly convener: string
  /** Every seat answers from a script. */
  readonly scripted?: true
}

const round = (type: string): 'R1' | 'R2' | 'R3' | null => {
  if (type.startsWith('opinion_')) return 'R1'
  if (type.startsWith('review_')) return 'R2'
  return type.startsWith('report_') ? 'R3' : null
}

/** What the askings of one trace took: sums, and the longest of each round one after the other. */
async function accountOf(store: Store, trace: string): Promise<Pick<CouncilValues, 'spent' | 'ms'>> {
  let [usd, tokens, unknown, calls, chair] = [0, 0, 0, 0, 0]
  let areTokensKnown = true
  const longest = { R1: 0, R2: 0 }
  for await (const event of store.read(trace)) {
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

/** A finding that names no place can hit nothing, and counts as a false alarm. */
const placesOf = (findings: readonly Located[]) =>
  findings.map(({ file, line }) => ({ file: (file ?? '').slice(0, 400), line: Math.max(0, line ?? 0) }))

const tokensOf = (usage: { readonly input_tokens: number | null; readonly output_tokens: number | null }) =>
  usage.input_tokens === null || usage.output_tokens === null
    ? null
    : usage.input_tokens + usage.output_tokens

/** `isFork`: what its parent answered is told by the parent. */
export async function valuesOf(
  { ports }: Pick<Office, 'ports'>,
  council: Pick<Council, 'trace' | 'head' | 'state' | 'result'>,
  isFork: boolean,
): Promise<CouncilValues> {
  const { state, head, trace } = council
  if (!isConvened(state))
    throw new WitanError('VAULT_CORRUPT', `${trace} cannot be read`, 'See `witan verify`.')
  const { report, status } = council.result()
  const shadows = [state.decisions.R1, state.decisions.R2].flatMap((one) => one?.shadow.rounds_skipped ?? [])
  return {
    council: { trace, size: head.size, hash: head.hash },
    status: status ?? 'open',
    opinions: isFork ? [] : opinionValues(state),
    reviews: isFork ? [] : reviewValues(ports.sha256, state),
    report: report && {
      event: state.closed?.report ?? '',
      text: keptText(`${report.summary}\n${report.conclusion}`),
      confidence: report.confidence,
      synthesis: report.synthesis,
      findings: placesOf(report.findings),
    },
    skips: isFork ? [] : shadows,
    ...(await accountOf(ports.store, trace)),
  }
}

const opinionValues = (state: Convened): CouncilValues['opinions'] =>
  opinionsOf(state).map((one) => ({
    seat: one.seat,
    event: one.event,
    text: keptText(`${one.summary}\n${one.details.recommendation}`),
    confidence: one.confidence,
    usd: one.cost_usd,
    tokens: tokensOf(one.usage),
    ms: Math.round(one.latency_ms),
    findings: placesOf(one.findings),
  }))

function reviewValues(sha256: Office['ports']['sha256'], state: Convened): CouncilValues['reviews'] {
  const lengths = new Map(
    opinionsOf(state).map((one) => [
      opinionId(state, one.seat),
      { seat: one.seat, chars: JSON.stringify([one.summary, one.details, one.risks, one.findings]).length },
    ]),
  )
  return reviewsOf(state).map((one) => {
    const places = [...labelsFor(sha256, state, one.seat).values()]
    return {
      seat: one.seat,
      event: one.event,
      text: keptText(one.recommendation_after),
      confidence: one.confidence,
      usd: one.cost_usd,
      tokens: tokensOf(one.usage),
      ms: Math.round(one.latency_ms),
      targets: one.targets.flatMap(({ opinion, critiques }) => {
        const known = lengths.get(opinion)
        const place = places.indexOf(opinion) + 1
        if (!known || place < 1) return []
        const severe = critiques.filter(({ severity }) => isSevere(severity)).length
        return [{ ...known, place, critiques: critiques.length, severe }]
      }),
    }
  })
}

/** Three seats with one member's model, which then chairs too. */
export function soloTable(table: EvalTable, seat: string): EvalTable {
  const own = table.records.find((record) => record.seat === seat)
  const asked = table.seats.get(seat)
  if (!own || !asked) throw new WitanError('USAGE', `there is no seat ${seat}`, 'See `witan doctor`.')
  const names = [seat, `${seat}-s2`, `${seat}-s3`]
  return {
    ...table,
    records: names.map((name, i) => ({
      ...own,
      seat: name,
      roles: i === 0 ? ['participant', 'chair'] : ['participant'],
    })),
    chairs: [seat],
    seats: new Map(names.map((name) => [name, asked])),
  }
}

const conveningOf = (
  office: Office,
  table: EvalTable,
  item: Item,
  seed: string,
  trace: string,
): Convening => ({
  question: questionOf(item),
  mode: item.mode,
  constraints: constraintsOf(item),
  seats: table.records,
  chairs: table.chairs,
  labelled: false,
  policy: table.policy,
  context: contextGiven({ files: item.files }),
  follow: null,
  seed: toHex(councilSeed(office.ports.sha256, seed, trace)),
  ...(table.scripted && { scripted: true }),
})

/** Where a fork goes on from, and by which rules. */
function forkOf(
  policy: CouncilPolicy,
  variant: string,
  main: CouncilErrand['main'],
): {
  readonly after: 'R1' | 'R2'
  readonly amend: Amendment
} {
  const short_circuit = { ...policy.short_circuit, enabled: true }
  if (variant === NO_R2) {
    const conditions = { skip_r2_if: ['always'], skip_r3_if: [] } as const
    return { after: 'R1', amend: { policy: { ...policy, short_circuit: { ...short_circuit, conditions } } } }
  }
  // What round two would have cost is saved only where it would have been skipped.
  const after = main?.skips.includes('R2') ? 'R1' : 'R2'
  return { after, amend: { policy: { ...policy, short_circuit } } }
}

/** Holds a council, or goes on with it, and gives what an evaluation keeps of it. */
export const holdCouncilWith =
  (office: Office, table: EvalTable, seed: string) =>
  async ({ item, variant, trace, main }: CouncilErrand, signal: AbortSignal): Promise<CouncilValues> => {
    const own = variant.startsWith(SOLO) ? soloTable(table, variant.slice(SOLO.length)) : table
    const { convener, seats } = own
    const goingOn = { convener, seatsFor: async () => seats }
    const isFork = variant === NO_R2 || variant === 'short'
    async function open(): Promise<Council> {
      if ((await office.ports.store.head(trace)) !== null) return resumeCouncil(office, trace, goingOn)
      if (!isFork) {
        const convening = conveningOf(office, own, item, seed, trace)
        return beginCouncil(office, convening, { convener, seats, trace })
      }
      const { after, amend } = forkOf(own.policy, variant, main)
      const parent = main?.council.trace ?? ''
      // The same seats hear the same question again.
      const allow = async (): Promise<void> => undefined
      return forkCouncil(office, parent, { ...goingOn, after, into: trace, amend: async () => amend, allow })
    }
    const council = await open()
    const end = await council.drive({ signal })
    if (end.status !== 'finished') {
      signal.throwIfAborted()
      throw stoppedEarly(trace, 'Resume the evaluation.')
    }
    return valuesOf(office, council, isFork)
  }
