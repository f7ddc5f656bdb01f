import { describe, expect, it } from 'vitest'
import { errand } from '../../../test/protocols/errand.ts'
import { openKit } from '../../../test/support/clerk-kit.ts'
import { approve, completeErrand, openErrand, runClerk } from '../../../test/support/errand-run.ts'
import { errandDrafts } from '../../../test/support/tamper.ts'
import type { SealedEvent } from '../../ledger/event.ts'
import type { RegistryState } from '../../ledger/registry/registry.ts'
import { EMPTY_TALLY } from '../../ledger/tree/tree-head.ts'
import { MemoryStore } from '../../stores/memory.ts'
import { forkTrace } from '../fork.ts'
import { TraceLog } from '../trace-log.ts'
import { CheckpointedEvents } from './checkpointed.ts'

/** A kit with a finished trace, and a fresh look at that trace that counts what it verifies. */
async function prepared() {
  const store = new MemoryStore()
  const kit = await openKit(store)
  const { trace } = await completeErrand(kit.ports, kit.registrar)
  const read = store.read.bind(store)
  const look = async (change: (events: SealedEvent[]) => SealedEvent[] = (events) => events) => {
    store.read = async function* (of, from = 0, to) {
      if (of !== trace) return yield* read(of, from, to)
      const events: SealedEvent[] = []
      for await (const event of read(of)) events.push(event)
      yield* change(events).slice(from, to)
    }
    let verified = 0
    const ports = { ...kit.ports }
    const log = new TraceLog(ports, errand, trace)
    await new TraceLog(ports, errand, kit.ports.newTrace()).refresh()
    ports.verify = (...given) => {
      verified++
      return kit.ports.verify(...given)
    }
    await log.refresh()
    return { log, verified }
  }
  return { kit, trace, look }
}

const swapped = (events: SealedEvent[]): SealedEvent[] =>
  events.map((event, i) => (i === 4 ? { ...event, signature: new Uint8Array(64) } : event))

describe('opening a trace under a checkpoint', () => {
  it('LED-12 verifies one signature for everything that the checkpoint counts', async () => {
    const { look } = await prepared()
    const { log, verified } = await look()
    expect(log.flaw).toBeNull()
    expect(log.size).toBe(13)
    expect(verified).toBe(1)
  })

  it('LED-12 notices a signature that differs from the one in the checkpoint', async () => {
    const { look } = await prepared()
    const { log } = await look(swapped)
    expect(log.flaw?.message).toContain('checkpoint')
  })

  it('LED-13 notices missing events at the end', async () => {
    const { look } = await prepared()
    const { log } = await look((events) => events.slice(0, -2))
    expect(log.flaw?.message).toContain('missing, though a checkpoint counts it')
  })

  it('LED-12 verifies every signature of a prefix that a fork takes from before the checkpoint', async () => {
    const { kit, trace, look } = await prepared()
    await look(swapped)
    const actor = kit.registrar.actor('paula', 'planner')
    const fork = (seq: number) => forkTrace({ ...kit.ports }, errand, { parent: trace, seq }, actor)
    await expect(fork(6)).rejects.toMatchObject({ code: 'VAULT_CORRUPT' })
    await expect(fork(3)).resolves.toBeInstanceOf(TraceLog)
  })

  it('LED-12 accepts no checkpoint that the registrar did not sign', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    await runClerk(kit.ports, kit.registrar, log)
    const sign = kit.ports.signNow
    // The one who can write to the store, but has not the registrar's key, signs the note with one of their own.
    kit.ports.signNow = (actor, message) =>
      sign(message[0] === 0x44 ? actor : { ...actor, key: kit.ports.key('clerk').id }, message)
    await kit.registrar.checkpoint(log.trace)
    kit.ports.signNow = sign
    let verified = 0
    const ports = { ...kit.ports }
    ports.verify = (...given) => {
      verified++
      return kit.ports.verify(...given)
    }
    const again = new TraceLog(ports, errand, log.trace)
    await again.refresh()
    expect(again.flaw).toBeNull()
    expect(verified).toBeGreaterThanOrEqual(again.size)
    await approve(again, kit.registrar)
  })
})

describe('the checkpoint that a trace is compared with', () => {
  interface Recorded {
    readonly trace: string
    readonly size: number
    readonly note: string
  }
  const SIZES = [2, 4] as const

  /** A trace of six events with checkpoints of two sizes, and what is said of each event under such a registry. */
  async function scene() {
    const kit = await openKit()
    const { ports, registrar } = kit
    const log = new TraceLog(ports, errand, ports.newTrace())
    const [events, notes]: [SealedEvent[], string[]] = [[], []]
    for (const draft of errandDrafts().slice(0, 6)) {
      events.push(...(await log.append([draft])))
      if (log.size === SIZES[notes.length]) notes.push(await registrar.sign(log.trace))
    }
    const recorded = (at: 0 | 1): Recorded => ({ trace: log.trace, size: SIZES[at], note: notes[at] ?? '' })
    const said = (
      checkpoints: readonly Recorded[],
      { within = 6, of = events, trace = log.trace, state = registrar.log.state } = {},
    ) => {
      const chain = checkpoints.reduce<RegistryState['checkpoints']>(
        (rest, item, seq) => ({ item: { ...item, seq }, rest }),
        null,
      )
      const vouched = new CheckpointedEvents(
        ports,
        { ...state, checkpoints: chain },
        trace,
        within,
        EMPTY_TALLY,
      )
      return of
        .map((event) => vouched.take(event))
        .map((word) => word[0])
        .join('')
    }
    return { kit, log, events, recorded, said }
  }

  it('LED-12 is the longest that was recorded of it and that will be reached', async () => {
    const { recorded, said } = await scene()
    const [two, four] = [recorded(0), recorded(1)]
    expect(said([])).toBe('uuuuuu')
    expect(said([two])).toBe('vvuuuu')
    for (const both of [
      [two, four],
      [four, two],
    ])
      expect(said(both)).toBe('vvvvuu')
    expect([1, 2, 3, 4].map((within) => said([two, four], { within }))).toEqual([
      'uuuuuu',
      'vvuuuu',
      'vvuuuu',
      'vvvvuu',
    ])
    // What is recorded beside a note is not what was signed.
    expect(said([{ ...four, size: 1 }], { within: 3 })).toBe('uuuuuu')
    expect(said([two, { ...four, note: 'no note' }])).toBe('vvuuuu')
  })

  it('LED-12 is never one of another trace, of another registry, or signed by a stranger', async () => {
    const { kit, recorded, said } = await scene()
    const four = recorded(1)
    const other = kit.ports.newTrace()
    expect(said([{ ...four, trace: other }])).toBe('uuuuuu')
    expect(said([{ ...four, trace: other }], { trace: other })).toBe('uuuuuu')
    const { state } = kit.registrar.log
    expect(said([four], { state: { ...state, registry: other } })).toBe('uuuuuu')
    const sam = kit.ports.key('sam').id
    expect(said([four], { state: { ...state, registrars: [sam] } })).toBe('uuuuuu')
    expect(said([four], { state: { ...state, registrars: [sam, ...state.registrars] } })).toBe('vvvvuu')
    expect(said([four], { state: { ...state, registrars: ['0'.repeat(64), ...state.registrars] } })).toBe(
      'vvvvuu',
    )
    const stranger = four.note.replace(/(?<=^\u2014 \S+ ).*$/m, (base64) => {
      const bytes = Buffer.from(base64, 'base64')
      return Buffer.from(bytes.map((byte, i) => (i < 4 ? byte ^ 1 : 7))).toString('base64')
    })
    const line = stranger.slice(stranger.indexOf('\u2014'))
    const cosigned = four.note.replace('\u2014', () => `${line}\u2014`)
    expect(said([{ ...four, note: cosigned }])).toBe('vvvvuu')
    expect(said([{ ...four, note: stranger }])).toBe('uuuuuu')
  })

  it('LED-12 contradicts events or signatures that are not those it counts', async () => {
    const { events, recorded, said } = await scene()
    const swap = (change: Partial<SealedEvent>) => events.map((e, i) => (i === 1 ? { ...e, ...change } : e))
    expect(said([recorded(1)], { of: swap({ hash: 'a'.repeat(64) }) })).toBe('vvvcuu')
    expect(said([recorded(1)], { of: swap({ signature: new Uint8Array(64) }) })).toBe('vvvcuu')
  })
})
