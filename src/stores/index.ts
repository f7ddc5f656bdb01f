// Where ledgers, artifacts and keys can rest. Loading this loads no database driver: each is imported when a store
// that needs it is opened.

export type { ReadBundle } from './bundle-file.ts'
export { type ArtifactSource, readBundle, writeBundle } from './bundle-file.ts'
export { sha256 } from './digest.ts'
export type { KeyEntry, PublicKey, Sign } from './keyring.ts'
export { type Keyring, openKeyring } from './keyring.ts'
export { MemoryStore } from './memory.ts'
export { openPostgresStore, type PostgresOptions } from './postgres.ts'
export { verifySignature } from './signature-checks.ts'
export { openSqliteStore } from './sqlite.ts'
export type { ArtifactStat, End, Erasure, Head, Store, TraceSummary } from './store.ts'
export { answerArtifacts, examine } from './verify-answers.ts'
