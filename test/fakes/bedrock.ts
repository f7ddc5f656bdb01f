// Amazon Bedrock's ConverseStream: frames of application/vnd.amazon.eventstream, each with its checksums.
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
import type { ServerResponse } from 'node:http'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import type { Usage } from '../../src/models/model.ts'

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString('utf8'),
  (text) => Buffer.from(text, 'utf8'),
)

const text = (value: string) => ({ type: 'string' as const, value })

const frame = (kind: 'event' | 'exception', name: string, body: object): Uint8Array =>
  codec.encode({
    headers: {
      ':message-type': text(kind),
      [`:${kind}-type`]: text(name),
      ':content-type': text('application/json'),
    },
    body: Buffer.from(JSON.stringify(body)),
  })

const STREAM = { 'content-type': 'application/vnd.amazon.eventstream' }

export function converse(response: ServerResponse, answer: string, usage: Usage): void {
  response.writeHead(200, STREAM)
  const counts = { ...usage, totalTokens: (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0) }
  for (const bytes of [
    frame('event', 'messageStart', { role: 'assistant' }),
    frame('event', 'contentBlockDelta', { contentBlockIndex: 0, delta: { text: answer } }),
    frame('event', 'contentBlockStop', { contentBlockIndex: 0 }),
    frame('event', 'messageStop', { stopReason: 'end_turn' }),
    frame('event', 'metadata', { usage: counts, metrics: { latencyMs: 12 } }),
  ]) {
    // Cut anywhere, as networks do.
    response.write(bytes.subarray(0, 7))
    response.write(bytes.subarray(7))
  }
  response.end()
}

/** An exception in the middle of a stream that began well. */
export function breakConverse(response: ServerResponse, name: string, message: string): void {
  response.writeHead(200, STREAM)
  response.write(frame('event', 'messageStart', { role: 'assistant' }))
  response.end(frame('exception', name, { message }))
}
