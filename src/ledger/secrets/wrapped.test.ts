// Secrets that hide: in base64, in manifests, in texts of two bytes a letter; and texts that would make a search slow.

import { describe, expect, it } from 'vitest'
import { MANIFESTS, PLANTED, privateKey, random } from '../../../test/fakes/planted.ts'
import { utf8 } from '../bytes.ts'
import { decode, encodeLike } from '../decode.ts'
import { marksIn, withoutKnownSecrets } from './remove.ts'

const base64 = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('base64')

describe('hidden secrets', () => {
  it.each(PLANTED)(
    'COU-C-2 of kind %s are found in base64, twice wrapped, wrapped in lines and of two bytes a letter',
    (_, value) => {
      const inner = `name: x\nvalue: ${value}\n`
      const lines = base64(`${'words that say nothing. '.repeat(9)}${inner}`).replace(/.{60}/g, '$&\n')
      for (const hidden of [
        base64(inner),
        base64(base64(inner)),
        base64(inner, 'utf16le'),
        lines,
        `/opt/${base64(value)}`,
      ]) {
        const { text, removed } = withoutKnownSecrets(`before\n${hidden}\nand after\n`)
        expect(removed.length).toBeGreaterThan(0)
        for (const line of hidden.split('\n').slice(0, -1)) expect(text).not.toContain(line)
        expect(text.split('\n')[0]).toBe('before')
        expect(text.split('\n').at(-2)).toBe('and after')
      }
    },
  )

  it('COU-C-2 go with the whole run that wraps them and no further, wherever it stands', () => {
    const [, value = ''] = PLANTED[0] ?? []
    const hidden = (text: string, wrap: (inner: string) => string = base64) => {
      const run = wrap(text)
      const { start = -1, end = -1 } = [...marksIn(`${text.length} ( ${run} ) end`)][0] ?? {}
      return `${text.length} ( ${run} ) end`.slice(start, end) === run
    }
    for (let shift = 0; shift < 24; shift++) expect(hidden(`${'w '.repeat(shift)}${value}`)).toBe(true)
    for (const words of ['ünd ', '日本語で ', '😀 ', 'łódź ']) {
      for (let shift = 0; shift < 4; shift++)
        expect(hidden(`${'x'.repeat(shift)}${words}${value}`)).toBe(true)
      expect(hidden(`${words}${value}`, (inner) => base64(`\ufeff${inner}`, 'utf16le'))).toBe(true)
    }
    const urlSafe = (inner: string) => base64(`${inner} ~~~???>>>`).replaceAll('+', '-').replaceAll('/', '_')
    expect(hidden(value, urlSafe)).toBe(true)
    expect(hidden(value, (inner) => base64(base64(base64(inner))))).toBe(true)
    expect(hidden(value, (inner) => base64(base64(base64(base64(inner)))))).toBe(false)
  })

  it('COU-C-2 are recognised as a key without its heading if there are at least four lines of key width', () => {
    const lines = (count: number, width: number) =>
      Array.from({ length: count }, () => random(width)).join('\n')
    for (const width of [64, 76])
      expect(withoutKnownSecrets(`x\n${lines(4, width)}\ny`).removed).toHaveLength(1)
    expect(withoutKnownSecrets(`x\n${lines(3, 64)}\ny`).removed).toEqual([])
    expect(withoutKnownSecrets(`x\n${lines(6, 70)}\ny`).removed).toEqual([])
    const kept = withoutKnownSecrets(`first\n${lines(5, 64)}\nlast line of words\n`).text.split('\n')
    expect([kept[0], kept.at(-2), kept.length]).toEqual(['first', 'last line of words', 8])
  })

  it.each(MANIFESTS)('COU-C-2 are found as %s, by the type of the document', (_, file, secret) => {
    for (const text of [file, file.replace(/^/gm, '+')]) {
      const cleaned = withoutKnownSecrets(text, 'deploy.yaml')
      expect(cleaned.text).not.toContain(secret)
      expect(cleaned.text.split('\n')).toHaveLength(text.split('\n').length)
    }
  })

  it('COU-C-2 are found as a key on one line, however it is written there', () => {
    const key = privateKey('RSA ')
    for (const one of [
      key.replaceAll('\n', '\\n'),
      key.replaceAll('\n', ' '),
      key.replaceAll('\n', ''),
      base64(key),
    ]) {
      const { text } = withoutKnownSecrets(`${'x '.repeat(3_000)}${one} and so on`)
      expect(text).not.toContain(one.slice(60, 100))
      expect(text.endsWith('and so on')).toBe(true)
    }
  })

  it.each([
    ['a stand-in', 'password=changeme'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a line says.
    ['a variable', 'password=${PASSWORD}'],
    ['a gap to fill', 'token=<your-token>'],
    ['a rule', 'The password is required and must have 12 characters.'],
    ['a type', 'password: string'],
    ['a ConfigMap', 'kind: ConfigMap\ndata:\n  code: granite\n'],
    ['a template', 'kind: Secret\ndata:\n  code: {{ .Values.code | b64enc }}\n'],
    ['words in base64', base64('nothing but words, and more of them')],
    ['a digest', `sha256-${random(43)}=`],
    ['a long name', 'aRatherLongNameOfAFunctionThatReadsTokens'],
    ['an image', `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${random(200)}`],
  ])('are not reported in %s', (_, text) => {
    expect(withoutKnownSecrets(text)).toEqual({ text, removed: [] })
  })

  it('a text is read as it is encoded, and written back so', () => {
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) {
      for (const mark of ['', '\ufeff']) {
        const bytes = encodeLike(`${mark}a plain text, ümlaut`, encoding, new Uint8Array())
        const found = decode(bytes)
        expect(found).toEqual({ text: 'a plain text, ümlaut', encoding })
        expect(encodeLike(found?.text ?? '', encoding, bytes)).toEqual(bytes)
      }
    }
    expect(decode(Uint8Array.of(0x67, 0xfc, 0x6e))).toEqual({ text: 'gün', encoding: 'latin-1' })
    expect(decode(utf8('a\0b'))).toBeNull()
  })

  it('a text made to be slow to search takes time in proportion to its length', () => {
    // Steps of the patterns cannot be counted from here; that none of them needs a stack for the length can be seen.
    for (const piece of [
      'sk-',
      'password=',
      'a://b:c',
      'QUtJ',
      'eyJ',
      'aws_secret ',
      '-----BEGIN PRIVATE KEY-----',
      'A\n',
    ]) {
      const text = piece.repeat(Math.ceil(2_000_000 / piece.length))
      expect(withoutKnownSecrets(text).text.length).toBeGreaterThan(0)
    }
  }, 60_000)
})
