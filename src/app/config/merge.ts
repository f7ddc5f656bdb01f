// The home's settings, then the project's over them. Lists are replaced whole, since half of someone else's council
// is nobody's council. Of a provider that the project only names, the home says how it is reached. A project file
// that nobody trusted may lower a budget and never raise it.

import type { ProviderSettings } from './provider.ts'
import type { CouncilSettings, WitanYaml } from './settings.ts'

type Budget = NonNullable<CouncilSettings['budget']>

const CONNECTION = ['api', 'base_url', 'api_key_env', 'api_key_command', 'executable', 'mcp'] as const

/** As a whole or not at all: a key of the one file must not go to an address of the other. */
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

export const merge = (own: WitanYaml, project: WitanYaml, trusted: boolean): WitanYaml => ({
  ...own,
  ...project,
  council: mergeCouncil(own.council ?? {}, project.council ?? {}, trusted),
  mcp_servers: { ...own.mcp_servers, ...project.mcp_servers },
})
