// Those who are asked for the same shapes, as their documentation shows it: a zod schema, everything else by default.
// Their schemas leave out members that they do not know, which is what `z.object` does.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ChatOpenAI } from '@langchain/openai'
import { generateText, Output } from 'ai'
import { z } from 'zod'

/** A shape of the council in zod. */
function zodOf({ type, properties, items, enum: words }) {
  if (words) return z.enum(words)
  if (type === 'string') return z.string()
  if (type === 'integer') return z.int()
  if (type === 'array') return z.array(zodOf(items))
  if (type !== 'object') throw new Error(`no zod for ${type}`)
  return z.object(Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, zodOf(one)])))
}

const SYSTEM = 'You sit on a council. Answer in the shape that is asked for.'

/** Each takes a model, a shape and a prompt, and gives an object or throws. */
export const PEERS = {
  'AI SDK': async (baseURL, model, shape, prompt) => {
    const provider = createOpenAICompatible({ name: 'local', baseURL, supportsStructuredOutputs: true })
    const { output } = await generateText({
      model: provider(model),
      system: SYSTEM,
      prompt,
      output: Output.object({ schema: zodOf(shape) }),
    })
    return output
  },
  // Given a JSON schema instead, it would hold nothing against it.
  LangChain: (baseURL, model, shape, prompt) =>
    new ChatOpenAI({ model, apiKey: 'none', configuration: { baseURL } })
      .withStructuredOutput(zodOf(shape))
      .invoke([
        ['system', SYSTEM],
        ['user', prompt],
      ]),
}

/** Their pauses between tries, of seconds, take no time, as ours take none here; nothing here is timed. */
export async function withoutPauses(run) {
  const { setTimeout: real } = globalThis
  const isPause = (ms) => ms >= 500 && ms <= 120_000
  globalThis.setTimeout = (then, ms, ...rest) => real(then, isPause(ms) ? 1 : ms, ...rest)
  try {
    return await run()
  } finally {
    globalThis.setTimeout = real
  }
}
