// The exports of this room. Nothing heavy is imported until a model is asked.

export type { PromptPart } from '../ledger/prompt.ts'
export { type ApiOptions, apiModel } from './api/api.ts'
export { type Listing, listModels } from './api/listing.ts'
export type { Refused, RefusedMemory } from './api/refused-parameters.ts'
export {
  type Budget,
  NOTHING_SPENT,
  type Spending,
  type Stop,
  spend,
  spentInWords as saySpent,
  stopBefore,
} from './budget.ts'
export { claudeModel } from './cli/claude.ts'
export type { CliOptions } from './cli/cli-model.ts'
export { codexModel } from './cli/codex.ts'
export { geminiModel } from './cli/gemini.ts'
export { inOrder, type Time, type Timeouts, timeoutFor } from './deadline.ts'
export { type ApiKind, kindOfProvider, modelsAsOf, type Vendor, vendors } from './default-models.ts'
export { redact } from './hide-secrets.ts'
export type { Arguments, ReplyMapping } from './mcp/mapping.ts'
export { type McpModelOptions, type McpServer, mcpModel } from './mcp/mcp.ts'
export type {
  Availability,
  Failure,
  FailureCause,
  FailureType,
  JsonSchema,
  Model,
  Outcome,
  Reply,
  Request,
  Transport,
  Usage,
} from './model.ts'
export { type OwnAnswer, type OwnModelOptions, type OwnQuestion, ownModel } from './own-model.ts'
export type { Pace } from './pace.ts'
export type { CachedTokens } from './prices.ts'
export { priceOf, type Seller } from './prices.ts'
export { type Recording, replayModel } from './replay.ts'
export {
  type Asked,
  type Asking,
  type Attempt,
  createSeat,
  type FailureRecord,
  type Role,
  type Seat,
  type SeatOptions,
} from './seat/seat.ts'
