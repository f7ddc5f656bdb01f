// A throw-away PostgreSQL server, started as the tests start theirs.
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** `settings`: lines of the server's own, where it is started here. */
export async function withServer(measure, settings = []) {
  if (process.env.WITAN_POSTGRES_URL) return measure(process.env.WITAN_POSTGRES_URL)
  const outfile = join(root, 'dist', `bench-postgres-${process.pid}.mjs`)
  await build({
    entryPoints: [join(root, 'test/support/postgres.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  try {
    const { startPostgres, whyNoPostgres } = await import(pathToFileURL(outfile))
    const reason = whyNoPostgres()
    if (reason) return [{ question: `PostgreSQL: not measured, ${reason}` }]
    const server = await startPostgres(null, settings)
    try {
      return await measure(server.url)
    } finally {
      await server.stop()
    }
  } finally {
    await rm(outfile)
  }
}
