// Every kind of secret is found where it stands and never repeated; what is plainly made up is let pass with a reason.

import { describe, expect, it } from 'vitest'
import { ASSIGNED, HEX, KEY, PLANTED, random } from '../../../test/fakes/planted.ts'
import { secretsIn } from './find.ts'
import { masked, quoted } from './quote.ts'

const found = (line: string, path = 'src/a.ts') => [...secretsIn(path, [{ number: 7, text: line }])]

describe('secrets', () => {
  it.each(PLANTED)('finds a planted value of kind %s in code, in a list and alone', (rule, value) => {
    for (const line of [`const x = "${value}"`, `a, ${value}, b`, value, `say("\\n${value}")`]) {
      expect(found(line)).toMatchObject([{ rule: `WITAN-SECRET-${rule}`, line: 7, excuse: null }])
    }
  })

  it.each(ASSIGNED)('finds a planted value of kind %s by the name it is given to', (rule, line) => {
    expect(found(line, 'config/app.yml')).toMatchObject([{ rule: `WITAN-SECRET-${rule}`, excuse: null }])
  })

  it('finds a private key by its body, on lines of its own and inside a string', () => {
    const body = [random(64), random(64)]
    for (const kind of ['', 'RSA ', 'OPENSSH ', 'EC ']) {
      const lines = [KEY(kind), ...body].map((text, i) => ({ number: i + 1, text }))
      expect([...secretsIn('k', lines)]).toMatchObject([{ rule: 'WITAN-SECRET-001', line: 1 }])
      expect(found(`"${KEY(kind)}\\n${body.join('\\n')}"`)).toMatchObject([{ rule: 'WITAN-SECRET-001' }])
    }
  })

  it('finds a secret far out on a very long line', () => {
    const value = PLANTED[0]?.[1] ?? ''
    for (const before of [1_990, 3_000, 100_000])
      expect(found(`${'x '.repeat(before / 2)}${value}`)).toHaveLength(1)
  })

  it.each([
    ['a heading without a body', `if (text.startsWith('${KEY('')}')) return parse(text)`],
    ['a word', 'class="sk-navigation-item-with-a-long-name"'],
    ['a digest', `"integrity": "sha512-${random(86)}=="`],
    ['a commit', `const commit = '${random(40, HEX)}'`],
    ['a name of a secret', `const token = process.env.TOKEN`],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a line says.
    ['a template', 'const password = `${first}${second}1`'],
    ['a digest of a token', `tokenHash: '${random(64, HEX)}'`],
    ['a message', `password: 'must have 8 characters'`],
    ['a path', `secret: '/run/secrets/db_password_1'`],
    ['a key of a map', `keyToken: 'vault.kv.v2'`],
    ['an address', 'https://user@example.com:8080/path'],
  ])('is silent about %s', (_, line) => {
    expect(found(line)).toEqual([])
  })

  it.each([
    ['AKIAIOSFODNN7EXAMPLE', 'It says itself that it is a placeholder.'],
    [`sk-${'proj'}-your-key-goes-here-please-replace`, 'It says itself that it is a placeholder.'],
    [`sk-${'x'.repeat(48)}`, 'It repeats one character.'],
    ['postgres://postgres:postgres@localhost:5432/test', 'The password is a stand-in.'],
    [`redis://u:${random(9)}@localhost:1`, 'It opens a local service.'],
  ])('excuses %s', (line, excuse) => {
    expect(found(line).map((secret) => secret.excuse)).toEqual([excuse])
  })

  it('are masked in every quotation, made up or not', () => {
    for (const [, value] of [...PLANTED, ...ASSIGNED])
      expect(masked(`a ${value} b`)).toMatch(/^a .*\[\d+ characters hidden\].*b$/)
    expect(quoted(`k = ${random(64)}`)).toBe('k = [64 characters hidden]')
    expect(quoted(`a\u001b[31m\u202eb\nc`)).toBe('a [31m b c')
    expect(quoted('ä'.repeat(300))).toBe(`${'ä'.repeat(200)}…`)
  })
})
