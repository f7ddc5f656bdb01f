import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeEmbedderContract } from '../../test/contracts/embedders.ts'
import { FAKE_KEY, type FakeEmbeddings, startFakeEmbeddings } from '../../test/fakes/embeddings.ts'
import { collectGarbage } from '../../test/support/garbage.ts'
import { type EmbeddingFault, packVector } from './embedder.ts'
import type { ProviderOptions } from './provider.ts'
import { openProviderEmbedder } from './provider.ts'

type Kind = ProviderOptions['kind']
const KINDS: readonly Kind[] = ['openai', 'google', 'openai-compatible']

const serve = (kind: Kind, delayMs = 0): Promise<FakeEmbeddings> =>
  startFakeEmbeddings(kind === 'google' ? 'google' : 'openai', { delayMs })
const options = (kind: Kind, { url }: FakeEmbeddings, more: Partial<ProviderOptions> = {}) => ({
  kind,
  name: kind,
  model: 'text-embedding-fake',
  apiKey: FAKE_KEY,
  baseUrl: url,
  dimension: null,
  ...more,
})

for (const kind of KINDS) {
  describeEmbedderContract(kind, async () => {
    const server = await serve(kind, 40)
    const embedder = await openProviderEmbedder(options(kind, server))
    return {
      embedder,
      dispose: async () => {
        await embedder.close()
        await server.close()
      },
    }
  })
}

describe.each(KINDS)('embeddings of %s', (kind) => {
  let server: FakeEmbeddings
  beforeEach(async () => {
    server = await serve(kind)
  })
  afterEach(() => server.close())

  const open = (more: Partial<ProviderOptions> = {}) => openProviderEmbedder(options(kind, server, more))
  const reply = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    server.trouble = (response: ServerResponse) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
      return true
    }
  }
  const faultOf = async (more: Partial<ProviderOptions> = {}): Promise<unknown> => {
    const embedder = await open({ dimension: 256, ...more })
    return embedder.embed(['a', 'b']).then(
      () => 'none',
      (error) => error,
    )
  }
  const says = (fault: EmbeddingFault, message: RegExp | string = '') =>
    expect.objectContaining({
      code: 'SENSE_FAILED',
      fault,
      message: message instanceof RegExp ? expect.stringMatching(message) : expect.stringContaining(message),
    })

  it('are named by provider, model and dimension, which is asked for when it is not given', async () => {
    expect((await open()).encoder).toBe(`${kind}:text-embedding-fake:256`)
    expect(server.seen).toHaveLength(1)
    expect((await open({ dimension: 64, name: 'local' })).encoder).toBe('local:text-embedding-fake:64')
    expect(server.seen).toHaveLength(1)
    expect((await open({ maxTokens: 100 })).encoder).toBe(`${kind}:text-embedding-fake@100t:256`)
  })

  it('are asked for in the dimension wanted, where the wire can say it', async () => {
    if (kind === 'openai-compatible') return
    const embedder = await open({ dimension: 64 })
    const [vector] = await embedder.embed(['a'])
    expect(vector?.values).toHaveLength(64)
    expect(server.seen.at(-1)?.dimension).toBe(64)
  })

  it('are asked for in batches that the wire allows, in order', async () => {
    const embedder = await open({ dimension: kind === 'openai-compatible' ? 256 : null })
    server.seen.length = 0
    const texts = Array.from({ length: 600 }, (_, i) => `text number ${i}`)
    const vectors = await embedder.embed(texts)
    expect(server.seen.flatMap((seen) => seen.texts)).toEqual(texts)
    const most = { openai: 512, google: 100, 'openai-compatible': 64 }[kind]
    expect(Math.max(...server.seen.map((seen) => seen.texts.length))).toBe(most)
    const [last] = await embedder.embed([texts.at(-1) ?? ''])
    expect(last && packVector(last)).toEqual(
      packVector(vectors.at(-1) ?? { encoder: '', values: new Float32Array() }),
    )
  })

  it('send long texts in parts, and never a text without words', async () => {
    const embedder = await open({ dimension: 256, maxTokens: 50 })
    await embedder.embed(['word '.repeat(100), '', ' \n'])
    const sent = server.seen.flatMap((seen) => seen.texts)
    expect(sent.length).toBeGreaterThan(2)
    expect(sent.join(' ')).toBe('word '.repeat(100).trim())
  })

  it('fail on a wrong key in the words of the vendor, without the key', async () => {
    const error = await faultOf({ apiKey: `${FAKE_KEY}x` })
    expect(error).toEqual(says('auth', /API key/))
    expect(JSON.stringify([error, String(error), (error as Error).stack])).not.toContain(FAKE_KEY)
  })

  it('ask nothing without a key where one is needed', async () => {
    server.trouble = () => {
      throw new Error('asked')
    }
    if (kind === 'openai-compatible') return
    expect(await faultOf({ apiKey: null })).toEqual(says('auth', 'there is no API key'))
  })

  it('fail on a model that is not there', async () => {
    expect(await faultOf({ model: 'no-such-model' })).toEqual(says('not_found', /no-such-model/))
  })

  it('tell rate limits from empty accounts, with the time to wait', async () => {
    reply(429, { error: { message: 'Rate limit reached', code: 429, status: 'X' } }, { 'retry-after': '7' })
    expect(await faultOf()).toMatchObject({ fault: 'rate_limit', retryAfterMs: 7000 })
    reply(429, {
      error: { message: 'You exceeded your quota', type: 'insufficient_quota', code: 429, status: 'X' },
    })
    expect(await faultOf()).toEqual(says('billing', 'You exceeded your quota'))
  })

  it('fail on faults of the server, also in words that are not JSON', async () => {
    reply(500, { error: { message: 'The server had an error', code: 500, status: 'INTERNAL' } })
    expect(await faultOf()).toEqual(says('server', 'The server had an error'))
    reply(502, '<html>upstream is away</html>', { 'content-type': 'text/html' })
    expect(await faultOf()).toEqual(says('server', 'upstream is away'))
    reply(400, { error: { message: 'input too long', code: 400, status: 'INVALID_ARGUMENT' } })
    expect(await faultOf()).toEqual(says('refused', 'input too long'))
  })

  it('fail on answers without embeddings', async () => {
    for (const body of ['', '{', '[]', '{"data": 7}', '{"embeddings":[{"values":["x"]}]}']) {
      reply(200, body)
      expect(await faultOf()).toEqual(says('malformed'))
    }
    server.trouble = null
    for (const twist of [
      (vectors: readonly number[][]) => vectors.slice(1),
      (vectors: readonly number[][]) => [...vectors, vectors[0]],
      (vectors: readonly number[][]) => vectors.map((vector) => vector.slice(1)),
      (vectors: readonly number[][]) => vectors.map((vector) => vector.map(String)),
      (vectors: readonly number[][]) => vectors.map((vector) => vector.map(() => null)),
    ]) {
      server.twist = twist
      expect(await faultOf()).toEqual(says('malformed'))
    }
    server.twist = (vectors) => vectors.map(() => [])
    await expect(open()).rejects.toEqual(says('malformed'))
  })

  it('fail on a reply without end', async () => {
    reply(200, ' '.repeat(100_000))
    expect(await faultOf({ maxReplyBytes: 10_000 })).toEqual(
      says('malformed', 'the reply is over 10000 bytes'),
    )
  })

  it('fail when the server is away, hangs up or says nothing in time', async () => {
    server.trouble = (response) => {
      response.destroy()
      return true
    }
    expect(await faultOf()).toEqual(says('network'))
    server.trouble = () => true
    expect(await faultOf({ timeoutMs: 200 })).toEqual(says('timeout', 'no answer within 200 ms'))
    expect(await faultOf({ baseUrl: 'http://127.0.0.1:1/v1' })).toEqual(
      says('network', /ECONNREFUSED|bad port/),
    )
  })

  it('fail in time when the answer never ends, whenever garbage is collected', async () => {
    server.trouble = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{')
      return true
    }
    const stopCollecting = collectGarbage()
    try {
      expect(await faultOf({ timeoutMs: 300 })).toEqual(says('timeout', 'no answer within 300 ms'))
    } finally {
      stopCollecting()
    }
  })

  it('take a key nowhere else', async () => {
    const other = await serve(kind)
    server.trouble = (response, request) => {
      response.writeHead(307, { location: `${new URL(other.url).origin}${request.url}` }).end()
      return true
    }
    expect(await faultOf()).toEqual(says('network', /redirect/))
    expect(other.seen).toEqual([])
    await other.close()
  })

  it('stop a request under way and leave no connection', async () => {
    let gone: () => void = () => {}
    const left = new Promise<void>((resolve) => {
      gone = resolve
    })
    server.trouble = (response) => {
      response.on('close', gone)
      return true
    }
    const embedder = await open({ dimension: 256 })
    const why = new Error('enough')
    const stop = new AbortController()
    setTimeout(() => stop.abort(why), 100)
    await expect(embedder.embed(['a'], stop.signal)).rejects.toBe(why)
    await left
  })
})

it('sorts the numbered answers of the wire', async () => {
  const server = await serve('openai')
  server.trouble = (response) => {
    const data = [1, 0].map((index) => ({ object: 'embedding', index, embedding: index ? [0, 1] : [1, 0] }))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ object: 'list', data, model: 'm', usage: { prompt_tokens: 1 } }))
    return true
  }
  const embedder = await openProviderEmbedder(options('openai-compatible', server, { dimension: 2 }))
  const vectors = await embedder.embed(['first', 'second'])
  expect(vectors.map(({ values }) => values[0])).toEqual([expect.closeTo(1, 3), 0])
  await embedder.close()
  await server.close()
})

it('needs no key where the server wants none, and takes none from the environment', async () => {
  const server = await startFakeEmbeddings('openai', { key: null })
  process.env.OPENAI_API_KEY = 'sk-from-the-environment'
  let sent: unknown
  server.trouble = (_, request) => {
    sent = request.headers.authorization
    return false
  }
  const embedder = await openProviderEmbedder(options('openai-compatible', server, { apiKey: null }))
  expect(await embedder.embed(['a'])).toHaveLength(1)
  expect(sent).toBeUndefined()
  delete process.env.OPENAI_API_KEY
  await embedder.close()
  await server.close()
})
