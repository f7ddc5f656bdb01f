import { describe, expect, it } from 'vitest'
import { errand } from '../../test/protocols/errand.ts'
import { openDesk } from '../../test/support/clerk-desk.ts'
import { approve, completeErrand, openErrand, runClerk } from '../../test/support/errand-run.ts'
import type { SealedEvent } from '../ledger/event.ts'
import { MemoryVault } from '../vaults/memory.ts'
import { Book } from './book.ts'
import { forkTrace } from './fork.ts'

/** A desk with a finished trace, and a fresh look at that trace that counts what it verifies. */
async function prepared() {
  const vault = new MemoryVault()
  const desk = await openDesk(vault)
  const { trace } = await completeErrand(desk.office, desk.registrar)
  const read = vault.read.bind(vault)
  const look = async (change: (events: SealedEvent[]) => SealedEvent[] = (events) => events) => {
    vault.read = async function* (of, from = 0, to) {
      if (of !== trace) return yield* read(of, from, to)
      const events: SealedEvent[] = []
      for await (const event of read(of)) events.push(event)
      yield* change(events).slice(from, to)
    }
    let verified = 0
    const office = { ...desk.office }
    const book = new Book(office, errand, trace)
    await new Book(office, errand, desk.office.newTrace()).refresh()
    office.verify = (...given) => {
      verified++
      return desk.office.verify(...given)
    }
    await book.refresh()
    return { book, verified }
  }
  return { desk, trace, look }
}

const swapped = (events: SealedEvent[]): SealedEvent[] =>
  events.map((event, i) => (i === 4 ? { ...event, signature: new Uint8Array(64) } : event))

describe('opening a trace under a checkpoint', () => {
  it('LED-12 verifies one signature for everything that the checkpoint counts', async () => {
    const { look } = await prepared()
    const { book, verified } = await look()
    expect(book.flaw).toBeNull()
    expect(book.size).toBe(13)
    expect(verified).toBe(1)
  })

  it('LED-12 notices one signature that is not the one the checkpoint counted', async () => {
    const { look } = await prepared()
    const { book } = await look(swapped)
    expect(book.flaw?.message).toContain('checkpoint')
  })

  it('LED-13 notices a tail that was cut off', async () => {
    const { look } = await prepared()
    const { book } = await look((events) => events.slice(0, -2))
    expect(book.flaw?.message).toContain('missing, though a checkpoint counts it')
  })

  it('LED-12 verifies every signature of a prefix that a fork takes from before the checkpoint', async () => {
    const { desk, trace, look } = await prepared()
    await look(swapped)
    const actor = desk.registrar.actor('paula', 'planner')
    const fork = (seq: number) => forkTrace({ ...desk.office }, errand, { parent: trace, seq }, actor)
    await expect(fork(6)).rejects.toMatchObject({ code: 'VAULT_CORRUPT' })
    await expect(fork(3)).resolves.toBeInstanceOf(Book)
  })

  it('LED-12 believes no checkpoint that the registrar did not sign', async () => {
    const desk = await openDesk()
    const book = await openErrand(desk.office, desk.registrar)
    await runClerk(desk.office, desk.registrar, book)
    const sign = desk.office.signNow
    // Whoever can write to the store, but has not the registrar's key, signs the note with one of their own.
    desk.office.signNow = (actor, message) =>
      sign(message[0] === 0x44 ? actor : { ...actor, key: desk.office.key('clerk').id }, message)
    await desk.registrar.checkpoint(book.trace)
    desk.office.signNow = sign
    let verified = 0
    const office = { ...desk.office }
    office.verify = (...given) => {
      verified++
      return desk.office.verify(...given)
    }
    const again = new Book(office, errand, book.trace)
    await again.refresh()
    expect(again.flaw).toBeNull()
    expect(verified).toBeGreaterThanOrEqual(again.size)
    await approve(again, desk.registrar)
  })
})
