// One clerk's work on a council in a storage, from its opening or from wherever it stands, with ways to break in.

import { signersOf } from '../../src/app/council/council.ts'
import { openCouncil } from '../../src/app/council/open-council.ts'
import { seatingOf } from '../../src/app/council/program-council.ts'
import type { Storage } from '../../src/app/storage.ts'
import { Clerk } from '../../src/clerk/clerk.ts'
import { councilPerformer } from '../../src/clerk/performers/council/performer.ts'
import type { Ports } from '../../src/clerk/ports.ts'
import type { AskableSeat } from '../../src/clerk/seat.ts'
import { TraceLog } from '../../src/clerk/trace-log.ts'
import { councilProtocol } from '../../src/council/council.ts'
import { seatAt } from './council-run.ts'

export interface Work {
  /** Null opens a new one. */
  readonly trace: string | null
  readonly opened?: (trace: string) => void
  readonly committed?: () => void
  readonly seat?: (seat: AskableSeat) => AskableSeat
}

export async function workAt(storage: Storage, url: string, work: Work): Promise<string> {
  const seating = seatingOf({
    question: 'Shall we do it?',
    seats: ['a', 'b', 'c'].map((name) => ({ seat: seatAt(url, name) })),
    chairs: ['a'],
  })
  const registrar = await storage.registerSigners(signersOf('ana', seating.convening.seats))
  const { store } = storage.ports
  const trace = work.trace ?? (await openCouncil(storage.ports, registrar, 'ana', seating.convening)).trace
  work.opened?.(trace)
  const append: typeof store.append = async (into, ...rest) => {
    await store.append(into, ...rest)
    if (into === trace) work.committed?.()
  }
  const ports: Ports = { ...storage.ports, store: { ...store, append } }
  const log = new TraceLog(ports, councilProtocol(ports.sha256), trace)
  await log.refresh()
  const { seat = (one: AskableSeat) => one } = work
  const seats = new Map([...seating.seats].map(([name, one]) => [name, seat(one)]))
  const performer = councilPerformer({ ports, registrar, log, seats })
  await new Clerk(ports, registrar, log, performer.perform).run()
  performer.dispose()
  return trace
}
