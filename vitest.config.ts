// Tests sit beside the source, cross-room ones in test/. Each file runs in a process of its own, because some of them
// change limits, signals and working directories; only the files of pure protocols, which can change nothing, share
// theirs. The longest files start first, so that none of them runs alone at the end.
import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const PURE = ['src/{ledger,reply,council,agents,exchange,eval}/**/*.test.ts']

/** Those of more than a dozen seconds. A name that is missing here costs time and nothing else. */
const LONGEST = [
  'test/postgres-stopped.test.ts',
  'src/models/mcp/stdio.test.ts',
  'test/council/killed.test.ts',
  'test/crash.test.ts',
  'test/frozen.test.ts',
  'test/replies/agents-wire.test.ts',
  'test/key-story.test.ts',
  'test/exchange/looking-back.test.ts',
  'test/agents/presence.test.ts',
  'test/doors/consent.test.ts',
  'test/restart/restart.test.ts',
  'test/concurrency.test.ts',
  'test/page/tamper.test.ts',
  'src/stores/postgres/crash.test.ts',
  'src/stores/postgres.test.ts',
  'test/attacks/walks.test.ts',
  'test/page/page.test.ts',
  'test/page/large.test.ts',
  'test/agents/killed.test.ts',
  'test/council/command.test.ts',
  'test/agents/council.test.ts',
  'test/agents/people.test.ts',
  'src/models/cli/codex.test.ts',
  'src/embeddings/embedded.test.ts',
  'src/stores/artifact-files.test.ts',
  'test/exchange/signal.test.ts',
  'test/golden-flips.test.ts',
  'test/agents/examples.test.ts',
  'test/entry-points.test.ts',
  'test/doors/newcomer.test.ts',
  'src/clerk/processes.test.ts',
  'src/clerk/walks.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      if (project.name === 'pure') return LONGEST.length + 1
      const at = LONGEST.indexOf(relative(project.config.root, moduleId))
      return at === -1 ? LONGEST.length : at
    }
    return (await super.sort(files)).sort((one, other) => place(one) - place(other))
  }
}

export default defineConfig({
  test: {
    exclude: ['**/node_modules/**', 'dist/**', 'bench/**', 'test/vendors/**', '**/*.long.test.ts'],
    pool: 'forks',
    // One more than the processors of a small machine: much of the time is spent waiting for children and disks.
    maxWorkers: 3,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...PURE, '**/*.long.test.ts'],
          globalSetup: 'test/support/services.ts',
          // Processes, sockets and disks of a busy machine: once more where no one watches. `npm test` names each such test.
          retry: process.env.CI ? 1 : 0,
        },
      },
    ],
  },
})
