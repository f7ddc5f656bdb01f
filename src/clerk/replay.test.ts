import { describe, expect, it } from 'vitest'
import { errand } from '../../test/protocols/errand.ts'
import { approve, completeErrand, openErrand, runClerk } from '../../test/support/errand-run.ts'
import { openPorts } from '../../test/support/ports.ts'
import type { WithOpenCalls } from '../ledger/calls.ts'
import type { Protocol } from '../protocol.ts'
import { MemoryStore } from '../stores/memory.ts'
import { forkTrace } from './fork.ts'
import { replayTrace } from './replay.ts'

async function finished() {
  const store = new MemoryStore()
  const { ports, registrar } = await openPorts(store)
  const log = await completeErrand(ports, registrar)
  return { store, ports, registrar, log, kit: { store, sha256: ports.sha256 } }
}

describe('replaying a trace', () => {
  it('VOX-11 decides every call again as it was decided, and asks no model', async () => {
    const { kit, log } = await finished()
    const replayed = await replayTrace(kit, errand, log.trace)
    expect(replayed).toMatchObject({
      trace: log.trace,
      events: log.size,
      decisions: 4,
      divergences: [],
      next: [],
    })
    expect(await replayTrace(kit, errand, log.trace)).toEqual(replayed)
  })

  it('VOX-11 gives the same digest for the same decisions in another home, and another for others', async () => {
    const [one, two] = [await finished(), await finished()]
    const first = await replayTrace(one.kit, errand, one.log.trace)
    expect((await replayTrace(two.kit, errand, two.log.trace)).digest).toBe(first.digest)
    const shorter = await openErrand(two.ports, two.registrar, ['a'])
    await runClerk(two.ports, two.registrar, shorter)
    expect((await replayTrace(two.kit, errand, shorter.trace)).digest).not.toBe(first.digest)
  })

  it('VOX-11 says where a protocol that changed would have decided otherwise', async () => {
    const { kit, log } = await finished()
    const changed = (
      change: (id: string, input: object) => object | null,
    ): Protocol<WithOpenCalls<never>> => ({
      ...(errand as unknown as Protocol<WithOpenCalls<never>>),
      decide: (state) =>
        errand.decide(state as never).flatMap((action) => {
          const input = change(action.id, action.input)
          return input === null ? [] : [{ ...action, input: input as never }]
        }),
    })
    const silent = changed((id, input) => (id.startsWith('ask/b') ? null : input))
    const wordy = changed((id, input) => (id.startsWith('tool/') ? { ...input, more: 1 } : input))
    expect((await replayTrace(kit, silent, log.trace)).divergences).toMatchObject([
      { action: 'ask/b/1', what: 'not decided' },
    ])
    expect((await replayTrace(kit, wordy, log.trace)).divergences).toMatchObject([
      { action: 'tool/fetch/1', what: 'other input' },
    ])
  })

  it('VOX-11 says where another kind of call is decided, or the record of a call is missing', async () => {
    const { kit, store, log } = await finished()
    const asking: typeof errand = {
      ...errand,
      decide: (state) =>
        errand.decide(state).map((action) => (action.call === 'tool' ? { ...action, call: 'ask' } : action)),
    }
    expect((await replayTrace(kit, asking, log.trace)).divergences).toMatchObject([
      { action: 'tool/fetch/1', what: 'other call' },
    ])
    const read = store.read.bind(store)
    store.read = async function* (...given) {
      let seq = 0
      for await (const event of read(...given))
        yield seq++ === 1 ? { ...event, payload: null, salt: null } : event
    }
    const [first] = (await replayTrace(kit, errand, log.trace)).divergences
    expect(first).toEqual({ event: `${log.trace}/1`, action: '', what: 'erased' })
  })

  it('VOX-11 replays no trace that cannot be relied on', async () => {
    const { kit, store, log } = await finished()
    const read = store.read.bind(store)
    store.read = async function* (...given) {
      for await (const event of read(...given)) yield { ...event, salt: new Uint8Array(16) }
    }
    await expect(replayTrace(kit, errand, log.trace)).rejects.toMatchObject({ code: 'VAULT_CORRUPT' })
  })

  it('VOX-11 replays a fork from where its parent stood, and says what comes next', async () => {
    const { kit, ports, registrar, log } = await finished()
    const actor = registrar.actor('paula', 'planner')
    const fork = await forkTrace(ports, errand, { parent: log.trace, seq: 6 }, actor)
    const replayed = await replayTrace(kit, errand, fork.trace)
    expect(replayed.divergences).toEqual([])
    expect(replayed.next.length).toBeGreaterThan(0)
    await runClerk(ports, registrar, fork)
    await approve(fork, registrar)
    await runClerk(ports, registrar, fork)
    expect(await replayTrace(kit, errand, fork.trace)).toMatchObject({ divergences: [], next: [] })
  })

  it('VOX-11 replays nothing of another protocol', async () => {
    const { kit, registrar } = await finished()
    await expect(replayTrace(kit, errand, registrar.trace)).rejects.toMatchObject({
      code: 'PROTOCOL_UNKNOWN',
    })
  })
})
