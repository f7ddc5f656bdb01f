// What a council may read and send: files found, cleaned of secrets and packed, and a preview of what would be sent
// to which provider.

export type { Cleaned, Removal } from '../ledger/secrets/remove.ts'
export { PACK_LIMITS, type PackLimits, type PackOptions, packOf } from './build-pack.ts'
export { withoutSecrets } from './clean.ts'
export { type Exclusion, REASONS, type Reason } from './exclusion.ts'
export type { Category } from './key-files.ts'
export {
  type IndexEntry,
  type Manifest,
  type Pack,
  type PackPart,
  packBytes,
  packRecord,
  packText,
  type RemovedSecret,
} from './pack.ts'
export {
  type Preview,
  type PreviewSeat,
  type PriceOf,
  previewOf,
  type Recipient,
} from './preview.ts'
export { filesPack, type ReviewRequest, reviewPack } from './review.ts'
export type { SnapshotFile } from './snapshot.ts'
export { SNAPSHOT_LIMITS, type Snapshot, type SnapshotLimits, takeSnapshot } from './snapshot.ts'
