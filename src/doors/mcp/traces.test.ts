import { access } from 'node:fs/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { estimateTokenCount } from 'tokenx'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BINARY, directory, start, witan } from '../../../test/doors/command.ts'

let home = ''
beforeAll(async () => {
  home = await directory()
  await witan({ home }, 'init', '--name', 'desk')
})

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

const env = () => ({ PATH: process.env.PATH ?? '', HOME: home, WITAN_HOME: home })

async function overStdio(): Promise<Client> {
  const client = new Client({ name: 'host', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [BINARY, 'mcp'],
      env: env(),
      stderr: 'ignore',
    }),
  )
  open.push(() => client.close())
  return client
}

interface Site {
  readonly url: string
  readonly token: string
}

async function site(): Promise<Site> {
  const child = start(['mcp', '--http'], { home })
  open.push(async () => {
    const gone = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGINT')
    await gone
  })
  let said = ''
  for await (const chunk of child.stderr ?? []) {
    said += String(chunk)
    if (said.includes('Ctrl-C')) break
  }
  const [, url = ''] = /at (\S+)/.exec(said) ?? []
  const [, token = ''] = /Bearer (\S+)/.exec(said) ?? []
  return { url, token }
}

const textOf = (result: { content?: unknown }): string =>
  String((result.content as readonly { text?: string }[] | undefined)?.[0]?.text)

async function usesTraces(client: Client): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'council_run',
    'council_open',
    'council_submit',
    'council_status',
    'council_retry',
    'council_resume',
    'council_fork',
    'trace_list',
    'trace_show',
    'trace_verify',
    'trace_export',
    'trace_prove',
    'trace_abort',
  ])
  expect(estimateTokenCount(JSON.stringify(tools))).toBeLessThan(3_000)
  const listed = await client.callTool({ name: 'trace_list', arguments: {} })
  const { traces } = listed.structuredContent as { traces: readonly { trace: string }[] }
  expect(traces).toHaveLength(1)
  const verified = await client.callTool({ name: 'trace_verify', arguments: { trace: 'registry' } })
  expect(verified.structuredContent).toMatchObject({ status: 'pass', size: 2 })
  const { resources } = await client.listResources()
  const read = await client.readResource({ uri: resources[0]?.uri ?? '' })
  expect(JSON.stringify(read.contents)).toContain('registry of desk')
}

describe('witan mcp', () => {
  it('lists, shows and verifies traces for a host over stdio', async () => {
    await usesTraces(await overStdio())
  })

  it('does the same over HTTP for anyone who holds the token, and nothing for anyone else', async () => {
    const { url, token } = await site()
    const client = new Client({ name: 'host', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
    const headers = { authorization: `Bearer ${token}` }
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
    open.unshift(() => client.close())
    await usesTraces(client)
    const knock = (more: Record<string, string>) =>
      fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...more }, body: '{}' })
    expect((await knock({})).status).toBe(401)
    expect((await knock({ authorization: 'Bearer guess' })).status).toBe(401)
    expect((await knock({ ...headers, origin: 'https://evil.example' })).status).toBe(403)
  })

  it.each([
    ['trace_show', { trace: '../../../etc/passwd' }],
    ['trace_show', { trace: 7 }],
    ['trace_show', { trace: 'registry', seq: -1 }],
    ['trace_show', { trace: 'registry', seq: 99 }],
    ['trace_verify', { trace: '/etc/passwd' }],
    ['trace_verify', {}],
    ['trace_export', { trace: 'nothing', output: '/tmp/x' }],
  ])('answers %s %j with an error and stays there', async (name, args) => {
    const client = await overStdio()
    const result = await client.callTool({ name, arguments: args })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/error [A-Z_]+|Invalid/)
    expect((await client.callTool({ name: 'trace_list', arguments: {} })).isError).toBeFalsy()
  })

  it('answers an endless name with an error too', async () => {
    const client = await overStdio()
    const result = await client.callTool({ name: 'trace_show', arguments: { trace: 'x'.repeat(1_000_000) } })
    expect(result.isError).toBe(true)
  })

  it('exports only into the home, for any path that the host asks for', async () => {
    const client = await overStdio()
    const result = await client.callTool({
      name: 'trace_export',
      arguments: { trace: 'registry', output: '/tmp/x' },
    })
    const { file } = result.structuredContent as { file: string }
    expect(file.startsWith(home)).toBe(true)
    await access(file)
  })

  it('refuses a set of tools that does not exist', async () => {
    expect(await witan({ home }, 'mcp', '--tools', 'all')).toMatchObject({ code: 2 })
  })
})
