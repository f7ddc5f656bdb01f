// What a table must agree on with itself: each wrong opening or fork is refused in the words of the rule that it breaks,
// and the honest one beside it is taken.
import { describe, expect, it } from 'vitest'
import * as council from '../../test/support/all-of-council.ts'
import { opening, policy, Sitting, seat, sit } from '../../test/support/council-sitting.ts'
import { FORKED } from '../ledger/fork.ts'

const ann = seat('ann')
const ben = seat('ben')
const panel = seat('panel', { embedded: true, roles: ['participant'] })
const file = { path: 'src/a.ts', lines: 3, bytes: 33 }
const CONTEXT: council.ContextRecord = {
  kind: 'full',
  files: [file],
  excluded: {},
  bytes: 33,
  tokens: null,
  diff: null,
}
const artifact = (name: string) => ({ hash: 'ab'.repeat(32), size: 2, name, media_type: 'application/json' })
const PACK = artifact('pack.json')

const openedAs = (more: object): string | null =>
  new Sitting().refusal({
    type: council.OPENED,
    agent: 'olga',
    role: council.CONVENER,
    payload: { ...opening(), ...more } as never,
  })

describe('the seats of a council', () => {
  it.each<[string, Partial<council.CouncilOpened>]>([
    ['two seats have one name', { seats: [ann, ben, ben] }],
    ['the name of a seat is not a valid agent name', { seats: [ann, ben, seat('c/d')] }],
    ['the name of a seat is not a valid agent name', { seats: [ann, ben, seat('.cat')] }],
    ['no seat is asked for an opinion', { seats: [seat('ann', { roles: ['chair'] })] }],
    ['a chair is named twice', { chairs: ['ann', 'ann'] }],
    ['a chair is no seat that may chair', { chairs: ['ann', 'ben'] }],
    ['a chair is no seat that may chair', { chairs: ['eve'] }],
    [
      'a chair is no seat that may chair',
      { seats: [ann, ben, { ...panel, roles: ['participant', 'chair'] }], chairs: ['panel'] },
    ],
    ['there is no chair', { chairs: [] }],
    ['the table is smaller than the quorum of R1', { seats: [ann] }],
    ['the table is smaller than the quorum of R1', { seats: [ann, panel] }],
    ['the table is smaller than the quorum of R1', { policy: policy({ quorum: { r1_min: 4 } }) }],
  ])('COU-Q-1 is refused: %s', (why, more) => {
    expect(openedAs(more)).toBe(why)
  })

  it.each<[string, Partial<council.CouncilOpened>]>([
    ['two models, as many as the quorum', { seats: [ann, ben] }],
    ['a quorum of all who sit there', { policy: policy({ quorum: { r1_min: 3 } }) }],
    ['no chair, where none is required', { chairs: [], policy: policy({ quorum: { r3_required: false } }) }],
    ['checks alone, without a chair and below the quorum', { seats: [panel], chairs: [] }],
    ['a chair that gives no opinion', { seats: [ben, seat('cat'), seat('ann', { roles: ['chair'] })] }],
    ['a name of letters, digits and marks', { seats: [ann, seat('b.e_n@9-x')] }],
  ])('COU-Q-1 can be %s', (_, more) => {
    expect(openedAs(more)).toBeNull()
  })
})

describe('the context of a council', () => {
  it.each<[string, Partial<council.CouncilOpened>]>([
    ['an opening has at most one artifact: the pack', { context: CONTEXT, artifacts: [PACK, PACK] }],
    ['an opening has at most one artifact: the pack', { context: CONTEXT, artifacts: [artifact('x.json')] }],
    ['an opening has at most one artifact: the pack', { artifacts: [artifact('x.json')] }],
    ['context and pack do not go together', { context: CONTEXT }],
    ['context and pack do not go together', { artifacts: [PACK] }],
    ['a file is listed twice', { context: { ...CONTEXT, files: [file, file] }, artifacts: [PACK] }],
  ])('COU-P-1 is refused: %s', (why, more) => {
    expect(openedAs(more)).toBe(why)
  })

  it('COU-P-1 is one pack, which lists each file once', () => {
    const files = [file, { ...file, path: 'src/b.ts' }]
    expect(openedAs({ context: { ...CONTEXT, files }, artifacts: [PACK] })).toBeNull()
  })
})

describe('a member that edition 1 did not have', () => {
  const first = (more: object) => {
    const { edition: _, ...before } = opening()
    return openedAs({ ...before, edition: 1, ...more })
  }
  const { short_circuit, timeouts } = council.DEFAULT_POLICY
  const always = {
    ...short_circuit,
    conditions: { ...short_circuit.conditions, skip_r2_if: ['always'] },
  }
  const { r3_round: _, each: __, ...known } = timeouts
  const plain = { ...council.DEFAULT_POLICY, timeouts: known }

  it.each<[string, object]>([
    ['seats.prompt_chars', { seats: [ann, seat('ben', { prompt_chars: 9 })] }],
    ['seats.stance', { seats: [ann, seat('ben', { stance: 'against' })] }],
    ['seats.temperature', { seats: [ann, seat('ben', { temperature: 0 })] }],
    ['seats.thinking', { seats: [ann, seat('ben', { thinking: 'low' })] }],
    ['left_out', { left_out: [] }],
    ['scripted', { scripted: true }],
    ['portions', { portions: 2 }],
    ['unseen', { unseen: { count: 1, files: [] } }],
    ['skip_r2_if: always', { policy: { ...plain, short_circuit: always } }],
    ['policy.timeouts.r3_round', { policy: { ...plain, timeouts: { ...known, r3_round: null } } }],
    ['policy.timeouts.each', { policy: { ...plain, timeouts: { ...known, each: 5 } } }],
  ])('VER-3 is refused in it: %s', (member, more) => {
    expect(first({ policy: plain, ...more })).toBe(`${member} is not of this edition`)
    expect(openedAs(member === 'scripted' ? {} : more)).toBeNull()
  })

  it('VER-3 is the only thing refused there', () => {
    expect(first({ policy: plain })).toBeNull()
  })
})

describe('a fork', () => {
  const refusalOf = (amend: object, parent = sit().inner): string | null => {
    const sitting = new Sitting().open(parent.opened)
    return sitting.refusal({
      type: FORKED,
      agent: 'olga',
      role: council.CONVENER,
      payload: { parent: { trace: 'T', seq: 0, hash: 'ab'.repeat(32) }, amend } as never,
    })
  }

  it.each<[string, council.Amendment]>([
    ['two seats have one name', { seats: [ann, ben, seat('dan'), seat('dan')] }],
    ['a chair is no seat that may chair', { seats: [ben, seat('cat')] }],
    ['a chair is no seat that may chair', { chairs: ['ben'] }],
    ['there is no chair', { chairs: [] }],
    ['the table is smaller than the quorum of R1', { seats: [ann] }],
    ['the table is smaller than the quorum of R1', { policy: policy({ quorum: { r1_min: 4 } }) }],
    ['a seat of a known name is someone else', { seats: [ann, seat('ben', { provider: 'eve' })] }],
    ['a seat of a known name is someone else', { seats: [ann, seat('ben', { model: 'ben-2' })] }],
    ['a seat of a known name is someone else', { seats: [ann, seat('ben', { vendor: 'eve inc' })] }],
    ['a seat of a known name is someone else', { seats: [ann, { ...ben, embedded: true }] }],
    ['a retry names failures, each once', { retry: [] }],
  ])('COU-X-2 is refused: %s', (why, amend) => {
    expect(refusalOf(amend)).toBe(why)
  })

  it('COU-X-2 can give a known seat another role, and add new seats', () => {
    const seats = [seat('ann'), seat('ben', { roles: ['participant', 'chair'] }), seat('dan')]
    expect(refusalOf({ seats, chairs: ['ben'] })).toBeNull()
    expect(refusalOf({})).toBeNull()
  })

  it('APP-1 of a scripted council has scripted seats only', () => {
    const seats = ['ann', 'ben', 'cat'].map((name) => seat(name, { provider: 'scripted' }))
    const parent = new Sitting().open({ scripted: true, seats }).inner
    expect(refusalOf({}, parent)).toBeNull()
    expect(refusalOf({ seats: [...seats, seat('dan')] }, parent)).toBe(
      'a seat of a scripted demo is not scripted',
    )
  })
})
