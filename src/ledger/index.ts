// What happened, with proof: events, signatures, trees, checkpoints, the registry of keys, and the verifier.
// Pure: it runs wherever SHA-256 can be passed in.

export type { Bundle, Carried, Position, Section } from './bundle/bundle.ts'
export type { Sha256 } from './bytes.ts'
export {
  CALL_INDETERMINATE,
  CALL_LOST,
  CALL_STARTED,
  CLERK,
  type OpenCall,
  type Outcomes,
  type WithOpenCalls as Called,
  withCalls,
} from './calls.ts'
export { canonicalize, type Json } from './canonical.ts'
export { type ErrorCode, isWitanError, WitanError } from './errors.ts'
export {
  type Artifact,
  artifactsOf,
  type Header,
  type Payload,
  type RegistryPosition,
  readHeader,
  readPayload,
  type SealedEvent,
} from './event.ts'
export { FORKED, type ForkPoint, forkPointOf } from './fork.ts'
export type { Chain, RecordedCheckpoint, Revocation, TraceHead } from './registry/registry.ts'
export {
  type KeyBinding,
  type KeyRecord,
  REGISTRAR,
  REGISTRY_PROTOCOL,
  type Redaction,
  type RegistryState,
  registryProtocol,
} from './registry/registry.ts'
export type { Place, Seal, Tip } from './signing.ts'
export { admissible, admissibleKey, type Draft, eventMessage, keyId, sealChain } from './signing.ts'
export type { NoteSignature } from './tree/checkpoint.ts'
export {
  type ConsistencyClaim,
  consistencyProof,
  type InclusionClaim,
  inclusionProof,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
} from './tree/merkle.ts'
export { readTreeHead, type TraceCheckpoint } from './tree/tree-head.ts'
export type { ReadEvent, ReadNote, ReadSection } from './verify/inquire.ts'
export {
  type Answers,
  type ArtifactAnswer,
  type Inquiry,
  inquire,
  type Questions,
  type SignatureQuestion,
  type Trust,
} from './verify/inquire.ts'
export type { CheckLine } from './verify/report.ts'
export {
  CHECKS,
  type Failure,
  type Report,
  reportDigest,
  SUGGESTIONS,
  type VerifyCode,
} from './verify/report.ts'
export { verify } from './verify/verify.ts'
