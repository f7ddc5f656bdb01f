import { describe, expect, it } from 'vitest'
import type { Payload } from '../ledger/event.ts'
import type { Outcome, Request } from '../minds/mind.ts'
import { replayMind } from '../minds/replay.ts'
import { MemoryVault } from '../vaults/memory.ts'
import { readAsking, recordAsking } from './recording.ts'

const request = {
  system: 'Answer in one word.',
  parts: [
    { name: 'question', text: 'Which licence?', quotes: null, template: null },
    {
      name: 'context',
      text: 'MIT License',
      quotes: { kind: 'artifact' as const, id: 'a'.repeat(64) },
      template: null,
    },
  ],
  schema: { type: 'object' },
}

const reply: Outcome = {
  ok: true,
  text: '{"licence":"MIT"}',
  object: { licence: 'MIT' },
  usage: { inputTokens: 12, outputTokens: null },
  cost: null,
  latencyMs: 41.6,
  transport: 'api',
  model: 'model-x',
  repaired: false,
}

const live = (given: typeof request): Request => ({
  ...given,
  limits: { timeoutMs: 1000, maxOutputTokens: null, maxReplyBytes: 1000 },
  signal: new AbortController().signal,
})

describe('recording an asking', () => {
  it('VOX-11 keeps request and reply as artifacts from which the same answer is given again', async () => {
    const vault = new MemoryVault()
    const tried = [{ transport: 'api' as const, failure: null, latencyMs: 41.6, waitedMs: 0 }]
    const record = await recordAsking(vault, request, reply, tried)
    expect(record.artifacts.map((artifact) => artifact.name)).toEqual(['request.json', 'reply.json'])
    const recording = await readAsking(vault, { ...record } as unknown as Payload)
    expect(recording).toEqual({ request, outcome: reply })
    const mind = replayMind({ provider: 'claude', model: null, recordings: [recording] })
    expect(await mind.ask(live(recording.request as typeof request))).toEqual({
      ...reply,
      transport: 'replay',
    })
  })

  it('VOX-11 answers nothing that was not asked then, and nothing twice', async () => {
    const mind = replayMind({ provider: 'claude', model: null, recordings: [{ request, outcome: reply }] })
    const other = await mind.ask(live({ ...request, system: 'Answer at length.' }))
    expect(other).toMatchObject({ ok: false, cause: 'unavailable' })
    expect(await mind.ask(live(request))).toMatchObject({ ok: true })
    expect(await mind.ask(live(request))).toMatchObject({ ok: false, cause: 'unavailable' })
  })

  it('says unknown where usage and cost are unknown, and how each attempt went', async () => {
    const failure = { type: 'rate_limit', cause: null, message: 'slow down' }
    const record = await recordAsking(new MemoryVault(), request, reply, [
      { transport: 'cli', failure, latencyMs: 9.5, waitedMs: 0 },
      { transport: 'api', failure: null, latencyMs: 41.6, waitedMs: 1000 },
    ])
    expect(record).toMatchObject({ input_tokens: 12, output_tokens: null, cost: null, latency_ms: 42 })
    expect(record.attempts).toMatchObject([
      { transport: 'cli', error_type: 'rate_limit', error_message: 'slow down' },
      { transport: 'api', error_type: null, waited_ms: 1000 },
    ])
  })

  it('says so when what was recorded has been erased', async () => {
    const record = await recordAsking(new MemoryVault(), request, reply, [])
    const gone = readAsking(new MemoryVault(), { ...record } as unknown as Payload)
    await expect(gone).rejects.toMatchObject({ code: 'ARTIFACT_NOT_FOUND' })
  })
})
