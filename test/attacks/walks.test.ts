// Two writers try anything on one trace, in any order: what the protocol takes and what it does not. All that got in
// verifies; all that was refused is not there; and what was refused would have failed had it got in.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TraceLog } from '../../src/clerk/trace-log.ts'
import { isWitanError } from '../../src/ledger/errors.ts'
import type { Payload } from '../../src/ledger/event.ts'
import type { Draft } from '../../src/ledger/signing.ts'
import { errand } from '../protocols/errand.ts'
import { AGENTS } from '../support/ports.ts'
import {
  actor,
  atHome,
  errandDrafts,
  events,
  headerOf,
  judge,
  openScene,
  smuggle,
} from '../support/tamper.ts'

const DRAFTS = errandDrafts()

const who = fc.constantFrom(...Object.entries(AGENTS).map(([agent, roles]) => actor(agent, roles[0] ?? '')))
const strangers = fc.constantFrom(
  actor('eve', 'critic'),
  actor('carl', 'critic', 'eve'),
  actor('sam', 'seat', 'nobody'),
)
const actions = fc.constantFrom('ask/a/1', 'ask/a/2', 'tool/fetch/1', 'claim/1', 'intent/1', 'approve/1', 'x')
const extra: fc.Arbitrary<Payload> = fc.oneof(
  actions.map((action) => ({ action })),
  fc.constantFrom<Payload>(
    { seats: [] },
    { seat: 'b' },
    { artifacts: [] },
    { evidence: [] },
    { call: 'tool' },
    {},
  ),
)

const seldom = <Value>(weight: number, arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, { weight, arbitrary })

/** Mostly what comes next; else one of the others, or one said by the wrong agent, with other content, as another. */
const steps = fc.record({
  next: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  pick: fc.nat(DRAFTS.length - 1),
  by: seldom(3, fc.oneof(who, strangers)),
  extra: seldom(5, extra),
  type: seldom(1, fc.constantFrom('call_lost', 'call_indeterminate', 'constructor', 'unheard_of')),
  writer: fc.nat(1),
})

describe('a trace under any writers', () => {
  it('LED-1 LED-3 holds what was accepted and nothing else, and verifies', async () => {
    let [accepted, refused] = [0, 0]
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 30 }), async (tried) => {
        const scene = await openScene(0)
        const writers = [0, 1].map(() => new TraceLog(scene.ports, errand, scene.trace))
        const taken: Draft[] = []
        let progress = 0
        for (const { next, pick, by, extra: more, type, writer } of tried) {
          const base = DRAFTS[next ? Math.min(progress, DRAFTS.length - 1) : pick] as Draft
          const draft: Draft = {
            type: type ?? base.type,
            actor: by ?? base.actor,
            payload: more ? { ...base.payload, ...more } : base.payload,
          }
          try {
            await writers[writer]?.append([draft])
            taken.push(draft)
            if (draft.type === DRAFTS[progress]?.type) progress++
          } catch (error) {
            if (!isWitanError(error)) throw error
            expect(['EVENT_REFUSED', 'KEY_NOT_FOUND', 'KEY_RETIRED']).toContain(error.code)
            refused++
          }
        }
        accepted += taken.length
        const kept = await events(scene.store, scene.trace)
        expect(kept.map((event) => headerOf(event).type)).toEqual(taken.map(({ type }) => type))
        if (kept.length > 0)
          expect(judge(await atHome(scene), scene.trust)).toMatchObject({ status: 'pass', failures: [] })
      }),
      { numRuns: 150 },
    )
    expect(accepted).toBeGreaterThan(500)
    expect(refused).toBeGreaterThan(500)
  }, 120_000)

  it('VER-3 refuses on writing exactly what it finds on reading', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(fc.nat(DRAFTS.length), steps, async (length, { pick, by, extra: more, type }) => {
        const scene = await openScene(length)
        const base = DRAFTS[pick] as Draft
        const draft: Draft = {
          type: type ?? base.type,
          actor: by ?? base.actor,
          payload: more ? { ...base.payload, ...more } : base.payload,
        }
        if (draft.actor.key === actor('sam', 'seat', 'nobody').key) return
        const log = new TraceLog(scene.ports, errand, scene.trace)
        await log.refresh()
        const code = await log.append([draft]).then(
          () => null,
          (error: unknown) => (isWitanError(error) ? error.code : 'thrown'),
        )
        if (code !== null) await smuggle(scene, scene.trace, draft)
        const report = judge(await atHome(scene), scene.trust)
        expect(report.status, `${code} ${JSON.stringify(draft)}`).toBe(code === null ? 'pass' : 'fail')
        compared++
      }),
      { numRuns: 300 },
    )
    expect(compared).toBeGreaterThan(200)
  }, 120_000)
})
