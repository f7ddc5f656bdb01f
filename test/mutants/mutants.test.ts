// The mutator itself; `npm run test:mutants` uses it on the pure rooms.
import { describe, expect, it } from 'vitest'
import { mutantsOf } from './kinds.ts'
import { draw } from './sample.ts'
import { nearestTests, readState } from './state.ts'
import { withSwitches } from './switching.ts'

const changes = (text: string): string[] =>
  mutantsOf(text).map(({ start, end, kind, becomes }) => `${text.slice(start, end)} → ${becomes ?? kind}`)

const inCall = (body: string): string => `function called(a, b) { ${body} }`
const changesIn = (body: string): string[] => changes(inCall(body)).filter((each) => !each.startsWith('{'))

describe('the mutants of a text', () => {
  it('move a boundary, turn a comparison and hold a condition', () => {
    expect(changesIn('if (a < b) return a')).toEqual([
      'a < b → a <= b',
      'a < b → a >= b',
      'a < b → true',
      'a < b → false',
    ])
  })

  it('leave out statements, elements and methods, and turn logic, sums and truth', () => {
    expect(changesIn('b(a)')).toEqual(['b(a) → statement left out'])
    expect(changesIn('return [a, b]')).toEqual(['[a, b] → []', '[a, b] → [a]'])
    expect(changesIn('return a.trim()')).toEqual(['a.trim() → a'])
    expect(changesIn('return a && !b')).toEqual(['a && !b → (a) || (!b)', '!b → b'])
    expect(changesIn('return a + b')).toEqual(['a + b → (a) - (b)'])
    expect(changesIn('return true')).toEqual(['true → false'])
    expect(changesIn("return 'word'")).toEqual(["'word' → ''"])
  })

  it('touch no type, import, table or text for people', () => {
    expect(changes("import a from 'a'\ntype A = 'b' | true\nconst TABLE = ['a', 'b']")).toEqual([])
    expect(changesIn("throw new WitanError('code', 'message')")).toEqual([])
    expect(changesIn("return 'a sentence for people'")).toEqual([])
  })
})

describe('the text with switches', () => {
  const text =
    'function called(a, b) {\n  let sum = a\n  b.list.push(a)\n  sum += b.more\n  if (a > 1 && b.open) return [sum, a]\n  return -sum\n}'
  const mutants = mutantsOf(text).map((mutant, at) => ({ ...mutant, id: at + 1 }))

  function outcome(active: number): string {
    const switches = { on: (id: number) => id === active, tick: () => {} }
    const called = new Function('__mutants', `${withSwitches(text, mutants)}; return called`)(switches)
    const b = { list: [] as number[], more: 3, open: true }
    return JSON.stringify([called(2, b), called(1, b), b.list])
  }

  it('does what the text did while none is on, and something else for each', () => {
    expect(outcome(0)).toBe('[[5,2],-4,[2,1]]')
    expect(mutants.length).toBeGreaterThan(9)
    for (const { id } of mutants) expect(outcome(id), `mutant ${id}`).not.toBe(outcome(0))
  })

  it('stops a loop that a mutant makes endless', () => {
    const loop = 'function called() { for (let at = 0; at < 3; at++) at += 0 }'
    const switched = withSwitches(loop, [])
    const stop = () => {
      throw new Error('a mutant ran too long')
    }
    expect(() => new Function('__mutants', `${switched}; called()`)({ on: () => false, tick: stop })).toThrow(
      'too long',
    )
  })
})

describe('the sample and its score', () => {
  it('is the same for the same seed, another for another, and takes none twice', () => {
    const all = Array.from({ length: 100 }, (_, at) => at)
    expect(draw(all, 20, 1)).toEqual(draw(all, 20, 1))
    expect(draw(all, 20, 1)).not.toEqual(draw(all, 20, 2))
    expect(new Set(draw(all, 200, 1)).size).toBe(100)
  })

  it('counts no mutant as killed by a test that fails without it too', () => {
    const state = readState(
      '{"begun":1,"by":"a"}\n{"doubtful":1,"by":"a"}\n{"begun":2,"by":"a"}\n{"killed":2,"by":"a"}\n',
    )
    expect([...state.killed.keys()]).toEqual([2])
  })

  it('tries a mutant first by the tests that reach little else', () => {
    const tests = new Map([
      ['wide', { ms: 1, reached: [1, 2, 3] }],
      ['narrow', { ms: 9, reached: [1] }],
      ['middle', { ms: 2, reached: [1, 2] }],
    ])
    const nearest = nearestTests({ tests }, 2)
    expect([...nearest].map(([id, names]) => [id, ...names])).toEqual([
      [1, 'narrow', 'middle'],
      [2, 'middle', 'wide'],
      [3, 'wide'],
    ])
    expect(nearestTests({ tests }, 0).size).toBe(0)
  })
})
