import { describe, expect, it } from 'vitest'
import { NO_SIGNAL, type Scored, signalRules } from './dominance.ts'
import {
  basisOf,
  confirmsFirst,
  follow,
  heardEvidence,
  NO_TRACKS,
  quietTracks,
  shownLevel,
  signalEvidence,
  type Tracks,
  themesThatAsk,
  unconfirmed,
  withVerdicts,
} from './signal-levels.ts'

const RULES = signalRules({ rotation: 3, enough: 6 })
const MINDS = ['ash', 'birch', 'cedar']
/** Two messages a round by minds in turn, each as told. */
const windowOf = (count: number, about: (i: number) => Partial<Scored>): readonly Scored[] =>
  Array.from({ length: count }, (_, i) => {
    const round = Math.floor(i / 2) + 1
    return { id: `${round}.${(i % 2) + 1}`, round, mind: MINDS[round % 3] ?? '', counts: false, ...about(i) }
  })
const ids = (messages: readonly { readonly id: string }[]) => messages.map(({ id }) => id)
const raised = { ...NO_SIGNAL, level: 0.5, raised: true }
const low = { ...NO_SIGNAL, level: 0.1 }

/** Levels after so many looks at one window. */
function levels(window: readonly Scored[], looks: number, isJudged = true): Tracks {
  let tracks = NO_TRACKS
  for (let round = 1; round <= looks; round++) tracks = follow(tracks, window, RULES, { round, isJudged })
  return tracks
}

describe('EXC-INT-3 three levels over one window', () => {
  it('rise by tags, by tags and judgements, or by scores, each by itself', () => {
    const above = (tracks: Tracks) => [tracks.tags.level > 0, tracks.heard.level > 0, tracks.scores.level > 0]
    expect(
      above(
        levels(
          windowOf(12, () => ({ tag: true })),
          1,
        ),
      ),
    ).toEqual([true, true, true])
    expect(
      above(
        levels(
          windowOf(12, () => ({ judged: true })),
          1,
        ),
      ),
    ).toEqual([false, true, false])
    expect(
      above(
        levels(
          windowOf(12, () => ({ score: 0 })),
          1,
        ),
      ),
    ).toEqual([false, false, true])
    expect(
      above(
        levels(
          windowOf(12, () => ({ score: -0.1 })),
          1,
        ),
      ),
    ).toEqual([false, false, false])
    // What was counted in an older edition counts for nothing here.
    expect(
      above(
        levels(
          windowOf(12, () => ({ counts: true })),
          1,
        ),
      ),
    ).toEqual([false, false, false])
  })

  it('name the round of their last evaluation, and have no judgement without a judge', () => {
    const tracks = levels(
      windowOf(12, () => ({ judged: true })),
      9,
      false,
    )
    expect([tracks.tags.round, tracks.scores.round, tracks.heard]).toEqual([9, 9, NO_SIGNAL])
    expect(
      levels(
        windowOf(12, () => ({ judged: true })),
        9,
      ).heard,
    ).toMatchObject({ round: 9, raised: true })
  })

  it('leave out unjudged messages once enough are judged; until then they count as messages that do not ask', () => {
    const some = (judged: number) => windowOf(12, (i) => (i < judged ? { judged: true } : {}))
    expect(levels(some(5), 1).heard.share).toBeCloseTo((1 + 1 + 0.5) / 6, 3)
    expect(levels(some(6), 1).heard.share).toBe(1)
    const tagged = windowOf(12, (i) => (i < 6 ? { tag: true } : {}))
    expect(levels(tagged, 1).heard.share).toBe(1)
    const mixed = windowOf(12, (i) => (i < 8 ? { judged: i % 2 === 0 } : {}))
    expect(levels(mixed, 1).heard.share).toBe(0.5)
  })

  it('stay confirmed only as long as the confirmed messages count', () => {
    const window = windowOf(12, () => ({ judged: true }))
    const confirmed = { ...levels(window, 3), confirmed: true }
    const next = (of: readonly Scored[]) => follow(confirmed, of, RULES, { round: 4, isJudged: true })
    expect(next(window).confirmed).toBe(true)
    expect(follow(levels(window, 3), window, RULES, { round: 4, isJudged: true }).confirmed).toBe(false)
    expect(follow(confirmed, window, RULES, { round: 4, isJudged: false }).confirmed).toBe(false)
  })
})

describe('EXC-INT-3 the signal', () => {
  it('rests on tags first, then on judgements that were confirmed or need no confirmation', () => {
    const both = { ...NO_TRACKS, tags: raised, heard: raised }
    expect(basisOf(both, true)).toBe('tags')
    const heard = { ...NO_TRACKS, heard: raised }
    expect([basisOf(heard, true), basisOf(heard, false)]).toEqual([null, 'judged'])
    expect(basisOf({ ...heard, confirmed: true }, true)).toBe('judged')
    expect(basisOf({ ...NO_TRACKS, scores: raised, confirmed: true }, false)).toBeNull()
  })

  it('is shown by the level that it rests on, otherwise by the higher one', () => {
    const shown = (tracks: Partial<Tracks>, confirm = true) => {
      const { level, raised: isRaised } = shownLevel({ ...NO_TRACKS, ...tracks }, confirm)
      return [level, isRaised]
    }
    expect(shown({ tags: low, heard: raised })).toEqual([0.5, false])
    expect(shown({ tags: raised, heard: { ...raised, level: 0.9 } })).toEqual([0.5, true])
    expect(shown({ tags: { ...low, level: 0.9 }, heard: raised, confirmed: true })).toEqual([0.5, true])
    expect(shown({ tags: { ...low, level: 0.2 }, heard: low })).toEqual([0.2, false])
    const even = shownLevel({ ...NO_TRACKS, tags: { ...low, round: 7 }, heard: low }, true)
    expect(even.round).toBe(7)
  })

  it('stays off for a rotation after an answer, and only for judgements if they were not confirmed', () => {
    const all = { tags: raised, heard: raised, scores: raised, confirmed: true }
    const after = { ...raised, above: 0, raised: false, quietUntil: 8 }
    expect(quietTracks(all, 5, RULES)).toEqual({ tags: after, heard: after, scores: after, confirmed: false })
    expect(unconfirmed(all, 5, RULES)).toEqual({ ...all, heard: after, confirmed: false })
  })
})

describe('EXC-INT-3 a second question to the judge', () => {
  const window = windowOf(12, (i) => ({ judged: i % 2 === 0 }))
  const rests = ids(window.filter(({ judged }) => judged))
  const foils = ['0.1', '0.2', '0.3', '0.4']
  const asked = (cited: readonly string[], shown = [...ids(window), ...foils]) =>
    confirmsFirst(window, { shown: new Set(shown), foils, cited: new Set(cited) }, RULES)

  it('confirms the first if it finds the same messages, and hardly any decoy', () => {
    expect(asked(rests)).toBe(true)
    expect(asked([...rests, '0.1'])).toBe(true)
    expect(asked([...rests, '0.1', '0.2'])).toBe(false)
    expect(asked([])).toBe(false)
  })

  it('needs half of the messages behind the signal, and a window that still asks by them alone', () => {
    expect(asked(rests.slice(0, 3))).toBe(true)
    expect(asked(rests.slice(0, 2))).toBe(false)
    // Half of two messages is found again, yet the window of six rounds no longer asks.
    const few = windowOf(12, (i) => ({ judged: i < 2 }))
    const again = { shown: new Set(ids(few)), foils, cited: new Set([few[0]?.id ?? '']) }
    expect(confirmsFirst(few, again, RULES)).toBe(false)
  })

  it('does not let one mind among three ask for all', () => {
    const loud = windowOf(12, () => ({})).map((message) => ({
      ...message,
      judged: message.mind === 'ash',
    }))
    const cited = new Set(ids(loud.filter(({ judged }) => judged)))
    const again = { shown: new Set([...ids(loud), ...foils]), foils, cited }
    expect(confirmsFirst(loud, again, { ...RULES, raise: 0.3 })).toBe(false)
  })

  it('gives verdicts only to the messages that were shown', () => {
    const [first, second, third] = windowOf(3, () => ({})) as [Scored, Scored, Scored]
    const judged = withVerdicts([first, second, third], new Set([first.id, second.id]), new Set([first.id]))
    expect(judged.map(({ judged: found }) => found)).toEqual([true, false, undefined])
  })
})

describe('EXC-INT-1 the evidence of a signal', () => {
  const clusters = [
    { id: 'k2', label: 'weather', members: ['1.1', '1.2', '2.1'] },
    { id: 'k1', label: 'begin anew', members: ['4.1', '4.2', '5.1'] },
    { id: 'k3', label: 'tides', members: ['3.1', '3.2'] },
  ]

  it('names themes in which half of the judged messages ask, with share, growth and members', () => {
    const window = windowOf(10, (i) => (i < 6 ? { judged: false } : { judged: true }))
    expect(themesThatAsk(window, clusters)).toEqual([
      {
        ...{ id: 'k1', label: 'begin anew', asking: 3, share: 0.3, growth: 0.6 },
        members: ['4.1', '4.2', '5.1'],
      },
    ])
    const half = windowOf(10, (i) => ({ judged: i === 4 }))
    expect(ids(themesThatAsk(half, clusters))).toEqual(['k3'])
    const third = windowOf(10, (i) => ({ judged: i === 0 }))
    expect(themesThatAsk(third, clusters)).toEqual([])
    // Of what no judge has seen nothing is known.
    const unseen = windowOf(10, (i) => (i === 0 ? { tag: true } : {}))
    expect(ids(themesThatAsk(unseen, clusters))).toEqual(['k2'])
  })

  it('sorts themes by the number of requests, and ties by name', () => {
    const all = windowOf(10, () => ({ judged: true }))
    expect(ids(themesThatAsk(all, clusters))).toEqual(['k1', 'k2', 'k3'])
    const counted = all.map((message) => ({ ...message, counts: true }))
    const { clusters: shares } = signalEvidence([], counted, clusters)
    expect(shares).toEqual([
      { id: 'k1', label: 'begin anew', asking: 3, messages: 3, share: 0.3 },
      { id: 'k2', label: 'weather', asking: 3, messages: 3, share: 0.3 },
      { id: 'k3', label: 'tides', asking: 2, messages: 2, share: 0.2 },
    ])
  })

  it('cites at most five messages: tags first, then the clearest, and ties by id', () => {
    const window = windowOf(8, (i) => ({
      counts: true,
      score: i === 3 ? 2 : 1,
      judged: i > 1,
      ...(i === 7 && { tag: true }),
    }))
    expect(ids(signalEvidence([], window).top)).toEqual(['2.2', '1.1', '1.2', '2.1', '3.1'])
    expect(ids(heardEvidence([], window).top)).toEqual(['4.2', '2.2', '2.1', '3.1', '3.2'])
    expect(heardEvidence([], window).rounds).toEqual([
      { round: 1, asking: 0, messages: 2 },
      { round: 2, asking: 2, messages: 2 },
      { round: 3, asking: 2, messages: 2 },
      { round: 4, asking: 2, messages: 2 },
    ])
    const unscored = windowOf(4, (i) => ({ counts: true, ...(i < 2 && { score: -1 }) }))
    expect(ids(signalEvidence([], unscored).top)).toEqual(['2.1', '2.2', '1.1', '1.2'])
  })
})
