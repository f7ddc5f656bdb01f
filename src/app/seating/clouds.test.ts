// Azure, Vertex and Bedrock as seats, over their true wires on loopback: addresses from the clouds' own variables, keys
// in the headers that they want, tokens from Google's credentials file.
import { createVerify, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { PLANTED_SECRET, SHAPE } from '../../../test/contracts/scenarios.ts'
import { breakConverse, converse } from '../../../test/fakes/bedrock.ts'
import { googleWire } from '../../../test/fakes/google.ts'
import { openaiWire } from '../../../test/fakes/openai.ts'
import { type FakeServer, perform, type Seen, serve } from '../../../test/fakes/scripted-server.ts'
import { collectGarbage } from '../../../test/support/garbage.ts'
import type { Outcome } from '../../models/model.ts'
import type { ProviderSettings } from '../config/provider.ts'
import { cloudAddress } from './environment.ts'
import { googleToken } from './keys.ts'
import { waysTo } from './transports.ts'

const FITS = '{"verdict":"adopt","confidence":0.75}'
const USAGE = { inputTokens: 11, outputTokens: 7 }
const ANSWER = { act: 'answer', text: FITS, usage: USAGE } as const

let server: FakeServer
let folder: string | null = null
afterEach(async () => {
  await server.close()
  if (folder !== null) await rm(folder, { recursive: true })
  folder = null
})

/** The cloud as this machine sees it: every host of the clouds is our server, which hears the host that was meant. */
const toLoopback: typeof fetch = (input, init) => {
  const url = new URL(String(input instanceof Request ? input.url : input))
  const headers = new Headers(init?.headers)
  headers.set('x-meant', url.host)
  return fetch(`${server.url}${url.pathname}${url.search}`, { ...init, headers })
}

async function wayTo(provider: ProviderSettings, env: Record<string, string>) {
  const { signal } = new AbortController()
  const settings = { council: { providers: [provider] }, mcpServers: {} }
  const [way] = await waysTo(provider, {
    settings,
    env: { HOME: '/nowhere', ...env },
    signal,
    fetch: toLoopback,
  })
  if (way === undefined) throw new Error('no way')
  return way
}

const ask = async (provider: ProviderSettings, env: Record<string, string>): Promise<Outcome> =>
  (await wayTo(provider, env)).ask({
    system: 'Be brief.',
    parts: [{ name: 'question', text: 'Adopt?', quotes: null, template: null }],
    schema: SHAPE,
    limits: { timeoutMs: 20_000, maxOutputTokens: null, maxReplyBytes: 10_000 },
    signal: new AbortController().signal,
  })

const seen = (): Seen => server.requests.at(-1) ?? { method: '', path: '', headers: {}, body: null }
const found = async (provider: ProviderSettings, env: Record<string, string>) =>
  (await wayTo(provider, env)).available(new AbortController().signal)

describe('VOX-7 Azure OpenAI', () => {
  const env = {
    AZURE_OPENAI_ENDPOINT: 'https://acme.openai.azure.com/',
    AZURE_OPENAI_API_KEY: PLANTED_SECRET,
  }

  it('asks the deployment at the resource, with the key in its own header', async () => {
    server = await serve((request, response) => perform(openaiWire, ANSWER, request, response))
    const outcome = await ask({ name: 'azure', model: 'my-deployment' }, env)
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ ok: true, text: FITS })
    expect(seen()).toMatchObject({ path: '/openai/v1/responses', body: { model: 'my-deployment' } })
    expect(seen().headers).toMatchObject({ 'x-meant': 'acme.openai.azure.com', 'api-key': PLANTED_SECRET })
    expect(seen().body).toMatchObject({ text: { format: { strict: true } } })
  })

  it('VOX-10 says what is missing', async () => {
    server = await serve(() => undefined)
    expect(await found({ name: 'azure', model: 'd' }, {})).toMatchObject({
      ready: false,
      detail: 'AZURE_OPENAI_ENDPOINT is not set',
    })
    expect(await found({ name: 'azure' }, env)).toMatchObject({ next: 'Name the deployment with model:.' })
    const { AZURE_OPENAI_API_KEY: _, ...keyless } = env
    expect(await found({ name: 'azure', model: 'd' }, keyless)).toMatchObject({
      detail: 'AZURE_OPENAI_API_KEY is not set',
    })
  })
})

describe('VOX-7 Vertex', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

  /** A token for an assertion that the service account signed. */
  function tokenFor(form: string): object {
    const [head = '', claims = '', signature = ''] = (new URLSearchParams(form).get('assertion') ?? '').split(
      '.',
    )
    const good = createVerify('RSA-SHA256')
      .update(`${head}.${claims}`)
      .verify(publicKey, signature, 'base64url')
    return good ? { access_token: PLANTED_SECRET, expires_in: 3_600 } : { error: 'invalid_grant' }
  }

  it('gives up a token whose answer stalls or breaks off, and says which', async () => {
    let breaksOff = false
    const tokens = createServer((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"access')
      if (breaksOff) setTimeout(() => response.destroy(), 50)
    })
    await new Promise<void>((done) => tokens.listen(0, '127.0.0.1', done))
    const { port } = tokens.address() as AddressInfo
    server = await serve(() => undefined)
    folder = await mkdtemp(join(tmpdir(), 'witan-vertex-'))
    const file = join(folder, 'key.json')
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
    const token_uri = `http://127.0.0.1:${port}/token`
    await writeFile(
      file,
      JSON.stringify({ type: 'service_account', client_email: 'w@p.iam', private_key: pem, token_uri }),
    )
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 40))
    const stopCollecting = collectGarbage()
    try {
      await expect(googleToken(file, fetch)()).rejects.toThrow('Google gave no token within 20 s')
      breaksOff = true
      await expect(googleToken(file, fetch)()).rejects.toThrow('terminated')
    } finally {
      stopCollecting()
      spy.mockRestore()
      tokens.closeAllConnections()
      tokens.close()
    }
  })

  it('asks in the region of the project, with a token of its service account', async () => {
    const forms: string[] = []
    const tokens = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      forms.push(Buffer.concat(chunks).toString())
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(tokenFor(forms.at(-1) ?? '')))
    })
    await new Promise<void>((done) => tokens.listen(0, '127.0.0.1', done))
    const address = tokens.address()
    const port = typeof address === 'object' ? address?.port : 0
    server = await serve((request, response) => perform(googleWire, ANSWER, request, response))
    folder = await mkdtemp(join(tmpdir(), 'witan-vertex-'))
    const file = join(folder, 'key.json')
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
    const token_uri = `http://127.0.0.1:${port}/token`
    const credentials = { type: 'service_account', client_email: 'w@p.iam', private_key: pem, token_uri }
    await writeFile(file, JSON.stringify(credentials))
    const env = {
      GOOGLE_CLOUD_PROJECT: 'p',
      GOOGLE_CLOUD_LOCATION: 'europe-west4',
      GOOGLE_APPLICATION_CREDENTIALS: file,
    }
    // The token is fetched by the same way as the model is asked; here both are this machine.
    const direct: typeof fetch = (input, init) =>
      String(input).startsWith(token_uri) ? fetch(input, init) : toLoopback(input, init)
    const { signal } = new AbortController()
    const provider = { name: 'vertex', model: 'gemini-3.8-flash' }
    const settings = { council: {}, mcpServers: {} }
    const [way] = await waysTo(provider, { settings, env, signal, fetch: direct })
    const request = {
      system: '',
      parts: [{ name: 'question', text: 'Adopt?', quotes: null, template: null }],
      schema: SHAPE,
      limits: { timeoutMs: 20_000, maxOutputTokens: null, maxReplyBytes: 10_000 },
      signal,
    }
    const outcome = await way?.ask(request)
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ ok: true, text: FITS })
    expect(await way?.ask(request)).toMatchObject({ ok: true })
    tokens.close()
    // One token for both.
    expect(forms).toHaveLength(1)
    expect(seen().path).toBe(
      '/v1/projects/p/locations/europe-west4/publishers/google/models/gemini-3.8-flash:streamGenerateContent?alt=sse',
    )
    expect(seen().headers).toMatchObject({
      'x-meant': 'europe-west4-aiplatform.googleapis.com',
      authorization: `Bearer ${PLANTED_SECRET}`,
    })
    expect(seen().headers).not.toHaveProperty('x-goog-api-key')
  })

  it('uses the global region unless a location is set', async () => {
    server = await serve(() => undefined)
    expect(cloudAddress('vertex', { GOOGLE_CLOUD_PROJECT: 'p' })).toBe(
      'https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google',
    )
    expect(await found({ name: 'vertex' }, { GOOGLE_CLOUD_PROJECT: 'p' })).toMatchObject({
      detail: 'no credentials of Google Cloud are found',
    })
    expect(await found({ name: 'vertex' }, {})).toMatchObject({ detail: 'GOOGLE_CLOUD_PROJECT is not set' })
  })
})

describe('VOX-7 Bedrock', () => {
  const env = { AWS_REGION: 'eu-central-1', AWS_BEARER_TOKEN_BEDROCK: PLANTED_SECRET }
  const provider = { name: 'bedrock', model: 'eu.anthropic.claude-opus-4-6-v1:0' }

  it('asks the model of the region, with the schema in words', async () => {
    server = await serve((_, response) => converse(response, FITS, USAGE))
    const outcome = await ask(provider, env)
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ ok: true, text: FITS, usage: USAGE })
    expect(seen().path).toBe(`/model/${encodeURIComponent(provider.model)}/converse-stream`)
    expect(seen().headers).toMatchObject({
      'x-meant': 'bedrock-runtime.eu-central-1.amazonaws.com',
      authorization: `Bearer ${PLANTED_SECRET}`,
    })
    expect(JSON.stringify(seen().body)).toContain('It must fit this JSON schema')
  })

  it('VOX-5 says why a stream broke off', async () => {
    server = await serve((_, response) =>
      breakConverse(response, 'throttlingException', 'Too many tokens, wait'),
    )
    expect(await ask(provider, env)).toMatchObject({ ok: false, type: 'rate_limit' })
  })

  it('VOX-5 says why a request was refused', async () => {
    server = await serve((_, response) => {
      response.writeHead(403, { 'content-type': 'application/json' })
      response.end('{"message":"The security token included in the request is invalid."}')
    })
    expect(await ask(provider, env)).toMatchObject({ ok: false, type: 'auth' })
  })
})
