// The MCP servers of a session, each with what the operator says about it. Such a statement applies only to
// the server that the home's own file describes, and to no other that a project or a task puts in its place.

import { isDeepStrictEqual } from 'node:util'
import { toolMatches } from '../../tools/bounds.ts'
import type { ServerOptions } from '../../tools/open-toolset.ts'
import type { Effect } from '../../tools/toolset.ts'
import type { ServerGrant } from '../config/settings.ts'
import type { ServerSettings } from '../config/small-shapes.ts'
import { serverOf } from '../seating/environment.ts'
import type { Operator } from './operator-grants.ts'

type Servers = Readonly<Record<string, ServerSettings>>
const STATED = [
  ['destroys', ['write', 'destroy']],
  ['writes', ['write']],
  ['reads', ['read']],
] as const satisfies readonly (readonly [keyof ServerGrant, readonly Effect[]])[]
/** If several lists name a tool, the most severe counts. */
export const statedEffects =
  (grant: ServerGrant) =>
  (tool: string): readonly Effect[] | null => {
    const statement = STATED.find(([list]) => grant[list]?.some((pattern) => toolMatches(pattern, tool)))
    return statement ? statement[1] : null
  }
const granted = (grant: ServerGrant): Omit<ServerOptions, 'name' | 'server'> => ({
  effects: statedEffects(grant),
  believeHints: grant.believe_hints ?? false,
  confined: grant.confined ?? true,
  network: grant.network ?? false,
  folders: grant.folders ?? [],
})

export function serversFor(
  described: Servers,
  { servers }: Pick<Operator, 'servers'>,
  env: NodeJS.ProcessEnv,
): readonly ServerOptions[] {
  return Object.keys(described).flatMap((name) => {
    const lookup = serverOf(name, described, env)
    if (!('server' in lookup)) return []
    const own = Object.hasOwn(servers, name) ? servers[name] : undefined
    const isOwn = own !== undefined && isDeepStrictEqual(own.described, described[name])
    const start = lookup.startMs === null ? {} : { startMs: lookup.startMs }
    return [{ name, server: lookup.server, ...start, ...(isOwn && granted(own.grant)) }]
  })
}
