// What the rest of the house and its users may take from here. Nothing heavy is imported until a mind is asked.

export type { PromptPart } from '../ledger/prompt.ts'
export { type ApiOptions, apiMind } from './api.ts'
export { type Listing, listModels } from './api-listing.ts'
export {
  type Budget,
  NOTHING_SPENT,
  type Spending,
  type Stop,
  saySpent,
  spend,
  stopBefore,
} from './budget.ts'
export type {
  Availability,
  Failure,
  FailureCause,
  FailureType,
  JsonSchema,
  Mind,
  Outcome,
  Reply,
  Request,
  Transport,
  Usage,
} from './mind.ts'
export { type ApiKind, kindOfProvider, modelsAsOf, type Vendor, vendors } from './models.ts'
export type { CachedTokens } from './prices.ts'
export { priceOf, type Seller } from './prices.ts'
export { redact } from './redact.ts'
export { type Recording, replayMind } from './replay.ts'
export {
  type Asked,
  type Asking,
  type Attempt,
  createSeat,
  type FailureRecord,
  type Role,
  type Seat,
  type SeatOptions,
} from './seat.ts'
export { inOrder, type Time, type Timeouts, timeoutFor } from './seat-time.ts'
