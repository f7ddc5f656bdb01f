// A council driven to its end from where its trace stands, for every entrance alike: its seats are asked, and its round
// clocks hear what is recorded.

import { councilPerformer } from '../../clerk/performers/council/performer.ts'
import type { Ports } from '../../clerk/ports.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import type { AskableSeat } from '../../clerk/seat.ts'
import type { Embedder } from '../../embeddings/embedder.ts'
import { type Driven, driveTrace, type RunEnd } from '../run.ts'
import type { CouncilLog } from './open-council.ts'

export interface DrivenCouncil extends Pick<Driven<unknown>, 'signal' | 'hear' | 'grace'> {
  readonly ports: Ports
  readonly registrar: Registrar
  readonly log: CouncilLog
  readonly seats: ReadonlyMap<string, AskableSeat>
  /** Compares recommendations where the policy wants that; closed by its owner. */
  readonly embedder: Embedder | null
}

/** With `hear`, also what other processes record (a request to close, say) is heard at once. */
export async function driveCouncil(council: DrivenCouncil): Promise<RunEnd> {
  const { ports, registrar, log, seats, embedder, hear, ...options } = council
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
  }
}
