// No call of a host counts as a person: approvals and acts of an observer go through the person before the host, or
// not at all.

import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { playCouncil } from '../../../test/fakes/council.ts'
import {
  call,
  DEFAULT_TOOLS,
  filesFolder,
  type HostHome,
  hostClient,
  hostHome,
  seatsAt,
} from '../../../test/support/mcp-host.ts'
import { openHome } from '../../app/home/home.ts'
import { personName, registerSigners } from '../../app/home/signers.ts'
import { serveHttp } from './http.ts'
import { createServer } from './serve.ts'
import { AGENTS_TOOLS } from './tools/agents.ts'
import { EXCHANGE_TOOLS } from './tools/exchange.ts'

const TOOLS = [...DEFAULT_TOOLS, ...AGENTS_TOOLS, ...EXCHANGE_TOOLS]
const ALLOWED = 'agents: {approvals_via_host: true}\nexchange: {acts_via_host: true}\n'

const TASK = `objective: State the licence of the package
workspace: ./vendor
roles: {planner: written, executor: written, critic: [policy, human], auditor: verifier}
tools: [files.read]
proposals:
  - objective: Read its LICENSE
    assumptions: []
    required_tools: [files.read]
    expected_evidence: [licence text]
    steps: [{id: a, tool: files.read, input: {path: LICENSE}, justification: licence of it}]
    claims: [{text: it is MIT, confidence: high, evidence: [{step: a, quote: MIT License}]}]
    on_failure: stop
`

const TERMS = `pool: {prompt: "Think aloud.", minds: [a, b], window: 50, sample: 5, seed: 7, parallel: false}
auditor: {spec: "Sum up.", mind: a, every: 20, sample: 30}
observer: {name: ana, role: "I answer each audit; I honour a restart once."}
clusters: {feed: audits}
restart: {raise: 0.30, clear: 0.15, policy: pause}
`

const { folder, open } = filesFolder({ 'task.yaml': TASK, 'terms.yaml': TERMS })

async function homeWith(settings: string): Promise<HostHome> {
  const at = await hostHome(settings)
  open.push(at.dispose)
  const home = await openHome({ directory: at.kit.home, mode: 'write' })
  await registerSigners(home, [{ agent: personName(), roles: ['critic'] }])
  await home.close()
  return at
}

type Reply = { readonly action: 'accept' | 'decline'; readonly content?: Record<string, string | boolean> }

/** A host before which a person sits who answers like this; null when it cannot ask. */
async function host(at: HostHome, reply: Reply | null) {
  const shown: string[] = []
  const client = await hostClient(at.kit, reply ? { capabilities: { elicitation: {} } } : {}, TOOLS)
  answering(client, reply, shown)
  open.push(() => client.close())
  return { client, shown }
}

function answering(client: Client, reply: Reply | null, shown: string[]): void {
  if (!reply) return
  client.setRequestHandler('elicitation/create', ({ params }) => {
    shown.push(params.message)
    return { ...reply }
  })
}

async function waiting(client: Client): Promise<string> {
  const said = await call(client, 'agents_run', { task: 'task.yaml' })
  expect(said.text).toContain('waits for')
  return said.told.trace
}

const pendingIn = async (client: Client, trace: string): Promise<number> =>
  ((await call(client, 'agents_pending', { trace })).told.pending as readonly unknown[]).length

const YES: Reply = { action: 'accept', content: { allow: true, reason: 'I read it' } }

describe('an approval inside a host', () => {
  it('APP-4 is given by the person at the host, and the session continues to its audit', async () => {
    const at = await homeWith(ALLOWED)
    const { client, shown } = await host(at, YES)
    const trace = await waiting(client)
    const said = await call(client, 'agents_approve', { trace, subject: 'p1' })
    expect(said).toMatchObject({ isError: false, told: { subject: 'p1', by: personName(), via: 'host' } })
    expect(shown).toHaveLength(1)
    expect(shown[0]).toContain('Read its LICENSE')
    const claimed = await call(client, 'agents_run', { trace })
    expect(claimed.told).toMatchObject({ status: 'waiting' })
    await call(client, 'agents_approve', { trace, subject: 'p1-c1' })
    expect(shown[1]).toContain('it is MIT')
    const ended = await call(client, 'agents_run', { trace })
    expect(ended.told).toMatchObject({ status: 'completed', proven: [{ text: 'it is MIT' }] })
    expect((await call(client, 'trace_verify', { trace })).told).toMatchObject({ status: 'pass' })
  })

  it.each([
    ['the host cannot ask', ALLOWED, null, 'This host cannot ask a person'],
    ['the policy takes none through a host', '', YES, 'The policy takes no approval through a host'],
    ['the person closes the question', ALLOWED, { action: 'decline' } as Reply, 'The person gave no answer'],
  ])('is left to a command that a person types when %s', async (_, settings, reply, words) => {
    const { client } = await host(await homeWith(settings), reply)
    const trace = await waiting(client)
    const said = await call(client, 'agents_approve', { trace, subject: 'p1' })
    expect(said.text).toContain(words)
    expect(said.text).toContain(`witan agents approve ${trace} p1`)
    expect(await pendingIn(client, trace)).toBe(1)
  })

  it('rejects when the person says no', async () => {
    const no: Reply = { action: 'accept', content: { allow: false, reason: 'not that one' } }
    const { client } = await host(await homeWith(ALLOWED), no)
    const trace = await waiting(client)
    const said = await call(client, 'agents_approve', { trace, subject: 'p1' })
    expect(said.text).toContain('rejected p1 through a host')
  })

  it('is asked for over HTTP under revision 2026-07-28 too, and an answer without a question does not count', async () => {
    const at = await homeWith(ALLOWED)
    const site = await serveHttp(() => createServer(at.kit, TOOLS, '0.0.0'), { port: 0, token: 'secret' })
    open.push(() => site.close())
    const shown: string[] = []
    const client = new Client(
      { name: 'host', version: '1.0.0' },
      { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: {} } },
    )
    answering(client, YES, shown)
    const headers = { authorization: 'Bearer secret' }
    await client.connect(new StreamableHTTPClientTransport(new URL(site.url), { requestInit: { headers } }))
    open.push(() => client.close())
    const trace = await waiting(client)
    const forged = await fetch(site.url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'agents_approve',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'agents_approve',
          arguments: { trace, subject: 'p1' },
          inputResponses: { decision: YES },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'host', version: '1.0.0' },
            'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
          },
        },
      }),
    })
    expect(await forged.text()).toContain('input_required')
    expect(await pendingIn(client, trace)).toBe(1)
    const said = await call(client, 'agents_approve', { trace, subject: 'p1' })
    expect(said.told).toMatchObject({ via: 'host' })
    expect(shown).toHaveLength(1)
  })
})

describe('a task or terms that a host names', () => {
  it.each(['../task.yaml', '/etc/passwd', 'link.yaml', 'nowhere.yaml', '.', 'a\0b'])(
    'is refused if it is not a file inside the working folder: %j',
    async (path) => {
      await symlink('/etc/passwd', join(folder(), 'link.yaml'))
      const { client } = await host(await homeWith(ALLOWED), YES)
      expect(await call(client, 'agents_run', { task: path })).toMatchObject({ isError: true })
      expect(await call(client, 'exchange_run', { terms: path, rounds: 1 })).toMatchObject({ isError: true })
    },
  )

  it('is not trusted because a host names it', async () => {
    await writeFile(join(folder(), 'task.yaml'), `${TASK}commands: [sh]\n`)
    const { client } = await host(await homeWith(ALLOWED), YES)
    const said = await call(client, 'agents_run', { task: 'task.yaml' })
    expect(said.isError).toBe(true)
    expect(said.text).toContain('FILE_UNTRUSTED')
  })
})

describe('an exchange inside a host', () => {
  it('APP-4 is begun by its observer through the host, and the trace says so', async () => {
    const server = await playCouncil({ a: {}, b: {} })
    open.push(() => server.close())
    const { client, shown } = await host(await homeWith(`${ALLOWED}${seatsAt(server.url, 'a', 'b')}`), YES)
    const said = await call(client, 'exchange_run', { terms: 'terms.yaml', rounds: 1 })
    expect(said, said.text).toMatchObject({ isError: false })
    expect(shown[0]).toContain('grant 1 rounds')
    const { trace } = said.told
    const done = await call(client, 'exchange_observe', { trace, act: 'inject', text: 'What about cost?' })
    expect(done.told).toMatchObject({ done: 'inject', by: 'ana', via: 'host' })
    expect(done.text).toContain('done by ana, through a host (presence not proven)')
    expect((await call(client, 'trace_show', { trace, seq: 0 })).text).toMatch(/"?via"?: "?host/)
    expect((await call(client, 'trace_verify', { trace })).told).toMatchObject({ status: 'pass' })
    expect((await call(client, 'exchange_observe', { trace })).told).toMatchObject({ trace })
    const { client: mute } = await host(await homeWith(ALLOWED), null)
    expect((await call(mute, 'exchange_run', { terms: 'terms.yaml', rounds: 1 })).text).toContain(
      'witan exchange run --terms "terms.yaml" --rounds 1',
    )
  })
})
