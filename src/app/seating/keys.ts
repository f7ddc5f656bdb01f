// Where a provider's key comes from: a variable of the environment, or a command that prints it. A command is run
// without a shell, at most once, when the key is first needed. An address of one's own gets no vendor's key unless
// the settings name it for that address.

import { homedir } from 'node:os'
import { endingOf } from '../../models/cli/faults.ts'
import { run } from '../../models/cli/process.ts'
import { redact } from '../../models/hide-secrets.ts'
import type { ProviderSettings } from '../config/provider.ts'
import { knownProvider, PROVIDERS } from '../config/providers.ts'
import type { Surroundings } from './environment.ts'

export interface KeySource {
  /** Null when there is none. Throws, saying why, when it cannot be fetched. */
  readonly fetch: () => Promise<string | null>
  /** The settings name this source, rather than the vendor's custom. */
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

/** Every secret that is known to stand in the environment. */
export function secretsIn({ env, settings }: Surroundings): readonly string[] {
  const named = (settings.council.providers ?? []).flatMap(({ api_key_env }) => api_key_env ?? [])
  return [...VENDOR_KEYS, ...named, 'WITAN_POSTGRES_URL'].flatMap((name) => filled(env[name]) ?? [])
}

/** A command that fetches one key has no use for the others. */
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
})
