// Every reply of the corpus that a council can get, end to end: over a loopback server, through real seats and the real
// clerk, into a trace that a verifier judges. What the wire carried, what was recorded and what is counted agree.

import { describe, expect, it } from 'vitest'
import type { AskingFields } from '../../src/ledger/raw-reply.ts'
import type { Occurrence } from '../../src/protocol.ts'
import type { Doing, Round, Script } from '../fakes/council.ts'
import { type FinishedCouncil, runCouncil, verdictOn } from '../support/council-run.ts'
import { type CarelessReply, isReadable, readCorpus } from './corpus.ts'

const CORPUS = readCorpus().filter(isReadable)
const KINDS: Readonly<Record<Round, string>> = { R1: 'opinion', R2: 'review', R3: 'report' }

const attemptsIn = (events: readonly Occurrence[]): AskingFields['attempts'] =>
  events.flatMap(({ payload }) => ((payload ?? {}) as unknown as Partial<AskingFields>).attempts ?? [])

async function expectAccounted(held: FinishedCouncil): Promise<void> {
  const { server, result, events } = held
  const attempts = attemptsIn(events)
  const failures = attempts.filter(({ error_type }) => error_type !== null)
  expect(attempts, JSON.stringify(failures)).toHaveLength(server.heard.length)
  expect(result.metrics.calls).toBe(server.heard.length)
  const started = events.filter(({ type }) => type === 'call_started').length
  expect(started).toBe(server.heard.length)
  expect(await verdictOn(held.storage, result.trace)).toMatchObject({ status: 'pass', failures: [] })
}

/** What a seat's askings in a round came to, in order. */
const came = ({ events }: FinishedCouncil, round: Round, seat: string): readonly string[] =>
  events
    .filter(({ type, payload }) => type.startsWith(`${KINDS[round]}_`) && payload?.seat === seat)
    .map(({ type }) => type.slice(KINDS[round].length + 1))

/** Of a reply whose seat answers completely when it is asked again. */
function expected({ expect: { outcome }, expect: wanted }: CarelessReply): readonly string[] {
  if (outcome === 'kept') return ['given']
  if (outcome === 'refused') return ['failed']
  return wanted.outcome === 'prose' && wanted.stance !== 'unstated' ? ['given'] : ['incomplete', 'given']
}

const careless = ({ raw, wire }: CarelessReply): Doing => ({ careless: wire ? { raw, wire } : { raw } })

/** Then it answers as it should. */
const once = (reply: CarelessReply, round: Round): Script => {
  const first = careless(reply)
  // A script's last doing repeats; without one of its own, a model says the usual.
  let asked = 0
  return { [round]: [() => (asked++ === 0 ? first : { usual: true })] }
}

const GROUP = 8
const grouped = (replies: readonly CarelessReply[]): readonly (readonly CarelessReply[])[] =>
  Array.from({ length: Math.ceil(replies.length / GROUP) }, (_, i) =>
    replies.slice(i * GROUP, (i + 1) * GROUP),
  )

const of = (shape: string) => CORPUS.filter((reply) => reply.shape === shape)
const plain = of('opinion').filter(({ context }) => context?.prompt === undefined)
const groups = ['ask', 'architecture', 'review'].flatMap((mode) =>
  grouped(plain.filter((reply) => (reply.mode ?? 'ask') === mode)),
)

const optionsOf = ({ mode = 'ask', context }: CarelessReply) => ({
  mode,
  question: `Shall we do it?\n${context?.prompt ?? ''}`,
})

describe('careless opinions over the wire', () => {
  it.each(groups.map((group) => [`${group[0]?.id} to ${group.at(-1)?.id}`, group] as const))(
    'VOX-15 VOX-16 COU-R1-2 %s keep their seats, with at most one further call',
    async (_, group) => {
      const models = Object.fromEntries(group.map((reply) => [reply.id, once(reply, 'R1')]))
      const held = await runCouncil({
        models: { chair: {}, other: {}, ...models },
        options: optionsOf(group[0] as CarelessReply),
      })
      for (const reply of group)
        expect([reply.id, ...came(held, 'R1', reply.id)]).toEqual([reply.id, ...expected(reply)])
      await expectAccounted(held)
    },
    120_000,
  )

  it.each(of('opinion').filter(({ context }) => context?.prompt !== undefined))(
    'VOX-15 $id is judged by the prompt that it answers',
    async (reply) => {
      const held = await runCouncil({
        models: { chair: {}, other: {}, [reply.id]: once(reply, 'R1') },
        options: optionsOf(reply),
      })
      expect(came(held, 'R1', reply.id)).toEqual(expected(reply))
      await expectAccounted(held)
    },
    60_000,
  )

  it('VOX-15 keeps the seat of a model that writes nothing but prose, without a stance', async () => {
    const [reply] = plain.filter(
      ({ expect: wanted }) => wanted.outcome === 'prose' && wanted.stance === 'unstated',
    )
    if (!reply) throw new Error('the corpus has no such reply')
    const held = await runCouncil({ models: { a: {}, b: { R1: [careless(reply)] } } })
    expect(came(held, 'R1', 'b')).toEqual(['incomplete', 'given'])
    expect(held.result.rounds[0].opinions.find(({ seat }) => seat === 'b')).toMatchObject({
      stance: 'unstated',
      prose: true,
      confidence: 'low',
    })
    expect(held.result.report?.majority.counts).toEqual({ adopt: 1 })
    expect(held.result.report?.notices).toContain(
      'b answered in prose and stated no stance: it is not counted for any',
    )
    await expectAccounted(held)
  })

  it('VOX-15 asks once for what is missing, and then the seat has failed', async () => {
    const held = await runCouncil({
      models: { a: {}, b: {}, c: { R1: [{ careless: { raw: '{"summary":"x"}' } }] } },
    })
    expect(came(held, 'R1', 'c')).toEqual(['incomplete', 'failed'])
    expect(held.result.rounds[0].failed_providers).toMatchObject([
      {
        provider: 'c',
        error_type: 'parse_error',
        error_message: 'the answer lacks stance, also when asked for it',
      },
    ])
    await expectAccounted(held)
  })
})

/** Of a question alone nothing could be left out. */
const LONG = { path: 'notes.md', text: 'What was measured last week.\n'.repeat(2_000) }

describe('errors of the vendor before an answer', () => {
  const errors = readCorpus().filter((reply) => !isReadable(reply))

  it('are of every kind that one further call mends', () => {
    expect(errors.flatMap(({ habits }) => habits).toSorted()).toEqual([
      'context-exceeded',
      'rate-limited-twice',
      'system-refused',
    ])
  })

  it.each(errors)(
    'VOX-4 VOX-15 VOX-16 $id is asked again where that can help, and every call on the wire is an attempt on record',
    async ({ id, wire, habits }) => {
      const answers = wire?.answers ?? []
      const isTooLong = habits.includes('context-exceeded')
      const doings = answers.map((error): Doing => ({ careless: { raw: '', wire: { answers: [error] } } }))
      const held = await runCouncil({
        models: { a: {}, b: {}, [id]: { R1: [...doings, () => ({ usual: true })] } },
        options: { mode: 'ask', question: 'Shall we do it?', ...(isTooLong && { files: [LONG] }) },
      })
      const { server, result, events } = held
      const own = server.heard.filter(({ model, round }) => model === id && round === 'R1')
      expect(came(held, 'R1', id)).toEqual(isTooLong ? ['failed', 'given'] : ['given'])
      expect(own).toHaveLength(answers.length + 1)
      if (isTooLong) expect(own[1]?.words.length).toBeLessThan((own[0]?.words.length ?? 0) / 3)
      expect(attemptsIn(events)).toHaveLength(server.heard.length)
      expect(result.metrics.calls).toBe(server.heard.length)
      expect(await verdictOn(held.storage, result.trace)).toMatchObject({ status: 'pass', failures: [] })
    },
    60_000,
  )
})

describe('careless reviews and reports over the wire', () => {
  it.each(of('review'))(
    'VOX-15 VOX-16 $id keeps its seat',
    async (reply) => {
      const seats = (reply.context?.labels ?? ['A', 'B']).length
      const others = Object.fromEntries(Array.from({ length: seats }, (_, i) => [`o${i + 1}`, {}]))
      const held = await runCouncil({
        models: { ...others, [reply.id]: once(reply, 'R2') },
        options: optionsOf(reply),
      })
      expect(came(held, 'R2', reply.id)).toEqual(expected(reply))
      await expectAccounted(held)
    },
    60_000,
  )

  it.each(of('report'))(
    'VOX-15 VOX-16 $id keeps its chair',
    async (reply) => {
      const held = await runCouncil({
        models: { chair: once(reply, 'R3'), o1: {}, o2: {}, o3: {} },
        options: optionsOf(reply),
      })
      // A report may also be sent back for what it cites.
      expect(came(held, 'R3', 'chair').slice(0, expected(reply).length)).toEqual(expected(reply))
      await expectAccounted(held)
    },
    60_000,
  )
})
