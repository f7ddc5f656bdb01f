// All hands that bounds allow, as one. Servers come from the operator's configuration alone.

import type { Forbidden } from './allowed-paths.ts'
import { type Bounds, sandboxLimits } from './bounds.ts'
import type { Clean } from './clean-output.ts'
import { toolbox } from './combined-toolset.ts'
import { fileTools } from './files/files.ts'
import { httpTools } from './http/http.ts'
import { type McpToolsOptions, mcpTools } from './mcp/mcp.ts'
import { shellTools } from './shell/shell.ts'
import type { Toolset } from './toolset.ts'

/** An MCP server among the tools. */
export interface ServerOptions extends Omit<McpToolsOptions, 'clean' | 'enclosure'> {
  /** False runs its program as the user; in a sandbox unless said. */
  readonly confined?: boolean
  /** Whether it has the network in its sandbox. */
  readonly network?: boolean
  /** Folders that its program needs, read-only. */
  readonly folders?: readonly string[]
}

/** What is granted, what never is, and what there is to work with. */
export interface OpenToolsOptions {
  readonly bounds: Bounds
  readonly forbidden: Forbidden
  readonly clean: Clean
  readonly servers?: readonly ServerOptions[]
  /** Where programs lie besides the system's own folders, for the sandbox. */
  readonly system?: readonly string[]
  /** Variables that commands get. */
  readonly env?: Readonly<Record<string, string>>
}

/** All granted tools behind one hand. */
export function openTools(options: OpenToolsOptions): Toolset {
  const { bounds, forbidden, clean, servers = [], system = [], env = {} } = options
  const { roots, hosts, commands, scripts, network, unconfined, limits } = bounds
  const maxReplyBytes = limits.maxOutputBytes
  const sandbox = sandboxLimits(limits)
  const enclosureOf = ({ confined = true, network: online = false, folders = [] }: ServerOptions) =>
    confined ? { roots, forbidden, network: online, folders, limits: sandbox } : null
  return toolbox(
    new Map<string, Toolset>([
      ['files', fileTools({ roots, forbidden, clean, maxFileBytes: limits.maxFileBytes })],
      [
        'shell',
        shellTools({
          ...{ roots, forbidden, commands, clean, scripts, network, unconfined, system, env },
          limits: sandbox,
        }),
      ],
      ['http', httpTools({ hosts, clean })],
      ...servers.map(
        (one) =>
          [
            `mcp.${one.name}`,
            mcpTools({ maxReplyBytes, ...one, clean, enclosure: enclosureOf(one) }),
          ] as const,
      ),
    ]),
    bounds.tools,
  )
}
