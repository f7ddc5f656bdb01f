// Traces as OpenTelemetry spans: what a collector gets over the wire, that it is what OpenTelemetry's own serializer would have
// written, that the same trace gives the same ids, and that what was said stays at home.

import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HrTime } from '@opentelemetry/api'
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otlpJson, otlpProtobuf } from '../../src/app/otel/otlp.ts'
import { otelSpans, type Span, traceIdOf } from '../../src/app/otel/spans.ts'
import { readHeader, readPayload } from '../../src/ledger/event.ts'
import type { Occurrence } from '../../src/protocol.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { newHome, type Where, witan } from '../doors/command.ts'
import { startCollector, type TestCollector } from '../support/collector.ts'
import { bundleBytes, manifest } from '../support/frozen.ts'
import { piecesOf } from '../support/mutants.ts'

/** The events of a recorded bundle. */
function recorded(name: string): { protocol: string; events: readonly Occurrence[] } {
  let protocol = ''
  const events: Occurrence[] = []
  let isMain = false
  for (const { line } of piecesOf(bundleBytes(name))) {
    if ('section' in line) isMain = line.section === 'main'
    if (!('event' in line) || !isMain) continue
    const header = readHeader(Buffer.from(String(line.event)))
    if (typeof header === 'string') throw new Error(header)
    const payload = line.payload === null ? null : readPayload(Buffer.from(String(line.payload)))
    if (typeof payload === 'string') throw new Error(payload)
    protocol = header.protocol
    const { trace, seq, at, type, actor } = header
    events.push({ trace, seq, at, type, actor, hash: String(line.hash), payload })
  }
  return { protocol, events }
}

const spansOf = (name: string, content = false): readonly Span[] => {
  const { protocol, events } = recorded(name)
  return otelSpans(protocol, events, { sha256, content })
}

const hrTime = (ms: number): HrTime => [Math.floor(ms / 1000), (ms % 1000) * 1_000_000]
const RESOURCE = { 'service.name': 'witan' }

/** One for all: the serializer groups spans by these. */
const instrumentationScope = { name: 'witan' }
const resource = {
  attributes: RESOURCE,
  merge: () => {
    throw new Error('nothing is merged here')
  },
  getRawAttributes: () => Object.entries(RESOURCE) as [string, string][],
}

/** The same span as OpenTelemetry's SDK would hand it to its serializer. */
const forSerializer = (span: Span) => ({
  name: span.name,
  kind: { internal: 0, client: 2 }[span.kind],
  spanContext: () => ({ traceId: span.traceId, spanId: span.spanId, traceFlags: 1 }),
  ...(span.parentId !== null && {
    parentSpanContext: { traceId: span.traceId, spanId: span.parentId, traceFlags: 1 },
  }),
  startTime: hrTime(span.start),
  endTime: hrTime(span.end),
  duration: hrTime(span.end - span.start),
  ended: true,
  status: span.error === null ? { code: 0 } : { code: 2, message: span.error },
  attributes: span.attributes,
  links: [],
  events: span.events.map(({ name, at, attributes }) => ({ name, time: hrTime(at), attributes })),
  resource,
  instrumentationScope,
  droppedAttributesCount: 0,
  droppedEventsCount: 0,
  droppedLinksCount: 0,
})

const NAMES = ['agents-plain', 'agents-failed', 'agents-lost-plan', 'agents-everyone']

describe('a trace as spans', () => {
  it('APP-12 has the bytes of its ULID as trace id, and the same ids each time', () => {
    expect(traceIdOf('01KE0000000000000000000001')).toMatch(/^[0-9a-f]{31}1$/)
    expect(traceIdOf('7ZZZZZZZZZZZZZZZZZZZZZZZZZ')).toBe('f'.repeat(32))
    for (const name of NAMES) {
      const spans = spansOf(name)
      expect(spans).toEqual(spansOf(name))
      const ids = spans.map(({ spanId }) => spanId)
      expect(new Set(ids).size).toBe(ids.length)
      for (const { parentId } of spans.slice(1)) expect(ids).toContain(parentId)
      expect(spans[0]).toMatchObject({ parentId: null, name: 'invoke_workflow agents' })
    }
  })

  it('APP-12 tells tools, failures and calls that were lost', () => {
    expect(spansOf('agents-plain').map(({ name }) => name)).toEqual([
      'invoke_workflow agents',
      'invoke_agent eve',
      'execute_tool files.read',
      'execute_tool files.read',
    ])
    const errors = Object.keys(manifest().bundles)
      .filter((name) => /^agents-/.test(name))
      .flatMap((name) => spansOf(name).map(({ error }) => error))
    expect(errors).toEqual(expect.arrayContaining(['lost', 'indeterminate']))
  })

  it('APP-12 tells model, tokens, cost, retries and the error of an asking, and an asking that is under way', () => {
    const actor = { agent: 'ana', role: 'seat', key: 'a'.repeat(64) }
    const event = (seq: number, type: string, payload: Occurrence['payload']): Occurrence => {
      const at = new Date(Date.UTC(2026, 0, 1) + seq * 1000).toISOString()
      return { trace: '01KE0000000000000000000001', seq, at, type, actor, hash: String(seq), payload }
    }
    const asked = {
      seat: 'gpt',
      model: 'gpt-9',
      transport: 'api',
      input_tokens: 7,
      output_tokens: 9,
      latency_ms: 900,
    }
    const attempts = [
      { transport: 'cli', error_type: 'timeout', latency_ms: 400, waited_ms: 0 },
      { transport: 'api', error_type: null, latency_ms: 500, waited_ms: 0 },
    ]
    const spans = otelSpans(
      'council/2',
      [
        event(0, 'council_opened', { question: 'Which?' }),
        event(1, 'call_started', { action: 'r1/gpt/1', call: 'ask', clerk: 'C' }),
        event(2, 'opinion_given', {
          ...asked,
          action: 'r1/gpt/1',
          cost: { usd: 0.5, from: 'prices' },
          attempts,
        }),
        event(3, 'seat_failed', {
          ...asked,
          action: 'r2/gpt/1',
          cost: null,
          attempts: [],
          failure: { error_type: 'refused' },
        }),
        event(4, 'call_started', { action: 'r3/gpt/1', call: 'ask', clerk: 'C' }),
        event(5, 'noted', null),
      ],
      { sha256 },
    )
    const [workflow, ...rest] = spans
    expect(workflow?.attributes).toMatchObject({ 'witan.cost_usd': 0.5, 'witan.events': 6 })
    const [given, refused, open] = rest.filter(({ name }) => name.startsWith('chat'))
    expect(given).toMatchObject({ name: 'chat gpt-9', kind: 'client', error: null })
    expect(given?.attributes).toMatchObject({
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 9,
      'gen_ai.request.model': 'gpt-9',
      'witan.cost_usd': 0.5,
      'witan.attempts': 2,
    })
    expect(given?.events).toEqual([
      {
        name: 'witan.attempt_failed',
        at: Date.UTC(2026, 0, 1, 0, 0, 1, 400),
        attributes: { 'error.type': 'timeout', 'witan.transport': 'cli' },
      },
    ])
    expect(refused).toMatchObject({ error: 'refused', attributes: { 'error.type': 'refused' } })
    expect((refused?.end ?? 0) - (refused?.start ?? 0)).toBe(900)
    expect(open).toMatchObject({ name: 'chat unknown', attributes: { 'witan.open': true } })
    const theirs = ProtobufTraceSerializer.serializeRequest(spans.map(forSerializer)) ?? new Uint8Array()
    expect(Buffer.from(otlpProtobuf(spans, RESOURCE)).equals(Buffer.from(theirs))).toBe(true)
  })

  it('APP-12 is written as OpenTelemetry itself writes it, in protobuf and JSON', () => {
    for (const name of NAMES) {
      const spans = spansOf(name, true)
      const theirs = ProtobufTraceSerializer.serializeRequest(spans.map(forSerializer))
      expect(Buffer.from(otlpProtobuf(spans, RESOURCE)).toString('hex')).toBe(
        Buffer.from(theirs ?? []).toString('hex'),
      )
      const json = JSON.parse(
        Buffer.from(JsonTraceSerializer.serializeRequest(spans.map(forSerializer)) ?? []).toString(),
      )
      expect(otlpJson(spans, RESOURCE)).toMatchObject(slim(json))
    }
  })

  it('APP-12 says what was said only where it is asked to', () => {
    const said = JSON.stringify(spansOf('agents-plain', true))
    const silent = JSON.stringify(spansOf('agents-plain'))
    expect(said).toContain('witan.payload')
    expect(silent).not.toContain('witan.payload')
    for (const words of ['MIT', 'licence of a', 'State the licence']) expect(silent).not.toContain(words)
  })
})

/** What their JSON says of our members: it lists empty ones besides. */
function slim(json: { resourceSpans: { scopeSpans: { spans: object[] }[] }[] }): object {
  const spans = json.resourceSpans[0]?.scopeSpans[0]?.spans ?? []
  const keys = [
    'traceId',
    'spanId',
    'parentSpanId',
    'name',
    'kind',
    'startTimeUnixNano',
    'endTimeUnixNano',
    'attributes',
  ]
  const kept = spans.map((span) =>
    Object.fromEntries(
      Object.entries(span).filter(([key, value]) => keys.includes(key) && value !== undefined),
    ),
  )
  return { resourceSpans: [{ scopeSpans: [{ spans: kept }] }] }
}

describe('witan otel', () => {
  let where: Where & { readonly cwd: string }
  let collector: TestCollector
  beforeAll(async () => {
    where = await newHome()
    collector = await startCollector()
    const settings = `otel: {url: "${collector.url}", headers: {x-key: "\${OTEL_KEY}"}}\n`
    writeFileSync(join(where.home, 'config.yaml'), settings)
  })
  afterAll(() => collector.close())
  const secret = (): Where => ({ ...where, env: { OTEL_KEY: 'of the collector' } })

  it('APP-12 sends a trace when it finishes, where the settings of the home name a collector', async () => {
    const { code, stderr } = await witan(secret(), 'demo', '--fast')
    expect([code, stderr]).toEqual([0, stderr])
    expect(collector.taken).toHaveLength(1)
    const [{ spans, resource, headers }] = collector.taken as [TestCollector['taken'][number]]
    expect(resource).toMatchObject({ 'service.name': 'witan' })
    expect(headers['x-key']).toBe('of the collector')
    const names = spans.map(({ name }) => name.split(' ')[0])
    expect(names.filter((name) => name === 'invoke_agent').length).toBe(3)
    const chats = spans.filter(({ name }) => name.startsWith('chat '))
    expect(chats.length).toBe(7)
    for (const { attributes, start, end } of chats) {
      expect(attributes).toMatchObject({ 'gen_ai.operation.name': 'chat' })
      expect(attributes['gen_ai.agent.name']).toMatch(/./)
      expect(end).toBeGreaterThanOrEqual(start)
    }
  })

  it('APP-12 exports again by hand: the same bytes to a collector, the same ids into a file', async () => {
    const { code, stdout } = await witan(secret(), 'otel', 'last', '--json')
    expect(code).toBe(0)
    const [first, again] = collector.taken
    expect(again?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true)
    expect(JSON.parse(stdout)).toMatchObject({ spans: first?.spans.length, content: false })
    expect((await witan(where, 'otel', 'last', '-o', 'spans.json')).code).toBe(0)
    const file = JSON.parse(await readFile(join(where.cwd, 'spans.json'), 'utf8'))
    const written = file.resourceSpans[0].scopeSpans[0].spans.map(({ spanId }: { spanId: string }) => spanId)
    expect(written).toEqual(first?.spans.map(({ spanId }) => spanId))
  })

  it('APP-12 does not fail a run whose spans no one takes, and says how to send them', async () => {
    writeFileSync(join(where.home, 'config.yaml'), 'otel: {url: "http://127.0.0.1:9/v1/traces"}\n')
    const { code, stderr } = await witan(where, 'demo', '--fast')
    expect(code).toBe(0)
    expect(stderr).toMatch(/did not take the spans[\s\S]*next: witan otel 01/)
    const refused = await startCollector(503)
    const sent = await witan(where, 'otel', 'last', '--url', refused.url)
    refused.close()
    expect([sent.code, sent.stderr]).toEqual([7, expect.stringContaining('it answered 503')])
    expect((await witan(where, 'otel', 'last', '--url', 'ftp://x')).code).toBe(2)
  })
})
