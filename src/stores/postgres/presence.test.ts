import type pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { connect } from './connection.ts'
import { openPresence } from './presence.ts'

const server = inject('postgresUrl')

describe.skipIf(server === null)(`presence${server ? '' : ' (skipped: no server)'}`, () => {
  it('LED-17 makes the server check a silent machine, and give up soon', async () => {
    const database = await freshDatabase(server ?? '')
    const connections = await connect(database.url, 15_000)
    const clients: pg.Client[] = []
    const dedicated = async (settings?: string): Promise<pg.Client> => {
      const client = await connections.dedicated(settings)
      clients.push(client)
      return client
    }
    const presence = openPresence({ ...connections, dedicated }, 'witan')
    const leave = await presence.hold('attend someone')
    // What is shown is what the kernel says of the server's own end of the connection.
    const inForce = async (name: string) =>
      Object.values((await clients[0]?.query(`SHOW ${name}`))?.rows[0] ?? {})[0]
    const names = ['idle', 'interval', 'count'].map((name) => `tcp_keepalives_${name}`)
    const shown: unknown[] = []
    for (const name of [...names, 'tcp_user_timeout']) shown.push(await inForce(name))
    expect(clients).toHaveLength(1)
    expect(shown.map(String)).toEqual(['10', '3', '2', '15000'])
    await leave()
    await presence.close()
    await connections.close()
    await database.drop()
  })
})
