// Both rule sets together: what either knows is gone, and no comment in the text can make them look away.

import { describe, expect, it } from 'vitest'
import { ASSIGNED, PLANTED, privateKey, random } from '../../test/fakes/planted.ts'
import { allWithoutSecrets, withoutSecrets } from './clean.ts'
import { cleanTexts } from './clean-texts.ts'

describe('cleaning a text', () => {
  it.each(PLANTED)('leaves nothing of a planted value of kind %s', async (_, value) => {
    for (const text of [`x = "${value}"\n`, `Is ${value} a good key?`, `+  "k": "${value}",\n`]) {
      const cleaned = await withoutSecrets(text)
      expect(cleaned.text).not.toContain(value.slice(-12))
      expect(cleaned.removed).toHaveLength(1)
    }
  })

  it.each(ASSIGNED)('leaves nothing of a value of kind %s', async (_, line) => {
    expect((await withoutSecrets(line)).text).toContain('[secret removed: ')
  })

  it.each([
    ['npm', `//registry.example.org/:_auth${'Token'}=${random(36)}`],
    ['slack', `https://hooks.slack.com/${'services'}/T00000000/B00000000/${random(24)}`],
    ['basicauth', `https://ana:${random(12)}@host.example.org/x`],
    ['grafana', `gl${'sa'}_${random(32)}_${random(8, '0123456789abcdef')}`],
    ['shopify', `shp${'at'}_${random(32, '0123456789abcdef')}`],
    ['linear', `lin_${'api'}_${random(40)}`],
  ])('knows a secret of %s', async (_, text) => {
    const { removed } = await withoutSecrets(`settings\n${text}\n`)
    expect(removed).toHaveLength(1)
  })

  it('does not obey a comment that switches the search off', async () => {
    const key = PLANTED.find(([rule]) => rule === '007')?.[1] ?? ''
    const { text } = await withoutSecrets(
      `/* secretlint-disable */\nk = "${key}" // secretlint-disable-line\n`,
    )
    expect(text).not.toContain(key)
    const linear = `lin_${'api'}_${random(40)}`
    expect(
      (await withoutSecrets(`# secretlint-disable\n${linear}\n# secretlint-enable\n`)).text,
    ).not.toContain(linear)
  })

  it('finds a secret far inside a long text, and across the borders of its pieces', async () => {
    const line = `${'const x = 1'.padEnd(63)}\n`
    const linear = `lin_${'api'}_${random(40)}`
    for (const before of [100, 3_968, 4_095, 8_000]) {
      const { text, removed } = await withoutSecrets(`${line.repeat(before)}${linear}\n${line.repeat(10)}`)
      expect(text).not.toContain(linear)
      expect(removed.map((each) => each.line)).toEqual([before + 1])
    }
  })

  it('returns the results of many texts at once in their order', async () => {
    const linear = `lin_${'api'}_${random(40)}`
    const texts = ['', linear, 'plain\n', `${linear}`, `a ${PLANTED[0]?.[1]} b`].map((text) => ({ text }))
    const alone = await Promise.all(texts.map(({ text }) => withoutSecrets(text)))
    expect(await allWithoutSecrets(texts)).toEqual(alone)
    expect(alone.map(({ removed }) => removed.length)).toEqual([0, 1, 0, 1, 1])
  })

  it('leaves ordinary text as it is, and a key as markers on its own lines', async () => {
    const text = 'export const add = (a: number, b: number) => a + b\n'
    expect(await withoutSecrets(text, 'a.ts')).toEqual({ text, removed: [] })
    expect(await withoutSecrets('')).toEqual({ text: '', removed: [] })
    const key = await withoutSecrets(`a\n${privateKey('RSA ')}\nb`)
    expect(key.text.split('\n')).toHaveLength(7)
    expect(key.removed).toEqual([{ rule: 'WITAN-SECRET-001', line: 2, madeUp: false }])
  })
})

describe('a long text', () => {
  const secret = (n: number): string =>
    `key='AKIAIOSFODNN7ABC${String(n).padStart(4, 'D').replace(/\d/g, 'E')}'\n`
  const texts = [
    { text: 'nothing here\n'.repeat(4_000), path: 'a.md' },
    { text: `${'plain words\n'.repeat(3_000)}${Array.from({ length: 500 }, (_, n) => secret(n)).join('')}` },
    { text: '' },
    { text: `const token = "${PLANTED[0]?.[1] ?? ''}"\n`, path: 'a.ts' },
  ]

  it('is cleaned in a thread of its own with the same result, and does not block the main thread', async () => {
    const here = await cleanTexts(texts)
    expect(here.map(({ removed }) => removed.length)).toEqual([0, 500, 0, 1])
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const cleaned = await allWithoutSecrets(texts)
    isOver = true
    expect(cleaned).toEqual(here)
    // Here it would be one turn of the loop for each piece.
    expect(turns).toBeGreaterThan(100)
  }, 60_000)
})
