// Where ledgers, artifacts and keys can rest. Loading this loads no database driver: each is imported when a vault
// that needs it is opened.

export { answerArtifacts, examine } from './answers.ts'
export type { ReadBundle } from './bundle-file.ts'
export { type ArtifactSource, readBundle, writeBundle } from './bundle-file.ts'
export { sha256 } from './digest.ts'
export type { KeyEntry, PublicKey, Sign } from './keyring.ts'
export { type Keyring, openKeyring } from './keyring.ts'
export { MemoryVault } from './memory.ts'
export { openPostgresVault, type PostgresOptions } from './postgres.ts'
export { verifySignature } from './signature-bench.ts'
export { openSqliteVault } from './sqlite.ts'
export type { ArtifactStat, End, Erasure, Head, TraceSummary, Vault } from './vault.ts'
