// `witan/hands`, the name this entry had until 0.1: the same exports, with the old names beside the new ones, for one
// release. Use `witan/tools`.

export * from './index.ts'
export {
  fileTools as filesHand,
  httpTools as httpHand,
  type McpToolsOptions as McpHandOptions,
  mcpTools as mcpHand,
  type OpenToolsOptions as OpenHandsOptions,
  openTools as openHands,
  shellTools as shellHand,
  type Toolset as Hand,
} from './index.ts'
