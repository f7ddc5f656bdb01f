// Makes the frozen data again: `npx vitest run --config test/frozen/vitest.config.ts`. See README.md beside it.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/frozen/make.ts'], pool: 'forks', testTimeout: 600_000, hookTimeout: 600_000 },
})
