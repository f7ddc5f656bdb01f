// A wire whose model takes prompts of so many tokens and no longer ones, with each vendor's own words for what is longer.
// https://platform.claude.com/docs/en/build-with-claude/context-windows
// https://platform.openai.com/docs/guides/error-codes
// https://ai.google.dev/gemini-api/docs/troubleshooting
// https://docs.ollama.com/context-length
import { type VendorWire, wordsIn } from '../scripted-server.ts'

/** Four characters to a token, which is near enough for a limit. */
const tokensIn = (body: unknown): number => Math.ceil(wordsIn(body).length / 4)

export const TOO_LONG = {
  anthropic: (tokens, most) => `prompt is too long: ${tokens} tokens > ${most} maximum`,
  'anthropic, with the answer': (tokens, most) =>
    `input length and \`max_tokens\` exceed context limit: ${tokens} + 32000 > ${most}, decrease input length or \`max_tokens\` and try again`,
  openai: () =>
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
  'openai, chat': (tokens, most) =>
    `This model's maximum context length is ${most} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
  google: (tokens, most) =>
    `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${most}).`,
  ollama: () => 'the input length exceeds the context length',
} as const satisfies Record<string, (tokens: number, most: number) => string>

/** The same wire, with a model that takes no more than `most` tokens. */
export const within = (wire: VendorWire, words: keyof typeof TOO_LONG, most: number): VendorWire => ({
  ...wire,
  refuses: (request) => {
    const tokens = tokensIn(request.body)
    const refused = wire.refuses?.(request) ?? null
    return refused ?? (tokens > most ? wire.error('context_too_long', TOO_LONG[words](tokens, most)) : null)
  },
})
