// A running council, the same for every entrance: opened, resumed, forked or ended early, and driven to its
// end. It asks the seats, applies the time limits of rounds, and folds the result from the trace.

import { councilPerformer, type SeatSpeaking } from '../../clerk/performers/council/performer.ts'
import type { Ports } from '../../clerk/ports.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import type { AskableSeat } from '../../clerk/seat.ts'
import { waitForTurn } from '../../clerk/take-turns.ts'
import { TraceLog } from '../../clerk/trace-log.ts'
import { councilProtocol } from '../../council/council.ts'
import { type CouncilResult, councilResult } from '../../council/council-result.ts'
import {
  CLOSE_REQUESTED,
  CONVENER,
  type CouncilOpened,
  type Payloads,
  type SeatRecord,
} from '../../council/events.ts'
import type { CouncilState } from '../../council/state.ts'
import { WitanError } from '../../ledger/errors.ts'
import { sha256 } from '../../stores/digest.ts'
import type { Settings } from '../config/config.ts'
import type { Home } from '../home/home.ts'
import type { RunKit } from '../home/signers.ts'
import { withoutTypedSecrets } from '../person.ts'
import {
  type Driven,
  drivenElsewhere,
  driveTrace,
  type Elsewhere,
  type EventIn,
  performsNothing,
  RESUME_HERE,
  type Run,
  type RunEnd,
  runOf,
  stoppedEarly,
} from '../run.ts'
import { type Convening, type CouncilLog, openCouncil } from './open-council.ts'
import type { World } from './seating.ts'

// The result of a council, with the digest of this installation.

export type { CouncilResult, ListedR3 as Third } from '../../council/council-result.ts'

export const resultOf = (state: CouncilState): CouncilResult => councilResult(sha256, state)

/** Who signs in a council: its convener, and each seat under its own name. */
export const signersOf = (
  convener: string,
  seats: readonly SeatRecord[],
): readonly { readonly agent: string; readonly roles: readonly string[] }[] => [
  { agent: convener, roles: [CONVENER] },
  ...seats.map(({ seat }) => ({ agent: seat, roles: ['participant', 'chair'] })),
]

/** The seats of a recorded council, as they can be asked now. */
export type SeatsFor = (opened: CouncilOpened) => Promise<ReadonlyMap<string, AskableSeat>>

export const seatsFromSettings =
  (settings: () => Promise<Settings>, world: World): SeatsFor =>
  async ({ seats, mode, policy }) => {
    const { seatsOnRecord } = await import('./seating.ts')
    return seatsOnRecord(seats, { mode, timeouts: policy.timeouts }, await settings(), world)
  }

export type { SeatSpeaking } from '../../clerk/performers/council/performer.ts'

export interface Driving extends Pick<Driven<unknown>, 'signal' | 'hear' | 'grace'> {
  /** Called with text that seats write, while they write it. */
  readonly speaks?: (speaking: SeatSpeaking) => void
}

export interface Council {
  readonly trace: string
  /** The current state. */
  readonly state: CouncilState
  readonly head: CouncilLog['head']
  /** Drives it to its end, or until it is stopped. With `hear`, events of others are delivered at once too. */
  drive(options?: Driving): Promise<RunEnd>
  /** Requests its end, with a report of what there is. */
  close(reason: string): Promise<void>
  result(): CouncilResult
}

interface CouncilParts {
  readonly runKit: RunKit
  readonly registrar: Registrar
  readonly convener: string
  readonly log: CouncilLog
  readonly seats: ReadonlyMap<string, AskableSeat>
}

async function drive(
  { runKit, registrar, log, seats }: CouncilParts,
  { hear, speaks, ...options }: Driving,
): Promise<RunEnd> {
  const { ports } = runKit
  const compares = log.state.inner.opened?.policy.short_circuit.embeddings === true
  const lent = compares ? await runKit.openEmbedder() : null
  const embedder = lent?.embedder ?? null
  const speaksBoth = (speaking: SeatSpeaking): void => {
    speaks?.(speaking)
    ports.tell?.(log.trace, speaking.seat, speaking.words)
  }
  const performer = councilPerformer({ ports, registrar, log, seats, embedder, speaks: speaksBoth })
  const unhear = log.hear(performer.hear)
  const hearBoth: Driven<unknown>['hear'] =
    hear &&
    ((event) => {
      performer.hear(event)
      return hear(event)
    })
  try {
    const { perform } = performer
    const notifies = runKit.home !== undefined
    return await driveTrace({ ...options, ports, registrar, log, perform, hear: hearBoth, notifies })
  } finally {
    unhear()
    performer.dispose()
    await lent?.close()
  }
}

async function requestClose(
  { registrar, convener, log }: Pick<CouncilParts, 'registrar' | 'convener' | 'log'>,
  reason: string,
): Promise<void> {
  const actor = registrar.actor(convener, CONVENER)
  const { value: payload } = await withoutTypedSecrets({ reason })
  await log.append([{ type: CLOSE_REQUESTED, actor, payload }])
}

const councilOf = (sitting: CouncilParts): Council => ({
  trace: sitting.log.trace,
  get state() {
    return sitting.log.state.inner
  },
  get head() {
    return sitting.log.head
  },
  drive: (options = {}) => drive(sitting, options),
  close: (reason) => requestClose(sitting, reason),
  result: () => resultOf(sitting.log.state.inner),
})

/** Opens it; `trace` is its id if one was assigned before. */
export async function beginCouncil(
  runKit: RunKit,
  convening: Convening,
  {
    convener,
    seats,
    trace,
  }: { readonly convener: string; readonly seats: CouncilParts['seats']; readonly trace?: string },
): Promise<Council> {
  await waitForTurn()
  const registrar = await runKit.registerSigners(signersOf(convener, convening.seats))
  await waitForTurn()
  const log = await openCouncil(runKit.ports, registrar, convener, convening, trace)
  return councilOf({ runKit, registrar, convener, log, seats })
}

/** A recorded council, folded. */
export async function openLog({ ports }: { readonly ports: Ports }, trace: string): Promise<CouncilLog> {
  const log = new TraceLog(ports, councilProtocol(ports.sha256), trace)
  await log.refresh()
  return log
}

export function openedIn({ opened, trace }: CouncilState): CouncilOpened {
  if (opened) return opened
  throw new WitanError('VAULT_CORRUPT', `the opening event of ${trace} cannot be read`, 'See `witan verify`.')
}

export interface GoingOn {
  /** Who signs for the convener from now on. */
  readonly convener: string
  readonly seatsFor: SeatsFor
}

async function openSitting(
  runKit: RunKit,
  log: CouncilLog,
  { convener, seatsFor }: GoingOn,
): Promise<CouncilParts> {
  const opened = openedIn(log.state.inner)
  const registrar = await runKit.registerSigners(signersOf(convener, opened.seats))
  const seats = log.protocol.finished(log.state) ? new Map() : await seatsFor(opened)
  return { runKit, registrar, convener, log, seats }
}

/** Continues a council from its log. */
export const councilFrom = async (runKit: RunKit, log: CouncilLog, how: GoingOn): Promise<Council> =>
  councilOf(await openSitting(runKit, log, how))

export const resumeCouncil = async (runKit: RunKit, trace: string, how: GoingOn): Promise<Council> =>
  councilFrom(runKit, await openLog(runKit, trace), how)

/** Requests the early end of a council; driving it then writes the report of what there is. */
export async function abortCouncil(
  runKit: RunKit,
  trace: string,
  how: GoingOn & { readonly reason: string },
): Promise<Council> {
  const log = await openLog(runKit, trace)
  if (log.protocol.finished(log.state)) {
    throw new WitanError('TRACE_FINISHED', `${trace} is finished already`, `See \`witan report ${trace}\`.`)
  }
  const { convener, reason } = how
  const registrar = await runKit.registerSigners(signersOf(convener, openedIn(log.state.inner).seats))
  await requestClose({ registrar, convener, log }, reason)
  return councilOf(await openSitting(runKit, log, how))
}

/** A council as a run: its events, its result, and a way to end it early. */
export interface CouncilRun extends Run<CouncilResult, EventIn<Payloads>> {
  /** Ends it early, with a report of what there is. */
  close(reason: string): Promise<void>
}

export function startCouncil(
  runKit: Promise<RunKit>,
  beginning: (runKit: RunKit) => Promise<Council>,
  options: Pick<Driving, 'signal' | 'speaks'> = {},
): CouncilRun {
  const opening = runKit.then(beginning)
  const begun = opening.then(async (council) => ({
    ports: (await runKit).ports,
    trace: council.trace,
    async work() {
      const { signal, speaks } = options
      const end = await council.drive({ ...(signal && { signal }), ...(speaks && { speaks }) })
      if (end.status === 'interrupted') throw stoppedEarly(council.trace, RESUME_HERE)
      return council.result()
    },
  }))
  return {
    ...runOf<CouncilResult, EventIn<Payloads>>(begun),
    close: async (reason) => (await opening).close(reason),
  }
}

/** Follows a council that another process drives, like one driven here. Signs nothing and needs no model. */
export async function followCouncil(home: Home, trace: string, elsewhere: Elsewhere): Promise<Council> {
  const { ports } = home
  const [log, registrar] = [await openLog(home, trace), await home.registrar()]
  return {
    trace,
    get state() {
      return log.state.inner
    },
    get head() {
      return log.head
    },
    drive: ({ signal, hear } = {}) =>
      driveTrace({ ports, registrar, log, perform: performsNothing, elsewhere, signal, hear }),
    close: () => drivenElsewhere(trace),
    result: () => resultOf(log.state.inner),
  }
}
