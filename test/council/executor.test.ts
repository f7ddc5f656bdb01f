import { afterEach, describe, expect, it } from 'vitest'
import { type PolicyGiven, QuorumError, roundExecutor } from '../../src/doors/library/council.ts'
import { type CouncilServer, opinion, playCouncil, type Script } from '../fakes/council.ts'
import { seatAt, THREE } from '../support/council-run.ts'

let server: CouncilServer

afterEach(() => server.close())

async function executorOf(models: Readonly<Record<string, Script>>, policy: PolicyGiven = {}) {
  server = await playCouncil(models)
  const names = Object.keys(models)
  const seats = names.map((name) => ({ seat: seatAt(server.url, name) }))
  return roundExecutor({ seats, chairs: names.slice(0, 1), policy })
}

const CONTEXT = { question: 'Shall we do it?', files: [{ path: 'a.md', text: 'It is Tuesday.\n' }] }
const gone = { act: 'error', kind: 'auth', message: 'wrong key' } as const

describe('the rounds one by one', () => {
  it('COU-E-1 ask in each round only what belongs to it, and hand their results on', async () => {
    const { executeR1, executeR2, executeR3 } = await executorOf({ ...THREE, c: { R2: [gone] } })
    const r1 = await executeR1(CONTEXT)
    expect([...server.calls()].sort()).toEqual(['R1 a', 'R1 b', 'R1 c'])
    expect(r1).toMatchObject({
      opinions: [{ id: 'op-1' }, { id: 'op-2' }, { id: 'op-3' }],
      failed_providers: [],
    })
    const r2 = await executeR2(CONTEXT, r1)
    expect([...server.calls()].slice(3).sort()).toEqual(['R2 a', 'R2 b', 'R2 c'])
    expect(r2.reviews.map(({ seat }) => seat)).toEqual(['a', 'b'])
    expect(r2.failed_providers).toMatchObject([{ provider: 'c', error_type: 'auth' }])
    const r3 = await executeR3(CONTEXT, r1, r2)
    expect(server.calls().slice(6)).toEqual(['R3 a'])
    expect(r3).toMatchObject({ chair_provider: 'a', final_report: { decision: 'adopt', synthesis: 'chair' } })
    expect(server.heard.at(-1)?.words).toContain('It is Tuesday.')
  })

  it('COU-E-1 COU-Q-1 throw what there is when a quorum is not met', async () => {
    const { executeR1 } = await executorOf({ a: {}, b: { R1: [gone] }, c: { R1: [gone] } })
    const fault = await executeR1(CONTEXT).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(QuorumError)
    expect(fault).toMatchObject({
      code: 'QUORUM_NOT_MET',
      partial: {
        r1: { opinions: [{ seat: 'a' }], failed_providers: [{ provider: 'b' }, { provider: 'c' }] },
      },
    })
  })

  it('COU-E-1 take results that came from elsewhere as they are', async () => {
    const { executeR1, executeR2, executeR3 } = await executorOf({
      ...THREE,
      b: { R1: [opinion({ stance: 'reject', summary: 'I would rather not.' })] },
    })
    const r1 = await executeR1(CONTEXT)
    const fewer = { ...r1, opinions: r1.opinions.slice(0, 2) }
    const r2 = await executeR2(CONTEXT, fewer)
    expect(server.calls().slice(3).sort()).toEqual(['R2 a', 'R2 b'])
    const { final_report } = await executeR3(CONTEXT, fewer, r2)
    expect(final_report.majority.counts).toEqual({ adopt: 1, reject: 1 })
  })
})
