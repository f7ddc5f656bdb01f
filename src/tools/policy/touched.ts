// What a call accesses, read from its tool and its input before anything runs: paths, hosts, commands. For
// our own tools this is exact. For foreign tools every text that looks like a path or an address counts as
// one, and a path that cannot be resolved counts as outside.

import { isIP } from 'node:net'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Json } from '../../ledger/canonical.ts'
import { pathFault, segmentsOf, within } from '../allowed-paths.ts'
import { portOf } from '../http/hosts.ts'
import { isPublicAddress } from '../http/public-addresses.ts'
import type { ToolDefinition } from '../toolset.ts'

/** What a call would access, as the policy judges it. */
export type Touched =
  | { readonly kind: 'path'; readonly id: string; readonly inside: boolean }
  | { readonly kind: 'host'; readonly id: string; readonly port: number; readonly private: boolean }
  | { readonly kind: 'command'; readonly id: string; readonly argv: readonly string[] }

const memberOf = (input: Json, name: string): Json | undefined =>
  typeof input === 'object' && input !== null && !Array.isArray(input) && Object.hasOwn(input, name)
    ? (input as { readonly [name: string]: Json })[name]
    : undefined

function filePath(input: Json): Touched {
  const path = String(memberOf(input, 'path') ?? '')
  const root = String(memberOf(input, 'root') ?? 'workspace')
  if (pathFault(path) !== null) return { kind: 'path', id: path, inside: false }
  return { kind: 'path', id: [root, ...segmentsOf(path)].join('/'), inside: root === 'workspace' }
}

/** Null for what is not an address of a host. */
export function hostIn(text: string): Touched | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^file:/i.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const inner = isIP(host) === 0 ? /(?:^|\.)(?:localhost|local|internal)$/.test(host) : !isPublicAddress(host)
  return { kind: 'host', id: host, port: portOf(url), private: inner }
}

function asPath(text: string, name: string): string | null {
  if (/^file:/i.test(text)) {
    // The address of a file on another machine, or an invalid one, has no path here.
    return URL.canParse(text) && new URL(text).host === '' ? fileURLToPath(text) : text
  }
  const named = /path|file|folder|dir|root|cwd|uri/i.test(name) && text !== '' && !/\s{2}|\n/.test(text)
  const looks = /^(?:\/|~|[a-z]:[\\/])/i.test(text) || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(text)
  return looks || named ? text : null
}

export function pathIn(text: string, name: string, workspace: string): Touched | null {
  const path = asPath(text, name)
  if (path === null) return null
  const plain = path.startsWith('/') ? posix.normalize(path) : null
  const inside = plain !== null && within(workspace, plain)
  const id = inside ? ['workspace', ...segmentsOf(plain.slice(workspace.length))].join('/') : (plain ?? path)
  return { kind: 'path', id, inside }
}

export function foreign(input: Json, workspace: string, name = ''): Touched[] {
  if (typeof input === 'string') {
    const touched = hostIn(input) ?? pathIn(input, name, workspace)
    return touched === null ? [] : [touched]
  }
  if (typeof input !== 'object' || input === null) return []
  if (Array.isArray(input)) return input.flatMap((one: Json) => foreign(one, workspace, name))
  return Object.entries(input).flatMap(([member, value]) => foreign(value, workspace, member))
}

/** `workspace` is the real path of the workspace. */
export function touchedBy(definition: ToolDefinition, input: Json, workspace: string): readonly Touched[] {
  if (definition.source === 'files') return [filePath(input)]
  if (definition.source === 'http') {
    const url = String(memberOf(input, 'url') ?? '')
    return [hostIn(url) ?? { kind: 'host', id: url, port: 0, private: true }]
  }
  if (definition.source === 'shell') {
    const command = memberOf(input, 'command')
    const argv = Array.isArray(command)
      ? command.map(String)
      : ['sh', '-c', String(memberOf(input, 'script') ?? '')]
    return [{ kind: 'command', id: argv[0] ?? '', argv }]
  }
  return foreign(input, workspace)
}
