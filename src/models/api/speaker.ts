// The part of the SDK's language model that a call needs: a prompt goes in, and parts of an answer come out
// one by one. The vendors' packages have this shape, and so has our own parser of Chat Completions.

import type { AnthropicProvider } from '@ai-sdk/anthropic'

type LanguageModel = ReturnType<AnthropicProvider>
export type CallOptions = Parameters<LanguageModel['doStream']>[0]
type Stream = Awaited<ReturnType<LanguageModel['doStream']>>['stream']
export type Part = Stream extends ReadableStream<infer One> ? One : never

export interface StreamingModel {
  doStream(options: CallOptions): PromiseLike<{ readonly stream: AsyncIterable<Part> }>
}
