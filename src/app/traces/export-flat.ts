// Councils as JSON Lines for other tools: one flat object for each council, with its opinions and usage. For
// an evaluation, all its councils, with item and grades. This is no proof: a bundle is.

import { COUNCIL } from '../../council/events.ts'
import { EVAL } from '../../eval/events.ts'
import { reportOf } from '../../eval/report.ts'
import { isOpened } from '../../eval/state.ts'
import { WitanError } from '../../ledger/errors.ts'
import { openLog, resultOf } from '../council/council.ts'
import { evalLog } from '../eval/eval.ts'
import { outcomesIn } from '../eval/outcome.ts'
import { refuseExisting, writeFileWhole } from '../home/files.ts'
import { type Home, type HomeLocation, withHome } from '../home/home.ts'
import { findTrace } from './trace-name.ts'

/** Where an evaluation used a council, and the grades of its arms there. */
interface InEval {
  readonly eval: string
  readonly item: string
  readonly variant: string
  readonly grades: { readonly [arm: string]: boolean | null }
}

async function flatCouncil(
  home: Home,
  trace: string,
  outcome: string | null,
  used: InEval | null,
): Promise<object> {
  const { state } = await openLog(home, trace)
  const result = resultOf(state.inner)
  const [first, second] = result.rounds
  const { report, metrics } = result
  return {
    trace,
    at: result.at,
    question: result.question,
    mode: result.mode,
    status: result.status,
    decision: report?.decision ?? null,
    confidence: report?.confidence ?? null,
    conclusion: report?.conclusion ?? null,
    majority: report?.majority.stance ?? null,
    departed: report?.majority.departed ?? null,
    chair: report?.chair ?? null,
    opinions: first.opinions.map(({ seat, provider, model, stance, confidence, summary, details }) => ({
      seat,
      provider,
      model,
      stance,
      confidence,
      summary,
      recommendation: details.recommendation,
    })),
    stances_after: second.reviews.map(({ seat, stance_after, changed_position }) => ({
      seat,
      stance: stance_after,
      changed: changed_position,
    })),
    findings: (report?.findings ?? []).map(({ file, line, severity, description }) => ({
      file,
      line,
      severity,
      description,
    })),
    calls: metrics.calls,
    cost_usd: metrics.total_cost_estimate,
    cost_unknown_calls: metrics.cost_unknown_calls,
    duration_ms: metrics.total_duration_ms,
    outcome,
    ...(state.inner.opened?.scripted && { scripted: true }),
    ...used,
  }
}

/** The councils of a trace: itself, or all of an evaluation. */
async function findCouncils(
  home: Home,
  trace: string,
): Promise<readonly { readonly trace: string; readonly used: InEval | null }[]> {
  const protocol = (await home.store.head(trace))?.header.protocol
  if (protocol === COUNCIL) return [{ trace, used: null }]
  const { inner } = protocol === EVAL ? (await evalLog(home, trace)).state : { inner: null }
  if (inner === null || !isOpened(inner))
    throw new WitanError(
      'USAGE',
      `${trace} holds no council`,
      '--flat is for councils, evaluations, and `all`.',
    )
  return reportOf(inner).items.flatMap(({ id, councils, grades }) =>
    councils.map((council) => ({
      trace: council.trace,
      used: {
        eval: trace,
        item: id,
        variant: council.variant,
        grades: Object.fromEntries(grades.map(({ arm, grade }) => [arm, grade])),
      },
    })),
  )
}

/** What was written. */
export interface FlatExported {
  readonly file: string
  readonly councils: number
  readonly bytes: number
}

/** `all`: every council of the home. */
export const exportFlat = (
  location: HomeLocation,
  name: string,
  { file, replace = false }: { readonly file: string; readonly replace?: boolean },
): Promise<FlatExported> =>
  withHome({ ...location, mode: 'read' }, async (home) => {
    await refuseExisting(file, replace)
    const outcomes = await outcomesIn(home.store)
    const named =
      name === 'all'
        ? (await home.store.traces())
            .filter(({ protocol }) => protocol === COUNCIL)
            .map(({ trace }) => ({ trace, used: null }))
        : await findCouncils(home, await findTrace(home.store, name))
    let councils = 0
    async function* lines(): AsyncGenerator<Uint8Array> {
      for (const { trace, used } of named) {
        const flat = await flatCouncil(home, trace, outcomes.get(trace)?.outcome ?? null, used)
        councils++
        yield Buffer.from(`${JSON.stringify(flat)}\n`)
      }
    }
    const bytes = await writeFileWhole(file, lines(), { replace })
    return { file, councils, bytes }
  })
