// One clerk's work on a council in a house, from its opening or from wherever it stands, with ways to break in.

import { Book } from '../../src/clerk/book.ts'
import { Clerk } from '../../src/clerk/clerk.ts'
import { councilPerformer } from '../../src/clerk/council/performer.ts'
import type { Office } from '../../src/clerk/office.ts'
import type { AskableSeat } from '../../src/clerk/seat.ts'
import { councilProtocol } from '../../src/council/council.ts'
import { openCouncil, signersOf } from '../../src/doors/council/opening.ts'
import { seatingOf } from '../../src/doors/library/convening.ts'
import type { House } from '../../src/doors/library/house.ts'
import { seatAt } from './council-run.ts'

export interface Work {
  /** Null opens a new one. */
  readonly trace: string | null
  readonly opened?: (trace: string) => void
  readonly committed?: () => void
  readonly seat?: (seat: AskableSeat) => AskableSeat
}

export async function workAt(house: House, url: string, work: Work): Promise<string> {
  const seating = seatingOf({
    question: 'Shall we do it?',
    seats: ['a', 'b', 'c'].map((name) => ({ seat: seatAt(url, name) })),
    chairs: ['a'],
  })
  const registrar = await house.employ(signersOf('ana', seating.convening.seats))
  const { vault } = house.office
  const trace = work.trace ?? (await openCouncil(house.office, registrar, 'ana', seating.convening)).trace
  work.opened?.(trace)
  const append: typeof vault.append = async (into, ...rest) => {
    await vault.append(into, ...rest)
    if (into === trace) work.committed?.()
  }
  const office: Office = { ...house.office, vault: { ...vault, append } }
  const book = new Book(office, councilProtocol(office.sha256), trace)
  await book.refresh()
  const { seat = (one: AskableSeat) => one } = work
  const seats = new Map([...seating.seats].map(([name, one]) => [name, seat(one)]))
  const performer = councilPerformer({ office, registrar, book, seats })
  await new Clerk(office, registrar, book, performer.perform).run()
  performer.dispose()
  return trace
}
