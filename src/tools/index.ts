// The exports of this room. Neither Cedar nor the MCP client is loaded until used.

export type { McpServer } from '../mcp-client/server.ts'
export { type Forbidden, forbiddenHere, type Root } from './allowed-paths.ts'
export {
  type Bounds,
  type Confined,
  confine,
  LIMITS,
  type Limits,
  type TaskBounds,
  toolMatches,
} from './bounds.ts'
export type { Clean, Cleaned } from './clean-output.ts'
export { type FilesOptions, fileTools } from './files/files.ts'
export type { Address, HostGrant, Resolve } from './http/hosts.ts'
export { type HttpOptions, httpTools } from './http/http.ts'
export { type McpToolsOptions, mcpTools } from './mcp/mcp.ts'
export type { Enclosure } from './mcp/sandboxed-server.ts'
export { type OpenToolsOptions, openTools, type ServerOptions, toolbox } from './open-toolset.ts'
export {
  type Decision,
  loadPolicy,
  NEEDS,
  type Needs,
  type Policy,
  type PolicyFiles,
} from './policy/policy.ts'
export { isProfile, type PolicyFile, PROFILES, type Profile, profileFile } from './policy/policy-files.ts'
export { type CallEffect, type Facts, factsOf, RISKS, type Risk } from './policy/risk.ts'
export type { Touched } from './policy/touched.ts'
export type { CommandGrant } from './shell/commands.ts'
export { SANDBOX_LIMITS, type SandboxLimits } from './shell/limits.ts'
export { type ShellOptions, shellTools } from './shell/shell.ts'
export {
  type CallLimits,
  type ContentPart,
  definitionHash,
  type Effect,
  inputHash,
  normalisedInput,
  type ToolCall,
  type ToolDefinition,
  type ToolFailure,
  type ToolFailureType,
  type ToolOutcome,
  type ToolResult,
  type Toolset,
} from './toolset.ts'
