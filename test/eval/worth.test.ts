// Whole evaluations over the wire: members of known skill and correlation, chairs of a known nature.
import { afterEach, describe, expect, it } from 'vitest'
import { loadProtocols } from '../../src/app/protocols.ts'
import { wholeBundle } from '../../src/clerk/extract.ts'
import { examine } from '../../src/stores/verify-answers.ts'
import type { CouncilServer } from '../fakes/council.ts'
import {
  type Chairs,
  type Member,
  type Simulated,
  simulate,
  simulatedSet,
} from '../fakes/simulated-members.ts'
import { type EvalHeld, evaluate } from '../support/eval-run.ts'
import { closedForm, drawMembers, uniform } from '../support/eval-simulation.ts'

const ITEMS = 60
const NAMES = ['ada', 'ben', 'cyd']

/** Who is right on which item. Wrong answers of one item are all the same, as models often err. */
const drawn = (p: number, rho: number, seed: number): readonly (readonly boolean[])[] => {
  const next = uniform(seed)
  return Array.from({ length: ITEMS }, () => drawMembers(next, 3, p, rho))
}

const said = (item: number, isRight: boolean): number => (isRight ? item : item + 1_000)

function membersOf(table: readonly (readonly boolean[])[], more: Partial<Member> = {}): Simulated['members'] {
  const member = (m: number): Member => ({
    knows: (item) => said(item, table[item - 1]?.[m] ?? false),
    ...more,
  })
  return Object.fromEntries(NAMES.map((name, m) => [name, member(m)]))
}

const majority = (table: readonly (readonly boolean[])[], item: number): boolean =>
  (table[item - 1] ?? []).filter(Boolean).length >= 2

let server: CouncilServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

async function worth(simulated: Simulated, wish: Parameters<typeof evaluate>[3] = {}): Promise<EvalHeld> {
  server = await simulate(simulated)
  return evaluate(server.url, NAMES, simulatedSet(ITEMS), { concurrency: 8, ...wish })
}

describe('an evaluation over the wire', () => {
  it('COU-X-4 finds vote and all-wrong rate as they were drawn, near the closed form, and verifies', async () => {
    const table = drawn(0.7, 0.3, 5)
    const chair: Chairs = (item) => said(item, majority(table, item))
    const { storage, evaluation, report } = await worth({ members: membersOf(table), chair })
    const votes = table.filter((row) => row.filter(Boolean).length >= 2).length
    const none = table.filter((row) => !row.some(Boolean)).length
    const vote = report.arms.find(({ arm }) => arm === 'vote')
    expect(vote).toMatchObject({ n: ITEMS, right: votes })
    expect(report.insights.all_wrong).toMatchObject({ n: ITEMS, wrong: none })
    const expected = closedForm(0.7, 0.3)
    const error = (share: number): number => 3 * Math.sqrt((share * (1 - share)) / ITEMS)
    expect(Math.abs(votes / ITEMS - expected.vote)).toBeLessThan(error(expected.vote))
    expect(Math.abs(none / ITEMS - expected.allWrong)).toBeLessThan(error(expected.allWrong))
    // The chair says what the vote says: equal arms are no difference.
    expect(report.primary.verdict).toBe('no difference found')
    expect(report.primary.words).toMatch(/smaller than .* points is not excluded/)

    const bundle = await wholeBundle(storage.ports.store, evaluation.trace)
    const header = JSON.parse(Buffer.from(bundle.registry.events[0]?.event.header ?? []).toString('utf8'))
    const trust = { keys: [header.actor.key], checkpoints: [] }
    const verdict = await examine(bundle, storage.ports.store, trust, await loadProtocols(bundle))
    expect(verdict.failures).toEqual([])
    expect(verdict.status).toBe('pass')
  })

  it('COU-X-4 reports a harmful chair as a loss', async () => {
    const table = drawn(0.8, 0.2, 9)
    const chair: Chairs = (item) => said(item, majority(table, item) && item % 3 !== 0)
    const { report } = await worth({ members: membersOf(table), chair })
    expect(report.primary.verdict).toBe('worse')
    expect(report.primary.words).toMatch(/^council is worse than vote by/)
    const flips = report.insights.flips.find(({ from, to }) => from === 'vote' && to === 'council')
    expect(flips?.right_to_wrong.length).toBeGreaterThan(5)
    expect(flips?.wrong_to_right).toEqual([])
  })

  it('COU-X-4 reports a helpful second round as a gain, and says in which round answers turned', async () => {
    const table = drawn(0.5, 0.4, 3)
    const helped = (item: number): number => said(item, majority(table, item) || item % 2 === 0)
    const { report } = await worth({
      members: membersOf(table, { after: helped }),
      chair: (item) => helped(item),
    })
    expect(report.primary.verdict).toBe('better')
    const turned = report.insights.flips.find(({ to }) => to === 'after-vote')
    expect(turned?.wrong_to_right.length).toBeGreaterThan(5)
    const chaired = report.insights.flips.find(({ from }) => from === 'after-vote')
    expect([...(chaired?.right_to_wrong ?? []), ...(chaired?.wrong_to_right ?? [])]).toEqual([])
  })
})
