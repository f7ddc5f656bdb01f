// Tests sit beside the source, cross-room ones in test/. Each file runs in a process of its own, because some of
// them change limits, signals and working directories.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**', 'bench/**', 'test/vendors/**'],
    globalSetup: 'test/support/services.ts',
    pool: 'forks',
    // Much of the time is spent waiting for children, servers and disks.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
