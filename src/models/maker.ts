// The vendor of a model, by its id, for models behind a gateway or a server that offers those of many
// vendors: models of one vendor tend to agree for the same reasons, no matter what host they are reached
// through.

const FAMILIES: readonly (readonly [maker: string, id: RegExp])[] = [
  ['anthropic', /^claude/],
  ['openai', /^(?:gpt|chatgpt|codex|o[1-9](?:-|$))/],
  ['google', /^(?:gemini|gemma|palm)/],
  ['meta', /^(?:meta-)?llama|^codellama/],
  ['mistral', /^(?:open-)?(?:mistral|mixtral|codestral|ministral|magistral|devstral|pixtral)/],
  ['alibaba', /^(?:qwen|qwq)/],
  ['deepseek', /^deepseek/],
  ['microsoft', /^phi/],
  ['cohere', /^(?:command|aya)/],
  ['xai', /^grok/],
  ['moonshot', /^kimi/],
  ['zhipu', /^(?:chat)?glm/],
  ['nvidia', /^nemotron/],
  ['ibm', /^granite/],
]

/** Null where the id does not tell. The last part counts: `openrouter/anthropic/claude-…`, `us.anthropic.claude-…`. */
export function makerOf(model: string): string | null {
  const id = model.toLowerCase()
  const last = id.split('/').at(-1) ?? id
  for (const name of [last, ...last.split('.').slice(1)]) {
    const entry = FAMILIES.find(([, family]) => family.test(name))
    if (entry) return entry[0]
  }
  return null
}
