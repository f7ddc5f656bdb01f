// What a model refuses: a schema, a system role, or a parameter of the request. It is recognised by the
// vendor's own text, remembered, and left out of later calls. Pure.

/** `schema` and `system` are written in words instead; any other name is a member of the request's body that is left out. */
export type Refused = string

/** Of one model, for as long as this is kept. */
export type RefusedMemory = Set<Refused>

const SCHEMA =
  /response_format|json_schema|structured output|output_config|output_format|response_?schema|text\.format|invalid schema|input_schema|tool_choice|compiled grammar|parse grammar|too many states|schemas? contains? too many|schema is too complex/i
const SYSTEM =
  /system role|system messages?\b|'system' with this model|developer instruction|system_?instruction|role '?"?system/i
const NEGATIVE =
  /not (?:\w+ )?(?:supported|support|permitted|allowed|enabled|implemented|recogni[sz]ed|accept\w*)|n't support|unsupported|unknown|unrecogni[sz]ed|unexpected|invalid|extra_forbidden|extra inputs|too (?:large|many|complex)|failed|cannot|deprecated|must (?:not )?be|is required/i
/** `'max_tokens'`, `"store"`, `` `temperature` ``, or a dotted path of which the first name counts. */
const NAMES = /['"`]([a-z][a-z_]{2,40})(?:\.[\w.[\]]+)?['"`]|\b((?:[a-z]+_)+[a-z]+)\b/gi

/** Without these there is no request. */
const NEEDED = new Set(['model', 'messages', 'input', 'contents', 'stream', 'system', 'instructions'])

export interface Sent {
  readonly schema: boolean
  readonly system: boolean
  /** The members of the body. */
  readonly members: readonly string[]
}

/** Which parameters this text refuses; null when it is about something else. */
export function refusedIn(words: string, sent: Sent): Refused | null {
  if (!NEGATIVE.test(words)) return null
  if (sent.system && SYSTEM.test(words)) return 'system'
  if (sent.schema && SCHEMA.test(words)) return 'schema'
  const named = [...words.matchAll(NAMES)].map(([, quoted, plain]) => (quoted ?? plain ?? '').toLowerCase())
  return named.find((name) => sent.members.includes(name) && !NEEDED.has(name)) ?? null
}

const RENAMED: Readonly<Record<string, string>> = { max_tokens: 'max_completion_tokens' }

/** The body without what was refused; `max_tokens` has another name for newer models of the same API. */
export function withoutRefused(body: object, refused: ReadonlySet<Refused>): object {
  const members = Object.entries(body).flatMap(([name, value]) => {
    if (!refused.has(name)) return [[name, value]]
    const renamed = RENAMED[name]
    return renamed === undefined || refused.has(renamed) ? [] : [[renamed, value]]
  })
  return Object.fromEntries(members)
}
