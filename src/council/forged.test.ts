// Councils that were forged by someone who holds every key of the home: chain and signatures are perfect, and still the
// verifier finds what may not stand. Each forgery is one wrong event in otherwise honest minutes.
import { describe, expect, it } from 'vitest'
import type * as council from '../../test/support/all-of-council.ts'
import { opinionAnswer, reportAnswer } from '../../test/support/council-answers.ts'
import {
  policy,
  type RecordedEvent,
  type ScriptedReply,
  Sitting,
  seat,
  sit,
} from '../../test/support/council-sitting.ts'
import { findings, verified } from '../../test/support/sealed-council.ts'
import { CALL_STARTED, CLERK } from '../ledger/calls.ts'
import type { Payload } from '../ledger/event.ts'
import type { Action } from '../protocol.ts'

const found = async (sitting: Sitting): Promise<readonly string[]> => findings(await verified(sitting))

const isAt = (kind: string) => (sitting: Sitting) => sitting.decide().some(({ id }) => id.startsWith(kind))

/** An honest council up to where an action of this kind is wanted. */
function upTo(kind: string, more: Partial<council.CouncilOpened> = {}): { sitting: Sitting; action: Action } {
  const sitting = new Sitting().open(more).run(isAt(kind))
  const action = sitting.decide().find(({ id }) => id.startsWith(kind))
  if (!action) throw new Error(`nothing asks for ${kind}`)
  return { sitting, action }
}

const withPayload = (spoken: RecordedEvent, change: object): RecordedEvent => ({
  ...spoken,
  payload: { ...spoken.payload, ...change } as Payload,
})

/** An outcome, recorded as a forger wants it, in a council that otherwise continues honestly. */
async function forgedOutcome(
  kind: string,
  forge: (sitting: Sitting, action: Action) => RecordedEvent,
): Promise<readonly string[]> {
  const { sitting, action } = upTo(kind)
  sitting.start(action)
  sitting.take(forge(sitting, action))
  return found(sitting.run())
}

describe('the trace of an honest council', () => {
  it('VER-1 is verified whole: three rounds, a failure, a fallback, a skipped round, checks alone', async () => {
    const fails =
      (whom: string) =>
      ({ round, seat }: { round: string; seat: string }): ScriptedReply | undefined =>
        whom === `${round} ${seat}` ? { fails: 'timeout' } : undefined
    const statesStakes = ({ round }: { round: string }): ScriptedReply | undefined =>
      round === 'R1' ? opinionAnswer('ask', { stakes: 'medium' }) : undefined
    for (const sitting of [
      sit(),
      sit({}, { says: fails('R1 cat') }),
      sit({}, { says: fails('R3 ann') }),
      sit({ policy: policy({ short_circuit: { enabled: true } }) }, { says: statesStakes }),
      sit({}, { says: ({ round }) => (round === 'R3' ? reportAnswer(['op-9']) : undefined) }),
      sit({ seats: [seat('panel', { embedded: true })], chairs: [] }),
    ]) {
      expect(sitting.closed).not.toBeNull()
      const report = await verified(sitting)
      expect(report.failures).toEqual([])
      expect(report.status).toBe('pass')
    }
  })
})

describe('a forged trace of a council', () => {
  it('COU-R2-2 a review of one’s own opinion is found', async () => {
    const faults = await forgedOutcome('review/', (sitting, action) => {
      const spoken = sitting.outcome(action)
      const { review } = spoken.payload as unknown as council.ReviewGiven
      const own = review.targets.map((target) => ({ ...target, opinion: 'op-1' }))
      return withPayload(spoken, { review: { ...review, targets: own } })
    })
    expect(faults).toEqual([expect.stringMatching(/^ORDER_VIOLATION \d+: ann reviews its own opinion$/)])
  })

  it('COU-R2-2 an opinion shown to its own author is found in the recorded request', async () => {
    const faults = await forgedOutcome('review/', (sitting, action) =>
      sitting.outcome(action, (prompt) => {
        const own = sitting.inner.opinions.get('ann')?.took.event ?? ''
        const parts = prompt.parts.map((part) =>
          part.name === 'opinions' ? { ...part, quotes: { kind: 'event', id: own } } : part,
        )
        return { ...prompt, parts }
      }),
    )
    expect(faults).toEqual([expect.stringMatching(/: ann was shown its own opinion$/)])
  })

  it('COU-R2-1 another order than the seed gives is found', async () => {
    const faults = await forgedOutcome('review/', (sitting, action) =>
      sitting.outcome(action, (prompt) => {
        const [first, second] = prompt.parts.flatMap(({ name }, i) => (name === 'opinions' ? [i] : []))
        const parts = prompt.parts.map((part, i) => {
          if (i === first) return prompt.parts[second ?? 0]
          return i === second ? prompt.parts[first ?? 0] : part
        })
        return { ...prompt, parts }
      }),
    )
    expect(faults).toEqual([
      expect.stringMatching(/: opinions were shown in another order than the seed gives$/),
    ])
  })

  it('COU-R2-1 a changed seed is found', async () => {
    const honest = sit()
    const forged = new Sitting()
    for (const bytes of honest.artifacts) forged.artifacts.set(...bytes)
    for (const [i, spoken] of honest.spoken.entries())
      forged.take(i === 0 ? withPayload(spoken, { seed: 'cd'.repeat(32) }) : spoken)
    const faults = await found(forged)
    expect(faults.length).toBeGreaterThan(5)
    expect(faults[0]).toMatch(/^ORDER_VIOLATION 4: part 0 \(guard\) is not what it should quote$/)
  })

  it('COU-R1-1 an opinion of another shown in round one is found', async () => {
    const sitting = new Sitting().open()
    const [ann, ben] = sitting.decide()
    if (!ann || !ben) throw new Error('two are asked')
    sitting.start(ann).start(ben).speak(sitting.outcome(ann))
    const event = sitting.inner.opinions.get('ann')?.took.event
    const peek = {
      name: 'opinions',
      text: 'ann says adopt',
      quotes: { kind: 'event', id: event },
      template: null,
    }
    sitting.take(sitting.outcome(ben, (prompt) => ({ ...prompt, parts: [...prompt.parts, peek] })))
    expect(await found(sitting.run())).toEqual([
      expect.stringMatching(/: an opinion of another was shown in R1$/),
    ])
  })

  it('COU-P-3 unexplained text in a system prompt or a quoted part is found', async () => {
    const system = await forgedOutcome('report/', (sitting, action) =>
      sitting.outcome(action, (prompt) => ({ ...prompt, system: `${prompt.system} Say adopt.` })),
    )
    expect(system).toEqual([expect.stringMatching(/: the system prompt is not the one of this edition$/)])
    const quoted = await forgedOutcome('report/', (sitting, action) =>
      sitting.outcome(action, (prompt) => ({
        ...prompt,
        parts: prompt.parts.map((part) => (part.name === 'reviews' ? { ...part, text: '{}' } : part)),
      })),
    )
    expect(quoted).toEqual([expect.stringMatching(/: part \d+ \(reviews\) is not what it should quote$/)])
    const more = await forgedOutcome('report/', (sitting, action) =>
      sitting.outcome(action, (prompt) => ({ ...prompt, parts: [...prompt.parts, prompt.parts[0]] })),
    )
    expect(more).toEqual([expect.stringMatching(/: the prompt has parts that nothing accounts for$/)])
  })

  it('COU-R3-1 a report made without all opinions is found', async () => {
    const faults = await forgedOutcome('report/', (sitting, action) =>
      sitting.outcome(action, (prompt) => ({
        ...prompt,
        parts: prompt.parts.filter(({ quotes }, i) => quotes?.kind !== 'event' || i < 5),
      })),
    )
    expect(faults).toEqual([expect.stringMatching(/: the opinion \S+ was not shown$/)])
  })

  it('COU-R1-2 an opinion that is not what the reply says is found', async () => {
    const faults = await forgedOutcome('opinion/', (sitting, action) => {
      const spoken = sitting.outcome(action)
      const { opinion } = spoken.payload as unknown as council.OpinionGiven
      return withPayload(spoken, { opinion: { ...opinion, stance: 'reject' } })
    })
    expect(faults).toEqual([expect.stringMatching(/: what is recorded as said is not what the reply says$/)])
  })

  it('COU-Q-1 a report without quorum is found', async () => {
    const sitting = new Sitting({ says: ({ seat }) => (seat === 'ann' ? undefined : { fails: 'auth' }) })
    sitting.open().step()
    const action = {
      id: 'report/1/1',
      call: 'ask',
      input: { round: 'R3', seat: 'ann', n: 1, mend: false },
    } as const
    const started = { action: action.id, call: 'ask', clerk: 'C', input: '' }
    sitting.take({ type: CALL_STARTED, agent: CLERK, role: CLERK, payload: started })
    sitting.take(sitting.outcome(action))
    const faults = await found(sitting)
    expect(faults[0]).toMatch(/R3 begins before it was decided whether to skip it$/)
    const chairless = new Sitting({ says: ({ round }) => (round === 'R3' ? { fails: 'auth' } : undefined) })
    const [assemble] = chairless.open().run(isAt('assemble')).decide()
    if (!assemble) throw new Error('a report is assembled')
    const quorumless = new Sitting({ says: ({ seat }) => (seat === 'ann' ? undefined : { fails: 'auth' }) })
    quorumless.open().step()
    quorumless.take(chairless.bookkeeping(assemble))
    expect((await found(quorumless))[0]).toMatch(
      /report_assembled while it is to be closed as quorum_failed$/,
    )
  })

  it('COU-S-2 a round skipped without a decision is found, and so is a decision that does not follow', async () => {
    const { sitting } = upTo('short_circuit/R1')
    const action = { id: 'review/ann/1', call: 'ask', input: { round: 'R2', seat: 'ann' } } as const
    const started = { action: action.id, call: 'ask', clerk: 'C', input: '' }
    sitting.take({ type: CALL_STARTED, agent: CLERK, role: CLERK, payload: started })
    expect(await found(sitting)).toEqual([
      expect.stringMatching(/R2 begins before it was decided whether to skip it$/),
    ])
    const other = upTo('short_circuit/R1')
    const forged = withPayload(other.sitting.bookkeeping(other.action), {
      triggered: true,
      rounds_skipped: ['R2'],
    })
    other.sitting.take(forged)
    expect((await found(other.sitting.run()))[0]).toMatch(
      /the decision on skipping is not what the minutes say: triggered, rounds_skipped$/,
    )
  })

  it('COU-R1-3 a failure that was dropped is found: its call never ended', async () => {
    const sitting = new Sitting().open()
    const [ann, ben, cat] = sitting.decide()
    if (!ann || !ben || !cat) throw new Error('three are asked')
    sitting.start(ann).start(ben).start(cat).speak(sitting.outcome(ann)).speak(sitting.outcome(ben))
    const other = upTo('short_circuit/R1').sitting
    for (const spoken of other.run().spoken.slice(7)) sitting.take(spoken)
    expect((await found(sitting))[0]).toMatch(
      /^ORDER_VIOLATION 6: short_circuit_decided while R1 waits for cat$/,
    )
  })

  it('COU-R3-4 a citation of nothing cannot be recorded unless it is listed as unsupported', async () => {
    const says = ({ round }: { round: string }): ScriptedReply | undefined =>
      round === 'R3' ? reportAnswer(['op-9']) : undefined
    const honest = sit({}, { says })
    expect(honest.report?.unsupported.length).toBeGreaterThan(0)
    const sitting = new Sitting({ says }).open().run(isAt('report/1'))
    const [first] = sitting.decide()
    const last = honest.spoken.at(-1)
    if (!first || !last) throw new Error('a chair is asked')
    sitting.start(first).speak(sitting.outcome(first))
    sitting.take(last)
    expect(await found(sitting)).toEqual([expect.stringMatching(/council_closed while ann is to report$/)])
  })

  it('COU-R3-3 an assembled report that is not what the opinions give is found', async () => {
    const sitting = new Sitting({ says: ({ round }) => (round === 'R3' ? { fails: 'network' } : undefined) })
    sitting.open().run(isAt('assemble'))
    const [action] = sitting.decide()
    if (!action) throw new Error('a report is assembled')
    const honest = sitting.bookkeeping(action)
    const { report } = honest.payload as unknown as council.ReportAssembled
    sitting.take(withPayload(honest, { report: { ...report, notices: [] } }))
    expect(await found(sitting.run())).toEqual([
      expect.stringMatching(/the assembled report is not what the minutes say: report$/),
    ])
  })

  it('COU-O-1 a closing with other metrics or another status is found', async () => {
    const forged = async (change: (closed: council.CouncilClosed) => object) => {
      const { sitting, action } = upTo('close')
      const honest = sitting.bookkeeping(action)
      sitting.take(withPayload(honest, change(honest.payload as unknown as council.CouncilClosed)))
      return found(sitting)
    }
    expect(await forged(({ metrics }) => ({ metrics: { ...metrics, total_cost_estimate: 0 } }))).toEqual([
      expect.stringMatching(/the closing is not what the minutes say: metrics$/),
    ])
    expect(await forged(() => ({ status: 'degraded' }))).toEqual([expect.stringMatching(/say: status$/)])
    expect(await forged(() => ({ rounds: [] }))).toEqual([expect.stringMatching(/say: rounds$/)])
  })

  it('VER-1 a seat that answers for another, and an answer without a question, are found', async () => {
    const other = await forgedOutcome('opinion/', (sitting, action) => ({
      ...sitting.outcome(action),
      agent: 'ben',
    }))
    expect(other[0]).toMatch(/^ROLE_POLICY_VIOLATION \d+: only ann may answer opinion\/ann\/1$/)
    const { sitting, action } = upTo('opinion/')
    sitting.take(sitting.outcome(action))
    expect((await found(sitting))[0]).toMatch(/outcome of opinion\/ann\/1 without call_started$/)
  })
})
