// `witan/vaults`, the name this entry had until 0.1: the same exports, with the old names beside the new ones, for one
// release. Use `witan/stores`.

export * from './index.ts'
export {
  MemoryStore as MemoryVault,
  openPostgresStore as openPostgresVault,
  openSqliteStore as openSqliteVault,
  type Store as Vault,
} from './index.ts'
