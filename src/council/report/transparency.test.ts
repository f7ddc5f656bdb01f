// What the transparency record and the result tell of who was asked, how it went, and what was tried before.
import { describe, expect, it } from 'vitest'
import * as council from '../../../test/support/all-of-council.ts'
import { opinionAnswer, reportAnswer } from '../../../test/support/council-answers.ts'
import {
  type Question,
  type RecordedEvent,
  type ScriptedReply,
  Sitting,
  sit,
} from '../../../test/support/council-sitting.ts'
import { sha256 } from '../../stores/digest.ts'
import { councilResult } from '../council-result.ts'
import { leftOutInWords } from '../seat-ids.ts'
import { unseenInWords } from '../size/notices.ts'
import { INITIAL } from '../state.ts'

const ATTEMPT = {
  transport: 'api',
  error_type: null,
  cause: null,
  error_message: null,
  latency_ms: 1,
  waited_ms: 0,
}
const LACKING: ScriptedReply = { raw: { text: '{}' } }

const lackingOnce =
  (round: council.Round, name: string) =>
  ({ prompt, ...asked }: Question): ScriptedReply | undefined =>
    asked.round === round && asked.seat === name && !prompt.parts.some((part) => part.name === 'complete')
      ? LACKING
      : undefined

describe('the transparency record', () => {
  it('COU-O-1 says why a seat did not answer over its first transport', () => {
    const sitting = new Sitting().open()
    const tried = [
      { ...ATTEMPT, transport: 'cli', error_type: 'timeout' },
      { ...ATTEMPT, transport: 'api', error_type: 'network' },
      ATTEMPT,
    ]
    const actions = sitting.decide()
    for (const action of actions) sitting.start(action)
    for (const [i, action] of actions.entries()) {
      const { payload, ...spoken } = sitting.outcome(action)
      sitting.speak({
        ...spoken,
        payload: i === 0 ? { ...payload, attempts: tried } : payload,
      } as RecordedEvent)
    }
    const { providers = [] } = council.transparencyOf(sha256, sitting.inner, 'standard')
    expect(providers.map(({ seat, fallback_reason }) => [seat, fallback_reason])).toEqual([
      ['ann', 'cli: timeout'],
      ['ben', null],
      ['cat', null],
    ])
    expect(providers[0]).not.toHaveProperty('attempts')
    expect(providers[0]).not.toHaveProperty('event')
    const detailed = council.transparencyOf(sha256, sitting.inner, 'detailed')
    expect(detailed.providers?.[0]?.attempts).toHaveLength(3)
    expect(detailed.providers?.[1]?.event).toMatch(/\/\d+$/)
    expect(detailed.decisions).toEqual([])
  })

  it.each(['R1', 'R2', 'R3'] as const)(
    'COU-O-1 VOX-15 lists in %s an answer that lacked something before the one that completed it',
    (round) => {
      const sitting = sit({}, { says: lackingOnce(round, 'ann') })
      const { providers = [], failures } = council.transparencyOf(sha256, sitting.inner, 'standard')
      const own = providers.filter((each) => each.round === round && each.seat === 'ann')
      expect(own.map(({ status }) => status)).toEqual(['incomplete', 'answered'])
      expect(own[0]?.missing?.length).toBeGreaterThan(0)
      expect(own[1]).not.toHaveProperty('missing')
      expect(failures).toEqual([])
      expect(providers).toHaveLength(8)
      expect(sitting.closed?.rounds.map(({ total_tokens_in }) => total_tokens_in)).toEqual(
        { R1: [400, 300, 100], R2: [300, 400, 100], R3: [300, 300, 200] }[round],
      )
    },
  )

  it('COU-O-1 lists a failure of each round, and what the question begins with', () => {
    const whom = ['R1 cat', 'R2 ben', 'R3 ann']
    const says = ({ round, seat }: Question): ScriptedReply | undefined =>
      whom.includes(`${round} ${seat}`) ? { fails: 'auth' } : undefined
    const sitting = sit({ question: 'x'.repeat(300) }, { says })
    const record = council.transparencyOf(sha256, sitting.inner, 'standard')
    expect(record.failures?.map(({ round, provider }) => `${round} ${provider}`)).toEqual(whom)
    expect(record.query_start).toBe('x'.repeat(100))
    expect(record.providers?.filter(({ status }) => status === 'failed')).toHaveLength(3)
    expect(record.pack).toEqual({ kind: 'none', files: 0, bytes: 0, tokens: null, excluded: {} })
    expect(record.short_circuit.reasons.map((reason) => reason.slice(0, 9))).toEqual([
      'after R1:',
      'after R2:',
    ])
  })
})

describe('the result of a council', () => {
  it('COU-O-1 has three rounds where there is a report, and two where there is none', () => {
    const whole = councilResult(sha256, sit().inner)
    expect(whole).toMatchObject({ status: 'reported', degraded: false, reason: 'a chair reported' })
    expect(whole.rounds.map(({ round }) => round)).toEqual(['R1', 'R2', 'R3'])
    expect(whole.rounds.map(({ round_duration_ms }) => round_duration_ms > 0)).toEqual([true, true, true])
    expect(whole.report).not.toBeNull()
    const failed = councilResult(sha256, sit({}, { says: () => ({ fails: 'auth' }) }).inner)
    expect(failed).toMatchObject({ status: 'quorum_failed', degraded: false, report: null })
    expect(failed.rounds.map(({ round }) => round)).toEqual(['R1', 'R2'])
    expect(failed.rounds[1]).toMatchObject({ reviews: [], failed_providers: [], round_duration_ms: 0 })
  })

  it('COU-R3-3 is degraded where the report is not a chair’s, and says which chairs failed', () => {
    const says = ({ round }: Question): ScriptedReply | undefined =>
      round === 'R3' ? { fails: 'network' } : undefined
    const result = councilResult(sha256, sit({}, { says }).inner)
    expect(result).toMatchObject({ status: 'degraded', degraded: true })
    expect(result.rounds[2]).toMatchObject({
      chair_provider: 'none',
      failed_providers: [{ provider: 'ann', round: 'R3', error_type: 'network' }],
    })
  })

  it('COU-X-1 has no status and is not degraded while it is under way', () => {
    const open = new Sitting().open().run(({ inner }) => inner.reports.length === 1)
    const before = new Sitting().open()
    expect(councilResult(sha256, before.inner)).toMatchObject({ status: null, degraded: false, reason: '' })
    expect(councilResult(sha256, open.inner).status).toBe('reported')
    expect(() => councilResult(sha256, INITIAL)).toThrow('the opening event of this council cannot be read')
  })

  it('COU-X-3 leaves to a follow-up what was decided and what is open', () => {
    const says = ({ round }: Question): ScriptedReply | undefined =>
      round === 'R3'
        ? reportAnswer(['op-1'], 'ask', { rationale: [{ point: 'P', supported_by: ['op-1'] }] })
        : undefined
    const sitting = sit({}, { says })
    const head = { size: sitting.spoken.length, hash: 'ab'.repeat(32) }
    expect(council.followOf(sitting.inner, head)).toMatchObject({
      ...head,
      trace: sitting.trace,
      event: `${sitting.trace}/${sitting.spoken.findIndex(({ type }) => type === 'report_given')}`,
      decision: 'adopt',
      points: ['P'],
      open: ['the load'],
    })
    const degraded = sit({}, { says: ({ round }) => (round === 'R3' ? { fails: 'auth' } : undefined) })
    expect(council.followOf(degraded.inner, head)?.event).toBe(
      `${degraded.trace}/${degraded.spoken.findIndex(({ type }) => type === 'report_assembled')}`,
    )
    expect(council.followOf(new Sitting().open().inner, head)).toBeNull()
    expect(council.endOfRound(new Sitting().open().inner, 'R1')).toBeNull()
    const last = sitting.spoken.findLastIndex(({ type }) => type === 'opinion_given')
    expect(council.endOfRound(sitting.inner, 'R1')).toEqual({ trace: sitting.trace, seq: last })
  })
})

describe('the texts about what was left out', () => {
  it('APP-1 names seats by reason, each reason once', () => {
    const left = (seat: string, reason: string) => ({ seat, reason })
    expect(
      leftOutInWords([left('a', 'no key'), left('b', 'offline'), left('c', 'no key'), left('d', 'no key')]),
    ).toEqual([
      { seats: 'a, c and d', isOne: false, reason: 'no key' },
      { seats: 'b', isOne: true, reason: 'offline' },
    ])
    expect(leftOutInWords([left('a', 'x'), left('b', 'x')])[0]?.seats).toBe('a and b')
  })

  it('COU-P-4 names the first files, and how much of each is shown', () => {
    const files = Array.from({ length: 9 }, (_, i) => ({ path: `${i}.ts`, shown: 'part' as const }))
    expect(unseenInWords({ count: 9, files })).toMatch(/: 0\.ts \(in part\), .*7\.ts \(in part\) and 1 more$/)
    expect(unseenInWords({ count: 1, files: [{ path: 'a', shown: 'outline' }] })).toBe(
      'No seat was shown all of 1 file: a (in outline)',
    )
    expect(unseenInWords({ count: 8, files: files.slice(0, 8) })).not.toContain('more')
  })
})

describe('the time and cost of a council', () => {
  it('COU-O-1 count tokens as unknown if one of the two numbers is missing', () => {
    const sitting = new Sitting({
      says: ({ round }) => (round === 'R1' ? opinionAnswer() : undefined),
    }).open()
    const actions = sitting.decide()
    for (const action of actions) sitting.start(action)
    for (const [i, action] of actions.entries()) {
      const { payload, ...spoken } = sitting.outcome(action)
      const unknown = [{ input_tokens: null }, { output_tokens: null }, {}][i]
      sitting.speak({ ...spoken, payload: { ...payload, ...unknown } } as RecordedEvent)
    }
    expect(sitting.run().closed?.rounds[0]).toMatchObject({
      total_tokens_in: 200,
      total_tokens_out: 20,
      tokens_unknown_calls: 2,
    })
  })
})
