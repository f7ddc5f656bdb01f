// Loopback servers that speak the true wire of embeddings: OpenAI's (also spoken by Ollama, LM Studio and others) and
// Google's. Vectors count words, so like texts are close. Limits and complaints are the vendors' own, in their words.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { countWords } from './embeddings-sense.ts'

export const FAKE_KEY = 'sk-fake-0123456789abcdef'

interface Seen {
  readonly path: string
  readonly texts: readonly string[]
  readonly dimension: number | null
}

/** Answers in the server's place; false lets the server answer. */
type Trouble = (response: ServerResponse, request: IncomingMessage) => boolean | undefined

export interface FakeEmbeddings {
  readonly url: string
  readonly seen: Seen[]
  trouble: Trouble | null
  /** Changes a good answer's vectors before they are sent. */
  twist: ((vectors: readonly number[][]) => readonly unknown[]) | null
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

interface Wire {
  readonly keyOf: (request: IncomingMessage) => string | undefined
  readonly denied: Answer
  read(path: string, body: never): Seen | Answer
  write(path: string, vectors: readonly unknown[]): unknown
}

const openAiError = (status: number, message: string, type: string, code: string | null): Answer => ({
  status,
  body: { error: { message, type, param: null, code } },
})

const googleError = (code: number, message: string, status: string, reason?: string): Answer => ({
  status: code,
  body: {
    error: {
      code,
      message,
      status,
      ...(reason && {
        details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }],
      }),
    },
  },
})

const openAi: Wire = {
  keyOf: (request) => request.headers.authorization?.replace(/^Bearer /, ''),
  denied: openAiError(
    401,
    `Incorrect API key provided: ${FAKE_KEY}x. You can find your API key at https://platform.openai.com.`,
    'invalid_request_error',
    'invalid_api_key',
  ),
  read(path, body: { model: string; input: string[]; encoding_format: string; dimensions?: number }) {
    if (path !== '/v1/embeddings')
      return openAiError(404, `Invalid URL (POST ${path})`, 'invalid_request_error', null)
    if (body.model === 'no-such-model') {
      const message = 'The model `no-such-model` does not exist or you do not have access to it.'
      return openAiError(404, message, 'invalid_request_error', 'model_not_found')
    }
    if (body.encoding_format !== 'float') return openAiError(400, 'not float', 'invalid_request_error', null)
    if (body.input.length > 2048 || body.input.some((text) => text === '')) {
      return openAiError(400, "'$.input' is invalid.", 'invalid_request_error', null)
    }
    return { path, texts: body.input, dimension: body.dimensions ?? null }
  },
  write: (_, vectors) => ({
    object: 'list',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model: 'text-embedding-fake',
    usage: { prompt_tokens: 8, total_tokens: 8 },
  }),
}

interface GoogleContent {
  readonly model: string
  readonly content: { readonly parts: readonly { readonly text: string }[] }
  readonly outputDimensionality?: number
}

const google: Wire = {
  keyOf: (request) => String(request.headers['x-goog-api-key']),
  denied: googleError(
    400,
    'API key not valid. Please pass a valid API key.',
    'INVALID_ARGUMENT',
    'API_KEY_INVALID',
  ),
  read(path, body: GoogleContent & { readonly requests?: readonly GoogleContent[] }) {
    const [, model, method] = /^\/v1beta\/models\/([^:]+):(embedContent|batchEmbedContents)$/.exec(path) ?? []
    if (model === 'no-such-model') {
      return googleError(404, 'models/no-such-model is not found for API version v1beta', 'NOT_FOUND')
    }
    const requests = method === 'batchEmbedContents' ? (body.requests ?? []) : [body]
    if (requests.length > 100) {
      const message = '* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch'
      return googleError(400, message, 'INVALID_ARGUMENT')
    }
    if (method === undefined || requests.some((one) => one.model !== `models/${model}`)) {
      return googleError(400, 'model mismatch', 'INVALID_ARGUMENT')
    }
    const texts = requests.map(({ content }) => content.parts.map(({ text }) => text).join(''))
    return { path, texts, dimension: requests[0]?.outputDimensionality ?? null }
  },
  write: (path, vectors) =>
    path.endsWith(':embedContent')
      ? { embedding: { values: vectors[0] } }
      : { embeddings: vectors.map((values) => ({ values })) },
}

async function readBody(request: IncomingMessage): Promise<never> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return JSON.parse(text) as never
}

export async function startFakeEmbeddings(
  kind: 'openai' | 'google',
  { key = FAKE_KEY as string | null, dimension = 256, delayMs = 0 } = {},
): Promise<FakeEmbeddings> {
  const wire = kind === 'openai' ? openAi : google
  const send = (response: ServerResponse, { status, body }: Answer): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    if (delayMs > 0) await setTimeout(delayMs)
    if (fake.trouble && fake.trouble(response, request) !== false) return
    if (key !== null && wire.keyOf(request) !== key) return send(response, wire.denied)
    const read = wire.read(request.url ?? '', body)
    if ('status' in read) return send(response, read)
    fake.seen.push(read)
    const vectors = read.texts.map((text) => countWords(text, read.dimension ?? dimension))
    send(response, { status: 200, body: wire.write(read.path, fake.twist?.(vectors) ?? vectors) })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const fake: FakeEmbeddings = {
    url: `http://127.0.0.1:${port}/${kind === 'openai' ? 'v1' : 'v1beta'}`,
    seen: [],
    trouble: null,
    twist: null,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return fake
}
