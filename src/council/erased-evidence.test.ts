// What an erasure may explain, and no more: a forged event is refused with the kinds of events that, once erased, could be
// why it seems out of place. Where none of them was erased, the forgery is found.
import { describe, expect, it } from 'vitest'
import * as council from '../../test/support/all-of-council.ts'
import { reportAnswer } from '../../test/support/council-answers.ts'
import {
  policy,
  protocol,
  type RecordedEvent,
  type Script,
  Sitting,
  sit,
} from '../../test/support/council-sitting.ts'
import { erasedOpinions, erasedReviews, lackOpinions, lackReviews } from './erased-evidence.ts'

const wants = (kind: string) => (sitting: Sitting) => sitting.decide().some(({ id }) => id.startsWith(kind))

/** An honest council up to here, of which events of one type are erased; `nth` for one of them alone. */
function erased(
  type: string,
  kind: string,
  more: Partial<council.CouncilOpened> = {},
  script: Script = {},
  nth?: number,
) {
  const whole = new Sitting(script).open(more).run(wants(kind))
  const left = new Sitting(script)
  let seen = 0
  for (const spoken of whole.spoken) {
    const isGone = spoken.type === type && (nth === undefined || nth === seen++)
    left.take(isGone ? { ...spoken, payload: null as never } : spoken)
  }
  return left
}

/** Kinds that could be why, by the refusal of what is said next. */
function lacks(sitting: Sitting, spoken: RecordedEvent): readonly string[] | null {
  const refusal = protocol.refuse(sitting.state, sitting.occurrence(spoken))
  if (!refusal) return null
  const kinds = (refusal.lacks ?? []).flatMap((lack) => (typeof lack === 'string' ? [lack] : lack.types))
  return [...new Set(kinds)].sort()
}

const CLOSED = sit().spoken.at(-1) as RecordedEvent
const PAID = [
  ...['opinion_failed', 'opinion_given', 'opinion_incomplete', 'report_failed', 'report_given'],
  ...['report_incomplete', 'review_failed', 'review_given', 'review_incomplete'],
]
const OPINIONS = ['opinion_given', 'opinion_incomplete', 'opinion_joined']
const ON = policy({ short_circuit: { enabled: true } })
const BUDGET = policy({ budget: { cost: 9 } })
const none = 'nothing_is_erased'

describe('a round that closes too early', () => {
  it.each<[string, string, Partial<council.CouncilOpened>, string, readonly string[]]>([
    ['nobody was asked yet', 'opinion/', {}, none, []],
    ['a budget may be used up', 'opinion/', { policy: BUDGET }, none, PAID],
    ['all opinions are there', 'short_circuit/R1', {}, none, []],
    ['opinions cannot be read', 'short_circuit/R1', {}, 'opinion_given', OPINIONS],
    ['reviews are to come', 'review/', {}, none, []],
    [
      'whether they are skipped cannot be read',
      'review/',
      {},
      'short_circuit_decided',
      ['short_circuit_decided'],
    ],
    ['a chair is to report', 'report/', {}, none, []],
    [
      'scores are to come',
      'score/',
      { policy: policy({ short_circuit: { embeddings: true } }) },
      none,
      ['agreement_scored'],
    ],
  ])(
    'LED-14 is explained if %s by erased events that could have ended the council there',
    (_, kind, more, type, kinds) => {
      expect(lacks(erased(type, kind, more), CLOSED)).toEqual(kinds)
    },
  )

  it('LED-14 is explained in a round that has begun only by its own closing: the round was not skipped', () => {
    const open = erased('short_circuit_decided', 'review/')
    for (const action of open.decide().slice(0, 1)) open.start(action)
    expect(lacks(open, CLOSED)).toEqual(['round_closed'])
    const first = new Sitting().open()
    for (const action of first.decide().slice(0, 1)) first.start(action)
    expect(lacks(first, CLOSED)).toEqual(['round_closed'])
  })

  it('LED-14 is explained after both rounds by erased opinions and costs', () => {
    expect(lacks(erased(none, 'short_circuit/R2'), CLOSED)).toEqual([])
    expect(lacks(erased('opinion_given', 'short_circuit/R2'), CLOSED)).toEqual(OPINIONS)
    expect(lacks(erased(none, 'short_circuit/R2', { policy: BUDGET }), CLOSED)).toEqual(PAID)
  })

  it('LED-14 is explained while a report is corrected also by what its citations could name', () => {
    const says: Script = { says: ({ round }) => (round === 'R3' ? reportAnswer(['op-9']) : undefined) }
    expect(lacks(erased('opinion_given', 'report/2', {}, says, 0), CLOSED)).toEqual([
      ...OPINIONS,
      'round_closed',
    ])
    expect(lacks(erased('review_given', 'report/2', {}, says, 0), CLOSED)).toEqual([
      'review_given',
      'review_incomplete',
      'round_closed',
    ])
    expect(lacks(erased('opinion_given', 'report/1', {}, says, 0), CLOSED)).toEqual([])
  })
})

describe('a closing with other content', () => {
  const closing = (sitting: Sitting, change: object): RecordedEvent => {
    const [action] = sitting.decide()
    if (!action) throw new Error('it is not to be closed')
    const honest = sitting.bookkeeping(action)
    return { ...honest, payload: { ...honest.payload, ...change } as never }
  }

  it('LED-14 is explained in its counts by any erased outcome, and in its status by none', () => {
    const sitting = erased('review_given', 'close', {}, {}, 0)
    expect(lacks(sitting, closing(sitting, { rounds: [] }))).toEqual([...PAID, 'opinion_joined'].sort())
    expect(lacks(sitting, closing(sitting, { metrics: {} }))).toEqual([...PAID, 'opinion_joined'].sort())
    expect(lacks(sitting, closing(sitting, { status: 'degraded' }))).toEqual([])
    expect(lacks(sitting, closing(sitting, { status: 'degraded', rounds: [] }))).toEqual([])
  })

  it('LED-14 is explained where no quorum was reached by opinions that cannot be read', () => {
    const fails: Script = { says: ({ seat }) => (seat === 'ann' ? undefined : { fails: 'auth' }) }
    const sitting = erased('opinion_given', 'close', {}, fails)
    expect(lacks(sitting, closing(sitting, { status: 'reported' }))).toEqual(OPINIONS)
    const whole = erased(none, 'close', {}, fails)
    expect(lacks(whole, closing(whole, { status: 'reported' }))).toEqual([])
    const dear = erased(none, 'close', { policy: policy({ budget: { cost: 9 } }) }, fails)
    expect(lacks(dear, closing(dear, { status: 'reported' }))).toEqual(PAID)
  })

  it('LED-14 is explained where the convener’s reason cannot be read by that reason', () => {
    const asked = new Sitting().open()
    asked.say(council.CLOSE_REQUESTED, 'olga', council.CONVENER, { reason: 'enough' })
    const left = new Sitting()
    for (const spoken of asked.spoken)
      left.take(spoken.type === council.CLOSE_REQUESTED ? { ...spoken, payload: null as never } : spoken)
    expect(lacks(left, closing(left, { reason: 'enough' }))).toEqual(['close_requested'])
    expect(lacks(asked, closing(asked, { reason: 'another' }))).toEqual([])
  })
})

const bent = (sitting: Sitting, change: (payload: Record<string, unknown>) => object): RecordedEvent => {
  const [action] = sitting.decide()
  if (!action) throw new Error('nothing is to be recorded')
  const honest = sitting.bookkeeping(action)
  return { ...honest, payload: { ...honest.payload, ...change(honest.payload as never) } as never }
}

describe('a decision or a report with other content', () => {
  const budget = ({ criteria }: Record<string, unknown>) => ({
    criteria: {
      ...(criteria as object),
      budget: { cost_at_least: 5, cost_unknown_calls: 0, minutes: 0, used: null },
    },
  })

  it('LED-14 is explained in its budget by costs, and otherwise by the events it relies on', () => {
    const sitting = erased(none, 'short_circuit/R1', { policy: ON })
    expect(lacks(sitting, bent(sitting, budget))).toEqual(PAID)
    expect(
      lacks(
        sitting,
        bent(sitting, () => ({ triggered: true })),
      ),
    ).toEqual([])
    const unread = erased('opinion_given', 'short_circuit/R1', { policy: ON }, {}, 0)
    expect(
      lacks(
        unread,
        bent(unread, () => ({ triggered: true })),
      ),
    ).toEqual(OPINIONS)
    const later = erased('review_given', 'short_circuit/R2')
    expect(
      lacks(
        later,
        bent(later, () => ({ triggered: true })),
      ),
    ).toEqual(['review_given', 'review_incomplete'])
    const before = erased('opinion_given', 'short_circuit/R1', {}, {}, 0)
    expect(
      lacks(
        before,
        bent(before, (payload) => ({ ...budget(payload), triggered: true })),
      ),
    ).toEqual(OPINIONS)
  })

  it('LED-14 is explained in an assembled report by any outcome, and by a decision that cannot be read', () => {
    const silent: Script = { says: ({ round }) => (round === 'R3' ? { fails: 'auth' } : undefined) }
    const sitting = erased(none, 'assemble', {}, silent)
    const other = ({ report }: Record<string, unknown>) => ({
      report: { ...(report as object), notices: [] },
    })
    expect(lacks(sitting, bent(sitting, other))).toEqual([...PAID, 'opinion_joined'].sort())
    const unread = erased('short_circuit_decided', 'assemble', {}, silent)
    expect(lacks(unread, bent(unread, other))).toContain('short_circuit_decided')
  })

  it('LED-14 is explained in a review of no one’s opinion by the erased words of that seat alone', () => {
    const sitting = erased('opinion_given', 'review/', {}, {}, 1)
    const action = sitting.decide().find(({ id }) => id.startsWith('review/ann'))
    if (!action) throw new Error('ann is not asked')
    const spoken = sitting.start(action).outcome(action)
    const { review } = spoken.payload as unknown as council.ReviewGiven
    const of = (opinion: string): RecordedEvent => ({
      ...spoken,
      payload: {
        ...spoken.payload,
        review: { ...review, targets: review.targets.map((each) => ({ ...each, opinion })) },
      } as never,
    })
    expect(lacks(sitting, of('op-2'))).toEqual(OPINIONS)
    expect(lacks(sitting, of('op-9'))).toEqual([])
    expect(lacks(sitting, of('op-3'))).toBeNull()
  })
})

describe('the content of an erased answer', () => {
  const took = { event: 'T/1' }
  const failed = { ok: false, failure: null, took }
  const lacking = (event: string, round: string, seat: string, raw: string | null) => ({
    event,
    round,
    seat,
    raw,
  })
  const state = {
    opinions: new Map<string, unknown>([
      ['ann', { ok: true, answer: null, took: { event: 'T/3' } }],
      ['ben', failed],
      ['cat', { ok: true, answer: {}, took }],
      ['dan', failed],
    ]),
    incomplete: [
      lacking('T/4', 'R1', 'ben', null),
      lacking('T/5', 'R1', 'ben', 'ab'),
      lacking('T/6', 'R2', 'ben', null),
      lacking('T/7', 'R1', 'cat', null),
      lacking('T/8', 'R1', 'dan', 'cd'),
    ],
    reviews: new Map<string, unknown>([
      ['ann', failed],
      ['ben', { ok: true, answer: null, took: { event: 'T/9' } }],
      ['cat', { ok: true, answer: {}, took }],
    ]),
  } as unknown as council.CouncilState

  it('LED-14 may have been an opinion if its text is erased, or if it was the first answer of a seat without a later one', () => {
    expect(erasedOpinions(state)).toEqual([
      { seat: 'ann', event: 'T/3' },
      { seat: 'ben', event: 'T/4' },
    ])
    expect(erasedReviews(state)).toEqual([{ seat: 'ben', event: 'T/9' }])
  })

  it('LED-14 explains nothing if nothing was erased, and otherwise only the answers of those seats', () => {
    expect([lackOpinions([]), lackReviews([])]).toEqual([[], []])
    expect(lackOpinions(erasedOpinions(state))).toEqual([{ types: OPINIONS, by: ['ann', 'ben'] }])
    expect(lackReviews(erasedReviews(state))).toEqual([
      { types: ['review_given', 'review_incomplete'], by: ['ben'] },
    ])
  })
})

describe('an ending over an assembled report', () => {
  it('LED-14 is explained by a decision that cannot be read, and by costs only where there is a budget', () => {
    const silent: Script = { says: ({ round }) => (round === 'R3' ? { fails: 'auth' } : undefined) }
    const other = () => ({ status: 'closed_early', reason: 'enough' })
    const ending = (type: string, more: Partial<council.CouncilOpened> = {}) => {
      const sitting = erased(type, 'close', more, silent)
      return lacks(sitting, bent(sitting, other))
    }
    expect(ending(none)).toEqual([])
    expect(ending('short_circuit_decided')).toEqual(['short_circuit_decided'])
    expect(ending(none, { policy: BUDGET })).toEqual(PAID)
  })
})
