// What is removed is gone, lines stay where they were, and text without secrets stays as it was.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ASSIGNED, PLANTED, privateKey, random } from '../../../test/fakes/planted.ts'
import { marksIn, removeMarks, withoutKnownSecrets } from './remove.ts'

const VALUES = PLANTED.map(([, value]) => value)

describe('text without its secrets', () => {
  it.each(PLANTED)('has no planted value of kind %s left, and says where it stood', (rule, value) => {
    for (const line of [`const x = "${value}"`, `a ${value} b`, `+${value}`, `-${value}`, value]) {
      const cleaned = withoutKnownSecrets(`one\n${line}\nthree\n`, 'src/a.ts')
      expect(cleaned.text).not.toContain(value.slice(-12))
      expect(cleaned.text.split('\n')).toHaveLength(4)
      expect(cleaned.removed).toEqual([{ rule: `WITAN-SECRET-${rule}`, line: 2, madeUp: false }])
    }
  })

  it.each(ASSIGNED)('has no value of kind %s left that its name gives away', (rule, line) => {
    const { text, removed } = withoutKnownSecrets(line)
    expect(removed).toMatchObject([{ rule: `WITAN-SECRET-${rule}`, line: 1 }])
    expect(text).toContain(`[secret removed: WITAN-SECRET-${rule}]`)
  })

  it('decodes strings of JSON, and takes out secrets written with escapes', () => {
    const [, value = ''] = PLANTED[0] ?? []
    const escaped = [...value]
      .map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('')
    const text = `{"a":"one\\ntwo","b":"${escaped}","c":"x\\"y"}`
    const cleaned = withoutKnownSecrets(text)
    expect(cleaned.removed).toHaveLength(1)
    expect(cleaned.text).toMatch(/^\{"a":"one\\ntwo","b":"\[secret removed: [^\]]+\]","c":"x\\"y"\}$/)
    // In a file that is named, an escape is what it is.
    expect(withoutKnownSecrets(text, 'a.ts').removed).toEqual([])
    const zeros = [...value].join('\0')
    expect(withoutKnownSecrets(`a ${zeros} b`).text).toMatch(/^a \[secret removed: [^\]]+\] b$/)
    const lines = withoutKnownSecrets(`"x\\t\\r\\b\\f\\/token: \\"q7Zt4Kx9Lm2Pw8Rv\\" end"`)
    expect(lines.text).toMatch(/token: \\"\[secret removed: [^\]]+\]\\" end"$/)
  })

  it('takes a whole private key out and leaves as many lines', () => {
    for (const prefix of ['', '    ', '+', '-', '+    ']) {
      const key = privateKey('RSA ').split('\n')
      const text = ['before', ...key, 'after'].map((line) => prefix + line).join('\n')
      const cleaned = withoutKnownSecrets(text)
      for (const line of key) expect(cleaned.text).not.toContain(line)
      expect(cleaned.text.split('\n')).toHaveLength(key.length + 2)
      expect(cleaned.text.split('\n').at(-1)).toBe(`${prefix}after`)
      expect(cleaned.removed).toEqual([{ rule: 'WITAN-SECRET-001', line: 2, madeUp: false }])
    }
  })

  it('takes out a key in one string, one without its end, and one whose heading is out of sight', () => {
    const key = privateKey('EC ')
    const lines = key.split('\n')
    const body = lines[1] ?? ''
    expect(withoutKnownSecrets(JSON.stringify({ k: key })).text).not.toContain(body)
    const open = withoutKnownSecrets(`${lines.slice(0, -1).join('\n')}\nfunction next() {}\n`)
    expect(open.text).not.toContain(body)
    expect(open.text).toContain('function next() {}')
    const middle = Array.from({ length: 6 }, (_, i) => `+${random(63)}${i}`).join('\n')
    expect(withoutKnownSecrets(`@@ -1 +1 @@\n${middle}\n+end`).text).not.toContain(random(40))
  })

  it('leaves certificates, digests, templates and stand-ins alone', () => {
    const certificate = [
      '-----BEGIN CERTIFICATE-----',
      ...Array.from({ length: 6 }, () => random(64)),
      '-----END CERTIFICATE-----',
    ]
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a line says.
    const template = 'const url = `postgres://app:${password}@db/main`'
    const digest = `"integrity": "sha512-${random(86)}=="`
    for (const text of [certificate.join('\n'), template, digest, 'postgres://postgres:postgres@db/x']) {
      expect(withoutKnownSecrets(text, 'a.ts')).toEqual({ text, removed: [] })
    }
  })

  it('takes out made-up secrets too, and marks them as made up', () => {
    expect(withoutKnownSecrets("id = 'AKIAIOSFODNN7EXAMPLE'")).toEqual({
      text: "id = '[secret removed: WITAN-SECRET-005, looks made up]'",
      removed: [{ rule: 'WITAN-SECRET-005', line: 1, madeUp: true }],
    })
  })

  it('believes a bare assignment everywhere but in programs', () => {
    const line = `api_${'key'} = ${random(30)}`
    for (const path of [undefined, 'notes.md', '.env', 'run.sh', 'Dockerfile'])
      expect(withoutKnownSecrets(line, path).removed).toHaveLength(1)
    expect(withoutKnownSecrets('token = generateToken2FromUser', 'a.py').removed).toEqual([])
  })

  it('leaves no value and moves no line, for any text around any secrets', () => {
    const word = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '"', '+', '-', ';', '=', '\r\n') })
    const pieces = fc.array(fc.tuple(word, fc.constantFrom(...VALUES)), { maxLength: 6 })
    fc.assert(
      fc.property(pieces, word, (planted, tail) => {
        const text = planted.map(([before, value]) => `${before}\n${value}\n`).join('') + tail
        const cleaned = withoutKnownSecrets(text)
        for (const [, value] of planted) expect(cleaned.text).not.toContain(value)
        expect(cleaned.text.split('\n')).toHaveLength(text.split('\n').length)
        expect(withoutKnownSecrets(cleaned.text)).toEqual({ text: cleaned.text, removed: [] })
      }),
    )
  })

  it('merges overlapping marks, and ignores marks without a place', () => {
    const mark = (start: number, end: number, rule: string) => ({ start, end, rule, madeUp: true })
    expect(
      removeMarks('abcdef', [mark(1, 3, 'x'), mark(2, 4, 'y'), mark(5, 5, 'w'), mark(9, 12, 'z')]),
    ).toEqual({
      text: 'a[secret removed: x, looks made up]ef',
      removed: [{ rule: 'x', line: 1, madeUp: true }],
    })
    expect([...marksIn('')]).toEqual([])
  })
})
