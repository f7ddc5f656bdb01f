import { describe, expect, it } from 'vitest'
import { openErrand, performer, runClerk } from '../../test/support/errand-run.ts'
import { openPorts } from '../../test/support/ports.ts'
import { check } from '../../test/support/verification.ts'
import { utf8 } from '../ledger/bytes.ts'
import { canonicalize } from '../ledger/canonical.ts'
import { type Payload, readPayload } from '../ledger/event.ts'
import { quotedIn, renderPrompt } from '../ledger/prompt.ts'
import type { Outcome, Request } from '../models/model.ts'
import { replayModel } from '../models/replay.ts'
import type { Action } from '../protocol.ts'
import { MemoryStore } from '../stores/memory.ts'
import { readAsking, recordAsking } from './call-records.ts'
import { wholeBundle } from './extract.ts'

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
  usage: { inputTokens: 12, outputTokens: null },
  cost: null,
  latencyMs: 41.6,
  transport: 'api',
  model: 'model-x',
}

const live = (given: typeof request): Request => ({
  ...given,
  limits: { timeoutMs: 1000, maxOutputTokens: null, maxReplyBytes: 1000 },
  signal: new AbortController().signal,
})

/** The store, but with these bytes in the place of every request. */
const answersOf = (store: MemoryStore, request: Uint8Array) => ({
  statArtifact: (hash: string) => store.statArtifact(hash),
  openArtifact: async (hash: string) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of (await store.openArtifact(hash)) ?? []) chunks.push(chunk)
    const isRequest = Buffer.concat(chunks).includes('"system"')
    return (async function* () {
      yield isRequest ? request : Buffer.concat(chunks)
    })()
  },
})

describe('recording a question to a seat', () => {
  it('VOX-11 keeps request and reply as artifacts from which the same answer is given again', async () => {
    const store = new MemoryStore()
    const tried = [{ transport: 'api' as const, failure: null, latencyMs: 41.6, waitedMs: 0 }]
    const record = await recordAsking(store, request, reply, tried)
    expect(record.artifacts.map((artifact) => artifact.name)).toEqual([
      'request.json',
      'reply.json',
      'raw.json',
    ])
    const recording = await readAsking(store, { ...record } as unknown as Payload)
    expect(recording).toEqual({ request, outcome: reply })
    const mind = replayModel({ provider: 'claude', model: null, recordings: [recording] })
    expect(await mind.ask(live(recording.request as typeof request))).toEqual({
      ...reply,
      transport: 'replay',
    })
  })

  it('VOX-11 answers no question that was not asked then, and none twice', async () => {
    const mind = replayModel({ provider: 'claude', model: null, recordings: [{ request, outcome: reply }] })
    const other = await mind.ask(live({ ...request, system: 'Answer at length.' }))
    expect(other).toMatchObject({ ok: false, cause: 'unavailable' })
    expect(await mind.ask(live(request))).toMatchObject({ ok: true })
    expect(await mind.ask(live(request))).toMatchObject({ ok: false, cause: 'unavailable' })
  })

  it('VER-10 shows from the record alone what a seat was shown and what it was not', async () => {
    const store = new MemoryStore()
    const { ports, registrar } = await openPorts(store)
    const log = await openErrand(ports, registrar, ['a', 'b'])
    const own = `${log.trace}/2`
    const others = `${log.trace}/4`
    const parts = [
      {
        name: 'instructions',
        text: 'Review these.',
        quotes: null,
        template: { id: 'review', hash: 'b'.repeat(64) },
      },
      {
        name: 'opinions',
        text: 'answer of b',
        quotes: { kind: 'event' as const, id: others },
        template: null,
      },
    ]
    const perform = async (action: Action) => {
      const record = await recordAsking(store, { system: 'Review.', parts, schema: null }, reply, [])
      const payload = { ...record, action: action.id, seat: action.input.seat } as unknown as Payload
      return [{ type: 'answer_given', actor: registrar.actor('sam', 'seat'), payload }]
    }
    const only = async (action: Action) =>
      action.id.startsWith('ask/')
        ? perform(action)
        : performer(ports, registrar)(action, new AbortController().signal)
    await runClerk(ports, registrar, log, {}, only)
    const bundle = await wholeBundle(store, log.trace)
    expect((await check(bundle, store, { keys: [ports.key('registrar').id], checkpoints: [] })).status).toBe(
      'pass',
    )
    const answers = bundle.main.events.flatMap(({ event }) => {
      const payload = event.payload && readPayload(event.payload)
      return typeof payload === 'object' && payload?.seat === 'a' ? [payload] : []
    })
    const shown = await readAsking(store, answers[0] as Payload)
    expect(quotedIn(shown.request.parts, 'event')).toEqual([others])
    expect(quotedIn(shown.request.parts, 'event')).not.toContain(own)
    expect(renderPrompt(shown.request.parts)).toBe('Review these.\n\nanswer of b')
    // The one who changes the parts afterwards changes the artifact that the signed event names.
    const forged = answersOf(store, utf8(canonicalize({ ...shown.request, parts: [] })))
    const report = await check(bundle, forged, { keys: [ports.key('registrar').id], checkpoints: [] })
    expect(new Set(report.failures.map((failure) => failure.code))).toEqual(
      new Set(['ARTIFACT_HASH_MISMATCH']),
    )
  })

  it('says unknown where usage and cost are unknown, and how each attempt went', async () => {
    const failure = { type: 'rate_limit', cause: null, message: 'slow down' }
    const record = await recordAsking(new MemoryStore(), request, reply, [
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
    const record = await recordAsking(new MemoryStore(), request, reply, [])
    const gone = readAsking(new MemoryStore(), { ...record } as unknown as Payload)
    await expect(gone).rejects.toMatchObject({ code: 'ARTIFACT_NOT_FOUND' })
  })
})
