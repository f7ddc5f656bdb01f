// What a program can do with the traces of a home: all that the command can, with the same options. Sessions,
// councils and exchanges have their own entries.

export { type AttestedTrace, attestTrace } from '../../app/attest/attest-trace.ts'
export { type DoctorOptions, doctor, type Findings } from '../../app/doctor.ts'
export { type Failure, failureOf } from '../../app/failure.ts'
export { type HomeLocation, homeDirectory } from '../../app/home/home.ts'
export { distrust, listTrusted, type TrustedFile, trust } from '../../app/home/permissions.ts'
export {
  type AddedKey,
  type AddOptions,
  addKey,
  type ListedKey,
  listKeys,
  type Passphrases,
  type RevokedKey,
  type RotatedKey,
  revokeKey,
  rotateKey,
} from '../../app/keys/keys.ts'
export { type ProtectedKey, setPassphrase } from '../../app/keys/passphrase.ts'
export { type ExportedSpans, exportSpans, type SpansOptions } from '../../app/otel/export-spans.ts'
export { inHome, inStore, type Storage } from '../../app/storage.ts'
export { exportFlat, type FlatExported } from '../../app/traces/export-flat.ts'
export {
  type ExportedForm,
  exportForm,
  type ForeignForm,
  type FormOptions,
} from '../../app/traces/export-forms.ts'
export { type Exported, type ExportOptions, exportTrace } from '../../app/traces/export-trace.ts'
export {
  type Findings as FoundEvents,
  type FindOptions,
  type FoundEvent,
  findEvents,
} from '../../app/traces/find.ts'
export { type ListedTrace, listTraces } from '../../app/traces/list-traces.ts'
export { type Proof, type ProofOptions, proveEvent, proveSince } from '../../app/traces/prove.ts'
export { type ArtifactContent, readArtifact } from '../../app/traces/read-artifact.ts'
export { readEvent, readTrace } from '../../app/traces/read-trace.ts'
export { type Redacted, type RedactOptions, redact } from '../../app/traces/redact.ts'
export { type Divergence, type Replayed, replay } from '../../app/traces/replay.ts'
export { readReport } from '../../app/traces/trace-report.ts'
export { type Verified, type VerifyOptions, verifyTrace } from '../../app/traces/verify-trace.ts'
export { WitanError } from '../../ledger/errors.ts'
export type {
  EventContent,
  RecordedArtifact,
  RecordedEvent,
  TraceContent,
  TraceStatus,
} from '../../ledger/recorded.ts'
