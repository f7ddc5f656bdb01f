// Counts every flush to the disk that the program asks Node for. It has to be loaded before what it counts. Commits for
// which SQLite itself flushes are not seen here; the store says which those are.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

export const flushes = { count: 0 }

for (const name of ['fsync', 'fdatasync', 'fsyncSync', 'fdatasyncSync']) {
  const own = fs[name]
  fs[name] = (...args) => {
    flushes.count++
    return own(...args)
  }
}
syncBuiltinESMExports()
