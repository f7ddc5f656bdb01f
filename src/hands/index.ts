// What the rest of the house and its users may take from here. Neither Cedar nor the MCP client is loaded until used.

export type { McpServer } from '../mcp/server.ts'
export {
  type Bounds,
  type Confined,
  confine,
  LIMITS,
  type Limits,
  type TaskBounds,
  toolMatches,
} from './bounds.ts'
export type { Clean, Cleaned } from './clean.ts'
export { type FilesOptions, filesHand } from './files/files.ts'
export {
  type CallLimits,
  type ContentPart,
  definitionHash,
  type Effect,
  type Hand,
  inputHash,
  normalisedInput,
  type ToolCall,
  type ToolDefinition,
  type ToolFailure,
  type ToolFailureType,
  type ToolOutcome,
  type ToolResult,
} from './hand.ts'
export type { Address, HostGrant, Resolve } from './http/hosts.ts'
export { type HttpOptions, httpHand } from './http/http.ts'
export type { Enclosure } from './mcp/enclosed.ts'
export { type McpHandOptions, mcpHand } from './mcp/mcp.ts'
export { type OpenHandsOptions, openHands, type ServerOptions } from './open.ts'
export { type Forbidden, forbiddenHere, type Root } from './places.ts'
export { type Decision, loadPolicy, NEEDS, type Needs, type Policy } from './policy/policy.ts'
export { isProfile, type PolicyFile, PROFILES, type Profile, profileFile } from './policy/policy-file.ts'
export { type CallEffect, type Facts, factsOf, RISKS, type Risk } from './policy/risk.ts'
export type { Touched } from './policy/touched.ts'
export type { CommandGrant } from './shell/commands.ts'
export { SANDBOX_LIMITS, type SandboxLimits } from './shell/limits.ts'
export { type ShellOptions, shellHand } from './shell/shell.ts'
export { toolbox } from './toolbox.ts'
