import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeEmbedderContract } from '../../test/contracts/embedders.ts'
import { WordCountEmbedder } from '../../test/fakes/embeddings-sense.ts'
import { bundleScript, startScript } from '../../test/support/children.ts'
import { cached } from './cache.ts'
import { packVector } from './embedder.ts'

const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'sense-cache-'))
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })

let directory: string
beforeEach(() => {
  directory = makeFolder()
})
afterEach(() => remove(directory))

describeEmbedderContract('cached', async () => {
  const folder = makeFolder()
  const embedder = cached(new WordCountEmbedder(), folder)
  return {
    embedder,
    async dispose() {
      await embedder.close()
      remove(folder)
    },
  }
})

const files = (): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe('the cache on disk', () => {
  it('asks once for each text, also within one call and after a restart', async () => {
    const inner = new WordCountEmbedder()
    const first = await cached(inner, directory).embed(['a', 'b', 'a'])
    expect(inner.asked).toEqual([['a', 'b']])
    const again = await cached(inner, directory).embed(['b', 'c', 'a'])
    expect(inner.asked.slice(1)).toEqual([['c']])
    expect(again.slice(0, 1).map(packVector)).toEqual(first.slice(1, 2).map(packVector))
  })

  it('keeps encoders apart', async () => {
    const [one, two] = [new WordCountEmbedder('fake:one:64'), new WordCountEmbedder('fake:two:64')]
    await cached(one, directory).embed(['a'])
    const [vector] = await cached(two, directory).embed(['a'])
    expect(vector?.encoder).toBe('fake:two:64')
    expect(two.asked).toEqual([['a']])
    expect(readdirSync(directory)).toHaveLength(2)
  })

  it('takes no folder from the name of an encoder', async () => {
    await cached(new WordCountEmbedder('local:../../../etc/x:64'), join(directory, 'in')).embed(['a'])
    expect(readdirSync(directory)).toEqual(['in'])
  })

  it('makes corrupt, truncated or misplaced entries again, and overwrites them', async () => {
    const inner = new WordCountEmbedder()
    const [good] = await cached(inner, directory).embed(['a b'])
    const [path = ''] = files()
    const whole = readFileSync(path)
    await cached(inner, directory).embed(['other'])
    const other = readFileSync(files().find((file) => file !== path) ?? '')
    const flipped = (at: number) => whole.map((byte, i) => (i === at ? byte ^ 1 : byte))
    const longer = Buffer.concat([whole, Buffer.alloc(2)])
    for (const bad of [
      '',
      '{',
      whole.subarray(0, 32),
      whole.subarray(0, -2),
      longer,
      other,
      flipped(0),
      flipped(99),
    ]) {
      writeFileSync(path, bad)
      inner.asked.length = 0
      expect(await cached(inner, directory).embed(['a b'])).toEqual([good])
      expect(inner.asked).toEqual([['a b']])
      expect(readFileSync(path)).toEqual(whole)
    }
  })

  it('holds no text, is for its owner alone, and leaves no temporary file', async () => {
    await cached(new WordCountEmbedder(), directory).embed(['a secret sentence', 'and another'])
    expect(files()).toHaveLength(2)
    for (const file of files()) {
      expect(file).toMatch(/\/[0-9a-f]{2}\/[0-9a-f]{64}$/)
      expect(statSync(file).mode & 0o077).toBe(0)
      expect(readFileSync(file, 'utf8')).not.toMatch(/secret|another/)
    }
  })

  it('forgets what it is told to, and nothing else', async () => {
    const inner = new WordCountEmbedder()
    const embedder = cached(inner, directory)
    await embedder.embed(['a', 'b'])
    await embedder.forget(['a', 'never seen'])
    await embedder.embed(['a', 'b'])
    expect(inner.asked).toEqual([['a', 'b'], ['a']])
  })

  it('forgets also what a process that ended was about to write', async () => {
    const embedder = cached(new WordCountEmbedder(), directory)
    await embedder.embed(['a', 'b'])
    const before = files()
    await embedder.forget(['a'])
    const [b = ''] = files()
    const a = before.find((file) => file !== b) ?? ''
    for (const file of [a, b]) writeFileSync(`${file}.0123456789ab`, 'half an entry')
    await embedder.forget(['a'])
    expect(files()).toEqual([b, `${b}.0123456789ab`])
  })

  it('continues without a disk to write to, and says what is wrong', async () => {
    writeFileSync(join(directory, 'file'), '')
    const embedder = cached(new WordCountEmbedder(), join(directory, 'file'))
    expect(await embedder.embed(['a'])).toHaveLength(1)
    expect(embedder.trouble?.message).toMatch(/ENOTDIR|EEXIST/)
  })

  it('stores nothing when the encoder fails', async () => {
    const inner = new WordCountEmbedder()
    await inner.close()
    await expect(cached(inner, directory).embed(['a'])).rejects.toMatchObject({ fault: 'closed' })
    expect(files()).toEqual([])
  })

  it('is shared by processes that write the same entries at once', { timeout: 60_000 }, async () => {
    const script = await bundleScript('test/fakes/embeddings-writer.ts')
    const texts = Array.from({ length: 200 }, (_, i) => `text ${i}`)
    const writers = Array.from({ length: 4 }, () => startScript(script, [directory, JSON.stringify(texts)]))
    const ends = await Promise.all(writers.map(({ ended }) => ended))
    expect(ends).toEqual(ends.map(() => ({ code: 0, signal: null, errors: '' })))
    expect(files()).toHaveLength(200)
    const inner = new WordCountEmbedder()
    expect(await cached(inner, directory).embed(texts)).toEqual(await new WordCountEmbedder().embed(texts))
    expect(inner.asked).toEqual([])
  })
})
