// Settings in YAML, checked before they are used. An error names file, line, column and key, and what is
// allowed. Settings that could make this machine run a command or contact someone count only from the home's
// own file or from one whose current bytes were trusted: a project's file may come with a cloned repository.

import { access, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { isWitanError } from '../../ledger/errors.ts'
import type { Pace } from '../../models/pace.ts'
import { readSmallFile } from '../home/files.ts'
import { isTrusted, trust } from '../home/permissions.ts'
import { NO_PERSON, type Person } from '../person.ts'
import { SettingsError, setTo } from './faults.ts'
import type { PanelSettings } from './panel.ts'
import type { ProviderSettings } from './provider.ts'
import type { SensitiveKey } from './read.ts'
import type { CouncilSettings, WitanYaml } from './settings.ts'
import type { ServerSettings } from './small-shapes.ts'

// The home's settings, overridden by the project's. Lists are replaced whole: a merged list could be half of
// someone else's council. For a provider that the project only names, the home says how it is reached. An
// untrusted project file may lower a budget but not raise it.

type Budget = NonNullable<CouncilSettings['budget']>

const CONNECTION = ['api', 'base_url', 'api_key_env', 'api_key_command', 'executable', 'mcp'] as const

/** All of it or nothing: a key of one file must not go to an address of the other. */
function connected(provider: ProviderSettings, own: readonly ProviderSettings[]): ProviderSettings {
  if (CONNECTION.some((name) => provider[name] !== undefined)) return provider
  const same = own.find(({ name }) => name === provider.name)
  if (same === undefined) return provider
  const { role: _, model: __, ...connection } = same
  return { ...connection, ...provider }
}

const lower = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)

function tightened(own: Budget = {}, project: Budget = {}): Budget {
  const [cost, minutes] = [lower(own.cost, project.cost), lower(own.minutes, project.minutes)]
  return { ...(cost !== undefined && { cost }), ...(minutes !== undefined && { minutes }) }
}

function mergeCouncil(own: CouncilSettings, project: CouncilSettings, trusted: boolean): CouncilSettings {
  const providers = project.providers?.map((provider) => connected(provider, own.providers ?? []))
  const conditions = { ...own.short_circuit?.conditions, ...project.short_circuit?.conditions }
  return {
    ...own,
    ...project,
    ...(providers && { providers }),
    timeouts: { ...own.timeouts, ...project.timeouts },
    quorum: { ...own.quorum, ...project.quorum },
    short_circuit: { ...own.short_circuit, ...project.short_circuit, conditions },
    budget: trusted ? { ...own.budget, ...project.budget } : tightened(own.budget, project.budget),
  }
}

const merge = (own: WitanYaml, project: WitanYaml, trusted: boolean): WitanYaml => ({
  ...own,
  ...project,
  council: mergeCouncil(own.council ?? {}, project.council ?? {}, trusted),
  mcp_servers: { ...own.mcp_servers, ...project.mcp_servers },
})

export interface Config {
  readonly file: string
  /** The location of ledgers, if not a file of the home. */
  readonly postgres: string | null
  /** The raw sections, for the protocols that own them. */
  readonly sections: WitanYaml
  /** Whether everything in it counts: the home's own file, or one that was trusted as it is. */
  readonly trusted: boolean
}

/** The merged settings of all files. */
export interface Settings {
  /** The files that were read, the home's first. */
  readonly files: readonly string[]
  readonly council: CouncilSettings
  /** Of the home's own file and of one that is trusted. */
  readonly panels?: Readonly<Record<string, PanelSettings>>
  readonly mcpServers: Readonly<Record<string, ServerSettings>>
  /** A file of certificates that are trusted for API calls, beside those that Node knows. */
  readonly ca?: string
  /** The seats were chosen by the home's own file or by a trusted one, not by a cloned repository. */
  readonly chosen: boolean
  /** Shared with other machines that ask the same providers; set in workers. */
  readonly pace?: Pace
}

/** Asked when a file contains what only a trusted one may. True trusts these exact bytes. */
export type AskTrust = (error: SettingsError, bytes: Buffer) => Promise<boolean>

/** The trust covers the bytes that were read, not what the file contains when the answer comes. */
export const askTrust =
  (home: string, person: Person): AskTrust =>
  async (error, bytes) => {
    // Without a home the answer cannot be remembered.
    if (!(await stat(home).catch(() => null))) return false
    if ((await person.trustsFile(error)) !== true) return false
    await trust(home, error.file, bytes)
    return true
  }

/** The nearest `witan.yaml` from this directory upward. */
export async function findConfig(from: string): Promise<string | null> {
  for (let directory = resolve(from); ; directory = dirname(directory)) {
    const file = join(directory, 'witan.yaml')
    const exists = await access(file).then(
      () => true,
      () => false,
    )
    if (exists) return file
    if (dirname(directory) === directory) return null
  }
}

export function untrusted(
  file: string,
  home: string,
  keys: readonly SensitiveKey[],
  bytes: Buffer,
): SettingsError {
  const text = bytes.toString('utf8')
  const next = `Read the file, then run \`witan trust ${file}\`; or set it in ${join(home, 'config.yaml')}.`
  const message = 'counts only in a trusted file'
  const faults = keys.map((key) => ({
    ...key,
    value: setTo(text, key),
    message: `'${key.key}' ${message}`,
    next: keys.length === 1 ? next : '',
  }))
  const several = `${keys.length} of its keys count only in a file that you trusted`
  return new SettingsError('FILE_UNTRUSTED', file, faults, { message: several, next })
}

export interface Reading {
  /** Who may be asked to trust the file; no one unless given. */
  readonly person?: Person
  /** Names of the MCP servers that the home describes; absent when that is not known. */
  readonly servers?: readonly string[]
}

export async function readConfig(
  file: string,
  home: string,
  { person = NO_PERSON, servers }: Reading = {},
): Promise<Config> {
  const bytes = await readSmallFile(file)
  const { readYaml } = await import('./read.ts')
  const { settings, sensitive } = await readYaml(file, bytes, servers ?? null)
  const own = resolve(file) === join(resolve(home), 'config.yaml')
  let trusted = own || (await isTrusted(home, file, bytes))
  if (!trusted && sensitive.length > 0) {
    const error = untrusted(file, home, sensitive, bytes)
    trusted = await askTrust(home, person)(error, bytes)
    if (!trusted) throw error
  }
  return { file, postgres: settings.vault?.postgres ?? null, sections: settings, trusted }
}

const NOTHING: WitanYaml = {}

/** The home's own settings; null when it has none. */
export async function homeConfig(home: string): Promise<Config | null> {
  try {
    return await readConfig(join(home, 'config.yaml'), home, { servers: [] })
  } catch (error) {
    if (isWitanError(error, 'FILE_NOT_FOUND')) return null
    throw error
  }
}

/** The path as typed from there. */
async function nearestConfig(from: string): Promise<string | null> {
  const file = await findConfig(from)
  return file !== null && resolve(from) === process.cwd() ? relative(from, file) : file
}

/** The home's settings, overridden by the project file: the given one, else the nearest. */
export async function loadSettings(options: {
  readonly home: string
  readonly from: string
  /** `--config`. */
  readonly file: string | null
  readonly person?: Person
  /** `--timeout`: how long any seat may be silent, regardless of the files. */
  readonly timeoutMs?: number | null
}): Promise<Settings> {
  const { home, from, person = NO_PERSON, timeoutMs = null } = options
  const own = await homeConfig(home)
  const file = options.file ?? (await nearestConfig(from))
  const same = own !== null && file !== null && resolve(file) === resolve(own.file)
  const servers = Object.keys(own?.sections.mcp_servers ?? {})
  const project = file === null || same ? null : await readConfig(file, home, { person, servers })
  const merged = merge(own?.sections ?? NOTHING, project?.sections ?? NOTHING, project?.trusted ?? true)
  return {
    files: [own, project].flatMap((config) => (config === null ? [] : [config.file])),
    council: {
      ...merged.council,
      ...(timeoutMs !== null && { timeouts: { ...merged.council?.timeouts, each: timeoutMs } }),
    },
    panels: { ...own?.sections.panels, ...(project?.trusted && project.sections.panels) },
    mcpServers: merged.mcp_servers ?? {},
    ...(merged.ca && { ca: merged.ca }),
    chosen: (project?.sections.council?.providers ? project : own)?.trusted ?? false,
  }
}
