// How long a council waits: for who is slow and says so, not for who is silent, and never for one hanging chair alone.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { council } from '../../src/doors/library/council.ts'
import { opinion, report, review, target } from '../fakes/council.ts'
import { runCouncil, seatAt, THREE } from '../support/council-run.ts'
import { type Drip, type DrippingServer, startDrippingServer } from '../support/dripping-server.ts'

const LIMIT_MS = 1_000

const answerTo = (body: string): object => {
  if (body.includes('"targets"')) return review({ targets: [target('A')] })
  return body.includes('"answered_critiques"') ? report() : opinion()
}

const made: DrippingServer[] = []
afterEach(async () => {
  for (const server of made.splice(0)) await server.dispose()
})

// The first asking also loads what speaks to models.
beforeAll(() => runCouncil({ models: THREE }))

/** Each answer takes this long, with a sign of life now and then. */
async function slow(drip: Drip | 'silent'): Promise<DrippingServer> {
  const server = await startDrippingServer((_, body) => ({ drip, text: JSON.stringify(answerTo(body)) }))
  made.push(server)
  return server
}

describe('a council of slow models', () => {
  it('VOX-18 COU-T-1 hears two seats that stream for longer than their limit, in every round', async () => {
    const server = await slow({ times: 50, everyMs: 50, as: 'reasoning' })
    const url = server.url.replace(/\/v1$/, '')
    const seats = ['a', 'b'].map((name) => ({ seat: seatAt(url, name, { each: LIMIT_MS }) }))
    const run = council({ question: 'Shall we?', seats, chairs: ['a'] })
    const result = await run.result
    expect(result).toMatchObject({ status: 'reported', report: { synthesis: 'chair' } })
    expect(result.transparency.failures).toEqual([])
    expect(server.asked).toBe(5)
  })

  it('VOX-18 cuts who is silent, and goes on with the others', async () => {
    const held = await runCouncil({
      models: { ...THREE, c: { R1: [{ act: 'silence' }] } },
      timeouts: { c: { own: { R1: 300 } } },
    })
    expect(held.result).toMatchObject({ status: 'reported' })
    expect(held.result.rounds[0].failed_providers).toMatchObject([
      { provider: 'c', error_type: 'timeout', error_message: 'nothing came for 300 ms', retried: true },
    ])
  })

  it('VOX-18 COU-R3-3 asks a hanging chair twice in all, and then shows the best opinion', async () => {
    const held = await runCouncil({
      models: { ...THREE, a: { R3: [{ act: 'silence' }] } },
      timeouts: { a: { own: { R3: 300 } } },
    })
    expect(held.server.calls().filter((call) => call.startsWith('R3'))).toEqual(['R3 a', 'R3 a'])
    expect(held.result).toMatchObject({ status: 'degraded', report: { synthesis: 'fallback' } })
  })

  it('COU-T-1 closes a round when its own time is over, the third too', async () => {
    const held = await runCouncil({
      models: { ...THREE, a: { R3: [{ act: 'silence' }] } },
      options: { policy: { timeouts: { r3_round: 500 } } },
    })
    const closed = held.events.filter(({ type }) => type === 'round_closed')
    expect(closed.map(({ payload }) => payload?.round)).toEqual(['R3'])
    expect(held.result).toMatchObject({ status: 'degraded', report: { synthesis: 'fallback' } })
  })
})
