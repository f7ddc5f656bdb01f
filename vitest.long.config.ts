// What takes minutes and is run by hand or by night: `npm run test:long`.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{src,test}/**/*.long.test.ts'],
    pool: 'forks',
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
  },
})
