// An MCP server as the settings describe it. A header may name a variable of the environment as `${NAME}`, so that no
// key has to stand in a file.

import type { McpServer } from '../../mcp-client/server.ts'
import type { ServerSettings } from '../config/mcp-server.ts'
import type { Surroundings } from './environment.ts'

type Described =
  | { readonly server: McpServer; readonly startMs: number | null }
  | { readonly detail: string; readonly next: string }

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

export function serverOf(
  name: string,
  servers: Readonly<Record<string, ServerSettings>>,
  env: Surroundings['env'],
): Described {
  const given = Object.hasOwn(servers, name) ? servers[name] : undefined
  if (given === undefined)
    return { detail: `there is no server ${name} among mcp_servers`, next: 'Describe it in mcp_servers.' }
  const { command, url, headers = {}, start_timeout: startMs = null } = given
  if (command !== undefined) {
    const { env: own, pass, cwd } = given
    return {
      server: { command, ...(own && { env: own }), ...(pass && { pass }), ...(cwd && { cwd }) },
      startMs,
    }
  }
  const missing = Object.values(headers)
    .flatMap((value) => [...value.matchAll(VARIABLE)].map(([, variable = '']) => variable))
    .find((variable) => !env[variable])
  if (missing !== undefined) return { detail: `${missing} is not set`, next: `Set ${missing}.` }
  const values = Object.entries(headers).map(([header, value]) => [
    header,
    value.replaceAll(VARIABLE, (_, variable: string) => env[variable]?.trim() ?? ''),
  ])
  return { server: { url: url ?? '', headers: Object.fromEntries(values) }, startMs }
}
