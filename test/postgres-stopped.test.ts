// A PostgreSQL server that goes away in the middle of a council, and does not come back in time: the user is
// told what happened and how to continue, and continuing finds everything that was answered.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { machines } from './council/table.ts'
import { ended, type Ran, start } from './doors/command.ts'
import { freshDatabase, type PostgresServer, startPostgres, whyNoPostgres } from './support/postgres.ts'
import { withClient } from './support/postgres-store.ts'

const reason = whyNoPostgres()
const TERMINATE = `
  SELECT count(pg_terminate_backend(pid))::int AS ended FROM pg_stat_activity
  WHERE application_name = 'witan' AND pid <> pg_backend_pid()`

describe.skipIf(reason !== null)(`a council whose PostgreSQL goes away${reason ? ' (skipped)' : ''}`, () => {
  const open = machines()
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  const silence = [{ act: 'silence' }] as const
  const settings = (url: string) => ({
    more: '  timeouts: {r1_per_provider: 10000}\n',
    env: { WITAN_POSTGRES_URL: url },
  })

  const traceIn = ({ stderr }: Ran): string => /witan resume (\w{26})/.exec(stderr)?.[1] ?? ''

  it('LED-9 LED-16 LED-17 exits 7, says how to go on, and loses no answer', async () => {
    const { url } = await freshDatabase(server.url)
    const at = await open({ a: { R1: silence }, b: {}, c: {} }, settings(url))
    const child = start(['ask', 'Shall we?'], at)
    let told = ''
    child.stderr?.on('data', (chunk) => {
      told += chunk
    })
    const council = ended(child)
    // Told when it is on record.
    await expect.poll(() => told.match(/^R1 [bc] /gm)?.length, { timeout: 120_000 }).toBe(2)
    await server.crash()
    const cut = await council
    expect(cut.stderr).toMatch(
      /^error VAULT_UNREACHABLE: PostgreSQL at 127\.0\.0\.1:\d+\/\w+ does not answer/m,
    )
    expect(cut.stderr).toContain('What was recorded is kept.')
    expect(cut.stderr).not.toMatch(/^\s+at |triggerUncaught|node:internal|Unhandled/m)
    expect([cut.code, cut.stdout]).toEqual([7, ''])
    const trace = traceIn(cut)
    await server.start()
    const answered = at.server.calls().length
    const { code, json } = await at.run('resume', trace, '--json')
    expect([code, json.status]).toEqual([0, 'reported'])
    expect(
      at.server
        .calls()
        .slice(answered)
        .filter((call) => /^R1 [bc]$/.test(call)),
    ).toEqual([])
    expect((await at.run('verify', trace, '--json')).json.status).toBe('pass')
  })

  it('LED-16 goes on when only its connections were ended', async () => {
    const { url } = await freshDatabase(server.url)
    const at = await open({ a: {}, b: {}, c: { R1: silence } }, settings(url))
    const council = ended(start(['ask', 'Shall we?', '--json'], at))
    await expect.poll(() => at.server.calls().length, { timeout: 120_000 }).toBeGreaterThanOrEqual(3)
    const [row] = await withClient(server.url, async (client) => (await client.query(TERMINATE)).rows)
    expect(row.ended).toBeGreaterThan(0)
    const { code, json, stderr } = await council
    expect([code, json.status, stderr]).toEqual([0, 'reported', ''])
  })
})
