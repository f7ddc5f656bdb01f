// Which models a vendor offers now, before asking one. One small request, no redirects, an answer of limited
// size; what a vendor lists is data.

import { startDeadline, unlessAborted } from '../deadline.ts'
import type { ApiKind } from '../default-models.ts'
import { redact } from '../hide-secrets.ts'
import { faultOf, wordsThrough } from './faults.ts'

/** The provider to ask for its list of models, and the key to use. */
export interface Listing {
  readonly kind: ApiKind
  readonly baseUrl: string
  readonly key: string | null
  readonly fetch?: typeof fetch
  readonly signal: AbortSignal
  /** For the whole answer; by default 10 seconds. */
  readonly limitMs?: number
}

/** The server exists but does not answer this. */
export class Unlisted extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

const LIMIT_MS = 10_000
const MOST_BYTES = 4 << 20
const MOST_WORDS = 4_000

function headersFor(kind: ApiKind, key: string | null): Record<string, string> {
  if (key === null) return {}
  if (kind === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  return kind === 'google' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` }
}

/** OpenAI, Anthropic and most others list under `data` by `id`; Google under `models` by `name`. */
function idsIn(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return []
  const list: unknown = Reflect.get(body, 'data') ?? Reflect.get(body, 'models')
  if (!Array.isArray(list)) return []
  return list.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return []
    const id: unknown = Reflect.get(entry, 'id') ?? Reflect.get(entry, 'name')
    return typeof id === 'string' ? [id.replace(/^models\//, '')] : []
  })
}

interface Answer {
  readonly response: Response
  readonly bytes: Uint8Array
}

async function readBytes({ body, url }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new Error(`the list at ${url} is longer than ${MOST_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Ends at the limit: with Node 20, what `AbortSignal.any` makes of a timeout can be lost when garbage is collected. */
async function get(url: string, listing: Listing): Promise<Answer> {
  const { kind, key, fetch: send = fetch, signal, limitMs = LIMIT_MS } = listing
  const deadline = startDeadline(limitMs, signal)
  try {
    const request = { headers: headersFor(kind, key), signal: deadline.signal, redirect: 'manual' } as const
    const answer = send(url, request).then(async (response) => ({
      response,
      bytes: await readBytes(response),
    }))
    return await unlessAborted(answer, deadline.signal)
  } catch (error) {
    if (deadline.ended === 'silence') throw new Error(`no answer within ${limitMs} ms`, { cause: error })
    throw error
  } finally {
    deadline.close()
  }
}

/** The ids of the models that a provider lists. Throws, in the vendor's words, when no list is available. */
export async function listModels(listing: Listing): Promise<readonly string[]> {
  const { kind, baseUrl, key } = listing
  const size = kind === 'google' ? '?pageSize=1000' : kind === 'anthropic' ? '?limit=1000' : ''
  const url = `${baseUrl.replace(/\/+$/, '')}/models${size}`
  let answer: Answer
  try {
    answer = await get(url, listing)
  } catch (error) {
    throw new Error(redact(wordsThrough(error), [key]), { cause: error })
  }
  const { response, bytes } = answer
  const text = Buffer.from(bytes).toString('utf8')
  // Some local servers offer no list; it is enough that they answer.
  if (response.status === 404) return []
  if (!response.ok) throw new Unlisted(redact(faultOf(response.status, text).message, [key]), response.status)
  try {
    return idsIn(JSON.parse(text))
  } catch {
    throw new Error(`${url} did not answer with JSON`)
  }
}

/**
 * False when the vendor says that it has no such model; aliases count as known. Null when that is unknown: nothing
 * answered, or the server has no such page.
 */
export async function knowsModel(listing: Listing, model: string): Promise<boolean | null> {
  const url = `${listing.baseUrl.replace(/\/+$/, '')}/models/${encodeURIComponent(model)}`
  try {
    const { response, bytes } = await get(url, listing)
    const text = Buffer.from(bytes).toString('utf8').slice(0, MOST_WORDS)
    if (response.ok) return true
    // A missing page says nothing about the model: only a vendor's own error about it does.
    const isOwn = /"(?:type|code|status)"\s*:\s*"(?:not_found_error|model_not_found|NOT_FOUND)"/.test(text)
    return response.status === 404 && isOwn && !text.includes('/models/') ? false : null
  } catch {
    return null
  }
}
