// Temperature and thinking as each vendor's wire documents them, put into the body that the SDK made: the SDK itself drops
// what it believes a model does not take. Which models take which is as of `modelsAsOf`; of ids that tell nothing the
// vendor decides, and its refusal is the seat's.
// https://platform.claude.com/docs/en/build-with-claude/effort
// https://platform.openai.com/docs/api-reference/responses/create
// https://ai.google.dev/gemini-api/docs/thinking

import type { ApiKind } from '../default-models.ts'
import type { Thinking, Tuning } from '../tuning.ts'

type Body = Readonly<Record<string, unknown>>

/** `claude-opus-4-6` is 4.6, `gemini-3-pro` 3; null where the id does not tell. */
function versionIn(model: string, form: RegExp): number | null {
  const [, major, minor = '0'] = form.exec(model) ?? []
  return major === undefined ? null : Number(major) + Number(minor) / 10
}

const claude = (model: string) => versionIn(model, /claude-(?:[a-z]+-)?(\d)(?:-(\d)(?!\d))?/)
const gpt = (model: string) => versionIn(model, /^(?:gpt|o)-?(\d)(?:\.(\d))?/)
const gemini = (model: string) => versionIn(model, /gemini-(\d)(?:\.(\d))?/)

/** The last Claude whose temperature can be set, and the only ones whose thinking is a number of tokens. */
const CLAUDE = { lastWithTemperature: 4.6, budgeted: 4.5 }
const CLAUDE_BUDGET: Readonly<Record<Thinking, number>> = { low: 2_048, medium: 8_192, high: 24_576 }
const GEMINI = { budgeted: 2.5 }
const GEMINI_BUDGET: Readonly<Record<Thinking, number>> = { low: 1_024, medium: 8_192, high: 24_576 }
const GPT = { firstThatThinks: 5 }

function untunableClaude(model: string, { temperature, thinking }: Tuning): string | null {
  const version = claude(model)
  if (temperature !== undefined && thinking !== undefined)
    return 'Claude takes a temperature only where no thinking is asked for'
  if (temperature !== undefined && temperature > 1) return 'Claude takes a temperature up to 1'
  if (temperature !== undefined && version !== null && version > CLAUDE.lastWithTemperature)
    return `${model} takes no temperature`
  return thinking !== undefined && version !== null && version < CLAUDE.budgeted
    ? `${model} takes no level of thinking`
    : null
}

function untunableGpt(model: string, { temperature, thinking }: Tuning): string | null {
  const version = gpt(model)
  if (version === null) return null
  const thinks = model.startsWith('o') || version >= GPT.firstThatThinks
  if (temperature !== undefined && thinks) return `${model} takes no temperature`
  return thinking !== undefined && !thinks ? `${model} takes no level of thinking` : null
}

/** Why a model of this API cannot be asked so; null where it can. */
export function untunable(kind: ApiKind, model: string, tuning: Tuning): string | null {
  const { temperature, thinking } = tuning
  switch (kind) {
    case 'anthropic':
      return untunableClaude(model, tuning)
    case 'openai':
      return untunableGpt(model, tuning)
    case 'google': {
      const version = gemini(model)
      const isOld = version !== null && version < GEMINI.budgeted
      return thinking !== undefined && isOld ? `${model} takes no level of thinking` : null
    }
    case 'openai-compatible':
      return null
    case 'bedrock':
      if (thinking !== undefined) return 'the wire of Bedrock has no field for a level of thinking'
      return temperature !== undefined && temperature > 1 ? 'Bedrock takes a temperature up to 1' : null
  }
}

const within = (body: Body, member: string, more: object): Body => ({
  ...body,
  [member]: { ...(body[member] as object | undefined), ...more },
})

function claudeThinking(body: Body, model: string, thinking: Thinking): Body {
  if (claude(model) !== CLAUDE.budgeted)
    return within({ ...body, thinking: { type: 'adaptive' } }, 'output_config', { effort: thinking })
  const budget_tokens = CLAUDE_BUDGET[thinking]
  // Thinking counts as output, so the output limit must be higher.
  const most = Number(body.max_tokens)
  const max_tokens = most > budget_tokens ? most : most + budget_tokens
  return { ...body, max_tokens, thinking: { type: 'enabled', budget_tokens } }
}

const geminiThinking = (model: string, thinking: Thinking): object =>
  gemini(model) === GEMINI.budgeted
    ? { thinkingBudget: GEMINI_BUDGET[thinking] }
    : { thinkingLevel: thinking }

function withThinking(body: Body, kind: ApiKind, model: string, thinking: Thinking): Body {
  if (kind === 'anthropic') return claudeThinking(body, model, thinking)
  if (kind === 'openai') return within(body, 'reasoning', { effort: thinking })
  if (kind === 'google') return within(body, 'generationConfig', googleTuning(model, { thinking }))
  return { ...body, reasoning_effort: thinking }
}

/** As members of Google's configuration of a call, over HTTP and in its own program. */
export const googleTuning = (model: string, { temperature, thinking }: Tuning): object => ({
  ...(temperature === undefined ? {} : { temperature }),
  ...(thinking === undefined ? {} : { thinkingConfig: geminiThinking(model, thinking) }),
})

function withTemperature(body: Body, kind: ApiKind, temperature: number): Body {
  if (kind === 'google') return within(body, 'generationConfig', { temperature })
  return kind === 'bedrock' ? within(body, 'inferenceConfig', { temperature }) : { ...body, temperature }
}

/** The body with the seat's settings. */
export function tunedBody(
  body: object,
  { kind, model }: { readonly kind: ApiKind; readonly model: string },
  { temperature, thinking }: Tuning,
): object {
  const cooled = temperature === undefined ? { ...body } : withTemperature({ ...body }, kind, temperature)
  return thinking === undefined ? cooled : withThinking(cooled, kind, model, thinking)
}
