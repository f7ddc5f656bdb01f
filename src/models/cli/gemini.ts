// Gemini CLI as a model. It always runs in a home made for the call, whose settings allow no tool, hook or
// server; the user's own login is linked into it, so that neither their servers nor their instructions are
// used.

import { access } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Fault, parsed } from '../api/faults.ts'
import { googleTuning } from '../api/tuned-body.ts'
import { shapeInWords } from '../dialects/in-words.ts'
import type { Model, Request, Usage } from '../model.ts'
import { priceOf } from '../prices.ts'
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

const LOGIN_FILES = ['oauth_creds.json', 'google_accounts.json']
/** Its own codes for an unusable login. */
const AUTH_CODE = 41

function settings({ key, model, tuning }: CliCall, tokens: number | null) {
  const auth = key === null ? 'oauth-personal' : 'gemini-api-key'
  const own = model === null ? {} : googleTuning(model, tuning)
  const config = { ...(tokens === null ? {} : { maxOutputTokens: tokens }), ...own }
  const modelConfig = { generateContentConfig: config }
  return {
    security: { auth: { selectedType: auth } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: {
      enableAutoUpdate: false,
      enableAutoUpdateNotification: false,
      // Retries are ours, and recorded.
      maxAttempts: 1,
      retryFetchErrors: false,
    },
    tools: { core: [] },
    hooksConfig: { enabled: false },
    skills: { enabled: false },
    context: { includeDirectoryTree: false },
    // It would cut short what it takes for a loop, and report that as an answer.
    model: { maxSessionTurns: 1, disableLoopDetection: true },
    ...(model === null || Object.keys(config).length === 0
      ? {}
      : { modelConfigs: { customOverrides: [{ match: { model }, modelConfig }] } }),
  }
}

function environment({ key, baseUrl, env, room }: CliCall): Record<string, string> {
  const own = key === null ? ['GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'] : []
  return minimalEnvironment(env, own, {
    TMPDIR: room.tmp,
    HOME: room.home,
    GEMINI_CLI_HOME: room.home,
    GEMINI_CLI_NO_RELAUNCH: '1',
    ...(key === null ? {} : { GEMINI_API_KEY: key }),
    ...(baseUrl === null ? {} : { GOOGLE_GEMINI_BASE_URL: baseUrl }),
  })
}

const loginFolder = ({ env }: CliCall): string =>
  join(env.GEMINI_CLI_HOME ?? env.HOME ?? homedir(), '.gemini')

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

async function writeSettings(errand: CliCall, tokens: number | null): Promise<void> {
  const { room, key } = errand
  await room.write('home/.gemini/settings.json', JSON.stringify(settings(errand, tokens)))
  if (key !== null) return
  for (const file of LOGIN_FILES) {
    const target = join(loginFolder(errand), file)
    if (await exists(target)) await room.link(`home/.gemini/${file}`, target)
  }
}

async function prepare(request: Request, prompt: string, errand: CliCall): Promise<Call> {
  const { schema, limits, system } = request
  await writeSettings(errand, limits.maxOutputTokens)
  const systemFile = await errand.room.write('system.md', system)
  return {
    // Only with --prompt does it not wait for a terminal; it appends that to its input.
    args: [
      ...['--prompt=Answer the request above.', '--output-format=json', '--skip-trust', '--extensions=none'],
      '--allowed-mcp-server-names=none',
      ...(errand.model === null ? [] : [`--model=${errand.model}`]),
    ],
    env: { ...environment(errand), GEMINI_SYSTEM_MD: systemFile },
    input: schema === null ? prompt : `${prompt}\n\n${shapeInWords(schema)}`,
  }
}

interface ModelStats {
  readonly model: string | null
  readonly usage: Usage
  readonly cached: number
}

/** Thoughts are billed as output. Zero counts everywhere mean that the vendor did not count. */
function statsIn(stats: unknown): ModelStats {
  const models = isObject(stats) && isObject(stats.models) ? Object.entries(stats.models) : []
  const tokens = models.map(([, one]) => (isObject(one) && isObject(one.tokens) ? one.tokens : {}))
  const sum = (...names: string[]) =>
    tokens.reduce((all, one) => all + names.reduce((part, name) => part + (count(one[name]) ?? 0), 0), 0)
  const main = models.find(([, one]) => isObject(one) && isObject(one.roles) && 'main' in one.roles)
  const [input, output] = [sum('prompt'), sum('candidates', 'thoughts')]
  return {
    model: (main ?? models[0])?.[0] ?? null,
    usage:
      input + output === 0
        ? { inputTokens: null, outputTokens: null }
        : { inputTokens: input, outputTokens: output },
    cached: sum('cached'),
  }
}

interface CliError {
  readonly message: string
  readonly code: number | null
}

function errorIn(value: unknown): CliError | null {
  if (!isObject(value) || !isObject(value.error)) return null
  const { message, code } = value.error
  return { message: typeof message === 'string' ? message : JSON.stringify(value.error), code: count(code) }
}

/** As JSON at the end of stderr, after log lines; or beside an answer that it knows to be incomplete. */
function complaint({ stdout, stderr }: Ran): CliError | null {
  const at = stderr.lastIndexOf('\n{\n')
  return errorIn(parsed(at < 0 ? stderr : stderr.slice(at + 1))) ?? errorIn(parsed(stdout))
}

function meaningOf({ message, code }: CliError): Fault {
  const meant = faultIn(message, code !== null && code >= 400 && code < 600 ? code : null)
  const unknown = meant.type === 'parse_error' && meant.cause === null
  return unknown && code === AUTH_CODE ? { ...meant, type: 'auth' } : meant
}

/** It does not say that it stopped at the limit of output tokens; the count does. */
const cutOff = (usage: Usage, most: number | null): boolean =>
  most !== null && usage.outputTokens !== null && usage.outputTokens >= most

/** By this the program reports that its model's stream was empty or broke off; the text so far is beside it. */
const INVALID_STREAM = 'INVALID_STREAM'

function partialResponse(result: unknown): string | null {
  if (!isObject(result) || !isObject(result.error) || result.error.type !== INVALID_STREAM) return null
  return typeof result.response === 'string' ? result.response : ''
}

export async function readGemini(
  ran: Ran,
  { key }: Pick<CliCall, 'key'>,
  { limits }: Pick<Request, 'limits'>,
): Promise<Reading> {
  const error = complaint(ran)
  const result = parsed(ran.stdout)
  const { model, usage, cached } = statsIn(isObject(result) ? result.stats : null)
  // The cost of a login's call is not reported.
  const cost =
    key === null ? null : await priceOf({ vendor: 'google' }, model, usage, { read: cached, written: 0 })
  const broken = partialResponse(result)
  if (broken !== null) return { text: broken, cut: true, usage, cost, model }
  if (error !== null) return { fault: meaningOf(error), usage }
  if (ran.code !== 0) {
    return { fault: failedOutright('gemini', ran) }
  }
  if (!isObject(result) || typeof result.response !== 'string') {
    return { fault: fault('parse_error', null, `unexpected output of gemini: ${lastWords(ran)}`) }
  }
  const ended = cutOff(usage, limits.maxOutputTokens) ? { finish_reason: 'length' } : {}
  return { text: result.response, ...ended, usage, cost, model }
}

const gemini: Cli = {
  program: 'gemini',
  package: '@google/gemini-cli',
  signIn: 'gemini',
  login: 'Run gemini and log in, or set GEMINI_API_KEY.',
  // It takes over three seconds to print its version the first time.
  versionMs: 8_000,
  secrets: [],
  prepare,
  read: readGemini,
  environment,
  signedIn: (errand) => exists(join(loginFolder(errand), LOGIN_FILES[0] ?? '')),
}

/** A model behind Gemini CLI. */
export const geminiModel = (options: CliOptions): Model => cliModel(gemini, options)
