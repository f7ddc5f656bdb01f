// The councils of an evaluation: each its own trace, under an id that is known before. An interrupted one is
// continued; a finished one is read. What an evaluation records of it comes from the council's own trace.

import type { CouncilOrder, CouncilValues } from '../../clerk/performers/eval/performer.ts'
import type { AskableSeat } from '../../clerk/seat.ts'
import type { Amendment, SeatRecord } from '../../council/events.ts'
import type { CouncilPolicy } from '../../council/policy.ts'
import { isOpenedCouncil } from '../../council/state.ts'
import { isFork, NO_R2, SOLO } from '../../eval/arms.ts'
import { councilSeed } from '../../eval/council-ids.ts'
import { constraintsOf, questionOf } from '../../eval/prompts/prompts.ts'
import type { Item } from '../../eval/sets/item.ts'
import { toHex } from '../../ledger/bytes.ts'
import { WitanError } from '../../ledger/errors.ts'
import { beginCouncil, type Council, resumeCouncil } from '../council/council.ts'
import { forkCouncil } from '../council/fork.ts'
import type { Convening } from '../council/open-council.ts'
import { contextGiven } from '../council/program-council.ts'
import type { RunKit } from '../home/signers.ts'
import { stoppedEarly } from '../run.ts'
import { councilValues } from './council-values.ts'

export interface EvalTable {
  readonly records: readonly SeatRecord[]
  readonly chairs: readonly string[]
  readonly seats: ReadonlyMap<string, AskableSeat>
  readonly policy: CouncilPolicy
  readonly convener: string
  /** Every seat answers from a script. */
  readonly scripted?: true
}

/** Three seats with one member's model, which also chairs. */
function soloTable(table: EvalTable, seat: string): EvalTable {
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
  runKit: RunKit,
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
  seed: toHex(councilSeed(runKit.ports.sha256, seed, trace)),
  ...(table.scripted && { scripted: true }),
})

/** Where a fork continues from, and by which rules. */
function forkOf(
  policy: CouncilPolicy,
  variant: string,
  main: CouncilOrder['main'],
): {
  readonly after: 'R1' | 'R2'
  readonly amend: Amendment
} {
  const short_circuit = { ...policy.short_circuit, enabled: true }
  if (variant === NO_R2) {
    const conditions = { skip_r2_if: ['always'], skip_r3_if: [] } as const
    return { after: 'R1', amend: { policy: { ...policy, short_circuit: { ...short_circuit, conditions } } } }
  }
  // The cost of round two counts as saved only where it would have been skipped.
  const after = main?.skips.includes('R2') ? 'R1' : 'R2'
  return { after, amend: { policy: { ...policy, short_circuit } } }
}

function valuesOf(
  { ports }: RunKit,
  { trace, head: { size, hash }, state }: Council,
  isForked: boolean,
): Promise<CouncilValues> {
  if (!isOpenedCouncil(state))
    throw new WitanError('VAULT_CORRUPT', `${trace} cannot be read`, 'See `witan verify`.')
  const events = ports.store.read(trace)
  return councilValues(ports.sha256, { head: { trace, size, hash }, state, events }, isForked)
}

/** Runs a council, or continues it, and returns what an evaluation records of it. */
export const makeCouncilRunner =
  (runKit: RunKit, table: EvalTable, seed: string) =>
  async ({ item, variant, trace, main }: CouncilOrder, signal: AbortSignal): Promise<CouncilValues> => {
    const own = variant.startsWith(SOLO) ? soloTable(table, variant.slice(SOLO.length)) : table
    const { convener, seats } = own
    const goingOn = { convener, seatsFor: async () => seats }
    async function open(): Promise<Council> {
      if ((await runKit.ports.store.head(trace)) !== null) return resumeCouncil(runKit, trace, goingOn)
      if (!isFork(variant)) {
        const convening = conveningOf(runKit, own, item, seed, trace)
        return beginCouncil(runKit, convening, { convener, seats, trace })
      }
      const { after, amend } = forkOf(own.policy, variant, main)
      const parent = main?.council.trace ?? ''
      // The same seats get the same question again.
      const allow = async (): Promise<void> => undefined
      return forkCouncil(runKit, parent, { ...goingOn, after, into: trace, amend: async () => amend, allow })
    }
    const council = await open()
    const end = await council.drive({ signal })
    if (end.status !== 'finished') {
      signal.throwIfAborted()
      throw stoppedEarly(trace, 'Resume the evaluation.')
    }
    return valuesOf(runKit, council, isFork(variant))
  }
