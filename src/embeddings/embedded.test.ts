import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeEmbedderContract } from '../../test/contracts/embedders.ts'
import { openBuiltInEmbedder } from './embedded.ts'
import { type Embedder, isZeroVector, similarity, type Vector } from './embedder.ts'

describeEmbedderContract('embedded', async () => {
  const embedder = openBuiltInEmbedder()
  return { embedder, dispose: () => embedder.close() }
})

/** A sense whose threads can be seen and harmed. */
function watched() {
  const workers: Worker[] = []
  const ended: number[] = []
  /** Which calls the threads worked through to their end. */
  const answered: number[] = []
  const embedder = openBuiltInEmbedder({
    startThread: (source) => {
      const worker = new Worker(source, { eval: true, env: {}, execArgv: [] })
      worker.on('exit', () => ended.push(worker.threadId))
      worker.on('message', ({ id }: { readonly id: number }) => answered.push(id))
      workers.push(worker)
      return worker
    },
  })
  return { embedder, workers, ended, answered }
}

describe('the thread of the embedded encoder', () => {
  it('starts with the first text, serves all calls, and is gone after closing', async () => {
    const { embedder, workers, ended } = watched()
    expect(workers).toHaveLength(0)
    await embedder.embed([])
    expect(workers).toHaveLength(0)
    await Promise.all([embedder.embed(['one']), embedder.embed(['two'])])
    expect(workers).toHaveLength(1)
    await embedder.close()
    expect(ended).toHaveLength(1)
  })

  it('fails its calls with the cause if it dies, and the next call starts another', async () => {
    const { embedder, workers } = watched()
    const before = await embedder.embed(['one'])
    const lost = embedder.embed(Array.from({ length: 500 }, (_, i) => `text ${i}`))
    const seen = expect(lost).rejects.toMatchObject({ code: 'SENSE_FAILED', fault: 'crashed' })
    await workers[0]?.terminate()
    await seen
    expect(await embedder.embed(['one'])).toEqual(before)
    expect(workers).toHaveLength(2)
    await embedder.close()
  })

  it('does no more work on texts whose callers gave up', async () => {
    const { embedder, answered } = watched()
    await embedder.embed(['warm'])
    const stop = new AbortController()
    const why = new Error('no longer wanted')
    const text = 'the quick brown fox jumps over the lazy dog. '.repeat(4_000)
    const work = [embedder.embed([text], stop.signal), embedder.embed([text], stop.signal)]
    setTimeout(() => stop.abort(why), 400)
    const ends = await Promise.allSettled(work)
    expect(ends).toEqual(ends.map(() => ({ status: 'rejected', reason: why })))
    await embedder.embed(['next'])
    expect(answered).toEqual([0, 3])
    await embedder.close()
  })

  it('says which package is missing', () => {
    const empty = mkdtempSync(join(tmpdir(), 'sense-'))
    expect(() => openBuiltInEmbedder({ from: pathToFileURL(join(empty, 'x.js')).href })).toThrow(
      /package @energetic-ai\/model-embeddings-en is not there/,
    )
    rmSync(empty, { recursive: true })
  })

  it('reports the error of its thread if it could not start', async () => {
    const embedder = openBuiltInEmbedder({
      startThread: () => new Worker('throw new Error("no room")', { eval: true }),
    })
    await expect(embedder.embed(['x'])).rejects.toMatchObject({
      fault: 'crashed',
      message: 'the embedded sentence encoder failed: no room',
      cause: expect.objectContaining({ message: 'no room' }),
    })
    await embedder.close()
  })
})

describe('the embedded encoder', () => {
  let embedder: Embedder
  beforeAll(() => {
    embedder = openBuiltInEmbedder()
  })
  afterAll(() => embedder.close())

  const closeness = async (...texts: [string, string]): Promise<number> => {
    const [a, b] = (await embedder.embed(texts)) as [Vector, Vector]
    return similarity(a, b)
  }

  it('is named by model, installed version, our preparation of texts, and dimension', () => {
    expect(embedder.encoder).toMatch(/^embedded:use-lite-en@0\.2\.[0-9]+\+1:512$/)
  })

  it('gives the same numbers as when it got this name: other numbers need another name', async () => {
    const long = 'The council met at noon. It heard three reports and adopted one. '.repeat(16)
    const [short, pooled] = (await embedder.embed(['We begin again.', long])) as [Vector, Vector]
    for (const [{ values }, ...known] of [
      [short, -0.055, -0.043, 0.051, 0.049],
      [pooled, -0.007, -0.023, -0.051, 0.002],
    ] as const) {
      for (const [i, value] of known.entries()) expect(Math.abs((values[i] ?? 9) - value)).toBeLessThan(0.002)
    }
  })

  it('knows a paraphrase without shared words from another matter', async () => {
    const text = 'We should start the whole conversation over.'
    expect(await closeness(text, 'I would like us to begin again from scratch.')).toBeGreaterThan(0.4)
    expect(await closeness(text, 'Queries against big tables take too long.')).toBeLessThan(0.3)
  })

  it('ignores how a text is broken into lines', async () => {
    const text = 'We should start the whole conversation over.'
    expect(await closeness(text, text.replaceAll(' ', '\n\t'))).toBe(1)
  })

  it('gives no vector for scripts that it never learnt, so such texts do not all look alike', async () => {
    const deaf = [
      'Нам следует начать весь разговор заново.',
      'Он и она не на том.',
      'Πρέπει να ξεκινήσουμε από την αρχή.',
      '我们应该重新开始整个对话。',
      '会話を最初からやり直すべきです。',
      'يجب أن نبدأ المحادثة من جديد.',
      '👍🎉',
    ]
    expect((await embedder.embed(deaf)).map(isZeroVector)).toEqual(deaf.map(() => true))
    const heard = ['👍 great idea', 'naïve café', '重新开始 please restart the conversation', 'x → y = 42']
    expect((await embedder.embed(heard)).map(isZeroVector)).toEqual(heard.map(() => false))
  })
})
