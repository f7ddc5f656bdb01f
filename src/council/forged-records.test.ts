// Records of askings that were forged by someone who holds every key: a request or a reply that is missing, is none, or
// says something else than what is recorded beside it. And events that are honest at another moment.
import { describe, expect, it } from 'vitest'
import * as council from '../../test/support/all-of-council.ts'
import { opinionAnswer, reportAnswer, reviewAnswer } from '../../test/support/council-answers.ts'
import { type RecordedEvent, type ScriptedReply, Sitting, sit } from '../../test/support/council-sitting.ts'
import { findings, verified } from '../../test/support/sealed-council.ts'
import { CLERK } from '../ledger/calls.ts'
import type { Action } from '../protocol.ts'

const wants = (kind: string) => (sitting: Sitting) => sitting.decide().some(({ id }) => id.startsWith(kind))
const NEWEST = council.NEWEST

type Forge = (sitting: Sitting, action: Action) => RecordedEvent

/** What a verifier says where one outcome of this kind is forged in a council that is honest else. */
async function faultsOf(
  kind: string,
  forge: Forge,
  edition = NEWEST,
  says?: ScriptedReply,
): Promise<readonly string[]> {
  const script = says === undefined ? {} : { says: () => says }
  const sitting = new Sitting().open({ edition }).run(wants(kind))
  const told = says === undefined ? sitting : new Sitting(script).open({ edition }).run(wants(kind))
  const action = told.decide().find(({ id }) => id.startsWith(kind))
  if (!action) throw new Error(`nothing asks for ${kind}`)
  told.start(action).take(forge(told, action))
  return findings(await verified(told)).map((line) => line.replace(/^(\w+) \d+/, '$1'))
}

const change =
  (more: (payload: Record<string, unknown>) => object): Forge =>
  (sitting, action) => {
    const spoken = sitting.outcome(action)
    return { ...spoken, payload: { ...spoken.payload, ...more(spoken.payload) } as never }
  }

type Kept = readonly { readonly name: string }[]
const without = (name: string): Forge =>
  change(({ artifacts }) => ({ artifacts: (artifacts as Kept).filter((each) => each.name !== name) }))
const otherwise =
  (name: string, bytes: string): Forge =>
  (sitting, action) =>
    change(({ artifacts }) => ({
      artifacts: (artifacts as Kept).map((each) =>
        each.name === name ? sitting.keepBytes(name, Buffer.from(bytes)) : each,
      ),
    }))(sitting, action)

describe('a forged record of a question', () => {
  it.each<[string, Forge]>([
    ['what was asked is not recorded', without('request.json')],
    ['the recorded request is no prompt', otherwise('request.json', '{"system":"a"}')],
    ['the recorded request is no prompt', otherwise('request.json', '{"parts":[],"system":1}')],
    ['the recorded request is no prompt', otherwise('request.json', '{"parts":[{"name":"a"}],"system":"s"}')],
    ['the recorded request is no prompt', otherwise('request.json', '{"parts":[null],"system":"s"}')],
    ['what was replied is not recorded', without('raw.json')],
    ['the recorded reply cannot be read', otherwise('raw.json', '[]')],
  ])('VER-1 is found: %s', async (why, forge) => {
    expect(await faultsOf('opinion/', forge)).toEqual([`ORDER_VIOLATION: ${why}`])
  })

  it.each(['opinion', 'review', 'report'])(
    'COU-R1-2 is found in both editions: %s differs from the reply',
    async (kind) => {
      const member = kind === 'opinion' ? 'summary' : kind === 'review' ? 'why' : 'conclusion'
      const forge = change((payload) => ({ [kind]: { ...(payload[kind] as object), [member]: 'Obey.' } }))
      const other = 'ORDER_VIOLATION: what is recorded as said is not what the reply says'
      expect(await faultsOf(`${kind}/`, forge, 1)).toEqual([other])
      expect(await faultsOf(`${kind}/`, forge)).toEqual([other])
    },
  )

  it('COU-R1-3 is found if the failure is not the one that the reply reports', async () => {
    const other = change(({ failure }) => ({ failure: { ...(failure as object), error_type: 'network' } }))
    const why = ['ORDER_VIOLATION: the failure is not the one that the reply tells of']
    expect(await faultsOf('opinion/', other, NEWEST, { fails: 'auth' })).toEqual(why)
    expect(await faultsOf('opinion/', other, 1, { fails: 'auth' })).toEqual(why)
    expect(
      await faultsOf('opinion/', otherwise('reply.json', '{"ok":true}'), NEWEST, { fails: 'auth' }),
    ).toEqual(why)
    expect(await faultsOf('opinion/', without('reply.json'), NEWEST, { fails: 'auth' })).toEqual([
      'ORDER_VIOLATION: what was replied is not recorded',
    ])
    expect(
      await faultsOf(
        'opinion/',
        change(() => ({})),
        NEWEST,
        { fails: 'auth' },
      ),
    ).toEqual([])
  })

  it('COU-R1-3 is found if a failure names another round, provider or cause', async () => {
    const told = (more: object) =>
      faultsOf(
        'opinion/',
        change(({ failure }) => ({ failure: { ...(failure as object), ...more } })),
        NEWEST,
        { fails: 'auth' },
      )
    const why = 'SCHEMA_INVALID: the failure tells of another round or provider'
    expect(await told({ round: 'R2' })).toContain(why)
    expect(await told({ provider: 'eve' })).toContain(why)
    const refusing: ScriptedReply = { raw: { text: '', refusal: 'I cannot help.' } }
    const lenient = change(({ failure }) => ({ failure: { ...(failure as object), cause: null } }))
    expect(await faultsOf('opinion/', lenient, NEWEST, refusing)).toEqual([
      'ORDER_VIOLATION: the failure is not the one that the reply tells of',
    ])
  })

  it('COU-R1-2 is found if the reading differs, or if another event follows from it', async () => {
    const read = change(({ reading }) => ({
      reading: { ...(reading as object), repairs: [{ kind: 'fence', count: 1 }] },
    }))
    expect((await faultsOf('opinion/', read))[0]).toMatch(/^(ORDER|SCHEMA)/)
    const asFailure: Forge = (sitting, action) => {
      const spoken = sitting.outcome(action)
      const { opinion: _, ...rest } = spoken.payload
      const failure = {
        ...{ provider: 'ann', round: 'R1', error_type: 'parse_error', cause: null },
        ...{ error_message: 'x', retried: false, fallback_used: false },
      }
      return { ...spoken, type: 'opinion_failed', payload: { ...rest, failure } as never }
    }
    expect(await faultsOf('opinion/', asFailure)).toEqual([
      'ORDER_VIOLATION: something else follows from the reply',
    ])
  })

  it('VER-3 names since edition 2 the version that read the reply, and only a known one', async () => {
    const unread: Forge = (sitting, action) => {
      const { payload, ...spoken } = sitting.outcome(action)
      const { reading: _, ...rest } = payload
      return { ...spoken, payload: rest as never }
    }
    expect(await faultsOf('opinion/', unread, NEWEST, { fails: 'auth' })).toContain(
      'SCHEMA_INVALID: opinion_failed has not the members that it has in this edition',
    )
    const ninth = change(({ reading }) => ({ reading: { ...(reading as object), reader: 9 } }))
    expect((await faultsOf('opinion/', ninth)).join()).toContain('there is no reader 9 here')
  })

  it('COU-R2-1 is found if one opinion is shown twice', async () => {
    const faults = await faultsOf('review/', (sitting, action) =>
      sitting.outcome(action, (prompt) => {
        const at = prompt.parts.findIndex(({ name }) => name === 'opinions')
        return { ...prompt, parts: [...prompt.parts, ...prompt.parts.slice(at, at + 1)] }
      }),
    )
    expect(faults).toEqual(['ORDER_VIOLATION: more opinions were shown than there are'])
  })

  it('COU-R3-1 is found if reviews are left out, reversed or shown in round two', async () => {
    const bend = (kind: string, parts: (all: council.CouncilPrompt['parts']) => readonly object[]) =>
      faultsOf(kind, (sitting, action) =>
        sitting.outcome(action, (prompt) => ({ ...prompt, parts: parts(prompt.parts) })),
      )
    const why = ['ORDER_VIOLATION: other reviews were shown than there are, or in another order']
    expect(await bend('report/', (all) => all.filter(({ name }) => name !== 'reviews'))).toEqual(why)
    expect(
      await bend('report/', (all) => {
        const reviews = all.filter(({ name }) => name === 'reviews').reverse()
        return all.map((part) => (part.name === 'reviews' ? reviews.shift() : part) as object)
      }),
    ).toEqual(why)
    expect(
      await bend('review/', (all) => [
        ...all,
        { name: 'reviews', text: '{}', quotes: { kind: 'event', id: 'T/1' }, template: null },
      ]),
    ).toEqual(why)
  })

  it('VER-3 is found if another schema was sent', async () => {
    const faults = await faultsOf('opinion/', (sitting, action) =>
      sitting.outcome(action, (prompt) => ({ ...prompt, schema: {} })),
    )
    expect(faults).toEqual(['ORDER_VIOLATION: another shape was asked for than in this edition'])
  })

  it('COU-R1-2 accepts a stance, a decision and a review only in the form of its mode', async () => {
    const stance = change(({ opinion }) => ({ opinion: { ...(opinion as object), stance: 'unstated' } }))
    expect(await faultsOf('opinion/', stance)).toContain('SCHEMA_INVALID: unstated is no stance in this mode')
    const sitting = (kind: string) =>
      new Sitting({
        says: ({ round, labels }) => {
          if (round === 'R1') return opinionAnswer('review')
          return round === 'R2' ? reviewAnswer(labels, 'review') : reportAnswer(['op-1'], 'review')
        },
      })
        .open({ mode: 'review' })
        .run(wants(kind))
    const said = (kind: string, member: string, word: string) => {
      const one = sitting(`${kind}/`)
      const [action] = one.decide()
      if (!action) throw new Error('nobody is asked')
      const { payload, ...rest } = one.start(action).outcome(action)
      const answer = { ...(payload[kind] as object), [member]: word }
      return one.refusal({ ...rest, payload: { ...payload, [kind]: answer } as never })
    }
    expect(said('opinion', 'stance', 'answer')).toBe('answer is no stance in this mode')
    expect(said('review', 'stance_after', 'answer')).toBe('answer is no stance here')
    expect(said('report', 'decision', 'answer')).toBe('answer is no decision in this mode')
    expect(said('report', 'decision', 'reject')).toBeNull()
  })
})

describe('an event at a wrong time', () => {
  const closes = (round: string): RecordedEvent => ({
    type: council.ROUND_CLOSED,
    agent: CLERK,
    role: CLERK,
    payload: { round, reason: 'timeout' },
  })

  it('COU-T-1 closes a round with open questions, once', () => {
    const sitting = new Sitting().open()
    expect(sitting.refusal(closes('R1'))).toBe('no seat is being asked in R1')
    const [ann] = sitting.decide()
    if (!ann) throw new Error('somebody is asked')
    sitting.start(ann)
    expect(sitting.refusal(closes('R2'))).toBe('no seat is being asked in R2')
    sitting.speak(closes('R1'))
    expect(sitting.refusal(closes('R1'))).toBe('R1 is closed already')
  })

  it('COU-X-3 asks for the end once, and not if no question is left', () => {
    const request: RecordedEvent = {
      type: council.CLOSE_REQUESTED,
      agent: 'olga',
      role: council.CONVENER,
      payload: { reason: 'enough' },
    }
    const sitting = new Sitting().open().speak(request)
    expect(sitting.refusal(request)).toBe('closing was asked for already')
    const ended = new Sitting().open().run(wants('close'))
    expect(ended.refusal(request)).toBe('nothing is left to be asked')
    const assembling = new Sitting({ says: ({ round }) => (round === 'R3' ? { fails: 'auth' } : undefined) })
    expect(assembling.open().run(wants('assemble')).refusal(request)).toBe('nothing is left to be asked')
    expect(new Sitting().open().run(wants('report/')).refusal(request)).toBeNull()
  })

  it('VER-3 names the real state of the council', () => {
    const closed = sit().spoken.at(-1) as RecordedEvent
    const decided = sit().spoken.find(({ type }) => type === council.SHORT_CIRCUIT_DECIDED) as RecordedEvent
    const asked = new Sitting().open()
    expect(asked.refusal(closed)).toBe('council_closed while R1 waits for ann, ben, cat')
    for (const action of asked.decide()) asked.start(action)
    asked.speak(closes('R1'))
    expect(asked.refusal(decided)).toBe('short_circuit_decided while an answer is awaited')
    const at = (kind: string, more: Partial<council.CouncilOpened> = {}) =>
      new Sitting().open(more).run(wants(kind)).refusal(closed)
    expect(at('short_circuit/R1')).toBe('council_closed while it is to be decided what follows R1')
    expect(at('review/')).toBe('council_closed while R2 waits for ann, ben, cat')
    expect(at('report/')).toBe('council_closed while ann is to report')
    const { short_circuit } = council.DEFAULT_POLICY
    const policy = { ...council.DEFAULT_POLICY, short_circuit: { ...short_circuit, embeddings: true } }
    expect(at('score/', { policy })).toBe('council_closed while recommendations are to be compared')
    expect(new Sitting().open().run(wants('close')).refusal(decided)).toBe(
      'short_circuit_decided while it is to be closed as reported',
    )
  })

  it('COU-S-2 takes scores for every pair of opinions in order, rounded, or none', () => {
    const { short_circuit } = council.DEFAULT_POLICY
    const policy = { ...council.DEFAULT_POLICY, short_circuit: { ...short_circuit, embeddings: true } }
    const sitting = new Sitting().open({ policy }).run(wants('score/'))
    const pair = (a: string, b: string, cosine = 0.5) => ({ a, b, cosine })
    const all = [pair('op-1', 'op-2'), pair('op-1', 'op-3'), pair('op-2', 'op-3', 0.1234)]
    const scored = (pairs: readonly object[]) =>
      sitting.refusal({
        ...{ type: council.AGREEMENT_SCORED, agent: CLERK, role: CLERK },
        payload: { action: sitting.decide()[0]?.id, encoder: 'test', pairs } as never,
      })
    expect([scored(all), scored([])]).toEqual([null, null])
    const partly = 'scores are for every pair of opinions, in order, or for none'
    expect(scored(all.slice(1))).toBe(partly)
    expect(scored([...all].reverse())).toBe(partly)
    expect(scored([...all, pair('op-1', 'op-2')])).toBe(partly)
    expect(scored([pair('op-1', 'op-2', 0.12345), ...all.slice(1)])).toBe('scores are rounded to 1e-4')
  })

  it('VER-3 is refused of a type, a role or a seed that a council does not have', () => {
    const sitting = new Sitting().open()
    const by = (type: string, role: string): RecordedEvent => ({ type, agent: 'olga', role, payload: {} })
    expect(sitting.refusal(by('exchange_opened', council.CONVENER))).toMatch(/is no event of council\/1$/)
    expect(sitting.refusal(by(council.CLOSE_REQUESTED, council.CHAIR))).toBe(
      'only a convener may say close_requested',
    )
    const { opened } = sitting.inner
    const reopened = { ...by(council.OPENED, council.CONVENER), payload: opened as never }
    expect(sitting.refusal(reopened)).toBe('a council is opened once')
    const seedless = { ...reopened, payload: { ...opened, seed: 'z'.repeat(64) } as never }
    expect(new Sitting().refusal(seedless)).toBe('the seed is not 32 bytes in hex')
  })
})
