// Several hands as one, of which only the tools that were granted can be seen or called.

import { toolMatches } from './bounds.ts'
import type { ToolFailure, Toolset } from './toolset.ts'

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

/** One hand of several, with the tools that are granted; `hands` by what their tools' names begin with: `files`, `mcp.docs`. */
export function toolbox(toolsets: ReadonlyMap<string, Toolset>, tools: readonly string[]): Toolset {
  const grants = (tool: string) => tools.some((pattern) => toolMatches(pattern, tool))
  return {
    async tools(signal) {
      // A server of which no tool was granted is not even started.
      const asked = [...toolsets].filter(([source]) => tools.some((pattern) => overlaps(pattern, source)))
      const found = await Promise.all(asked.map(([, toolset]) => toolset.tools(signal)))
      return found.flat().filter((tool) => grants(tool.name))
    },
    async call(call) {
      const [, toolset] = [...toolsets].find(([source]) => call.tool.startsWith(`${source}.`)) ?? []
      if (toolset === undefined || !grants(call.tool)) return denied(call.tool)
      return toolset.call(call)
    },
    async close() {
      await Promise.all([...toolsets.values()].map((toolset) => toolset.close()))
    },
  }
}
