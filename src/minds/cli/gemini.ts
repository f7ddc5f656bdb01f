// Gemini CLI as a mind. It always lives in a home made for the call, whose settings leave it no tool, hook or server;
// the user's own login is linked into it, so that neither their servers nor their instructions come along.

import { access } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parsed } from '../api-faults.ts'
import type { Mind, Request, Usage } from '../mind.ts'
import { priceOf } from '../prices.ts'
import {
  type Call,
  type Cli,
  type CliOptions,
  cliMind,
  count,
  type Errand,
  inWords,
  isObject,
  lastWords,
  type Reading,
} from './cli-mind.ts'
import { minimalEnvironment } from './environment.ts'
import { endingOf, fault, faultIn } from './faults.ts'
import type { Ran } from './process.ts'

const LOGIN_FILES = ['oauth_creds.json', 'google_accounts.json']
/** Its own codes for an unusable login. */
const AUTH_CODE = 41

function settings(auth: 'gemini-api-key' | 'oauth-personal', model: string | null, tokens: number | null) {
  const limit = { generateContentConfig: { maxOutputTokens: tokens } }
  return {
    security: { auth: { selectedType: auth } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: {
      enableAutoUpdate: false,
      enableAutoUpdateNotification: false,
      // Retry is ours, and recorded.
      maxAttempts: 1,
      retryFetchErrors: false,
    },
    tools: { core: [] },
    hooksConfig: { enabled: false },
    skills: { enabled: false },
    context: { includeDirectoryTree: false },
    model: { maxSessionTurns: 1 },
    ...(tokens === null || model === null
      ? {}
      : { modelConfigs: { customOverrides: [{ match: { model }, modelConfig: limit }] } }),
  }
}

function environment({ key, baseUrl, env, room }: Errand): Record<string, string> {
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

const loginFolder = ({ env }: Errand): string => join(env.GEMINI_CLI_HOME ?? env.HOME ?? homedir(), '.gemini')

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

async function furnish(errand: Errand, tokens: number | null): Promise<void> {
  const { room, key, model } = errand
  const auth = key === null ? 'oauth-personal' : 'gemini-api-key'
  await room.write('home/.gemini/settings.json', JSON.stringify(settings(auth, model, tokens)))
  if (key !== null) return
  for (const file of LOGIN_FILES) {
    const target = join(loginFolder(errand), file)
    if (await exists(target)) await room.link(`home/.gemini/${file}`, target)
  }
}

async function prepare(request: Request, prompt: string, errand: Errand): Promise<Call> {
  const { schema, limits, system } = request
  await furnish(errand, limits.maxOutputTokens)
  const systemFile = await errand.room.write('system.md', system)
  return {
    // Only with --prompt does it not wait for a terminal; it appends that to what it reads.
    args: [
      ...['--prompt=Answer the request above.', '--output-format=json', '--skip-trust', '--extensions=none'],
      '--allowed-mcp-server-names=none',
      ...(errand.model === null ? [] : [`--model=${errand.model}`]),
    ],
    env: { ...environment(errand), GEMINI_SYSTEM_MD: systemFile },
    input: schema === null ? prompt : `${prompt}\n\n${inWords(schema)}`,
  }
}

interface Spoken {
  readonly model: string | null
  readonly usage: Usage
  readonly cached: number
}

/** Thoughts are billed as output. Counts of zero everywhere are those of a vendor that did not count. */
function spokenIn(stats: unknown): Spoken {
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

/** The error stands as JSON at the end of stderr, after whatever was logged. */
function errorIn(stderr: string): { message: string; code: number | null } | null {
  const at = stderr.lastIndexOf('\n{\n')
  const last = parsed(at < 0 ? stderr : stderr.slice(at + 1))
  if (!isObject(last) || !isObject(last.error)) return null
  const { message, code } = last.error
  return { message: typeof message === 'string' ? message : JSON.stringify(last.error), code: count(code) }
}

export async function readGemini(ran: Ran, { key }: Pick<Errand, 'key'>): Promise<Reading> {
  const error = errorIn(ran.stderr)
  if (error !== null) {
    const status = error.code !== null && error.code >= 400 && error.code < 600 ? error.code : null
    const meant = faultIn(error.message, status)
    const unknown = meant.type === 'parse_error' && meant.cause === null
    return { fault: unknown && error.code === AUTH_CODE ? { ...meant, type: 'auth' } : meant }
  }
  if (ran.code !== 0) {
    return { fault: faultIn(lastWords(ran) || `gemini ${endingOf(ran.code, ran.signal)}`) }
  }
  const result = parsed(ran.stdout)
  if (!isObject(result) || typeof result.response !== 'string') {
    return { fault: fault('parse_error', null, `gemini said what it never says: ${lastWords(ran)}`) }
  }
  const { model, usage, cached } = spokenIn(result.stats)
  // What a login's call costs, nobody says.
  const cost =
    key === null ? null : await priceOf({ vendor: 'google' }, model, usage, { read: cached, written: 0 })
  return { text: result.response, usage, cost, model }
}

const gemini: Cli = {
  program: 'gemini',
  install: 'Install it with: npm install -g @google/gemini-cli',
  login: 'Run gemini and log in, or set GEMINI_API_KEY.',
  // It takes over three seconds to say its version when it is cold.
  versionMs: 8_000,
  secrets: [],
  prepare,
  read: readGemini,
  environment,
  signedIn: (errand) => exists(join(loginFolder(errand), LOGIN_FILES[0] ?? '')),
}

export const geminiMind = (options: CliOptions): Mind => cliMind(gemini, options)
