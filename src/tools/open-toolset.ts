// All toolsets that the bounds allow, as one. Servers come from the operator's configuration only.

import type { Forbidden } from './allowed-paths.ts'
import { type Bounds, sandboxLimits, toolMatches } from './bounds.ts'
import type { Clean } from './clean-output.ts'
import { fileTools } from './files/files.ts'
import { httpTools } from './http/http.ts'
import { type McpToolsOptions, mcpTools } from './mcp/mcp.ts'
import { shellTools } from './shell/shell.ts'
import type { ToolFailure, Toolset } from './toolset.ts'

// Several toolsets as one, of which only granted tools can be seen or called.

const overlaps = (pattern: string, source: string): boolean =>
  toolMatches(pattern, `${source}.`) || pattern.startsWith(`${source}.`)

const denied = (tool: string): ToolFailure => ({
  ok: false,
  type: 'denied',
  message: `the tool ${tool} is not granted`,
  content: [],
  durationMs: 0,
  secretsRemoved: 0,
})

/** One toolset of several, with its granted tools; `hands` by the beginning of their tools' names: `files`, `mcp.docs`. */
export function toolbox(toolsets: ReadonlyMap<string, Toolset>, tools: readonly string[]): Toolset {
  const grants = (tool: string) => tools.some((pattern) => toolMatches(pattern, tool))
  const toolsetOf = (tool: string): Toolset | undefined =>
    [...toolsets].find(([source]) => tool.startsWith(`${source}.`))?.[1]
  return {
    async tools(signal) {
      // A server without a granted tool is not even started.
      const asked = [...toolsets].filter(([source]) => tools.some((pattern) => overlaps(pattern, source)))
      const toolLists = await Promise.all(asked.map(([, toolset]) => toolset.tools(signal)))
      return toolLists.flat().filter((tool) => grants(tool.name))
    },
    refusal: async (tool, input) => (await toolsetOf(tool)?.refusal?.(tool, input)) ?? null,
    async call(call) {
      const toolset = toolsetOf(call.tool)
      if (toolset === undefined || !grants(call.tool)) return denied(call.tool)
      return toolset.call(call)
    },
    async close() {
      await Promise.all([...toolsets.values()].map((toolset) => toolset.close()))
    },
  }
}

/** An MCP server among the tools. */
export interface ServerOptions extends Omit<McpToolsOptions, 'clean' | 'enclosure'> {
  /** False runs its program as the user; sandboxed by default. */
  readonly confined?: boolean
  /** Whether it has network access in its sandbox. */
  readonly network?: boolean
  /** Folders that its program needs, read-only. */
  readonly folders?: readonly string[]
}

/** What is granted, what never is, and what is available. */
export interface OpenToolsOptions {
  readonly bounds: Bounds
  readonly forbidden: Forbidden
  readonly clean: Clean
  readonly servers?: readonly ServerOptions[]
  /** Where programs are in addition to the system's own folders, for the sandbox. */
  readonly system?: readonly string[]
  /** Variables that commands get. */
  readonly env?: Readonly<Record<string, string>>
}

/** All granted tools as one toolset. */
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
        (server) =>
          [
            `mcp.${server.name}`,
            mcpTools({ maxReplyBytes, ...server, clean, enclosure: enclosureOf(server) }),
          ] as const,
      ),
    ]),
    bounds.tools,
  )
}
