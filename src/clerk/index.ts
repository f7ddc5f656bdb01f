// What a program needs to run a protocol over a store and to make bundles of its traces.

export type { AskingFields } from '../ledger/raw-reply.ts'
export type { Counted, Tally } from '../ledger/tree/tree-head.ts'
export type { Snapshots } from '../stores/store.ts'
export { actorFor, isInForce } from './actors.ts'
export type { AskingRecord, RecordedRequest, Tried } from './call-records.ts'
export { readAsking, recordAsking } from './call-records.ts'
export { Clerk, type Discarded, type Perform, type RunEnd, type RunOptions } from './clerk.ts'
export {
  artifactsIn,
  type ExtractOptions,
  extract,
  isRedacted,
  proveEvent,
  proveExtension,
  wholeBundle,
} from './extract.ts'
export { type Following, followTrace } from './follow.ts'
export { forkTrace } from './fork.ts'
export type { Ports, SignRequest } from './ports.ts'
export type { RedactionTarget } from './redaction.ts'
export { type NewKey, Registrar } from './registrar.ts'
export { type Divergence, type Replayed, replayTrace } from './replay.ts'
export { type Drafts, RefusedError, TraceLog } from './trace-log.ts'
