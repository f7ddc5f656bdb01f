// Claude Code as a model. With a key it runs bare and reads nothing of the user's; without one it needs the
// user's own login, and everything that would put files or the user's own instructions into the prompt is
// switched off by name: otherwise `@/etc/passwd` in a prompt is read and sent to the vendor, even with no
// tools allowed. The shape is requested in words: given a schema, the program checks the answer itself, has
// its model write an imprecise one again up to five times, all paid and none recorded, and does not report
// what was written.

import { access } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parsed } from '../api/faults.ts'
import { shapeInWords } from '../dialects/in-words.ts'
import type { Model, Reply, Request, Usage } from '../model.ts'
import {
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

const OFF = {
  CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
  CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1',
  CLAUDE_CODE_SAFE_MODE: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  // A prompt that is too long must fail, not be summarised; retries are ours, and recorded.
  DISABLE_COMPACT: '1',
  DISABLE_AUTO_COMPACT: '1',
  CLAUDE_CODE_MAX_RETRIES: '0',
  CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1',
  // A refusal is an answer of the model that was asked: no second attempt, and no replacement by another model.
  CLAUDE_CODE_DISABLE_REFUSAL_RETRY: '1',
  CLAUDE_CODE_DISABLE_REFUSAL_FALLBACK: '1',
  CLAUDE_CODE_NO_MODEL_FALLBACK: '1',
}
const LOGIN = ['CLAUDE_CODE_OAUTH_TOKEN']

function environment({ key, baseUrl, env, room }: CliCall): Record<string, string> {
  const own = key === null ? ['HOME', 'CLAUDE_CONFIG_DIR', ...LOGIN] : []
  return minimalEnvironment(env, own, {
    TMPDIR: room.tmp,
    ...OFF,
    ...(key === null ? {} : { HOME: room.home, ANTHROPIC_API_KEY: key }),
    ...(baseUrl === null ? {} : { ANTHROPIC_BASE_URL: baseUrl }),
  })
}

/** The smallest thinking budget that the API accepts. */
const LEAST_THINKING = 1_024

/** The program gives all of a small limit except one token to thinking, which the API refuses below its minimum. */
const outputWithin = (most: number): Record<string, string> => ({
  CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(most),
  ...(most > LEAST_THINKING ? {} : { MAX_THINKING_TOKENS: '0' }),
})

async function prepare(request: Request, prompt: string, errand: CliCall): Promise<Call> {
  const { schema, limits, system } = request
  const { maxOutputTokens } = limits
  const systemFile = await errand.room.write('system.md', system)
  return {
    args: [
      '--print',
      ...(errand.key === null ? [] : ['--bare']),
      ...['--output-format', 'json', '--tools', '', '--no-session-persistence', '--strict-mcp-config'],
      ...['--setting-sources', '', '--disable-slash-commands', `--system-prompt-file=${systemFile}`],
      ...(errand.model === null ? [] : [`--model=${errand.model}`]),
      ...(errand.tuning.thinking === undefined ? [] : [`--effort=${errand.tuning.thinking}`]),
    ],
    env: {
      ...environment(errand),
      ...(maxOutputTokens === null ? {} : outputWithin(maxOutputTokens)),
    },
    input: schema === null ? prompt : `${prompt}\n\n${shapeInWords(schema)}`,
  }
}

function usageIn(value: unknown): Usage {
  if (!isObject(value)) return { inputTokens: null, outputTokens: null }
  const cached = [value.cache_creation_input_tokens, value.cache_read_input_tokens]
  const fresh = count(value.input_tokens)
  return {
    inputTokens: fresh === null ? null : cached.reduce<number>((sum, one) => sum + (count(one) ?? 0), fresh),
    outputTokens: count(value.output_tokens),
  }
}

/** The one with most output: small models may have been asked for side tasks. */
function modelIn(value: unknown): string | null {
  if (!isObject(value)) return null
  const outputTokensOf = (one: unknown) => (isObject(one) ? (count(one.outputTokens) ?? 0) : 0)
  return Object.entries(value).sort(([, a], [, b]) => outputTokensOf(b) - outputTokensOf(a))[0]?.[0] ?? null
}

const CUT_OFF = /response exceeded the \d+ output token maximum/

function costIn({ total_cost_usd: usd }: Readonly<Record<string, unknown>>): Reply['cost'] {
  return typeof usd === 'number' && Number.isFinite(usd) ? { usd, from: 'vendor' } : null
}

/** `subtype` is "success" for errors too. */
export function readClaude(ran: Ran): Reading {
  const result = parsed(ran.stdout)
  if (!isObject(result) || result.type !== 'result') {
    if (ran.code !== 0) return { fault: failedOutright('claude', ran) }
    return { fault: fault('parse_error', null, `unexpected output of claude: ${lastWords(ran)}`) }
  }
  const usage = usageIn(result.usage)
  const words = typeof result.result === 'string' ? result.result : ''
  const isRefused = result.stop_reason === 'refusal'
  if (!isRefused && (result.is_error !== false || ran.code !== 0)) {
    const message = words || lastWords(ran)
    // The program does not report earlier text.
    if (CUT_OFF.test(message))
      return {
        text: '',
        finish_reason: 'length',
        usage,
        cost: costIn(result),
        model: modelIn(result.modelUsage),
      }
    return { fault: faultIn(message, count(result.api_error_status)), usage }
  }
  if (result.num_turns === 0) {
    return { fault: fault('parse_error', null, `claude answered without asking its model: ${words}`), usage }
  }
  return {
    text: words,
    usage,
    cost: costIn(result),
    model: modelIn(result.modelUsage),
    ...(isRefused ? { finish_reason: 'content_filter', refusal: words } : {}),
  }
}

async function signedIn({ env }: CliCall): Promise<boolean | null> {
  // A keychain cannot be read without asking the user.
  if (env.CLAUDE_CODE_OAUTH_TOKEN !== undefined || process.platform === 'darwin') return null
  const folder = env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? homedir(), '.claude')
  return access(join(folder, '.credentials.json')).then(
    () => true,
    () => false,
  )
}

const claude: Cli = {
  program: 'claude',
  package: '@anthropic-ai/claude-code',
  signIn: 'claude',
  login: 'Run claude and log in, or set ANTHROPIC_API_KEY.',
  versionMs: 3_000,
  secrets: LOGIN,
  prepare,
  read: readClaude,
  environment,
  signedIn,
}

/** A model behind Claude Code. */
export const claudeModel = (options: CliOptions): Model => cliModel(claude, options)
