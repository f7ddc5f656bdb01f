// Google's streamGenerateContent with alt=sse: unnamed events, each a whole response with one candidate; the last one
// has the reason it finished and the usage.
import { PLANTED_SECRET } from '../contracts/scenarios.ts'
import { refuseGenerate } from './limits/google.ts'
import { event, type VendorWire } from './scripted-server.ts'

const ERRORS = {
  auth: [400, 'INVALID_ARGUMENT'],
  forbidden: [403, 'PERMISSION_DENIED'],
  billing: [402, 'FAILED_PRECONDITION'],
  rate_limit: [429, 'RESOURCE_EXHAUSTED'],
  model_not_found: [404, 'NOT_FOUND'],
  context_too_long: [400, 'INVALID_ARGUMENT'],
  server: [503, 'UNAVAILABLE'],
} as const

const STOP = { end: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' }
const common = { modelVersion: 'fake-1-001', responseId: 'r-01' }

export const googleWire: VendorWire = {
  refuses: ({ body, path }) => refuseGenerate(body, /models\/([^/:]+):/.exec(path)?.[1] ?? ''),
  path: /^\/v1beta\/models\/[^/:]+:streamGenerateContent\?alt=sse$/,
  keyIn: (headers) =>
    headers['x-goog-api-key'] === PLANTED_SECRET ? undefined : 'Method doesn’t allow unregistered callers',
  begin: () => [],
  delta: (text) =>
    event({ candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }], ...common }),
  end: ({ usage, stop }) => {
    const usageMetadata = {
      promptTokenCount: usage?.inputTokens,
      candidatesTokenCount: usage?.outputTokens,
      totalTokenCount: 18,
    }
    const candidate = {
      content: { parts: [{ text: '' }], role: 'model' },
      finishReason: STOP[stop],
      index: 0,
    }
    return [event({ candidates: [candidate], ...(usage === null ? {} : { usageMetadata }), ...common })]
  },
  error: (kind, message) => {
    const [code, status] = ERRORS[kind]
    const reason = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }
    const details = kind === 'auth' ? [reason] : []
    return { status: code, body: [{ error: { code, message, status, details } }] }
  },
}
