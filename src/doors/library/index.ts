// What a program can do with the traces of a home: all that the command can, with the same options. Sessions, councils
// and exchanges have entries of their own.

export { type DoctorOptions, doctor, type Findings } from '../../app/doctor.ts'
export { type Failure, failureOf } from '../../app/failure.ts'
export { type HomeLocation, homeDirectory } from '../../app/home/home.ts'
export { type House, inHome, inVault } from '../../app/home/house.ts'
export { type Exported, type ExportOptions, exportTrace } from '../../app/traces/export-trace.ts'
export { type ListedTrace, listTraces } from '../../app/traces/list-traces.ts'
export { type Proof, type ProofOptions, proveEvent, proveSince } from '../../app/traces/prove.ts'
export { readEvent, readTrace } from '../../app/traces/read-trace.ts'
export { type Redacted, type RedactOptions, redact } from '../../app/traces/redact.ts'
export { type Divergence, type Replayed, replay } from '../../app/traces/replay.ts'
export { type Verified, type VerifyOptions, verifyTrace } from '../../app/traces/verify-trace.ts'
export { WitanError } from '../../ledger/errors.ts'
export type {
  EventContent,
  RecordedArtifact,
  RecordedEvent,
  TraceContent,
  TraceStatus,
} from '../../ledger/recorded.ts'
