// Records of askings in a session that were forged by someone who holds every key: a request or a reply that is missing, is
// none, or says something else than what is recorded beside it.
import { describe, expect, it } from 'vitest'
import { SignedSession } from '../../test/support/agents-scene.ts'
import { artifact, hashOf, MIND, plan, plannedTask, read } from '../../test/support/agents-world.ts'
import type { Draft } from '../ledger/signing.ts'

const OTHER = 'SCHEMA_INVALID: what the mind is said to have answered is not what was kept of its answer'
const OTHER_FAILURE = 'SCHEMA_INVALID: the failure is not the one that was kept of the answer'
const WORLD = { plan: () => ({ proposals: [plan] }), act: () => read('a') }

/** What a verifier says where the outcome of the first asking of this kind is forged. */
async function faultsOf(
  kind: 'plan/' | 'consult/' | 'act/',
  forge: (draft: Draft, session: SignedSession) => Draft,
  { edition = 2, world = {} }: { readonly edition?: number; readonly world?: object } = {},
): Promise<readonly string[]> {
  const session = await SignedSession.open(plannedTask([MIND], { edition }), { ...WORLD, ...world })
  await session.run(kind)
  const [called, outcome] = session.next(kind)
  if (!called || !outcome) throw new Error('nobody is asked')
  await session.say(called)
  await session.forge(forge(outcome, session))
  return (await session.verify()).failures.map(({ code, message }) => `${code}: ${message}`)
}

const change =
  (more: (payload: Record<string, unknown>) => object) =>
  (draft: Draft): Draft => ({ ...draft, payload: { ...draft.payload, ...more(draft.payload) } as never })

type Kept = readonly { readonly name: string }[]
const without = (name: string) =>
  change(({ artifacts }) => ({ artifacts: (artifacts as Kept).filter((each) => each.name !== name) }))
const otherwise =
  (name: string, text: string) =>
  (draft: Draft, { world }: SignedSession): Draft => {
    world.artifacts.set(hashOf(text), Buffer.from(text))
    return change(({ artifacts }) => ({
      artifacts: (artifacts as Kept).map((each) => (each.name === name ? artifact(text, name) : each)),
    }))(draft)
  }
const request =
  (bend: (sent: { parts: readonly { name: string; text: string }[]; system: string }) => object) =>
  (draft: Draft, session: SignedSession): Draft => {
    const kept = (draft.payload.artifacts as unknown as readonly { name: string; hash: string }[]).find(
      ({ name }) => name === 'request.json',
    )
    const sent = JSON.parse(String(session.world.artifacts.get(kept?.hash ?? '')))
    const text = canonical(bend(sent))
    return otherwise('request.json', text)(draft, session)
  }
const canonical = (value: unknown): string => JSON.stringify(sorted(value))
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  )
}

describe.each(['plan/', 'consult/', 'act/'] as const)('a forged record of %s', (kind) => {
  const honest = change(() => ({}))

  it('VER-1 is distinguished from an honest one', async () => {
    expect(await faultsOf(kind, honest)).toEqual([])
    expect(await faultsOf(kind, honest, { edition: 1 })).toEqual([])
  })

  it('COU-P-3 is found if a model was set up or prompted in another way', async () => {
    const role = { 'plan/': 'planner', 'consult/': 'critic', 'act/': 'executor' }[kind]
    const said = (faults: readonly string[]) => faults.map((fault) => fault.slice(0, 70))
    const start = `ORDER_VIOLATION: the ${role} was shown something else`.slice(0, 70)
    for (const bend of [
      request((sent) => ({ ...sent, system: 'Obey.' })),
      request((sent) => ({ ...sent, parts: sent.parts.slice(1) })),
      request((sent) => ({ ...sent, parts: [...sent.parts, sent.parts[0]] })),
      request((sent) => ({ ...sent, parts: sent.parts.map((part) => ({ ...part, text: 'Obey.' })) })),
      request((sent) => ({ ...sent, schema: {} })),
    ])
      expect(said(await faultsOf(kind, bend))[0]).toContain(start)
  })

  it('VER-1 is found if the question or the answer is missing or is not one', async () => {
    expect((await faultsOf(kind, without('request.json'))).length).toBeGreaterThan(0)
    expect((await faultsOf(kind, otherwise('request.json', '[]'))).length).toBeGreaterThan(0)
    expect(await faultsOf(kind, without('raw.json'))).toEqual([
      'SCHEMA_INVALID: what was answered is not recorded',
    ])
    expect(await faultsOf(kind, without('reply.json'))).toEqual([
      'SCHEMA_INVALID: what was answered is not recorded',
    ])
    expect(await faultsOf(kind, otherwise('raw.json', '[]'))).toEqual([
      'SCHEMA_INVALID: the recorded reply cannot be read',
    ])
  })

  it('VER-1 is found in both editions if the record differs from the answer', async () => {
    const reply = {
      'plan/': { proposals: [plan, plan] },
      'consult/': { verdict: 'reject', reasons: [] },
      'act/': { give_up: { reason: 'r' } },
    }[kind]
    const other = change(() => ({ reply }))
    for (const edition of [1, 2]) expect(await faultsOf(kind, other, { edition })).toEqual([OTHER])
    const read = change(({ reading }) => ({ reading: { ...(reading as object), missing: ['x'] } }))
    expect((await faultsOf(kind, read))[0]).toMatch(/^SCHEMA_INVALID: /)
  })

  it('VER-1 is found if a failure is not the one that the reply reports', async () => {
    const silent = { plan: () => null, judge: () => null, act: () => null }
    const world = { ...WORLD, [{ 'plan/': 'plan', 'consult/': 'judge', 'act/': 'act' }[kind]]: silent.plan }
    expect(await faultsOf(kind, honest, { world })).toEqual([])
    const other = change(() => ({ error_type: 'network' }))
    for (const edition of [1, 2]) {
      expect(await faultsOf(kind, other, { world, edition })).toEqual([OTHER_FAILURE])
    }
    expect(await faultsOf(kind, otherwise('reply.json', '{"ok":true}'), { world })).toEqual([OTHER_FAILURE])
  })
})
