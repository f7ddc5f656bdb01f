// One stage of `npm run test:mutants`: the sources of a room with the drawn mutants in them, and the tests that try them.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { draw, mutantsIn } from './sample.ts'
import { settings } from './state.ts'
import { withSwitches } from './switching.ts'

const { room, count, seed, tests, isolate, active = 0 } = settings()
const drawn = draw(mutantsIn(room), count, seed)
const root = join(import.meta.dirname, '../..')

export default defineConfig({
  root,
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      load(id) {
        const file = relative(root, id).replaceAll('\\', '/')
        if (!file.startsWith(`src/${room}/`) || !file.endsWith('.ts') || file.endsWith('.test.ts'))
          return null
        const here = drawn.filter((mutant) => mutant.file === file)
        return withSwitches(readFileSync(id, 'utf8'), here)
      },
    },
  ],
  test: {
    include: [...tests],
    exclude: ['**/node_modules/**', '**/*.long.test.ts'],
    runner: join(import.meta.dirname, 'runner.ts'),
    pool: 'forks',
    maxWorkers: 1,
    isolate,
    testTimeout: 3_600_000,
    hookTimeout: 300_000,
    retry: 0,
    bail: active === 0 ? 0 : 1,
    // What a mutant leaves behind unawaited is no verdict on it.
    dangerouslyIgnoreUnhandledErrors: true,
  },
})
