import { describe, expect, it } from 'vitest'
import { replayTrace } from '../../src/clerk/replay.ts'
import { councilProtocol } from '../../src/council/council.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { runCouncil, THREE, verdictOn } from '../support/council-run.ts'

describe('a council of three models', () => {
  it('COU-R1-1 COU-R3-1 COU-O-1 asks seven times, reports, and leaves minutes that verify and replay', async () => {
    const { server, result, storage, events } = await runCouncil({ models: THREE })
    expect([...server.calls()].sort()).toEqual(['R1 a', 'R1 b', 'R1 c', 'R2 a', 'R2 b', 'R2 c', 'R3 a'])
    expect(result).toMatchObject({
      status: 'reported',
      degraded: false,
      report: { decision: 'adopt', synthesis: 'chair', chair: 'a', rounds_completed: ['R1', 'R2', 'R3'] },
    })
    expect(result.rounds[0].opinions.map(({ id, seat }) => [id, seat])).toEqual([
      ['op-1', 'a'],
      ['op-2', 'b'],
      ['op-3', 'c'],
    ])
    expect(result.transparency.rounds?.map(({ round, total_tokens_in }) => [round, total_tokens_in])).toEqual(
      [
        ['R1', 3000],
        ['R2', 3000],
        ['R3', 1000],
      ],
    )
    expect(events.at(-1)?.type).toBe('council_closed')
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i))
    const report = await verdictOn(storage, result.trace)
    expect(report.failures).toEqual([])
    expect(report.status).toBe('pass')
    const kit = { store: storage.ports.store, sha256 }
    const replayed = await replayTrace(kit, councilProtocol(sha256), result.trace)
    expect(replayed).toMatchObject({ decisions: 7, divergences: [], next: [] })
    const prompts = server.heard
      .filter(({ round }) => round === 'R1')
      .map(({ body }) => JSON.stringify((body as { messages: unknown }).messages))
    expect(new Set(prompts).size).toBe(1)
  })
})
