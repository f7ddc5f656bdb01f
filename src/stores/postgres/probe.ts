// Whether a server answers at all. What it says to a wrong password or an unknown database is an answer too, and waiting
// changes nothing about it.

import { configOf, isLoss } from './connection.ts'

export type ServerState = 'there' | 'away' | 'refuses'

export async function probeServer(url: string): Promise<ServerState> {
  const { default: driver } = await import('pg')
  const client = new driver.Client(configOf(url))
  client.on('error', () => {})
  try {
    await client.connect()
    return 'there'
  } catch (error) {
    return isLoss(error) ? 'away' : 'refuses'
  } finally {
    await client.end().catch(() => {})
  }
}
