// The vendors' real programs are slow to start and not everyone has them: they are tested apart from the rest, one
// after the other, since some of them take all of a small machine.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/vendors/**/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 30_000,
  },
})
