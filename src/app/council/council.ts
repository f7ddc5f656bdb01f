// A council at work, for every entrance alike: opened, gone on with, forked or ended early, and driven to its end. Its
// seats are asked, its round clocks hear what is recorded, and its result is folded from its minutes.

import { councilPerformer } from '../../clerk/performers/council/performer.ts'
import type { Ports } from '../../clerk/ports.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import type { AskableSeat } from '../../clerk/seat.ts'
import { TraceLog } from '../../clerk/trace-log.ts'
import { turn } from '../../clerk/turns.ts'
import { councilProtocol } from '../../council/council.ts'
import { CLOSE_REQUESTED, CONVENER, type CouncilOpened } from '../../council/events.ts'
import type { CouncilState } from '../../council/state.ts'
import type { Embedder } from '../../embeddings/embedder.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Settings } from '../config/config.ts'
import type { Home } from '../home/home.ts'
import type { House } from '../home/house.ts'
import { employ, type Signer } from '../home/signers.ts'
import { type Driven, driveTrace, RESUME_HERE, type Run, type RunEnd, runOf, stoppedEarly } from '../run.ts'
import { type CouncilResult, resultOf } from './council-result.ts'
import { type Convening, type CouncilLog, openCouncil, signersOf } from './open-council.ts'
import type { World } from './seating.ts'

export type { Embedder } from '../../embeddings/embedder.ts'

/** Where minutes are kept, whose keys sign them, and what compares recommendations there. */
export interface Office {
  readonly ports: Ports
  employ(signers: readonly Signer[]): Promise<Registrar>
  /** Opened only for councils whose policy wants it, and closed after them. */
  openEmbedder(): Promise<{ readonly embedder: Embedder; close(): Promise<void> }>
}

const owned = (embedder: Embedder) => ({ embedder, close: () => embedder.close() })

export const officeOf = (home: Home): Office => ({
  ports: home.ports,
  employ: (signers) => employ(home, signers),
  async openEmbedder() {
    const { openEmbedder } = await import('../exchange/embedder.ts')
    return owned(await openEmbedder(home.directory))
  },
})

/** An embedder that is given stays open; by default it is the one that comes with Witan. */
export const officeIn = ({ ports, employ: employIn }: House, embedder?: Embedder): Office => ({
  ports,
  employ: employIn,
  async openEmbedder() {
    if (embedder) return { embedder, close: async () => undefined }
    const { openBuiltInEmbedder } = await import('../../embeddings/embedded.ts')
    return owned(await openBuiltInEmbedder())
  },
})

/** The seats of a council that is on record, as they can be asked now. */
export type SeatsFor = (opened: CouncilOpened) => Promise<ReadonlyMap<string, AskableSeat>>

export const seatsFromSettings =
  (settings: () => Promise<Settings>, world: World): SeatsFor =>
  async ({ seats, mode, policy }) => {
    const { seatsOnRecord } = await import('./recorded-seats.ts')
    return seatsOnRecord(seats, { mode, timeouts: policy.timeouts }, await settings(), world)
  }

export interface Council {
  readonly trace: string
  /** As it stands now. */
  readonly state: CouncilState
  readonly head: CouncilLog['head']
  /** From where it stands to its end, or until it is stopped. With `hear`, others' events are heard at once too. */
  drive(options?: Pick<Driven<unknown>, 'signal' | 'hear' | 'grace'>): Promise<RunEnd>
  /** Asks for its end, with a report of what there is. */
  close(reason: string): Promise<void>
  result(): CouncilResult
}

interface Sitting {
  readonly office: Office
  readonly registrar: Registrar
  readonly convener: string
  readonly log: CouncilLog
  readonly seats: ReadonlyMap<string, AskableSeat>
}

async function drive(
  { office, registrar, log, seats }: Sitting,
  { hear, ...options }: Pick<Driven<unknown>, 'signal' | 'hear' | 'grace'>,
): Promise<RunEnd> {
  const { ports } = office
  const compares = log.state.inner.opened?.policy.short_circuit.embeddings === true
  const lent = compares ? await office.openEmbedder() : null
  const embedder = lent?.embedder ?? null
  const performer = councilPerformer({ ports, registrar, log, seats, embedder })
  const unhear = log.hear(performer.hear)
  const hearBoth: Driven<unknown>['hear'] =
    hear &&
    ((event) => {
      performer.hear(event)
      return hear(event)
    })
  try {
    return await driveTrace({ ...options, ports, registrar, log, perform: performer.perform, hear: hearBoth })
  } finally {
    unhear()
    performer.dispose()
    await lent?.close()
  }
}

async function requestClose(
  { registrar, convener, log }: Pick<Sitting, 'registrar' | 'convener' | 'log'>,
  reason: string,
): Promise<void> {
  const actor = registrar.actor(convener, CONVENER)
  await log.append([{ type: CLOSE_REQUESTED, actor, payload: { reason } }])
}

const councilOf = (sitting: Sitting): Council => ({
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

/** Opens it; `trace` is its name where one was given out before. */
export async function beginCouncil(
  office: Office,
  convening: Convening,
  {
    convener,
    seats,
    trace,
  }: { readonly convener: string; readonly seats: Sitting['seats']; readonly trace?: string },
): Promise<Council> {
  await turn()
  const registrar = await office.employ(signersOf(convener, convening.seats))
  await turn()
  const ports = trace === undefined ? office.ports : { ...office.ports, newTrace: () => trace }
  const log = await openCouncil(ports, registrar, convener, convening)
  return councilOf({ office, registrar, convener, log, seats })
}

/** A council on record, folded as it stands. */
export async function logOf({ ports }: { readonly ports: Ports }, trace: string): Promise<CouncilLog> {
  const log = new TraceLog(ports, councilProtocol(ports.sha256), trace)
  await log.refresh()
  return log
}

export function openedIn({ opened, trace }: CouncilState): CouncilOpened {
  if (opened) return opened
  throw new WitanError('VAULT_CORRUPT', `how ${trace} was opened cannot be read`, 'See `witan verify`.')
}

export interface GoingOn {
  /** Who signs for the convener from now on. */
  readonly convener: string
  readonly seatsFor: SeatsFor
}

async function sittingOf(office: Office, log: CouncilLog, { convener, seatsFor }: GoingOn): Promise<Sitting> {
  const opened = openedIn(log.state.inner)
  const registrar = await office.employ(signersOf(convener, opened.seats))
  const seats = log.protocol.finished(log.state) ? new Map() : await seatsFor(opened)
  return { office, registrar, convener, log, seats }
}

/** Goes on with a council from its log. */
export const councilFrom = async (office: Office, log: CouncilLog, how: GoingOn): Promise<Council> =>
  councilOf(await sittingOf(office, log, how))

export const resumeCouncil = async (office: Office, trace: string, how: GoingOn): Promise<Council> =>
  councilFrom(office, await logOf(office, trace), how)

/** Asks for the end of a council before its time; driving it then writes the report of what there is. */
export async function abortCouncil(
  office: Office,
  trace: string,
  how: GoingOn & { readonly reason: string },
): Promise<Council> {
  const log = await logOf(office, trace)
  if (log.protocol.finished(log.state)) {
    throw new WitanError('TRACE_FINISHED', `${trace} is over already`, 'See `witan show`.')
  }
  const { convener, reason } = how
  const registrar = await office.employ(signersOf(convener, openedIn(log.state.inner).seats))
  await requestClose({ registrar, convener, log }, reason)
  return councilOf(await sittingOf(office, log, how))
}

/** A council as a run: its events, its result, and a way to end it early. */
export interface CouncilRun extends Run<CouncilResult> {
  /** Ends it early, with a report of what there is. */
  close(reason: string): Promise<void>
}

export function holdCouncil(
  office: Promise<Office>,
  beginning: (office: Office) => Promise<Council>,
  options: Pick<Driven<unknown>, 'signal'> = {},
): CouncilRun {
  const council = office.then(beginning)
  const begun = council.then(async (held) => ({
    ports: (await office).ports,
    trace: held.trace,
    async work() {
      const end = await held.drive(options)
      if (end.status === 'interrupted') throw stoppedEarly(held.trace, RESUME_HERE)
      return held.result()
    },
  }))
  return { ...runOf(begun), close: async (reason) => (await council).close(reason) }
}
