// One provider of a council: who it is, in which roles, and how it is reached. A key itself is never among it.

import { isWitanError } from '../../ledger/errors.ts'
import { type Arguments, checkMapping, type ReplyMapping } from '../../models/mcp/mapping.ts'
import { checkProvider } from './provider-rules.ts'
import { formed, formOf } from './shape-description.ts'
import { address, argv, keyBelongsElsewhere, oneOrMore, transports, variable } from './small-shapes.ts'
import { choice, mapping, object, report, type Shape, text, type ValueOf } from './yaml-shape.ts'

const place = text('a place in the reply, such as text or json.answer')
const toolMapping = object(
  {
    server: text('the name of one of mcp_servers'),
    tool: text('the name of a tool'),
    arguments: mapping,
    reply: object({
      text: place,
      model: place,
      stop_reason: place,
      input_tokens: place,
      output_tokens: place,
      cost: place,
    }),
  },
  { needs: ['server', 'tool', 'arguments'] },
)

export type ToolMapping = NonNullable<ValueOf<typeof toolMapping>>

export const replyMapping = ({ reply = {} }: ToolMapping): ReplyMapping => {
  const { stop_reason, input_tokens, output_tokens, ...rest } = reply
  return {
    ...rest,
    ...(stop_reason && { stopReason: stop_reason }),
    ...(input_tokens && { inputTokens: input_tokens }),
    ...(output_tokens && { outputTokens: output_tokens }),
  }
}

const mcp: Shape<ToolMapping> = formed((node, key, reading) => {
  const given = toolMapping(node, key, reading)
  if (given?.arguments === undefined) return given
  try {
    checkMapping(given.arguments as Arguments, replyMapping(given))
  } catch (error) {
    if (!isWitanError(error)) throw error
    return report(reading, node, key, `${key}: ${error.message}`, error.next)
  }
  return given
}, formOf(toolMapping))

const provider = object(
  {
    name: text(
      'a short name of letters, digits, dots and dashes',
      (name) => /^[a-z0-9][a-z0-9._-]{0,63}$/i.test(name),
      'Write it as claude, openai, gemini, openrouter, local, or a name of your own.',
    ),
    role: oneOrMore(choice(['participant', 'chair'])),
    model: text(
      'the id of a model',
      (id) => /^[^\s-][^\s]{0,199}$/u.test(id),
      'Write it as the vendor does, without blanks and without a dash in front.',
    ),
    transport: transports,
    api: choice(['anthropic', 'openai', 'google', 'openai-compatible']),
    base_url: address,
    api_key_env: variable,
    api_key_command: argv,
    executable: text('the path of a program'),
    mcp,
  },
  { needs: ['name'], stranger: keyBelongsElsewhere },
)

export type ProviderSettings = ValueOf<typeof provider> & { readonly name: string }

export const providerShape: Shape<ProviderSettings> = formed((node, key, reading) => {
  const before = reading.faults.length
  const given = provider(node, key, reading)
  if (given?.name === undefined) return undefined
  const named = { ...given, name: given.name }
  if (reading.faults.length === before) checkProvider(named, node, key, reading)
  return named
}, formOf(provider))
