// Paths in a file are meant from where the file is, wherever the command that reads it was started.

import { dirname, isAbsolute, resolve, sep } from 'node:path'
import type { ServerSettings } from './mcp-server.ts'
import type { ProviderSettings } from './provider.ts'
import type { WitanYaml } from './settings.ts'

/** A bare name is looked up on the PATH and stays as it is. */
function programFrom(directory: string, program: string): string {
  const isPath = isAbsolute(program) || program.includes('/') || program.includes(sep)
  return isPath ? resolve(directory, program) : program
}

const commandFrom = (directory: string, [program = '', ...args]: readonly string[]): readonly string[] => [
  programFrom(directory, program),
  ...args,
]

const providerFrom = (directory: string, provider: ProviderSettings): ProviderSettings => ({
  ...provider,
  ...(provider.executable && { executable: programFrom(directory, provider.executable) }),
  ...(provider.api_key_command && { api_key_command: commandFrom(directory, provider.api_key_command) }),
})

export const serverFrom = (directory: string, server: ServerSettings): ServerSettings =>
  server.command === undefined
    ? server
    : {
        ...server,
        command: commandFrom(directory, server.command),
        cwd: resolve(directory, server.cwd ?? '.'),
      }

export function located(settings: WitanYaml, file: string): WitanYaml {
  const directory = dirname(resolve(file))
  const { council, mcp_servers: servers } = settings
  const entries = Object.entries(servers ?? {}).map(([name, server]) => [name, serverFrom(directory, server)])
  return {
    ...settings,
    ...(council?.providers && {
      council: { ...council, providers: council.providers.map((one) => providerFrom(directory, one)) },
    }),
    ...(servers && { mcp_servers: Object.fromEntries(entries) }),
  }
}
