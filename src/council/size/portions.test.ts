// What is shown to a council in parts: everything in some part, no part longer than a prompt takes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PackPart } from '../context.ts'
import { inPortions } from './portions.ts'

const cost = ({ name, text }: PackPart): number => name.length + text.length + 20

const file = (path: string, text: string): PackPart => ({ name: `context:${path}`, text })

/** All that is shown of each file, put together again. */
function textsIn(parts: readonly PackPart[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const { name, text } of parts) texts.set(name, (texts.get(name) ?? '') + text)
  return texts
}

const sizes = (parts: readonly PackPart[], portions: number): readonly number[] =>
  Array.from({ length: portions }, (_, i) =>
    parts.filter(({ portion }) => (portion ?? i + 1) === i + 1).reduce((sum, part) => sum + cost(part), 0),
  )

describe('parts of round one', () => {
  const lines = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' ', '"'), maxLength: 90 }), {
    maxLength: 80,
  })
  const files = fc
    .array(lines, { minLength: 1, maxLength: 12 })
    .map((all) => all.map((each, i) => file(`src/${i}.ts`, `${each.join('\n')}\n`)))

  it('COU-P-4 hold every character of every file, in order, and each fits the prompt', () => {
    fc.assert(
      fc.property(files, fc.integer({ min: 2_000, max: 6_000 }), (given, room) => {
        const { parts, portions, unseen } = inPortions(given, { room, most: 999, cost })
        expect(unseen).toEqual([])
        expect(textsIn(parts)).toEqual(textsIn(given))
        expect(Math.max(...sizes(parts, portions))).toBeLessThanOrEqual(room)
      }),
      { numRuns: 60 },
    )
  })

  it('COU-P-4 say with which line a later piece of a long file begins', () => {
    const text = Array.from({ length: 400 }, (_, i) => `line ${i + 1}\n`).join('')
    const { parts } = inPortions([file('long.ts', text)], { room: 2_000, most: 99, cost })
    expect(parts.length).toBeGreaterThan(1)
    for (const { text: piece, from } of parts) expect(piece.startsWith(`line ${from}\n`)).toBe(true)
  })

  it('COU-P-4 name the files that do not fit, tests before sources', () => {
    const given = [
      file('src/a.test.ts', 'a'.repeat(1_500)),
      file('src/a.ts', 'b'.repeat(1_500)),
      file('src/b.ts', 'c'.repeat(1_500)),
    ]
    expect(inPortions(given, { room: 2_000, most: 2, cost })).toMatchObject({
      portions: 2,
      unseen: [{ path: 'src/a.test.ts', shown: 'none' }],
    })
  })

  it('COU-P-4 are at most as many as a verifier can read', () => {
    const given = ['a.ts', 'b.ts', 'c.ts'].map((path) => file(path, '"'.repeat(1_000)))
    const { parts, unseen } = inPortions(given, { room: 2_000, most: 9, cost, bytes: 5_000 })
    expect(new TextEncoder().encode(JSON.stringify(parts)).length).toBeLessThan(5_000)
    expect(unseen).toEqual([{ path: 'c.ts', shown: 'none' }])
  })

  it('COU-P-4 cut a diff between files, and show a changed file beside its change only where there is room', () => {
    const piece = (path: string, size: number): string =>
      `diff --git a/${path} b/${path}\n+${'x'.repeat(size)}\n`
    const diff = { name: 'diff', text: piece('a.ts', 1_500) + piece('b.ts', 1_500) + piece('c.ts', 300) }
    const around = file('c.ts', 'y'.repeat(1_900))
    const { parts, portions, unseen } = inPortions([diff, around], { room: 2_200, most: 9, cost })
    expect([portions, unseen]).toEqual([2, []])
    expect(parts.map(({ name, portion }) => [name, portion])).toEqual([
      ['diff', 1],
      ['diff', 2],
    ])
    expect(parts.map(({ text }) => text).join('')).toBe(diff.text)
  })

  it('COU-P-4 leave one prompt unchanged if everything fits', () => {
    const given = [{ name: 'context', text: 'one file' }, file('a.ts', 'short')]
    expect(inPortions(given, { room: 2_000, most: 9, cost })).toEqual({
      parts: given,
      portions: 1,
      unseen: [],
    })
  })

  it('COU-P-4 each have the overview of all files, cut if it is long', () => {
    const account = { name: 'context', text: Array.from({ length: 500 }, (_, i) => `file ${i}`).join('\n') }
    const given = [account, file('a.ts', 'a'.repeat(1_400)), file('b.ts', 'b'.repeat(1_400))]
    const { parts, portions } = inPortions(given, { room: 2_400, most: 9, cost })
    expect(portions).toBe(2)
    expect(parts[0]?.portion).toBeUndefined()
    expect(parts[0]?.text).toMatch(/\n\[the rest is left out here\]$/)
  })

  it('COU-P-4 are numbered in order, and only changes that stand next to each other become one text', () => {
    const given = ['a.ts', 'b.ts', 'c.ts', 'd.ts'].map((path) => file(path, `${path}\n`.repeat(180)))
    const diff = { name: 'diff', text: 'diff --git a/x.ts b/x.ts\n+1\ndiff --git a/y.ts b/y.ts\n+2\n' }
    const { parts } = inPortions([...given, diff], { room: 2_000, most: 9, cost })
    expect(parts.map(({ name, portion }) => [name, portion])).toEqual([
      ...[['diff', 1], ...['a.ts', 'b.ts'].map((path) => [`context:${path}`, 1])],
      ...['c.ts', 'd.ts'].map((path) => [`context:${path}`, 2]),
    ])
    expect(parts[0]?.text).toBe(diff.text)
  })

  it('COU-P-4 hold lines whole as far as one fits, and cut a line that is longer than a prompt', () => {
    const text = `${'short\n'.repeat(150)}${'x'.repeat(5_000)}\nlast\n`
    const { parts } = inPortions([file('a.ts', text)], { room: 2_000, most: 99, cost })
    expect(parts.map((each) => each.text).join('')).toBe(text)
    expect(parts.filter((each) => !each.text.endsWith('\n')).every((each) => each.text.includes('x'))).toBe(
      true,
    )
    expect(parts.map(({ from }) => from)).toEqual([1, 151, 151, 151])
    const rows = inPortions([file('b.ts', 'row\n'.repeat(1_200))], { room: 2_000, most: 99, cost }).parts
    expect(rows.every((each) => each.text.endsWith('row\n'))).toBe(true)
    expect(rows.length).toBe(3)
  })

  it('COU-P-4 hold a change whole that fits, and cut one that does not with its heading on each piece', () => {
    const piece = (path: string, size: number): string =>
      `diff --git a/${path} b/${path}\n${'+line\n'.repeat(size)}`
    const diff = { name: 'diff', text: piece('a.ts', 100) + piece('b.ts', 700) }
    const { parts } = inPortions([diff], { room: 2_000, most: 99, cost })
    const headings = parts.map(({ text }) => text.match(/^diff --git .*$/gm)?.length)
    expect(parts[0]?.text).toBe(piece('a.ts', 100))
    expect(headings).toEqual([1, 1, 1, 1])
    expect(parts.slice(1).every(({ text }) => text.startsWith('diff --git a/b.ts b/b.ts\n+line\n'))).toBe(
      true,
    )
    expect(parts.map(({ text }) => text.match(/^\+line$/gm)?.length ?? 0).reduce((a, b) => a + b)).toBe(800)
  })

  it('COU-P-4 name a file by the path that git gives it, quoted or not, and tests last wherever they lie', () => {
    const paths = [
      'test/a.ts',
      'src/__tests__/b.ts',
      'c_test.go',
      'e2e/d.ts',
      'latest.ts',
      'src/contest/e.ts',
    ]
    const given = paths.map((path) => file(path, 'x'.repeat(1_800)))
    const { unseen } = inPortions(given, { room: 2_000, most: 2, cost })
    expect(unseen.map(({ path }) => path)).toEqual(paths.slice(0, 4))
    const diff = {
      name: 'diff',
      text: `diff --git "a/\\303.ts" "b/\\303.ts"\n+${'y'.repeat(1_800)}\nno heading`,
    }
    const shown = inPortions([diff, file('z.ts', 'z'.repeat(1_800))], { room: 2_000, most: 1, cost })
    expect(shown.unseen).toEqual([{ path: 'z.ts', shown: 'none' }])
  })
})
