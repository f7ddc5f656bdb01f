// Packs: full or summary, an index with every exclusion, nothing planted in any byte, the same tree the same bytes.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folderWith, type Tree } from '../../test/fakes/folders.ts'
import { ASSIGNED, PLANTED, privateKey, random } from '../../test/fakes/planted.ts'
import { fromUtf8 } from '../ledger/bytes.ts'
import { decode } from '../ledger/decode.ts'
import { packOf } from './build-pack.ts'
import { headAndTail } from './head-and-tail.ts'
import { keyFilesOf } from './key-files.ts'
import { outlineOf } from './outline.ts'
import { packBytes, packRecord, packText } from './pack.ts'
import { previewOf } from './preview.ts'
import { filesPack } from './review.ts'
import { takeSnapshot } from './snapshot.ts'

const packed = (tree: Tree, options = {}) => filesPack(folderWith(tree), ['.'], options)
const partNames = (pack: Awaited<ReturnType<typeof packed>>) => pack.parts.map(({ name }) => name)
const wide = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

describe('a pack', () => {
  it('COU-C-1 holds in full what fits, with an index of what was left out and why', async () => {
    const pack = await packed({
      'README.md': '# Thing\n\nDoes a thing.\n',
      'src/main.ts': 'export const a = 1\n',
      'logo.png': 'x',
      'data.bin2': Uint8Array.of(1, 0, 2, 0, 0, 0, 9),
      '.env': 'A=1',
      'node_modules/x/index.js': '',
      '.gitignore': 'out.txt\n',
      'out.txt': '',
      'big.txt': 'x'.repeat(1_100_000),
    })
    expect(pack.kind).toBe('full')
    expect(partNames(pack)).toEqual([
      'context',
      'context:.gitignore',
      'context:README.md',
      'context:src/main.ts',
    ])
    expect(pack.excluded.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      '.env secret-path',
      'big.txt too-large',
      'data.bin2 binary',
      'logo.png binary',
      'node_modules/ dependency',
      'out.txt ignored',
    ])
    for (const { path, reason } of pack.excluded) expect(pack.parts[0]?.text).toContain(`${path}: ${reason}`)
    expect(pack.reviewed).toEqual([
      { path: '.gitignore', lines: 1, bytes: 8 },
      { path: 'README.md', lines: 3, bytes: 23 },
      { path: 'src/main.ts', lines: 1, bytes: 19 },
    ])
    expect(pack.index.map(({ key }) => key)).toEqual([null, 'overview', 'entry'])
    expect(packRecord(pack)).toMatchObject({
      kind: 'full',
      diff: null,
      bytes: pack.bytes,
      tokens: pack.tokens,
    })
    expect(packText(pack).parts.map(({ name }) => name)).toEqual(partNames(pack))
  })

  it('COU-C-1 is a summary over 200 files, over 500 KB, or when asked for', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 201 }, (_, i) => [`src/f${i}.ts`, `export const v${i} = ${i}\n`]),
    )
    const large = Object.fromEntries(
      Array.from({ length: 6 }, (_, i) => [`f${i}.ts`, 'let a = 1\n'.repeat(9_000)]),
    )
    for (const [tree, options, why] of [
      [many, {}, 'over 200 files'],
      [large, {}, 'over 500,000 bytes'],
      [{ 'a.ts': 'export const a = 1\n' }, { form: 'summary' }, 'asked for'],
      [{ 'a.ts': 'export const a = 1\n'.repeat(900) }, { limits: { bytes: 8_000 } }, 'over 5,000 bytes'],
    ] as const) {
      const pack = await packed(tree, options)
      expect(pack.manifest).toMatchObject({ kind: 'summary', why })
      expect(partNames(pack)).toEqual(['context'])
      expect(pack.index).toHaveLength(Object.keys(tree).length)
    }
    expect((await packed(many, { form: 'full' })).kind).toBe('full')
  })

  it('COU-C-1 summarises what a project is, where it starts, what its key files export and where to look first', async () => {
    const pack = await packed(
      {
        'package.json': '{"name":"thing","description":"Does it.","bin":{"thing":"./bin/thing.js"}}',
        'README.md': '# Thing\n\nKeeps the minutes of a council.\n',
        'src/main.ts': `import { run } from './run.ts'\nexport function start(): void {\n  eval(run())\n}\n// TODO more\n`,
        'src/run.ts': 'export const run = () => "1"\n',
      },
      { form: 'summary' },
    )
    const text = pack.parts[0]?.text ?? ''
    for (const said of [
      'name: thing',
      'Keeps the minutes of a council.',
      './bin/thing.js (declared)',
      'src/main.ts: runs commands or code; says TODO or FIXME',
      '  gives: start',
      '  uses: ./run.ts',
      '  2: export function start(): void {',
    ]) {
      expect(text).toContain(said)
    }
  })

  it('shows a file that was named, also when the rest is summed up', async () => {
    const root = folderWith({ 'a.md': 'named\n', 'src/b.ts': 'let b = 1\n'.repeat(5_000) })
    const pack = await filesPack(root, ['.', 'a.md'], { limits: { bytes: 20_000 } })
    expect(pack.kind).toBe('summary')
    expect(partNames(pack)).toEqual(['context', 'context:a.md'])
  })

  it('stays within its limit, for any tree', async () => {
    const tree = Object.fromEntries(
      Array.from({ length: 210 }, (_, i) => [
        `src/日本語の名前${i}/モジュール.ts`,
        `export function f${i}() {}\n`.repeat(40),
      ]),
    )
    for (const bytes of [4_000, 50_000]) {
      for (const form of ['auto', 'full', 'summary'] as const) {
        const pack = await packed(tree, { form, limits: { bytes } })
        expect(pack.bytes).toBeLessThanOrEqual(bytes)
      }
    }
  })

  it('cuts a long file to its first 100 and last 50 lines and says so', async () => {
    const long = Array.from({ length: 6_000 }, (_, i) => `line ${i + 1}`).join('\n')
    const pack = await packed({ 'a.txt': `${long}\n`, 'b.txt': 'x'.repeat(60_000) })
    const lines = pack.parts.find(({ path }) => path === 'a.txt')?.text.split('\n') ?? []
    expect(lines[100]).toBe('[lines 101 to 5950 left out]')
    expect(lines[101]).toBe('line 5951')
    expect(pack.reviewed).toContainEqual({ path: 'a.txt', lines: 6_000, bytes: long.length + 1 })
    expect(pack.parts.find(({ path }) => path === 'b.txt')?.text).toContain('[58000 characters left out]')
    expect(headAndTail('short\n')).toEqual({ text: 'short\n', truncated: false })
  })
})

describe('a planted secret', () => {
  const everywhere = (value: string): Tree => ({
    'src/a.ts': `const k = "${value}"\n`,
    'config/app.json': `{"k": "${value}"}\n`,
    'notes.md': `the key is ${value}\n`,
    '.env': `K=${value}\n`,
    'keys/server.pem': privateKey('RSA '),
    'deploy/thing': privateKey('EC '),
    'wide.txt': wide(`k: ${value}\n`),
    'latin.txt': Buffer.from(`sch\xf6n ${value}\n`, 'latin1'),
    ...(value.includes('/') ? {} : { [`old/${value}.txt`]: 'x' }),
  })

  it('stands in no byte of any pack, and each is listed', async () => {
    for (const [, value] of PLANTED) {
      for (const form of ['full', 'summary'] as const) {
        const pack = await packed(everywhere(value), { form })
        const text = fromUtf8(packBytes(pack)) ?? ''
        expect(text).not.toContain(value.slice(-12))
        expect(text).not.toContain(random(60))
        if (form === 'full')
          expect(pack.excluded).toContainEqual({ path: 'deploy/thing', reason: 'secret-content' })
      }
    }
  })

  it('that only its name reveals is removed too', async () => {
    for (const [, line] of ASSIGNED) {
      const pack = await packed({ 'config/app.yml': `a: 1\n${line}\n` })
      expect(pack.removed).toMatchObject([{ path: 'config/app.yml', line: 2 }])
      expect(pack.parts[1]?.text).toContain('[secret removed: ')
    }
  })
})

describe('text', () => {
  it('is read as UTF-8, UTF-16 and Latin-1, and as nothing else', () => {
    expect(decode(Buffer.from('\ufeffschön'))).toEqual({ text: 'schön', encoding: 'utf-8' })
    expect(decode(wide('schön'))).toEqual({ text: 'schön', encoding: 'utf-16le' })
    expect(decode(Buffer.from('plain words', 'utf16le'))).toEqual({
      text: 'plain words',
      encoding: 'utf-16le',
    })
    expect(decode(Buffer.from('plain words', 'utf16le').swap16())?.text).toBe('plain words')
    expect(decode(Buffer.from('sch\xf6n', 'latin1'))).toEqual({ text: 'schön', encoding: 'latin-1' })
    expect(decode(Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0xff))).toBeNull()
    expect(decode(Uint8Array.of(0xff, 1, 2, 3))).toBeNull()
  })

  it('of any bytes is well formed or binary', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const found = decode(bytes)
        expect(found === null || found.text.isWellFormed()).toBe(true)
      }),
    )
  })

  it('of any program is outlined without failing, within bounds', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 500 }), (text) => {
        const { imports, exports, notable } = outlineOf(text)
        expect(Math.max(imports.length, exports.length, notable.length)).toBeLessThanOrEqual(20)
      }),
    )
  })
})

describe('key files', () => {
  it('are few, small and shallow', () => {
    const file = (path: string, bytes: number) => ({ path, bytes, raw: '', lines: 1, named: false })
    const sources = Array.from({ length: 9 }, (_, i) =>
      file(`src/${'d/'.repeat(i % 3)}m${i}.ts`, 100 * (10 - i)),
    )
    const keys = keyFilesOf([...sources, file('README.md', 60_000), file('package.json', 10)])
    expect([...keys]).toEqual([
      ['package.json', 'manifest'],
      ['src/m6.ts', 'source'],
      ['src/m3.ts', 'source'],
      ['src/m0.ts', 'source'],
      ['src/d/m7.ts', 'source'],
      ['src/d/m4.ts', 'source'],
    ])
  })
})

describe('the same tree', () => {
  const name = fc.stringMatching(/^[a-z]{1,6}\.(?:ts|md|txt|env)$/)
  const tree = fc.dictionary(name, fc.string({ maxLength: 80 }), { minKeys: 1, maxKeys: 6 })

  it('gives the same bytes, wherever it lies and in any order it was written', async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.constantFrom('auto' as const, 'summary' as const), async (files, form) => {
        const backwards = Object.fromEntries(Object.entries(files).reverse())
        const [one, two] = await Promise.all(
          [files, backwards].map(async (each) =>
            packOf(await takeSnapshot(folderWith({ ...each }), ['.']), { form }),
          ),
        )
        expect(one && packBytes(one)).toEqual(two && packBytes(two))
        expect(one?.reviewed.every(({ lines }) => lines >= 0)).toBe(true)
      }),
      { numRuns: 15 },
    )
  })
})

describe('a preview', () => {
  it('says what would go to which provider, the cost if it is known, and what is not sent', async () => {
    const pack = await packed({ 'a.ts': `const k = "${PLANTED[0]?.[1]}"\n`, '.env': 'x' })
    const seat = { provider: 'openai', model: 'm', transport: 'api', words: ['Is this right?'] }
    const preview = await previewOf(
      [
        { ...seat, seat: 'one', pack },
        { ...seat, seat: 'two', pack: null },
      ],
      async ({ seat: name }, tokens) => (name === 'one' ? tokens / 1_000 : null),
    )
    expect(preview.seats).toMatchObject([
      { seat: 'one', pack: 'full', files: 1, bytes: pack.bytes + 14 },
      { seat: 'two', pack: 'none', files: 0, bytes: 14, cost: null },
    ])
    expect(preview.seats[0]?.cost).toBe((preview.seats[0]?.tokens ?? 0) / 1_000)
    expect(preview.total).toMatchObject({ bytes: pack.bytes + 28, cost: null })
    expect(preview).toMatchObject({ excluded: { 'secret-path': 1 }, secretsRemoved: 1 })
    expect(JSON.stringify(preview)).not.toContain('sk-')
  })
})
