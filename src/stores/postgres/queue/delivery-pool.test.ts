import { expect, it } from 'vitest'
import { hearLostStatements, openDeliveryPool } from './delivery-pool.ts'

const refused = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

it('APP-7 an unawaited statement ends no worker if the server was away, and other faults do', () => {
  const told: string[] = []
  const unhear = hearLostStatements((error) => told.push(error.message))
  const hear = process.listeners('unhandledRejection').at(-1)
  unhear()
  hear?.(refused(), Promise.resolve())
  hear?.(new Error('the server does not answer', { cause: refused() }), Promise.resolve())
  expect(told).toEqual(['connect ECONNREFUSED', 'the server does not answer'])
  expect(() => hear?.(new Error('a fault of our own'), Promise.resolve())).toThrow('a fault of our own')
})

it('APP-7 a pool that is being closed fails no deletion that still asks for a connection', async () => {
  // Nothing listens on the port of a service that is reserved and never used.
  const pool = await openDeliveryPool('postgres://127.0.0.1:1/none')
  const asked = pool.connect().then(
    () => 'connected',
    () => 'failed',
  )
  await pool.end()
  const still = new Promise((resolve) => setTimeout(resolve, 600, 'still asking'))
  expect(await Promise.race([asked, still])).toBe('still asking')
})
