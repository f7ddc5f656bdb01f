import { describe, expect, it } from 'vitest'
import { toVector } from '../../ledger/vector.ts'
import { alarmsOf } from './alarms.ts'
import { coherenceOf, labelThemes, type Placed, regroup, type Theme, type Themes } from './clusters.ts'

const ENCODER = 'fake:plane:2'
/** A message in this direction, by default each of its own mind and round. */
const at = (i: number, degrees: number, more: Partial<Placed> = {}): Placed => {
  const turn = (degrees * Math.PI) / 180
  const vector = toVector(ENCODER, [Math.cos(turn), Math.sin(turn)])
  return { id: `m${i}`, round: i + 1, mind: `mind${i}`, text: `words ${i}`, vector, ...more }
}
const theme = (id: string, members: readonly Placed[]): Theme => ({
  ...{ id, born: 1, size: members.length, members: members.map((message) => message.id) },
  sum: Float64Array.of(
    members.reduce((sum, { vector }) => sum + (vector.values[0] ?? 0), 0),
    members.reduce((sum, { vector }) => sum + (vector.values[1] ?? 0), 0),
  ),
})
const themes = (...all: readonly Theme[]): Themes => ({ encoder: ENCODER, named: all.length, themes: all })

describe('EXC-CLU-1 convergence', () => {
  /** Messages of one theme, so far from its centre, among others. */
  const told = (inside: number, others: number, spread = 0) => {
    const own = Array.from({ length: inside }, (_, i) => at(i, i % 2 ? spread : -spread))
    const window = [...own, ...Array.from({ length: others }, (_, i) => at(inside + i, 120 + i * 17))]
    return alarmsOf(themes(theme('k1', own), theme('k2', [])), window).filter(
      ({ kind }) => kind === 'convergence',
    )
  }

  it('is reported if more than half of at least ten messages form one dense theme', () => {
    expect(told(6, 4)).toEqual([{ kind: 'convergence', theme: 'k1', coherence: 1, share: 0.6 }])
    expect(told(5, 5)).toEqual([])
    expect(told(6, 3)).toEqual([])
    expect(told(6, 4, 40)).toMatchObject([{ coherence: 0.766 }])
    expect(told(6, 4, 43)).toEqual([])
  })

  it('is not reported without an encoder, and a theme without messages has no density', () => {
    const own = Array.from({ length: 12 }, (_, i) => at(i, 0))
    expect(alarmsOf({ ...themes(theme('k1', own)), encoder: null }, own)).not.toContainEqual(
      expect.objectContaining({ kind: 'convergence' }),
    )
    expect(coherenceOf(ENCODER, theme('k1', own), [])).toBe(0)
  })
})

describe('EXC-CLU-1 a loop', () => {
  const loops = (window: readonly Placed[]) =>
    alarmsOf(themes(), window).filter(({ kind }) => kind === 'loop')
  /** Of `count` messages each in a direction of its own, but for those that say again what the first said. */
  const saying = (count: number, repeats: number, more: (i: number) => Partial<Placed> = () => ({})) =>
    Array.from({ length: count }, (_, i) =>
      at(i, i > 0 && i <= repeats ? 0 : (i * 340) / count + 30, more(i)),
    )

  it('of the pool is reported if three in five of its latest twenty messages repeat earlier ones', () => {
    const window = [at(99, 0, { round: 0 }), ...saying(20, 12)]
    const [loop] = loops(window)
    expect(loop).toMatchObject({ mind: null })
    expect(loop?.kind === 'loop' && loop.messages.length >= 12).toBe(true)
    expect(loops(saying(19, 18))).toEqual([])
  })

  it('is judged over several rounds: a repetition in one round is no loop', () => {
    const twoRounds = Array.from({ length: 20 }, (_, i) => at(i, 0, { round: i < 10 ? 1 : 2 }))
    expect(loops(twoRounds)).toEqual([])
    const three = Array.from({ length: 20 }, (_, i) =>
      at(i, 0, { round: Math.min(3, Math.floor(i / 4) + 1) }),
    )
    expect(loops(three)).toMatchObject([{ mind: null, share: 0.8 }])
    expect(loops(three)[0]).toMatchObject({ messages: three.slice(4).map(({ id }) => id) })
  })

  it('of a model is reported by its latest six messages, if there are other models', () => {
    const own = (mind: string, degrees: (i: number) => number) =>
      Array.from({ length: 6 }, (_, i) => at(i, degrees(i), { mind, id: `${mind}${i}` }))
    const stuck = own('ash', (i) => (i < 5 ? 0 : 90))
    const fresh = own('birch', (i) => 100 + i * 40)
    expect(loops([...stuck, ...fresh])).toEqual([
      { kind: 'loop', mind: 'ash', share: 0.6667, messages: ['ash1', 'ash2', 'ash3', 'ash4'] },
    ])
    expect(loops(stuck)).toEqual([])
    expect(loops([...stuck.slice(1), ...fresh])).toEqual([])
  })
})

describe('EXC-CLU-1 themes', () => {
  it('without a message in the window are remembered, the latest sixty-four', () => {
    const idle = Array.from({ length: 70 }, (_, i) => ({
      ...theme(`k${i}`, [at(i, 0)]),
      members: [`gone${i}`],
    }))
    const after = regroup(themes(...idle), [at(500, 180)])
    expect(after.themes.map(({ id }) => id)).toEqual(idle.slice(6).map(({ id }) => id))
    const kept = { ...theme('first', [at(1, 90)]), members: ['m1'] }
    const busy = regroup(themes(kept, ...idle), [at(1, 90)])
    expect(busy.themes[0]).toMatchObject({ id: 'first', members: ['m1'] })
    expect(busy.themes).toHaveLength(65)
  })

  it('are named by their words in a fixed order, otherwise by a message, cut to a line', () => {
    const label = (...texts: readonly string[]) => {
      const members = texts.map((text, i) => at(i, 0, { text }))
      return labelThemes(themes(theme('k1', members)), members)[0]
    }
    expect(label('tides moon', 'moon tides')?.label).toBe('moon · tides')
    expect(label('zebra apple mango pear', 'pear mango apple zebra')?.label).toBe('apple · mango · pear')
    expect(label('It is what it is, and so it will be for us')?.label).toBe('It is what it is, and s…')
    expect(label('1 2')?.label).toBe('1 2')
    expect(label(' ')?.label).toBe('k1')
    const long = label(`${'word '.repeat(30)}`)?.excerpt ?? ''
    expect([long.length, long.endsWith('…')]).toEqual([90, true])
    expect(label('two\n  lines')?.excerpt).toBe('two lines')
    expect(label('x'.repeat(90))?.excerpt).toBe('x'.repeat(90))
    expect(labelThemes(themes(theme('k1', [])), [])).toEqual([])
    expect(labelThemes({ ...themes(), encoder: null }, [])).toEqual([])
  })

  it('show the message that lies nearest to their centre', () => {
    const members = [at(0, -50, { text: 'left' }), at(1, 2, { text: 'middle' }), at(2, 50, { text: 'right' })]
    expect(labelThemes(themes(theme('k1', members)), members)[0]?.excerpt).toBe('middle')
  })
})
