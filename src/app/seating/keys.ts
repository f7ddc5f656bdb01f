// Where a provider's key comes from: a variable of the environment, or a command that prints it. A command is
// run without a shell, at most once, when the key is first needed. An address of your own gets no vendor's
// key unless the settings name it for that address.

import { createSign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { parsed } from '../../models/api/faults.ts'
import { endingOf } from '../../models/cli/faults.ts'
import { run } from '../../models/cli/process.ts'
import { unlessAborted } from '../../models/deadline.ts'
import { redact } from '../../models/hide-secrets.ts'
import { knownProvider, PROVIDERS, type ProviderSettings } from '../config/provider.ts'
import { isLoopback } from '../config/small-shapes.ts'
import type { Surroundings } from './environment.ts'

export interface KeySource {
  /** Null when there is none. Throws, saying why, when it cannot be fetched. */
  readonly fetch: () => Promise<string | null>
  /** The settings name this source, rather than the vendor's convention. */
  readonly named: boolean
  /** What would have to be set. */
  readonly from: string
  /** It is known without fetching that there is none. */
  readonly missing: boolean
}

type Env = Surroundings['env']

const COMMAND_MS = 30_000
const VENDOR_KEYS = Object.values(PROVIDERS).flatMap(({ keys }) => keys)

const filled = (value: string | undefined): string | null => value?.trim() || null

/** Every known secret of the environment. */
export function secretsIn({ env, settings }: Surroundings): readonly string[] {
  const named = (settings.council.providers ?? []).flatMap(({ api_key_env }) => api_key_env ?? [])
  return [...VENDOR_KEYS, ...named, 'WITAN_POSTGRES_URL'].flatMap((name) => filled(env[name]) ?? [])
}

/** A command that fetches one key does not need the others. */
function commandEnvironment(env: Env, named: readonly string[]): Record<string, string> {
  const hidden = [...VENDOR_KEYS, ...named, 'WITAN_POSTGRES_URL']
  const shown = Object.entries(env).filter(([name]) => !hidden.includes(name))
  return Object.fromEntries(shown.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

async function printed(command: readonly string[], env: Record<string, string>): Promise<string> {
  const [program = '', ...args] = command
  const limit = AbortSignal.timeout(COMMAND_MS)
  const ran = await run({ program, args, env, cwd: homedir(), input: '', maxOutputBytes: 1 << 16 }, limit)
  const failed = (why: string): Error => new Error(`the key command ${program} ${why}`)
  if (ran.unstarted !== null) throw failed(`cannot be started: ${ran.unstarted.message}`)
  if (limit.aborted) throw failed(`printed no key within ${COMMAND_MS / 1000} s`)
  if (ran.code !== 0)
    throw failed(`${endingOf(ran)}: ${redact(ran.stderr.trim().slice(-500), [ran.stdout.trim()])}`)
  const key = ran.stdout.trim()
  if (key === '') throw failed('printed nothing')
  if (/\s|\p{Cc}/u.test(key)) throw failed('printed more than one word: let it print the key alone')
  return key
}

export function keySource(provider: ProviderSettings, { env, settings }: Surroundings): KeySource | null {
  const { name, base_url, api_key_env, api_key_command } = provider
  if (api_key_env !== undefined) {
    const key = filled(env[api_key_env])
    return { fetch: async () => key, named: true, from: api_key_env, missing: key === null }
  }
  if (api_key_command !== undefined) {
    const named = (settings.council.providers ?? []).flatMap((one) => one.api_key_env ?? [])
    let fetched: Promise<string> | null = null
    const fetch = (): Promise<string> => {
      fetched ??= printed(api_key_command, commandEnvironment(env, named))
      return fetched
    }
    return { fetch, named: true, from: 'api_key_command', missing: false }
  }
  const keys = base_url === undefined ? (knownProvider(name)?.keys ?? []) : []
  const [preferred] = keys
  if (preferred === undefined) return null
  const key = keys.map((variable) => filled(env[variable])).find((value) => value !== null) ?? null
  return { fetch: async () => key, named: false, from: preferred, missing: key === null }
}

/** What to say of a source that has no key. */
export const noKey = ({ from }: KeySource) => ({
  detail: `${from} is not set`,
  next: 'Set it, or use api_key_command.',
  type: `export ${from}=…`,
})

// A token for Google Cloud from the credentials file that its own tools write: of a service account, or of a
// person who logged in. It is kept in memory until shortly before it expires; no message names the file or
// the token.

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const TOKEN_URI = 'https://oauth2.googleapis.com/token'
const LIFE_S = 3_600
const EARLY_MS = 60_000
const LIMIT_MS = 20_000

interface Credentials {
  readonly type?: string
  readonly client_email?: string
  readonly private_key?: string
  readonly private_key_id?: string
  readonly token_uri?: string
  readonly client_id?: string
  readonly client_secret?: string
  readonly refresh_token?: string
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** RFC 7523, as Google documents it for service accounts. */
function assertion({ client_email, private_key = '', private_key_id }: Credentials, uri: string): string {
  const iat = Math.floor(Date.now() / 1_000)
  const head = base64url({ alg: 'RS256', typ: 'JWT', ...(private_key_id && { kid: private_key_id }) })
  const claims = base64url({ iss: client_email, scope: SCOPE, aud: uri, iat, exp: iat + LIFE_S })
  const signature = createSign('RSA-SHA256').update(`${head}.${claims}`).sign(private_key, 'base64url')
  return `${head}.${claims}.${signature}`
}

function grantOf(credentials: Credentials, uri: string): URLSearchParams {
  const { type, client_id = '', client_secret = '', refresh_token = '' } = credentials
  if (type === 'service_account') {
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
    return new URLSearchParams({ grant_type, assertion: assertion(credentials, uri) })
  }
  if (type === 'authorized_user') {
    return new URLSearchParams({ grant_type: 'refresh_token', client_id, client_secret, refresh_token })
  }
  throw new Error(
    `Google credentials of type ${String(type)} are not supported; name a token with api_key_command`,
  )
}

interface Token {
  readonly text: string
  readonly endsAt: number
}

async function fetchToken(file: string, send: typeof fetch): Promise<Token> {
  const credentials = JSON.parse(await readFile(file, 'utf8')) as Credentials
  const uri = credentials.token_uri ?? TOKEN_URI
  if (!uri.startsWith('https:') && !isLoopback(uri))
    throw new Error('token_uri of the Google credentials is not https')
  const signal = AbortSignal.timeout(LIMIT_MS)
  const body = grantOf(credentials, uri)
  const asked = send(uri, { method: 'POST', body, signal, redirect: 'manual' })
  const read = asked.then(async (response) => ({ response, text: await response.text() }))
  const { response, text } = await unlessAborted(read, signal).catch((error: unknown) => {
    throw signal.aborted ? new Error(`Google gave no token within ${LIMIT_MS / 1_000} s`) : error
  })
  const answer = (parsed(text) ?? {}) as {
    readonly access_token?: string
    readonly expires_in?: number
    readonly error_description?: string
    readonly error?: string
  }
  if (!response.ok || answer.access_token === undefined) {
    const why = answer.error_description ?? answer.error ?? `HTTP ${response.status}`
    throw new Error(`Google gave no token for the credentials: ${why}`)
  }
  return { text: answer.access_token, endsAt: Date.now() + (answer.expires_in ?? LIFE_S) * 1_000 - EARLY_MS }
}

/** Fetches a token when one is first needed, and again when it expires. */
export function googleToken(file: string, send: typeof fetch): () => Promise<string> {
  let token: Promise<Token> | null = null
  return async () => {
    const known = await token?.catch(() => null)
    if (!known || known.endsAt <= Date.now()) token = fetchToken(file, send)
    return (await token)?.text ?? ''
  }
}
