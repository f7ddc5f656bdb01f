import { createHash, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readBase64 } from '../browser/bytes.ts'
import { readTrust } from '../browser/trust-text.ts'
import { readBlocks } from '../doors/page/blocks.ts'
import type { Bundle, Section } from '../ledger/bundle/bundle.ts'
import { bundleLines } from '../ledger/bundle/lines.ts'
import { isWitanError } from '../ledger/errors.ts'
import { forPage as visible } from '../ledger/text/neutral.ts'
import { verifierKey } from '../ledger/tree/checkpoint.ts'
import type { ArtifactSource } from '../stores/bundle-file.ts'
import { sha256 } from '../stores/digest.ts'
import { composePage } from './verification-page.ts'

const TRACE = '01KE0000000000000000000000'
const HOSTILE = '</script><!-- & \u2028 \u2029 \r\n \u0000 é 漢'
const program = { script: 'void 0', style: 'p{color:red}' }

const section: Section = {
  trace: TRACE,
  form: 'whole',
  checkpoint: HOSTILE.replace('\u0000', ''),
  events: [],
  positions: [],
  earlier: null,
}
const bundle: Bundle = {
  trace: TRACE,
  content: 'full',
  registry: section,
  ancestors: [],
  main: section,
  omitted: [],
}

const source = (contents: Readonly<Record<string, string>>): ArtifactSource => ({
  async statArtifact(hash) {
    const content = contents[hash]
    return content === undefined ? null : { size: Buffer.byteLength(content) }
  },
  async openArtifact(hash) {
    const content = contents[hash]
    if (content === undefined) return null
    return (async function* () {
      yield Buffer.from(content)
    })()
  },
})

const [SMALL, LARGE, GONE] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)]
const contents = { [SMALL]: 'abc', [LARGE]: 'abcdef' }
const compose = (options = { artifactLimit: 5 }) =>
  composePage(program, bundle, [SMALL, LARGE, GONE], source(contents), options)

/** What a browser makes of the data blocks; the escapes leave no `<` inside one. */
const blocksOf = (html: string) =>
  [...html.matchAll(/<script type="application\/json" data-witan="([a-z]+)">([^<]*)<\/script>/g)].map(
    (found) => ({
      kind: found[1] ?? '',
      text: found[2] ?? '',
    }),
  )

describe('the page as a file', () => {
  it('VER-7 carries the bundle so that it is read back as it was', async () => {
    const cargo = readBlocks(blocksOf(await compose()))
    expect([...bundleLines(cargo.bundle)]).toEqual([...bundleLines({ ...bundle, omitted: [LARGE] })])
    expect([...cargo.artifacts]).toEqual([[SMALL, new Uint8Array(Buffer.from('abc'))]])
    expect(cargo.artifactLimit).toBe(5)
  })

  it('VER-7 escapes anything that could end a data block', async () => {
    const data = blocksOf(await compose()).map(({ text }) => text)
    expect(data).toHaveLength(3)
    for (const text of data) expect(text).not.toMatch(/[<>&\u2028\u2029\r\0]/)
    expect(data[0]).toContain('\\u003c/script\\u003e')
  })

  it('LED-16 is refused if it is too large for a browser, with one artifact or many', async () => {
    const endless: ArtifactSource = {
      statArtifact: async () => ({ size: 100 << 20 }),
      openArtifact: async () => null,
    }
    const limit = { artifactLimit: 1e12 }
    const made = composePage(program, bundle, [SMALL, LARGE, GONE], endless, limit)
    await expect(made).rejects.toMatchObject({
      code: 'USAGE',
      next: expect.stringContaining('--artifact-limit'),
    })
    const text = 'x'.repeat(1 << 20)
    const positions = Array.from({ length: 300 }, () => ({ size: 1, hash: text, proof: [] }))
    const long = { ...bundle, registry: { ...section, positions }, main: section }
    await expect(composePage(program, long, [], endless, limit)).rejects.toMatchObject({ code: 'USAGE' })
  })

  it('VER-7 refers to nothing outside itself and allows one script and one style', async () => {
    const html = await compose()
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]
    expect(policy?.split('; ').slice(0, 5)).toEqual([
      `default-src 'none'`,
      `script-src ${hash(program.script)}`,
      `style-src ${hash(program.style)}`,
      `base-uri 'none'`,
      `form-action 'none'`,
    ])
    expect(html).not.toMatch(/\b(src|href|action|srcset|poster)\s*=/)
    expect(html).not.toMatch(/url\(|@import|https?:/)
    expect(html).toContain('<meta name="referrer" content="no-referrer">')
  })

  it('refuses a program that would end its own element', async () => {
    for (const bad of [
      { script: 'a</script>', style: '' },
      { script: 'a<!--', style: '' },
      { script: '', style: '</style>' },
    ])
      await expect(composePage(bad, bundle, [], source({}), { artifactLimit: 1 })).rejects.toSatisfy(
        (error) => isWitanError(error, 'USAGE'),
      )
  })
})

describe('base64 in a page', () => {
  it('is read in its canonical spelling', () => {
    for (const size of [0, 1, 2, 3, 4, 255, 256, 257]) {
      const bytes = Buffer.from(Array.from({ length: size }, (_, i) => (i * 89) & 0xff))
      expect(Buffer.from(readBase64(bytes.toString('base64')) ?? [1]).equals(bytes), `${size} bytes`).toBe(
        true,
      )
    }
  })

  it('is refused in any other', () => {
    for (const text of [
      'A',
      'AA',
      'AAA',
      'AB==',
      'AAB=',
      'A===',
      '====',
      '=AAA',
      'AA=A',
      'AA-_',
      'AAAA\n',
      'AA é',
      ' AAAA',
    ])
      expect(readBase64(text), JSON.stringify(text)).toBeNull()
  })
})

describe('a key that a reader pastes', () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const id = createHash('sha256').update(raw).digest('hex')

  it('VER-9 is accepted in any of its forms', () => {
    const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
    for (const text of [
      raw.toString('hex'),
      pem,
      ` ${pem.replaceAll('\n', '\r\n')}`,
      verifierKey(sha256, 'home', raw),
    ])
      expect(readTrust(text).keys).toContain(id)
    expect(readTrust(id.toUpperCase()).keys).toContain(id)
    expect(readTrust('  ')).toEqual({ keys: [], checkpoints: [] })
  })

  it('VER-9 is refused when it pins nothing', () => {
    const other = generateKeyPairSync('x25519').publicKey.export({ format: 'pem', type: 'spki' }).toString()
    for (const text of [
      'hello',
      id.slice(1),
      `${id} ${id}`,
      other,
      'a\nb',
      'home+00000000+AAAA',
      'x\n\n— y z',
    ])
      expect(() => readTrust(text), text).toThrow()
  })
})

describe('text by others', () => {
  it('keeps letters of every script, newlines and tabs', () => {
    const text = 'naïve 漢字 עברית हिन्दी 😀\n\tnext\r\nline'
    expect(visible(text)).toEqual([text.replace('\r', '')])
  })

  it('marks characters that would be invisible', () => {
    expect(visible('a\u202eb\u0000\r')).toEqual([
      'a',
      { escape: 'U+202E' },
      'b',
      { escape: 'U+0000' },
      { escape: 'U+000D' },
    ])
    expect(visible('x\u{e0041}\ud800')).toEqual(['x', { escape: 'U+E0041' }, { escape: 'U+D800' }])
  })
})
