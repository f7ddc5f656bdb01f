// Elastic's OTLP server, which decodes by OpenTelemetry's own schema, takes what `witan otel` sends. npm and Debian have no
// collector that is meant to be run in production.

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterEach, expect, it } from 'vitest'
import { newHome, witan } from '../doors/command.ts'
import { cached } from './real.ts'

const SERVER = `
const { MockOtlpServer } = require('@elastic/mockotlpserver')
const tell = (what) => console.log(JSON.stringify(what))
const server = new MockOtlpServer({
  logLevel: 'fatal', services: ['http'], httpHostname: '127.0.0.1', httpPort: 0, onTrace: tell,
})
server.start().then(() => tell({ url: server.httpUrl.toString() }))
`

interface TakenSpan {
  /** In base64, as JSON has the bytes of protobuf. */
  readonly traceId: string
  readonly name: string
  readonly attributes: readonly { readonly key: string }[]
}
interface Told {
  readonly url?: string
  readonly resourceSpans?: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly TakenSpan[] }[]
  }[]
}

const running: ChildProcessByStdio<null, Readable, null>[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill()
})

it('APP-12 is taken by an OTLP server of another house', async () => {
  const folder = dirname(dirname(dirname(cached('otlp', 'mockotlpserver'))))
  const child = spawn(process.execPath, ['-e', SERVER], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  running.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<Told> => JSON.parse((await lines.next()).value ?? '{}')
  const { url } = await next()
  const where = await newHome()
  expect((await witan(where, 'demo', '--fast')).code).toBe(0)
  const sent = await witan(where, 'otel', 'last', '--url', `${url?.replace(/\/$/, '')}/v1/traces`, '--json')
  expect([sent.code, sent.stderr]).toEqual([0, sent.stderr])
  const { resourceSpans = [] } = await next()
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  expect(spans).toHaveLength((sent.json as { spans: number }).spans)
  const names = spans.map(({ name }) => name.split(' ')[0])
  expect(names[0]).toBe('invoke_workflow')
  expect(names).toContain('invoke_agent')
  const chat = spans.find(({ name }) => name.startsWith('chat '))
  expect(chat?.attributes.map(({ key }) => key)).toEqual(
    expect.arrayContaining(['gen_ai.operation.name', 'gen_ai.request.model']),
  )
  const ids = spans.map(({ traceId }) => Buffer.from(traceId, 'base64').toString('hex'))
  expect(new Set(ids)).toEqual(new Set([(sent.json as { trace_id: string }).trace_id]))
})
