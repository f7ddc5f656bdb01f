import { describe, expect, it } from 'vitest'
import { PromptText } from './quoted-in-prompt.ts'

/** The rule itself: both without spaces and backslashes, one in the other. */
const squash = (text: string): string => text.replaceAll(/[\s\\]+/g, '')
const isQuoted = (prompt: string, text: string): boolean =>
  prompt !== '' && text.trim() !== '' && squash(prompt).includes(squash(text))

const ALPHABET = ['{', '}', '"', 'a', 'b', '\\', ' ', '\n', '\u00a0', '\u2003', '\ufeff', '\u0085', 'ß', '🦉']

/** Small, so that texts often do be in each other; the same on every run. */
function texts(seed: number): () => string {
  let state = seed
  const next = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  return () => Array.from({ length: next(9) }, () => ALPHABET[next(ALPHABET.length)]).join('')
}

describe('a value from the prompt', () => {
  it('VOX-18 is found with any spacing and escaping', () => {
    const prompt = new PromptText('Example: {\n  "stance": "adopt",\n  "why": "a \\"b\\""\n}. Now answer.')
    expect(prompt.holds('{"stance":"adopt","why":"a \\"b\\""}')).toBe(true)
    expect(prompt.holds('{"stance":"reject"}')).toBe(false)
  })

  it('VOX-18 is found by the rule for any two texts', () => {
    const make = texts(7)
    let found = 0
    for (let i = 0; i < 20_000; i++) {
      const [prompt, text] = [make() + make(), make()]
      const expected = isQuoted(prompt, text)
      if (expected) found++
      expect(new PromptText(prompt).holds(text), JSON.stringify([prompt, text])).toBe(expected)
    }
    expect(found).toBeGreaterThan(1_000)
  })

  it('VOX-18 is found in a prompt of many partial matches, and is found again', () => {
    const prompt = new PromptText(`${'{'.repeat(100_000)}"a"}`)
    expect(prompt.holds(`${'{'.repeat(5_000)}"b"}`)).toBe(false)
    expect(prompt.holds(`${'{ '.repeat(5_000)}"a"}`)).toBe(true)
  })
})
