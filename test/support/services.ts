// Runs once around all tests: one throw-away PostgreSQL server, the path of a Chromium and a sandbox that works, or
// null and one printed line that says what is missing. Suites skip on null; nothing here is found missing silently.
import { spawnSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'
import { findChromium } from './browser.ts'
import { PROGRAMS } from './guide.ts'
import { startPostgres, whyNoPostgres } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Superuser URL of the run's PostgreSQL server; take a `freshDatabase` of it. Null when there is none. */
    postgresUrl: string | null
    chromiumPath: string | null
    /** Its version. Null when it is not there or may not make a sandbox here. */
    bubblewrap: string | null
    /** Programs of others that check our evidence and are not here. */
    missingPrograms: readonly string[]
  }
}

function skipping(suites: string, reason: string): null {
  process.stderr.write(`The ${suites} suites will be skipped: ${reason}.\n`)
  return null
}

/** A sandbox is built once: being installed is not enough where namespaces are forbidden. */
function findBubblewrap(): string | null {
  const { status } = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'])
  if (status !== 0) return null
  return spawnSync('bwrap', ['--version'], { encoding: 'utf8' }).stdout.trim()
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const chromium = findChromium()
  project.provide('chromiumPath', chromium ?? skipping('browser', 'no Chromium on the PATH'))

  const noSandbox = 'bubblewrap is missing or may not make a sandbox'
  project.provide('bubblewrap', findBubblewrap() ?? skipping('sandbox', noSandbox))

  const missing = PROGRAMS.filter((name) => spawnSync('which', [name]).status !== 0)
  project.provide('missingPrograms', missing)
  if (missing.length > 0) skipping('foreign verifier', `${missing.join(', ')} not on the PATH`)

  const reason = whyNoPostgres()
  const server = reason === null ? await startPostgres() : skipping('PostgreSQL', reason)
  project.provide('postgresUrl', server?.url ?? null)
  return async () => server?.stop()
}
