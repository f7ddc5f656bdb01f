// Codex as a model. Its permissions come from features that are on unless they are named, and from its
// catalog of models: with both replaced it offers its model no tool with effects. With a key it runs in an
// empty home; without one in the user's own, since a copy of that login would become invalid when it is
// renewed.

import { parsed } from '../api/faults.ts'
import { wordsBeside, wordsOnly } from '../dialects/in-words.ts'
import { openaiShape } from '../dialects/openai.ts'
import type { Model, Request, Usage } from '../model.ts'
import { priceOf } from '../prices.ts'
import {
  type Ask,
  type Call,
  type Cli,
  type CliCall,
  type CliOptions,
  cliModel,
  count,
  isObject,
  type Reading,
} from './cli-model.ts'
import { failedOutright, fault, faultIn, lastWords } from './faults.ts'
import type { Ran } from './process.ts'
import { minimalEnvironment } from './work-folder.ts'

// What Codex knows about its vendor's models, without their tools. Its catalog gives each model its tools
// (running code, patching files, leading other agents), no matter what features are off; our version of it
// removes them and keeps the rest.

const TAKEN_AWAY = {
  tool_mode: null,
  multi_agent_version: null,
  apply_patch_tool_type: null,
  experimental_supported_tools: [],
  shell_type: 'disabled',
  supports_search_tool: false,
  // Its own instructions; the system prompt is the request's.
  model_messages: null,
  base_instructions: '',
}

/** Null when this is not a catalog; older versions have none. */
export function withoutTools(catalog: string): string | null {
  const value = parsed(catalog)
  const models = isObject(value) && Array.isArray(value.models) ? value.models.filter(isObject) : []
  if (models.length === 0) return null
  return JSON.stringify({ models: models.map((model) => ({ ...model, ...TAKEN_AWAY })) })
}

const FEATURES_OFF = [
  ...['shell_tool', 'unified_exec', 'shell_snapshot', 'view_image', 'image_generation', 'multi_agent'],
  ...['apps', 'plugins', 'remote_plugin', 'hooks', 'goals', 'memories', 'browser_use', 'computer_use'],
  ...['tool_suggest', 'skill_search', 'sleep_tool', 'workspace_dependencies'],
  // It would wait forever for a host that does not exist.
  'unbounded_connection_retries',
]
const SETTINGS = [
  ...FEATURES_OFF.map((feature) => `features.${feature}=false`),
  'web_search="disabled"',
  'project_doc_max_bytes=0',
  'include_environment_context=false',
  'include_permissions_instructions=false',
  'skills.include_instructions=false',
  'skills.bundled.enabled=false',
  'analytics.enabled=false',
]
const KEY = 'CODEX_API_KEY'
const OPENAI = 'https://api.openai.com/v1'

function environment({ key, env, room }: CliCall): Record<string, string> {
  const own = key === null ? ['HOME', 'CODEX_HOME'] : []
  return minimalEnvironment(env, own, {
    TMPDIR: room.tmp,
    ...(key === null ? {} : { HOME: room.home, CODEX_HOME: room.home, [KEY]: key }),
  })
}

/** A provider of our own, so that its retries are off: retries are ours, and recorded. */
function provider(baseUrl: string, key: string | null): readonly string[] {
  const members = [
    `name="witan",base_url=${JSON.stringify(baseUrl)},wire_api="responses"`,
    'request_max_retries=0,stream_max_retries=0',
    // The user's own login is sent only to the vendor.
    ...(key === null ? [] : [`env_key="${KEY}"`]),
  ]
  return ['model_provider="witan"', `model_providers.witan={${members.join(',')}}`]
}

async function prepare(request: Request, prompt: string, errand: CliCall, ask: Ask): Promise<Call> {
  const { schema, system } = request
  const { room, key, baseUrl, model, tuning } = errand
  const systemFile = await room.write('system.md', system)
  const shape = schema === null ? wordsOnly : openaiShape(schema)
  // The program sends every schema as a strict one; what cannot be expressed strictly is requested in words.
  const asked = shape.strict ? shape : wordsOnly
  const schemaFile =
    asked.schema === null ? null : await room.write('schema.json', JSON.stringify(asked.schema))
  const words = schema === null ? '' : wordsBeside(asked, schema)
  const catalog = withoutTools((await ask(['debug', 'models', '--bundled'])).stdout)
  const catalogFile = catalog === null ? null : await room.write('catalog.json', catalog)
  const settings = [
    ...SETTINGS,
    ...(catalogFile === null ? [] : [`model_catalog_json=${JSON.stringify(catalogFile)}`]),
    `model_instructions_file=${JSON.stringify(systemFile)}`,
    ...(tuning.thinking === undefined ? [] : [`model_reasoning_effort="${tuning.thinking}"`]),
    ...(key === null && baseUrl === null ? [] : provider(baseUrl ?? OPENAI, key)),
  ]
  return {
    args: [
      ...['exec', '--json', '--color=never', '--skip-git-repo-check', '--ephemeral', '--ignore-user-config'],
      ...['--ignore-rules', '--sandbox=read-only'],
      ...settings.flatMap((setting) => ['-c', setting]),
      ...(schemaFile === null ? [] : [`--output-schema=${schemaFile}`]),
      ...(model === null ? [] : [`--model=${model}`]),
      '-',
    ],
    env: environment(errand),
    input: words === '' ? prompt : `${prompt}\n\n${words}`,
  }
}

interface CodexFacts {
  text: string | null
  usage: Usage
  cached: number
  completed: boolean
  failure: string | null
}

const statusIn = (words: string): number | null =>
  count(Number(/(?:unexpected|last) status:? (\d{3})/.exec(words)?.[1] ?? Number.NaN))

function noteEvent(facts: CodexFacts, event: Record<string, unknown>): void {
  const { type, item, usage, error } = event
  // An item of type "error" is only a warning.
  if (type === 'item.completed' && isObject(item) && item.type === 'agent_message') {
    facts.text = typeof item.text === 'string' ? item.text : null
  }
  if (type === 'turn.completed') {
    facts.completed = true
    const counts = isObject(usage) ? usage : {}
    const [input, output] = [count(counts.input_tokens), count(counts.output_tokens)]
    // No prompt has zero tokens: its vendor did not count.
    if (input !== 0) facts.usage = { inputTokens: input, outputTokens: output }
    facts.cached = count(counts.cached_input_tokens) ?? 0
  }
  const words =
    type === 'turn.failed' && isObject(error) ? error.message : type === 'error' ? event.message : null
  if (typeof words === 'string') facts.failure = words
}

const CUT_OFF = /incomplete response returned, reason: max_output_tokens/i

export async function readCodex(ran: Ran, { model, key }: Pick<CliCall, 'model' | 'key'>): Promise<Reading> {
  const facts: CodexFacts = {
    text: null,
    usage: { inputTokens: null, outputTokens: null },
    cached: 0,
    completed: false,
    failure: null,
  }
  const lines = ran.stdout.split('\n').filter((line) => line.trim() !== '')
  const events = lines.map(parsed)
  for (const event of events.filter(isObject)) noteEvent(facts, event)
  const { usage } = facts
  // It does not report earlier text.
  if (!facts.completed && CUT_OFF.test(facts.failure ?? ''))
    return { text: facts.text ?? '', finish_reason: 'length', usage, cost: null, model: null }
  if (!facts.completed && facts.failure !== null) {
    return { fault: faultIn(facts.failure, statusIn(facts.failure)), usage }
  }
  if (ran.code !== 0) {
    return { fault: failedOutright('codex', ran), usage }
  }
  if (!facts.completed || facts.text === null || !events.every(isObject)) {
    return { fault: fault('parse_error', null, `codex did not finish its turn: ${lastWords(ran)}`), usage }
  }
  // The cost of a subscription's call is not reported.
  const cached = { read: facts.cached, written: 0 }
  const cost = key === null ? null : await priceOf({ vendor: 'openai' }, model, usage, cached)
  return { text: facts.text, usage, cost, model: null }
}

const codex: Cli = {
  program: 'codex',
  package: '@openai/codex',
  signIn: 'codex login',
  login: 'Run codex login, or set OPENAI_API_KEY.',
  versionMs: 3_000,
  secrets: [],
  prepare,
  read: readCodex,
  environment,
  signedIn: async (_errand, ask) => (await ask(['login', 'status'])).code === 0,
}

/** A model behind Codex. */
export const codexModel = (options: CliOptions): Model => cliModel(codex, options)
