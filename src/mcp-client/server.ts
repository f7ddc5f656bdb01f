// The configuration of a server, checked before anything starts; and which parts of it are secret.

import { WitanError } from '../ledger/errors.ts'
import type { Server } from './connection.ts'
import { serverEnvironment, taken } from './server-environment.ts'

/** An MCP server: a program to start, or the address of a running one. */
export type McpServer =
  | {
      /** The program and its arguments; no shell reads them. */
      readonly command: readonly string[]
      readonly env?: Readonly<Record<string, string>>
      /** Variables of our own environment that the server may have. */
      readonly pass?: readonly string[]
      readonly cwd?: string
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }

const invalid = (message: string, next: string) => new WitanError('CONFIG_INVALID', message, next)

function addressOf(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return parsed
  throw invalid(`${url} is no address of an MCP server`, 'Give one that begins with https:// or http://.')
}

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]])
    } catch {
      // Its own message would show the value, which may be a key.
      throw invalid(
        `the header ${JSON.stringify(name)} cannot be sent`,
        'Remove line breaks and control signs.',
      )
    }
  }
}

/** Throws CONFIG_INVALID for what can never be a server. */
export function serverOf(server: McpServer, environment: NodeJS.ProcessEnv): Server {
  if ('url' in server) {
    checkHeaders(server.headers ?? {})
    return { url: addressOf(server.url), headers: server.headers ?? {} }
  }
  if (server.command[0] === undefined || server.command[0] === '') {
    throw invalid('an MCP server needs a command', 'Give the program and its arguments as a list.')
  }
  const env = serverEnvironment(environment, server.pass, server.env)
  return { command: server.command, env, cwd: server.cwd }
}

/** The variables that its configuration names, and no other. */
export const passedOn = (
  {
    pass = [],
    env = {},
  }: { readonly pass?: readonly string[]; readonly env?: Readonly<Record<string, string>> },
  environment: NodeJS.ProcessEnv,
): Record<string, string> => ({ ...taken(environment, pass), ...env })

/** The values that were given to this server only. */
export function secretsOf(server: McpServer, environment: NodeJS.ProcessEnv): string[] {
  const passed = 'url' in server ? [] : (server.pass ?? []).map((name) => environment[name] ?? '')
  const configured = Object.values(('url' in server ? server.headers : server.env) ?? {})
  return [...configured, ...passed].flatMap((value) => [value, ...value.split(/\s+/)])
}
