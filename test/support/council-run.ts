// A council of scripted models over loopback HTTP, held with the library in memory or in a store that is given, with
// real minds and real seats. Waiting between tries takes no time; everything else does what it does for users.

import type { CouncilResult } from '../../src/app/council/council.ts'
import { wholeBundle } from '../../src/clerk/extract.ts'
import { councilProtocol } from '../../src/council/council.ts'
import { type CouncilOptions, council, inStore, type Storage } from '../../src/doors/library/council.ts'
import type { Report } from '../../src/ledger/verify/report.ts'
import { apiModel } from '../../src/models/api/api.ts'
import type { Timeouts } from '../../src/models/deadline.ts'
import { createSeat, type Seat } from '../../src/models/seat/seat.ts'
import type { Occurrence, Protocol } from '../../src/protocol.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { examine } from '../../src/stores/verify-answers.ts'
import { type CouncilServer, playCouncil, type Script } from '../fakes/council.ts'

const PROTOCOLS: readonly Protocol[] = [councilProtocol(sha256) as Protocol]

/** No pause between tries; real ones are tried with the seats themselves. */
const NO_WAIT_CLOCK = { now: () => performance.now(), sleep: async () => undefined }

export function seatAt(url: string, model: string, timeouts: Timeouts = {}): Seat {
  const mind = apiModel({
    kind: 'openai-compatible',
    name: model,
    model,
    baseUrl: `${url}/v1`,
    apiKey: async () => null,
  })
  const roles = ['participant'] as const
  return createSeat({ provider: model, model, roles, minds: [mind], timeouts, time: NO_WAIT_CLOCK })
}

export interface FinishedCouncil {
  readonly server: CouncilServer
  readonly storage: Storage
  readonly result: CouncilResult
  readonly events: readonly Occurrence[]
}

export interface CouncilSetup {
  /** Model → what it does. The first one chairs. */
  readonly models: Readonly<Record<string, Script>>
  /** Model → how long it may take. */
  readonly timeouts?: Readonly<Record<string, Timeouts>>
  readonly options?: Partial<CouncilOptions>
}

export async function runCouncil({
  models,
  timeouts = {},
  options = {},
}: CouncilSetup): Promise<FinishedCouncil> {
  const server = await playCouncil(models)
  try {
    const storage = options.storage ?? (await inStore())
    const names = Object.keys(models)
    const run = council({
      question: 'Shall we do it?',
      seats: names.map((name) => ({ seat: seatAt(server.url, name, timeouts[name]) })),
      chairs: names.slice(0, 1),
      ...options,
      storage,
    })
    const events: Occurrence[] = []
    for await (const event of run) events.push(event as Occurrence & typeof event)
    return { server, storage, result: await run.result, events }
  } finally {
    await server.close()
  }
}

/** The verdict of a reader who trusts the registry. */
export async function verdictOn({ ports }: Storage, trace: string): Promise<Report> {
  const bundle = await wholeBundle(ports.store, trace)
  const header = JSON.parse(Buffer.from(bundle.registry.events[0]?.event.header ?? []).toString('utf8'))
  return examine(bundle, ports.store, { keys: [header.actor.key], checkpoints: [] }, PROTOCOLS)
}

export const THREE: Readonly<Record<string, Script>> = { a: {}, b: {}, c: {} }
