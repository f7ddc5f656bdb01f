// The client of the first SDK, with which most hosts are built, over stdio and over HTTP: a council to its report and
// its trace verified; and over HTTP what only a session makes possible there: cancelling, and asking the host back.

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CreateMessageRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { afterEach, describe, expect, it } from 'vitest'
import { BINARY } from '../../../test/doors/command.ts'
import { opinion, playCouncil, report, review, target } from '../../../test/fakes/council.ts'
import { DEFAULT_TOOLS, type HostHome, hostHome, seatsAt } from '../../../test/support/mcp-host.ts'
import { serveHttp } from './http.ts'
import { createServer } from './serve.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function homeWith(settings = ''): Promise<HostHome> {
  const at = await hostHome(settings)
  open.push(at.dispose)
  return at
}

const TOKEN = { requestInit: { headers: { authorization: 'Bearer secret' } } }

async function siteOf({ kit }: HostHome): Promise<URL> {
  const site = await serveHttp(() => createServer(kit, DEFAULT_TOOLS, '0.0.0'), { port: 0, token: 'secret' })
  open.push(() => site.close())
  return new URL(site.url)
}

async function connected(transport: Transport, client = new Client({ name: 'host', version: '1' })) {
  await client.connect(transport)
  open.push(() => client.close())
  return client
}

type Told = { readonly trace: string; readonly status: string }

async function told(client: Client, name: string, args: object, options = {}): Promise<Told> {
  const result = await client.callTool({ name, arguments: { ...args } }, undefined, options)
  expect(result.isError, JSON.stringify(result.content)).toBeFalsy()
  return result.structuredContent as unknown as Told
}

async function holdsCouncil(client: Client): Promise<void> {
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('council_run')
  const steps: string[] = []
  const onprogress = ({ message }: { message?: string | undefined }): void => void steps.push(message ?? '')
  const { trace, status } = await told(client, 'council_run', { question: 'Shall we?' }, { onprogress })
  expect(status).toBe('reported')
  expect(steps).toContain(`${trace} is opened`)
  expect(await told(client, 'trace_verify', { trace })).toMatchObject({ status: 'pass' })
  const ref = { type: 'ref/resource' as const, uri: 'witan://trace/{id}' }
  const argument = { name: 'id', value: trace.slice(0, 20).toLowerCase() }
  expect((await client.complete({ ref, argument })).completion.values).toContain(trace)
}

describe('a host built with the first SDK', () => {
  it('APP-4 runs a council over stdio', async () => {
    const { kit } = await homeWith()
    const env = { PATH: process.env.PATH ?? '', HOME: kit.home, WITAN_HOME: kit.home }
    const command = { command: process.execPath, args: [BINARY, 'mcp'], env, stderr: 'ignore' as const }
    await holdsCouncil(await connected(new StdioClientTransport(command)))
  })

  it('APP-4 runs one over HTTP, and gets its steps as a log if it asks for no progress', async () => {
    const server = await playCouncil({ a: {}, b: {} })
    open.push(() => server.close())
    const at = await homeWith(seatsAt(server.url, 'a', 'b'))
    const transport = new StreamableHTTPClientTransport(await siteOf(at), TOKEN)
    const client = await connected(transport)
    const logged: unknown[] = []
    client.setNotificationHandler(
      LoggingMessageNotificationSchema,
      ({ params }) => void logged.push(params.data),
    )
    await holdsCouncil(client)
    expect(logged.join()).not.toContain('answered')
    await client.setLoggingLevel('info')
    const { trace } = await told(client, 'council_run', { question: 'And this?' })
    expect(logged).toContain(`${trace} R1: b answered`)
    expect(transport.sessionId).toMatch(/^[\w-]{36}$/)
  })

  it('gets "not found" for every other path', async () => {
    const { port } = await siteOf(await homeWith())
    for (const path of ['//', 'http://[', '/mcp/../x', '*']) {
      const sent = request({
        host: '127.0.0.1',
        port,
        path,
        headers: { authorization: 'Bearer secret' },
      }).end()
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      answer.resume()
      expect([path, answer.statusCode]).toEqual([path, 404])
    }
    const { kit } = await homeWith()
    const taken = { port: Number(port), token: 'secret' }
    const again = serveHttp(() => createServer(kit, DEFAULT_TOOLS, '0.0.0'), taken)
    await expect(again).rejects.toMatchObject({ code: 'USAGE' })
  })

  it('stops a council that it cancels by another request', async () => {
    const server = await playCouncil({ a: { R1: [{ act: 'silence' }] }, b: {} })
    open.push(() => server.close())
    const at = await homeWith(seatsAt(server.url, 'a', 'b'))
    const client = await connected(new StreamableHTTPClientTransport(await siteOf(at), TOKEN))
    const cancel = new AbortController()
    const running = told(client, 'council_run', { question: 'Shall we?' }, { signal: cancel.signal })
    await expect.poll(() => server.calls().length, { timeout: 20_000 }).toBe(2)
    cancel.abort()
    await expect(running).rejects.toThrow()
    const { traces } = (await told(client, 'trace_list', {})) as unknown as { traces: readonly Told[] }
    const sitting = at.kit.sittings.get(traces[0]?.trace ?? '')
    await sitting?.ended
    expect(() => sitting?.check()).toThrow('stopped before its end')
  })

  it('VOX-8 seats its model by sampling over HTTP', async () => {
    const at = await homeWith()
    const client = new Client({ name: 'host', version: '1' }, { capabilities: { sampling: {} } })
    let asked = 0
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
      asked++
      const prompt = JSON.stringify(params)
      const labels = ['A', 'B', 'C'].filter((label) => prompt.includes(`"${label}\\"`)).slice(0, 2)
      const answer = prompt.includes('supported_by')
        ? report({ rationale: [{ point: 'It can be undone.', supported_by: ['op-1'] }] })
        : labels.length > 0
          ? review({ targets: labels.map((label) => target(label)) })
          : opinion()
      return {
        role: 'assistant' as const,
        model: 'host-model',
        content: { type: 'text' as const, text: JSON.stringify(answer) },
      }
    })
    await connected(new StreamableHTTPClientTransport(await siteOf(at), TOKEN), client)
    const { trace } = await told(client, 'council_run', { question: 'Shall we?' })
    expect(asked).toBeGreaterThanOrEqual(3)
    expect(await told(client, 'trace_verify', { trace })).toMatchObject({ status: 'pass' })
  })

  it('is told when its session is gone, and a request without a session is answered on its own', async () => {
    const url = await siteOf(await homeWith())
    const post = (body: unknown, more: Record<string, string> = {}) =>
      fetch(url, {
        method: 'POST',
        headers: {
          ...TOKEN.requestInit.headers,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...more,
        },
        body: JSON.stringify(body),
      })
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect((await post(list, { 'mcp-session-id': 'nobody' })).status).toBe(404)
    expect(await (await post(list)).text()).toContain('council_run')
    const misshapen = await post({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: [] })
    expect(misshapen.status).toBe(400)
    expect(await misshapen.text()).toContain('"error"')
  })
})

it('serves the client of the second SDK under an earlier revision over HTTP', async () => {
  const client = new NewClient({ name: 'host', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  await client.connect(new NewHttp(await siteOf(await homeWith()), TOKEN))
  open.push(() => client.close())
  const { structuredContent } = await client.callTool({
    name: 'council_run',
    arguments: { question: 'Shall we?' },
  })
  expect(structuredContent).toMatchObject({ status: 'reported' })
})
