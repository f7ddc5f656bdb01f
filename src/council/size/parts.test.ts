// Round one in parts: the same for every seat, joined by rule, and a length that is refused asked for once more, shorter.
import { describe, expect, it } from 'vitest'
import * as council from '../../../test/support/all-of-council.ts'
import { askedFinding, opinionAnswer, reviewAnswer, target } from '../../../test/support/council-answers.ts'
import { about, context, FILES, openInParts, PARTS, partOf } from '../../../test/support/council-parts.ts'
import {
  type Question,
  type ScriptedReply,
  Sitting,
  seat,
  sit,
} from '../../../test/support/council-sitting.ts'
import { findings, verified } from '../../../test/support/sealed-council.ts'
import { FORKED } from '../../ledger/fork.ts'
import { renderPrompt } from '../../ledger/prompt.ts'

const heldWith = (
  says: (question: Question) => ScriptedReply | undefined,
  more: Partial<council.CouncilOpened> = {},
) => openInParts(says, more).run()

describe('a council whose round one is asked in parts', () => {
  it('COU-P-4 shows every seat the same parts, one prompt for all, and each file in one of them', async () => {
    const sitting = heldWith(about)
    const first = sitting.asked.filter(({ round }) => round === 'R1')
    expect(first).toHaveLength(9)
    for (const part of ['1', '2', '3']) {
      const prompts = first
        .filter((each) => partOf(each) === part)
        .map(({ prompt }) => renderPrompt(prompt.parts))
      expect(prompts).toHaveLength(3)
      expect(new Set(prompts).size).toBe(1)
      expect(prompts[0]).toContain(`part ${part} of 3`)
      expect(FILES.filter((path) => prompts[0]?.includes(`code of ${path}`))).toEqual([
        FILES[Number(part) - 1],
      ])
    }
    expect(findings(await verified(sitting))).toEqual([])
  })

  it('COU-P-4 joins the answers of a seat by rule: all findings, the worst stance, the lowest confidence', () => {
    const sitting = heldWith(about)
    for (const opinion of council.opinionsOf(sitting.inner)) {
      expect(opinion).toMatchObject({ stance: 'reject', confidence: 'medium' })
      expect(opinion.findings.map(({ file }) => file)).toEqual(FILES)
      expect(opinion.usage).toEqual({ input_tokens: 300, output_tokens: 30 })
    }
    expect(sitting.closed?.status).toBe('reported')
    expect(sitting.closed?.metrics.calls).toBe(9 + 3 + 1)
    expect(sitting.closed?.rounds[0]).toMatchObject({ total_tokens_in: 900, providers_succeeded: 3 })
  })

  it('COU-P-2 COU-P-4 brings the important points of any part to the chair, in condensed form', () => {
    const trifles = Array.from({ length: 40 }, (_, i) =>
      askedFinding({ severity: 'low', line: i + 1, description: `trifle ${i} `.repeat(20) }),
    )
    const planted = (question: Question): ScriptedReply | undefined => {
      const { round, seat: name, labels } = question
      if (round === 'R1') {
        const found = {
          1: trifles,
          2: [
            ...trifles,
            askedFinding({ severity: 'critical', file: 'src/b.ts', description: `FLOOD by ${name}` }),
          ],
          3: [
            askedFinding({ severity: 'medium', file: 'src/c.ts', description: `FALSE by ${name}` }),
            ...trifles,
          ],
        }[partOf(question)]
        return opinionAnswer('review', { stance: name === 'cat' ? 'adopt' : 'reject', findings: found ?? [] })
      }
      const dispute = { topic: `DISPUTE of ${name}`, their_position: 'a', own_position: 'b', why: 'c' }
      return round === 'R2'
        ? reviewAnswer(labels, 'review', {
            targets: labels.map((label) => target(label, 'review', { disagreement_points: [dispute] })),
          })
        : undefined
    }
    const seats = ['ann', 'ben', 'cat'].map((name) => seat(name, { prompt_chars: 40_000 }))
    const sitting = heldWith(planted, { seats })
    const chair = sitting.asked.find(({ round }) => round === 'R3')
    const text = renderPrompt(chair?.prompt.parts ?? [])
    expect(text).toContain('_left_out')
    for (const name of ['ann', 'ben', 'cat'])
      for (const what of ['FLOOD by', 'FALSE by', 'DISPUTE of']) expect(text).toContain(`${what} ${name}`)
    const stances = [...text.matchAll(/"stance": *"(\w+)"/g)].map(([, stance]) => stance)
    expect(stances.sort()).toEqual(['adopt', 'reject', 'reject'])
    for (const path of FILES.slice(1)) expect(text).toContain(`code of ${path}`)
  })

  it('COU-P-4 refuses a joined answer that does not follow from the answers, and one by another seat', () => {
    const sitting = openInParts(about)
    sitting.run(({ inner }) => inner.parts.size === 9)
    const [join] = sitting.decide().filter(({ id }) => id.startsWith('join/'))
    if (!join) throw new Error('nothing is to be joined')
    const spoken = sitting.bookkeeping(join)
    expect(sitting.refusal(spoken)).toBeNull()
    const opinion = { ...council.joinedNow(sitting.inner, 'ann').opinion, stance: 'adopt' }
    expect(sitting.refusal({ ...spoken, payload: { ...spoken.payload, opinion } as never })).toContain(
      'the joined opinion is not what the minutes say: opinion',
    )
    expect(sitting.refusal({ ...spoken, agent: 'ben' })).toBe('only ann may join its answers')
  })

  it('COU-P-4 keeps a seat that failed at one part, says so at the top of the report, and can ask that part again', async () => {
    const fails = (question: Question): ScriptedReply | undefined =>
      question.seat === 'ben' && partOf(question) === '2' ? { fails: 'timeout' } : about(question)
    const sitting = heldWith(fails)
    const ben = council.opinionsOf(sitting.inner).find((opinion) => opinion.seat === 'ben')
    expect(ben).toMatchObject({ stance: 'adopt' })
    expect(ben?.findings.map(({ file }) => file)).toEqual(['src/a.ts', 'src/c.ts'])
    expect(sitting.report?.notices[0]).toBe('ben gave no answer to part 2 of 3')
    expect(findings(await verified(sitting))).toEqual([])

    const event = sitting.inner.opinions.get('ben')?.took.event ?? ''
    const fork = new Sitting({
      pack: { parts: PARTS, condensed: [] },
      says: about,
    })
    for (const spoken of sitting.spoken.slice(0, -1)) fork.take(spoken)
    fork.take({
      type: FORKED,
      agent: 'olga',
      role: 'convener',
      payload: { parent: {}, amend: { retry: [event] } } as never,
    })
    fork.run()
    expect(fork.asked.map(({ round, seat: name, action }) => [round, name, action])).toEqual([
      ['R1', 'ben', 'opinion/ben/p2/1'],
      ['R3', 'ann', 'report/2/1'],
    ])
    const again = council.opinionsOf(fork.inner).find((opinion) => opinion.seat === 'ben')
    // What is answered later comes last, so that what reviews say of the others still holds.
    expect(again?.findings.map(({ file }) => file)).toEqual(['src/a.ts', 'src/c.ts', 'src/b.ts'])
    expect(fork.report?.notices.filter((notice) => notice.includes('part'))).toEqual([
      expect.stringContaining('departs from the majority'),
    ])
  })

  it('COU-P-4 asks a seat for no more parts after two failed, and counts it as failed if it answered none', () => {
    const sitting = heldWith((question) => (question.seat === 'cat' ? { fails: 'auth' } : about(question)))
    const cat = sitting.asked.filter(({ round, seat: name }) => round === 'R1' && name === 'cat')
    expect(cat).toHaveLength(2)
    expect(council.r1Result(sitting.inner).failed_providers).toMatchObject([
      { provider: 'cat', error_type: 'auth' },
    ])
    expect(sitting.closed?.status).toBe('reported')
  })

  it('COU-P-4 joins the answers that exist when the round is closed', () => {
    const sitting = openInParts(about)
    sitting.run(({ inner }) => inner.parts.size === 3)
    const [next] = sitting.decide()
    if (!next) throw new Error('nobody is asked')
    sitting.start(next)
    sitting.say(council.ROUND_CLOSED, 'clerk', 'clerk', { round: 'R1', reason: 'timeout' })
    sitting.speak(sitting.outcome(next))
    sitting.run()
    expect(council.opinionsOf(sitting.inner)).toHaveLength(3)
    expect(sitting.report?.notices.slice(0, 3)).toEqual([
      'ann gave no answer to part 3 of 3',
      'ben gave no answer to parts 2, 3 of 3',
      'cat gave no answer to parts 2, 3 of 3',
    ])
  })

  it('COU-P-4 completes an answer to one part by itself', async () => {
    const half = (question: Question): ScriptedReply | undefined =>
      question.seat === 'ben' && partOf(question) === '2' && !question.action.includes('/mend')
        ? { raw: { text: '{"summary": "no stance"}' } }
        : about(question)
    const sitting = heldWith(half)
    expect(sitting.asked.map(({ action }) => action)).toContain('opinion/ben/p2/mend/1')
    expect(findings(await verified(sitting))).toEqual([])
  })

  it('COU-P-4 says at the top of the report which files no seat was shown', () => {
    const unseen = { count: 9, files: [{ path: 'src/big.ts', shown: 'none' as const }] }
    const sitting = heldWith(about, { unseen })
    expect(sitting.report?.notices[0]).toBe(
      'No seat was shown all of 9 files: src/big.ts (not at all) and 8 more',
    )
  })

  it('COU-P-4 is refused in edition 1, which had one prompt for all', () => {
    const first = { ...new Sitting().open().inner.opened, edition: 1, portions: 2 }
    const event = { type: council.OPENED, agent: 'olga', role: 'convener', payload: first as never }
    expect(new Sitting().refusal(event)).toBe('portions is not of this edition')
  })
})

const tooLong = { fails: 'parse_error', cause: 'context_too_long' } as const
const LONG: council.PackText = {
  parts: FILES.map((path) => ({ name: `context:${path}`, text: `code of ${path}\n`.repeat(4_000) })),
  condensed: [],
}

function refusing(round: council.Round, who: string) {
  const says = (question: Question): ScriptedReply | undefined => {
    const isFirst = !sitting.asked.some(
      (each) => each !== question && each.round === round && each.seat === who,
    )
    return question.round === round && question.seat === who && isFirst ? tooLong : undefined
  }
  const sitting = new Sitting({ pack: LONG, says })
  return sitting.open({ context, mode: 'ask', artifacts: [sitting.keep('pack.json', LONG)] }).run()
}

const sizeOf = ({ prompt }: Question): number => renderPrompt(prompt.parts).length

describe('a prompt that a model refuses as too long', () => {
  it.each([
    ['R1', 'ben', 'opinion/ben/short/1'],
    ['R2', 'ben', 'review/ben/short/1'],
    ['R3', 'ann', 'report/2/1'],
  ] as const)(
    'COU-P-4 VOX-15 is sent once more in %s, condensed and on record',
    async (round, who, again) => {
      const sitting = refusing(round, who)
      const asked = sitting.asked.filter((each) => each.round === round && each.seat === who)
      expect(asked.map(({ action }) => action).at(-1)).toBe(again)
      expect(asked).toHaveLength(2)
      const [first, second] = asked.map(sizeOf)
      expect(second).toBeLessThan((first ?? 0) / 3)
      expect(sitting.closed?.status).toBe('reported')
      expect(sitting.closed?.metrics.calls).toBe(8)
      expect(council.opinionsOf(sitting.inner)).toHaveLength(3)
      expect(sitting.report).toMatchObject({
        chair: 'ann',
        notices: [`${who} refused the length of ${round} and was shown it condensed`],
      })
      expect(findings(await verified(sitting))).toEqual([])
    },
  )

  it('COU-P-4 is a failure if it is refused again, and then the next chair is asked', async () => {
    const sitting = new Sitting({
      pack: LONG,
      says: ({ round, seat: name }) => (round === 'R3' && name === 'ann' ? tooLong : undefined),
    })
    const seats = [seat('ann'), seat('ben', { roles: ['participant', 'chair'] }), seat('cat')]
    const pack = sitting.keep('pack.json', LONG)
    sitting.open({ context, seats, chairs: ['ann', 'ben'], artifacts: [pack] }).run()
    expect(sitting.asked.filter(({ round }) => round === 'R3').map(({ seat: name }) => name)).toEqual([
      'ann',
      'ann',
      'ben',
    ])
    expect(sitting.report?.chair).toBe('ben')
    expect(findings(await verified(sitting))).toEqual([])
  })

  it('COU-P-4 is not sent again if nothing can be left out', () => {
    const sitting = sit(
      {},
      { says: ({ round, seat: name }) => (round === 'R1' && name === 'ben' ? tooLong : undefined) },
    )
    expect(sitting.asked.filter(({ round, seat: name }) => round === 'R1' && name === 'ben')).toHaveLength(1)
  })
})
