// The record of one model call, in the same shape in every protocol: request and reply, transport, and usage.

import { closed, integer, list, number, orNull, text } from './schema.ts'

const count = integer({ minimum: 0 })
const hash = text({ minLength: 64, maxLength: 64 })

export const ARTIFACTS = list(closed({ hash, media_type: text(), size: count, name: text() }))

const ATTEMPT = closed({
  transport: text(),
  error_type: orNull(text()),
  cause: orNull(text()),
  error_message: orNull(text()),
  latency_ms: count,
  waited_ms: count,
})

export const ASKING = {
  artifacts: ARTIFACTS,
  transport: text(),
  model: orNull(text()),
  input_tokens: orNull(count),
  output_tokens: orNull(count),
  cost: orNull(closed({ usd: number({ minimum: 0 }), from: text() })),
  latency_ms: count,
  attempts: list(ATTEMPT),
}
