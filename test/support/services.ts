// Runs once around all tests: one throw-away PostgreSQL server and the path of a Chromium, or null and one printed
// line that says what is missing. Suites skip on null; nothing here is found missing silently.
import type { TestProject } from 'vitest/node'
import { findChromium } from './browser.ts'
import { startPostgres, whyNoPostgres } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Superuser URL of the run's PostgreSQL server; take a `freshDatabase` of it. Null when there is none. */
    postgresUrl: string | null
    chromiumPath: string | null
  }
}

function skipping(suites: string, reason: string): null {
  process.stderr.write(`The ${suites} suites will be skipped: ${reason}.\n`)
  return null
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const chromium = findChromium()
  project.provide('chromiumPath', chromium ?? skipping('browser', 'no Chromium on the PATH'))

  const reason = whyNoPostgres()
  const server = reason === null ? await startPostgres() : skipping('PostgreSQL', reason)
  project.provide('postgresUrl', server?.url ?? null)
  return async () => server?.stop()
}
