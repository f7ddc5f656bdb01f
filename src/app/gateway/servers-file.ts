// Several servers behind one gateway, from a file: `mcp_servers` as in a witan.yaml, or `mcpServers` as hosts keep them. The file
// says what is run here, so it counts only once it was trusted as it is.

import { WitanError } from '../../ledger/errors.ts'
import type { McpServer } from '../../mcp-client/server.ts'
import { homeConfig, readConfig, untrusted } from '../config/config.ts'
import { readSmallFile } from '../home/files.ts'
import { isTrusted } from '../home/permissions.ts'
import type { Person } from '../person.ts'
import { serverOf } from '../seating/environment.ts'
import { type Fields, isFields } from './messages.ts'

export type NamedServers = ReadonlyMap<string, McpServer>

const NAME = /^[A-Za-z0-9][\w-]{0,63}$/

const invalid = (file: string, what: string): WitanError =>
  new WitanError(
    'CONFIG_INVALID',
    `${file} ${what}`,
    'Describe servers under mcp_servers, or under mcpServers as hosts do: {"docs": {"command": "docs-server", "args": []}}.',
  )

const texts = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isFields(value) ? value : {}).map(([name, setting]) => [name, String(setting)]),
  )

function hostServer(file: string, name: string, section: unknown): McpServer {
  if (!NAME.test(name) || !isFields(section))
    throw invalid(file, `describes no server as ${JSON.stringify(name)}`)
  const { command, args = [], url } = section
  if (typeof url === 'string') return { url, headers: texts(section.headers) }
  if (typeof command !== 'string' || !Array.isArray(args))
    throw invalid(file, `gives ${name} neither a command nor a url`)
  const cwd = typeof section.cwd === 'string' ? { cwd: section.cwd } : {}
  return { command: [command, ...args.map(String)], env: texts(section.env), ...cwd }
}

/** Null where the file is not of that kind. */
function hostFile(bytes: Buffer): Fields | null {
  try {
    const { mcpServers } = JSON.parse(bytes.toString('utf8')) as { mcpServers?: unknown }
    return isFields(mcpServers) ? mcpServers : null
  } catch {
    return null
  }
}

export async function serversIn(
  file: string,
  home: string,
  person: Person,
  environment: NodeJS.ProcessEnv,
): Promise<NamedServers> {
  const bytes = await readSmallFile(file)
  const ofHost = hostFile(bytes)
  if (ofHost) {
    if (!(await isTrusted(home, file, bytes)))
      throw untrusted(file, home, [{ key: 'mcpServers', line: 1, column: 1 }], bytes)
    return new Map(Object.entries(ofHost).map(([name, settings]) => [name, hostServer(file, name, settings)]))
  }
  const own = await homeConfig(home)
  const servers = Object.keys(own?.sections.mcp_servers ?? {})
  const { sections } = await readConfig(file, home, { person, servers })
  const described = sections.mcp_servers ?? {}
  const namedServers = Object.keys(described).flatMap((name): [string, McpServer][] => {
    const lookup = serverOf(name, described, environment)
    return 'server' in lookup ? [[name, lookup.server]] : []
  })
  if (namedServers.length === 0) throw invalid(file, 'describes no server')
  return new Map(namedServers)
}
