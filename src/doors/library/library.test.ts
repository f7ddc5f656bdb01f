// The library as a program meets it: models, tools and embedders of its own through the ports, everything signed, and
// checked afterwards by the verifier as an outsider would.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WordCountEmbedder } from '../../../test/fakes/embeddings-sense.ts'
import { loadProtocols } from '../../app/protocols.ts'
import { inHome, inStore, type Storage } from '../../app/storage.ts'
import { wholeBundle } from '../../clerk/extract.ts'
import { openBuiltInEmbedder } from '../../embeddings/embedded.ts'
import type { Model } from '../../models/model.ts'
import { createSeat, type Seat } from '../../models/seat/seat.ts'
import { examine } from '../../stores/verify-answers.ts'
import {
  abortSession,
  agents,
  forkSession,
  resumeSession,
  type ToolDefinition,
  type Toolset,
} from './agents.ts'
import { type CouncilRun, council } from './council.ts'
import {
  abortExchange,
  compareExchanges,
  exchange,
  exchangeRows,
  exchangeStatus,
  forkExchange,
  observeExchange,
  reembedExchange,
  resumeExchange,
} from './exchange.ts'

/** An embedder of the program's own, under a name for which weights are available: learning them takes long. */
const ownSense = () => new WordCountEmbedder(openBuiltInEmbedder().encoder)

/** A model of the program's own, through the port. */
function seatThat(provider: string, answer: (told: string) => string): Seat {
  const mind: Model = {
    provider,
    model: 'own',
    transport: 'api',
    available: async () => ({ ready: true, detail: 'here', next: null }),
    ask: async ({ parts }) => {
      const text = answer(parts.map((part) => JSON.stringify(part)).join('\n'))
      return {
        ok: true,
        text,
        usage: { inputTokens: 1, outputTokens: 1 },
        cost: null,
        latencyMs: 1,
        transport: 'api',
        model: 'own',
      }
    },
  }
  return createSeat({ provider, model: 'own', roles: ['participant'], minds: [mind] })
}

async function verdict({ ports }: Storage, trace: string): Promise<string> {
  const bundle = await wholeBundle(ports.store, trace)
  const registry = await ports.store.registry()
  expect(registry).not.toBeNull()
  const report = await examine(
    bundle,
    ports.store,
    { keys: [], checkpoints: [] },
    await loadProtocols(bundle),
  )
  expect(report.failures.filter(({ severity }) => severity === 'error')).toEqual([])
  return report.status
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'witan-library-'))
  await writeFile(join(folder, 'LICENSE'), 'Apache License\nVersion 2.0\n')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const reading = (tool: string, input: Record<string, string>) => ({
  objective: 'Say which licence this is',
  proposals: [
    {
      objective: 'Read it',
      steps: [{ id: 'read', tool, input, justification: 'it is written there' }],
      claims: [
        {
          text: 'It is the Apache License',
          confidence: 'high' as const,
          evidence: [{ step: 'read', quote: 'Apache License' }],
        },
      ],
    },
  ],
})

/** Compiles only where events are typed by what they carry. */
async function stancesOf(run: CouncilRun): Promise<readonly string[]> {
  const stances: string[] = []
  for await (const event of run)
    if (event.type === 'opinion_given' && event.payload) stances.push(event.payload.opinion.stance)
  return stances
}

describe('witan/agents', () => {
  it('APP-5 carries out a task, tells every event and proves its claims', async () => {
    const storage = await inStore()
    const session = agents({ workspace: folder, task: reading('files.read', { path: 'LICENSE' }), storage })
    const types: string[] = []
    for await (const { type } of session) types.push(type)
    const result = await session.result
    expect(result).toMatchObject({
      status: 'completed',
      proven: [{ text: 'It is the Apache License' }],
      waiting: [],
    })
    expect(types[0]).toBe('session_initialized')
    expect(types).toContain('intent_approved')
    expect(await verdict(storage, await session.trace)).toBe('pass-with-warnings')
  })

  const definition: ToolDefinition = {
    name: 'desk.stamp',
    description: 'Stamps a paper.',
    inputSchema: { type: 'object', properties: { paper: { type: 'string' } }, required: ['paper'] },
    effects: ['execute'],
    source: 'desk',
  }
  const stamping = (calls: string[]): Toolset => ({
    tools: async () => [definition],
    async call({ input }) {
      calls.push(JSON.stringify(input))
      const bytes = Buffer.from('Apache License, stamped')
      const content = [{ name: 'stamp', mediaType: 'text/plain', bytes }]
      return { ok: true, content, durationMs: 1, secretsRemoved: 0, truncated: false }
    },
    close: async () => undefined,
  })
  const stamped = { ...reading('desk.stamp', { paper: 'x' }), roles: { critic: ['policy', 'human'] } }

  it("APP-5 calls a program's own tool only after the person of the program consented", async () => {
    const calls: string[] = []
    const asked: string[] = []
    const storage = await inStore()
    const session = agents({
      task: stamped,
      toolsets: stamping(calls),
      storage,
      person: 'ana',
      decide: async ({ kind }) => {
        asked.push(kind)
        // Only claims are weighed after the call.
        if (kind !== 'weigh') expect(calls).toEqual([])
        return { as: 'approve', minutes: 5, reason: 'seen' }
      },
    })
    expect(await session.result).toMatchObject({ status: 'completed' })
    expect(asked).toContain('judge')
    expect(calls).toEqual(['{"paper":"x"}'])
    expect(await verdict(storage, await session.trace)).toBe('pass-with-warnings')
  })

  it('APP-5 waits if no person decides, and continues the same trace later', async () => {
    const calls: string[] = []
    const storage = await inHome(join(folder, 'home'))
    try {
      const options = { task: stamped, toolsets: stamping(calls), storage, person: 'ana' }
      const session = agents({ ...options, decide: async () => null })
      const { waiting } = await session.result
      expect(waiting.length).toBeGreaterThan(0)
      expect(calls).toEqual([])
      const decide = async () => ({ as: 'approve', minutes: 5, reason: 'seen' }) as const
      const again = agents({ ...options, trace: await session.trace, decide })
      expect(await again.result).toMatchObject({ status: 'completed', waiting: [] })
      expect(await again.trace).toBe(await session.trace)
    } finally {
      await storage.close()
    }
  })

  it('APP-5 resumes, forks and ends a session with parts of the program', async () => {
    const calls: string[] = []
    const storage = await inStore()
    const options = { task: stamped, toolsets: stamping(calls), storage, person: 'ana' }
    const waiting = agents({ ...options, decide: async () => null })
    const [pending] = (await waiting.result).waiting
    const trace = await waiting.trace
    expect(pending).toBeDefined()
    const decide = async () => ({ as: 'approve', minutes: 5, reason: 'seen' }) as const
    const fork = forkSession(trace, { ...options, after: 0, decide })
    expect(await fork.result).toMatchObject({ status: 'completed' })
    expect(await fork.trace).not.toBe(trace)
    expect(await verdict(storage, await fork.trace)).toBe('pass-with-warnings')
    expect(await resumeSession(trace, { ...options, decide: async () => null }).result).toMatchObject({
      waiting: [{ subject: pending?.subject }],
    })
    expect(await abortSession(trace, { storage, reason: 'enough' })).toMatchObject({ status: 'aborted' })
    expect(await resumeSession(trace, { ...options, decide }).result).toMatchObject({ status: 'aborted' })
    expect(calls).toHaveLength(1)
    await storage.close()
  })

  it('APP-5 names a model that is missing, and stops on a signal', async () => {
    const task = { objective: 'x', roles: { planner: 'claude', executor: 'claude' } }
    await expect(agents({ task, workspace: folder }).result).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    const signal = AbortSignal.abort()
    const storage = await inStore()
    const run = agents({ task: stamped, toolsets: stamping([]), storage, signal })
    await expect(run.result).rejects.toMatchObject({ code: 'INTERRUPTED' })
  })
})

describe('witan/exchange', () => {
  const terms = {
    pool: { prompt: 'Think aloud about caching.', minds: ['a', 'b'] },
    auditor: { spec: 'Sum up.', mind: 'a', every: 3 },
    observer: { name: 'ana', role: 'I answer each audit.' },
  }
  const isAudit = (told: string): boolean => told.includes('Write your audit now')
  const audit = JSON.stringify({ summary: 'They speak of caches.', points: [] })
  const minds = {
    a: seatThat('a', (told) => (isAudit(told) ? audit : 'hm\n---\nCache what is read often.')),
    b: seatThat('b', () => 'hm\n---\nInvalidate on write.'),
  }

  it('APP-5 runs the rounds that were granted, lets the observer act and goes on', async () => {
    const storage = await inStore()
    const embedder = ownSense()
    const pool = exchange({ terms, minds, rounds: 2, embedder, storage })
    const types: string[] = []
    for await (const { type } of pool) types.push(type)
    expect(await pool.result).toMatchObject({ status: 'open', round: 2, totals: { failed: 0 } })
    expect(types.filter((type) => type === 'mind_wrote')).toHaveLength(2)
    await (await pool.observer).inject('What about cost?')
    const trace = await pool.trace
    const more = exchange({ minds, rounds: 2, embedder, storage, trace, via: 'host' })
    const stated: unknown[] = []
    for await (const { actor, payload } of more)
      if (actor.role === 'observer') stated.push((payload as { via?: unknown } | null)?.via)
    expect(stated).toEqual(['none', 'none', 'none', 'host'])
    expect(await more.result).toMatchObject({ trace, round: 4 })
    expect(await verdict(storage, trace)).toBe('pass-with-warnings')
  })

  it('APP-5 does for an exchange on record what the command does: status, rollback, comparison, rows, halt', async () => {
    const storage = await inStore()
    const embedder = ownSense()
    const pool = exchange({ terms, minds, rounds: 3, embedder, storage })
    const { trace } = await pool.result
    const observer = await observeExchange(trace, { storage })
    const { into, round } = await observer.rollback({ round: 2, carry: 'window', reason: 'Try again.' })
    expect(round).toBe(2)
    expect(await exchangeStatus(trace, { storage })).toMatchObject({ status: 'moved', moved_to: into })
    const course = exchange({ minds, rounds: 1, embedder, storage, trace: into })
    expect(await course.result).toMatchObject({ trace: into, round: 3 })
    expect(await compareExchanges(trace, into, { storage })).toMatchObject({ parted: 2 })
    const authors = new Set<string>()
    for await (const { author } of exchangeRows(into, { storage })) authors.add(author)
    expect([...authors]).toContain('b')
    expect(await reembedExchange(into, { storage, embedder })).toMatchObject({ to: embedder.encoder })
    await (await observeExchange(into, { storage })).halt('Enough.')
    expect(await exchangeStatus(into, { storage })).toMatchObject({ status: 'halted' })
    expect(await verdict(storage, into)).toBe('pass-with-warnings')
  })

  it('APP-5 resumes, forks and aborts an exchange on record', async () => {
    const storage = await inStore()
    const how = { minds, embedder: ownSense(), storage, rounds: 1 }
    const { trace } = await exchange({ ...how, terms, rounds: 2 }).result
    expect(await resumeExchange(trace, how).result).toMatchObject({ trace, round: 3 })
    const fork = forkExchange(trace, { ...how, round: 2, reason: 'Once more.', via: 'host' })
    const { trace: into } = await fork.result
    expect(into).not.toBe(trace)
    expect(await fork.result).toMatchObject({ status: 'open', round: 3 })
    expect(await exchangeStatus(trace, { storage })).toMatchObject({ status: 'open', round: 3 })
    expect(await compareExchanges(trace, into, { storage })).toMatchObject({ parted: 2 })
    expect(await abortExchange(trace, { storage, reason: 'Enough.' })).toMatchObject({ status: 'halted' })
    expect(await exchangeStatus(into, { storage })).toMatchObject({ status: 'open' })
    for (const one of [trace, into]) expect(await verdict(storage, one)).toBe('pass-with-warnings')
  })

  it('APP-5 refuses terms without an observer, and names a model that is missing', async () => {
    const embedder = ownSense()
    const nobody = { ...terms, observer: { name: 'ana', role: ' ' } }
    await expect(exchange({ terms: nobody, minds, embedder }).result).rejects.toThrow(
      'observer.role says nothing',
    )
    await expect(exchange({ terms, minds: { a: minds.a }, embedder }).result).rejects.toThrow('name b')
    await expect(exchange({ minds, embedder }).trace).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})

describe('witan/council', () => {
  it('APP-5 stops on a signal, with what was recorded kept', async () => {
    const storage = await inStore()
    const seats = ['a', 'b', 'c'].map((name) => ({ seat: seatThat(name, () => '{}') }))
    const run = council({ question: 'Shall we?', seats, storage, signal: AbortSignal.abort() })
    await expect(run.result).rejects.toMatchObject({ code: 'INTERRUPTED' })
    expect(await storage.ports.store.hashes(await run.trace, 0, 1)).toHaveLength(1)
  })

  it('APP-5 tells the events of a run by their types', async () => {
    const seats = ['a', 'b'].map((name) => ({
      seat: seatThat(name, () => 'Yes: adopt it. It can be undone.'),
    }))
    const stances = await stancesOf(council({ question: 'Shall we?', seats }))
    expect(stances.length).toBeGreaterThan(0)
    expect(new Set(stances).size).toBe(1)
  })

  it('APP-5 rejects only one promise, the one that is awaited, if it cannot be opened', async () => {
    const run = council({ question: 'Shall we?', seats: [{ seat: seatThat('a', () => '{}') }] })
    await expect(run.result).rejects.toMatchObject({ code: 'EVENT_REFUSED' })
  })
})

describe('the examples in the documentation of the entry points', () => {
  it('APP-5 are about ten lines each', async () => {
    for (const name of ['agents', 'exchange', 'council']) {
      const text = await readFile(new URL(`./${name}.ts`, import.meta.url), 'utf8')
      const example = /```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
      expect(example).toContain(`${name}({`)
      expect(example.trimEnd().split('\n').length).toBeLessThanOrEqual(14)
    }
  })
})
