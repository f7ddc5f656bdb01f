// What is shown of the context where it does not fit whole: no more than there is room for, what is cited in any case, and
// every line that is left out is named.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PackPart } from '../context.ts'
import { type Cited, citedIn, contextWithin } from './excerpts.ts'

const cost = ({ name, text }: PackPart): number => name.length + text.length + 20
const file = (path: string, text: string, from?: number): PackPart => ({
  name: `context:${path}`,
  text,
  ...(from !== undefined && { from }),
})
const numbered = (lines: number, from = 1): string =>
  Array.from({ length: lines }, (_, i) => `line ${from + i}`).join('\n')
const citing = (path: string, ...lines: readonly (number | null)[]): Cited =>
  new Map([[path, lines.map((line) => ({ line, quote: line === null ? 'line 150' : '' }))]])
const NONE: Cited = new Map()
const within = (parts: readonly PackPart[], room: number, cited: Cited = NONE) =>
  contextWithin(parts, { cited, room, cost })
const textOf = (parts: readonly PackPart[], path: string): string =>
  parts.find(({ name }) => name === `context:${path}`)?.text ?? ''

/** Lines that an excerpt shows, and those that its marks account for. */
function linesIn(text: string) {
  const shown = [...text.matchAll(/^line (\d+)$/gm)].map(([, n]) => Number(n))
  const left = [...text.matchAll(/^\[lines (\d+) to (\d+) left out here\]$/gm)].flatMap(([, from, to]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => Number(from) + i),
  )
  return { shown, left }
}
const upTo = (last: number, first = 1): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i)

describe('a cited place', () => {
  const a = file('a.ts', numbered(300))

  it('COU-P-4 is shown with as many lines around it as fit, and the rest is named line by line', () => {
    for (const [room, around] of [
      [2_000, 30],
      [600, 12],
      [300, 4],
      [200, 1],
    ] as const) {
      const { shown, left } = linesIn(textOf(within([a], room, citing('a.ts', 150)), 'a.ts'))
      expect([room, shown]).toEqual([room, upTo(150 + around, 150 - around)])
      expect([...shown, ...left].sort((x, y) => x - y)).toEqual(upTo(300))
    }
  })

  it('COU-P-4 is found by its words if no line is named, and the beginning is shown if nothing is found', () => {
    const byWords = textOf(within([a], 600, citing('a.ts', null)), 'a.ts')
    expect(linesIn(byWords).shown).toContain(150)
    const nowhere = textOf(within([a], 600, citing('a.ts', 9_999)), 'a.ts')
    expect(linesIn(nowhere).shown[0]).toBe(1)
  })

  it('COU-P-4 is counted from the line with which a later piece of a file begins', () => {
    const piece = file('a.ts', numbered(300, 501), 501)
    const { shown, left } = linesIn(textOf(within([piece], 300, citing('a.ts', 501, 800)), 'a.ts'))
    expect(shown).toEqual([501, 502, 503, 504, 505, 796, 797, 798, 799, 800])
    expect(left).toEqual(upTo(795, 506))
    const before = textOf(within([piece], 600, citing('a.ts', 500, 801)), 'a.ts')
    expect(linesIn(before).shown[0]).toBe(501)
  })

  it('COU-P-4 comes from findings that name a file', () => {
    const at = (path: string | null, line: number) => ({ file: path, line, quote: 'q' }) as never
    expect([...citedIn([at('a', 1), at(null, 2), at('b', 3), at('a', 4)])]).toEqual([
      [
        'a',
        [
          { line: 1, quote: 'q' },
          { line: 4, quote: 'q' },
        ],
      ],
      ['b', [{ line: 3, quote: 'q' }]],
    ])
  })
})

describe('the rest of the context', () => {
  it('COU-P-4 is shown whole as far as it fits, cited files first, and the files left out are named', () => {
    const parts = ['a.ts', 'b.ts', 'c.ts'].map((path) => file(path, `${path} `.repeat(200)))
    const shown = within(parts, 2_000, citing('c.ts', 1))
    expect(textOf(shown, 'c.ts')).toBe('c.ts '.repeat(200))
    expect(shown[0]).toMatchObject({ name: 'context' })
    expect(shown[0]?.text).toMatch(/^Of 2 files nothing or only a part is shown here[^\n]*\na\.ts\nb\.ts$/)
    const all = within(parts, 9_000)
    expect(all).toEqual(parts)
  })

  it('COU-P-4 names as many files as there is room for, and counts the others', () => {
    const parts = Array.from({ length: 200 }, (_, i) =>
      file(`src/of/some/length/file-${i}.ts`, 'x'.repeat(400)),
    )
    const [names] = within(parts, 700)
    const lines = names?.text.split('\n') ?? []
    const [, more] = /^and (\d+) more$/.exec(lines.at(-1) ?? '') ?? []
    const [, all] = /^Of (\d+) files/.exec(lines[0] ?? '') ?? []
    expect(lines.length - 2).toBeGreaterThan(3)
    expect(lines.length - 2 + Number(more)).toBe(Number(all))
    expect(Number(all)).toBeGreaterThan(190)
    expect(names?.text.length).toBeLessThanOrEqual(700)
  })

  it('COU-P-4 includes the beginning of the next file, in whole lines, if that is useful', () => {
    const text = textOf(within([file('a.ts', numbered(300))], 1_300), 'a.ts')
    const { shown, left } = linesIn(text)
    expect(shown.length).toBeGreaterThan(40)
    expect([...shown, ...left]).toEqual(upTo(300))
    expect(textOf(within([file('a.ts', numbered(300))], 500), 'a.ts')).toBe('')
  })

  it('COU-P-4 shows of a diff the pieces of cited files whole, and of the others the first line', () => {
    const piece = (path: string, size: number) => `diff --git a/${path} b/${path}\n${'+'.repeat(size)}\n`
    const diff = { name: 'diff', text: piece('a.ts', 900) + piece('b.ts', 900) + piece('c.ts', 100) }
    const [shown] = within([diff], 1_800, citing('b.ts', 1))
    expect(shown?.text).toBe(
      `diff --git a/a.ts b/a.ts [left out here]\n${piece('b.ts', 900)}${piece('c.ts', 100)}`,
    )
    expect(within([diff], 3_000)).toEqual([diff])
  })

  it('COU-P-4 gives two diffs an even share, and never more than there is', () => {
    const piece = (path: string) => `diff --git a/${path} b/${path}\n${'+'.repeat(700)}\n`
    const diffs = ['a', 'b'].map((name) => ({
      name: 'diff',
      text: piece(`${name}1.ts`) + piece(`${name}2.ts`),
    }))
    const shown = within(diffs, 2_400)
    const first = (name: string) =>
      `${piece(`${name}1.ts`)}diff --git a/${name}2.ts b/${name}2.ts [left out here]\n`
    expect(shown.map(({ text }) => text)).toEqual([first('a'), first('b')])
    expect(shown.reduce((sum, part) => sum + cost(part), 0)).toBeLessThanOrEqual(2_400)
  })

  it('COU-P-4 keeps the overview of all files, shortened to the room left', () => {
    const account = { name: 'context', text: 'an account of everything. '.repeat(80) }
    const shown = within([account, file('a.ts', 'x'.repeat(9_000))], 1_500)
    const told = shown.filter(({ name }) => name === 'context')
    expect(told).toHaveLength(2)
    expect(told[1]?.text.endsWith('…')).toBe(true)
    expect(told[1]?.text.startsWith('an account of everything. an account')).toBe(true)
  })

  it('COU-P-4 never takes more room than there is, and shows only text of the context', () => {
    const texts = fc.array(fc.nat(120).map(numbered), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(texts, fc.integer({ min: 600, max: 4_000 }), fc.nat(100), (all, room, line) => {
        const parts = all.map((text, i) => file(`${i}.ts`, text))
        const shown = within(parts, room, citing('1.ts', line))
        expect(shown.reduce((sum, part) => sum + cost(part), 0)).toBeLessThanOrEqual(room)
        for (const [i, text] of all.entries()) {
          const lines = new Set(text.split('\n'))
          const said = textOf(shown, `${i}.ts`).split('\n')
          expect(
            said.filter((each) => !each.startsWith('[lines') && each !== '' && !lines.has(each)),
          ).toEqual([])
        }
      }),
      { numRuns: 40 },
    )
  })
})
