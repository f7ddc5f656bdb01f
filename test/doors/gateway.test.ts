// A gateway as hosts meet it: the built command on a pipe, before real servers of the protocol, spoken to by its clients of both
// generations.

import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Client as NewClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewPipe } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import {
  CreateMessageRequestSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { afterEach, describe, expect, it } from 'vitest'
import { bundleScript } from '../support/children.ts'
import { BINARY, directory, witan } from './command.ts'

const { resolve } = createRequire(import.meta.url)
const EVERYTHING = [
  process.execPath,
  resolve('@modelcontextprotocol/server-everything/dist/index.js'),
  'stdio',
]
const FILES = [process.execPath, resolve('@modelcontextprotocol/server-filesystem/dist/index.js')]
const CHANGING = [process.execPath, await bundleScript('test/fakes/mcp/changing-server.ts')]

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

interface Place {
  readonly home: string
  readonly cwd: string
  /** The home of the user, where it is another folder. */
  readonly user?: string
}

async function place(): Promise<Place> {
  const cwd = await realpath(await directory())
  return { home: join(cwd, 'home'), cwd }
}

const pipe = ({ home, cwd, user = cwd }: Place, words: readonly string[]) => {
  const [command = '', ...args] = words
  return {
    command,
    args,
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: user, WITAN_HOME: home },
    stderr: 'pipe' as const,
  }
}

const gateway = (...words: readonly string[]): readonly string[] => [
  process.execPath,
  BINARY,
  'gateway',
  ...words,
]

async function connected(at: Place, words: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'host-of-a-test', version: '7.0' }, { capabilities: { sampling: {} } })
  client.setRequestHandler(CreateMessageRequestSchema, async () => ({
    role: 'assistant' as const,
    model: 'of-the-host',
    content: { type: 'text' as const, text: 'sampled' },
  }))
  await client.connect(new StdioClientTransport(pipe(at, words)))
  open.push(() => client.close())
  return client
}

type Result = { readonly content: readonly { readonly text: string }[]; readonly isError?: boolean }
const called = async (client: Client, name: string, args: object): Promise<Result> =>
  (await client.callTool({ name, arguments: args as Record<string, unknown> })) as never as Result

/** Of the one session in this home, once its host is gone. */
async function session(at: Place): Promise<{ readonly claim: string; readonly status: unknown }> {
  for (;;) {
    const { json } = await witan(at, 'list', '--json')
    const [trace] = (json.traces as readonly { trace: string; protocol: string; status: string }[]).filter(
      ({ protocol }) => protocol === 'agents/1',
    )
    if (trace?.status !== 'completed') continue
    const shown = await witan(at, 'verify', trace.trace, '--json')
    const report = await witan(at, 'show', trace.trace)
    return { claim: report.stdout.replaceAll(/\s+/g, ' '), status: shown.json.status }
  }
}

describe('the gateway', () => {
  it('AGT-X-8 offers the tools, prompts and resources of its server as they are, and their results', async () => {
    const at = await place()
    const [direct, through] = [
      await connected(at, EVERYTHING),
      await connected(at, gateway('--', ...EVERYTHING)),
    ]
    expect(through.getServerVersion()).toEqual(direct.getServerVersion())
    expect(through.getServerCapabilities()).toEqual(direct.getServerCapabilities())
    expect(await through.listTools()).toEqual(await direct.listTools())
    expect(await through.listPrompts()).toEqual(await direct.listPrompts())
    expect(await through.listResources()).toEqual(await direct.listResources())
    for (const [name, args] of [
      ['echo', { message: 'hello' }],
      ['get-structured-content', { location: 'Chicago' }],
      ['get-tiny-image', {}],
    ] as const)
      expect(await called(through, name, args)).toEqual(await called(direct, name, args))
    expect(await called(through, 'echo', {})).toMatchObject({ isError: true })
    await through.close()
    const { claim, status } = await session(at)
    expect(claim).toContain('host-of-a-test 7.0, as it says, announced 4 tool calls: 3 completed, 1 failed.')
    expect(status).toBe('pass')
  })

  it('AGT-X-8 passes progress, cancellation and what the server asks of the host', async () => {
    const at = await place()
    const client = await connected(at, gateway('--', ...EVERYTHING))
    const seen: unknown[] = []
    // This client forgets to tell of what arrives together with the result, also without a gateway: what is sent counts.
    type Heard = { readonly params?: { readonly progress?: number }; readonly result?: unknown }
    const pipe = client.transport as { onmessage?: (message: Heard) => void }
    const hear = pipe.onmessage
    pipe.onmessage = (message) => {
      if (message.result) seen.push('the result')
      else if (message.params?.progress) seen.push(message.params.progress)
      hear?.(message)
    }
    const long = { name: 'trigger-long-running-operation', arguments: { duration: 0.4, steps: 4 } }
    const done = await client.callTool(long, undefined, { onprogress: () => undefined })
    expect([seen, done.isError]).toEqual([[1, 2, 3, 4, 'the result'], undefined])
    const stop = new AbortController()
    const endless = { ...long, arguments: { duration: 60, steps: 60 } }
    const given = client.callTool(endless, undefined, {
      signal: stop.signal,
      onprogress: () => stop.abort('enough'),
    })
    await expect(given).rejects.toThrow(/enough/)
    expect(await called(client, 'echo', { message: 'still there' })).toMatchObject({
      content: [{ text: 'Echo: still there' }],
    })
    const sampling = { prompt: 'say something', maxTokens: 10 }
    const sampled = await called(client, 'trigger-sampling-request', sampling)
    expect(sampled.content[0]?.text).toContain('sampled')
    await client.close()
    expect((await session(at)).claim).toContain('4 tool calls: 3 completed, 1 has an unknown outcome.')
  })

  it('AGT-X-8 serves clients of the newest revision alike', async () => {
    const at = await place()
    const client = new NewClient(
      { name: 'newer-host', version: '9' },
      { versionNegotiation: { mode: 'auto' } },
    )
    await client.connect(new NewPipe(pipe(at, gateway('--', ...FILES, at.cwd))))
    open.push(() => client.close())
    await writeFile(join(at.cwd, 'a.txt'), 'from a file\n')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('read_text_file')
    const read = await client.callTool({ name: 'read_text_file', arguments: { path: join(at.cwd, 'a.txt') } })
    expect(read).toMatchObject({ content: [{ text: 'from a file\n' }] })
    await client.close()
    expect(await session(at)).toMatchObject({
      claim: expect.stringContaining('newer-host 9'),
      status: 'pass',
    })
  })

  it('AGT-X-8 holds a gated call until it is allowed, and one that is denied never reaches the server', async () => {
    const at = await place()
    const policy = join(at.cwd, 'policy.cedar')
    await writeFile(
      policy,
      `@id("free") permit (principal, action == Witan::Action::"run", resource);
@id("never") forbid (principal, action, resource) when { context.arguments like "*forbidden*" };`,
    )
    const words = gateway('--gate', '--policy', policy, '--', ...FILES, at.cwd)
    const client = await connected(at, words)
    const write = (name: string) => called(client, 'write_file', { path: join(at.cwd, name), content: 'x' })
    expect((await write('free.txt')).isError).not.toBe(true)
    const denied = await write('forbidden.txt')
    expect([denied.isError, denied.content[0]?.text]).toEqual([
      true,
      expect.stringMatching(/^Witan blocked p1-i2/),
    ])
    expect(await readFile(join(at.cwd, 'free.txt'), 'utf8')).toBe('x')
    await expect(readFile(join(at.cwd, 'forbidden.txt'))).rejects.toThrow('ENOENT')
    await client.close()
    expect((await session(at)).claim).toContain('1 completed, 1 was blocked.')
  })

  it('AGT-X-8 takes many calls side by side, each with its own answer', async () => {
    const at = await place()
    const client = await connected(at, gateway('--gate', '--believe-hints', '--', ...EVERYTHING))
    const sums = await Promise.all(
      Array.from({ length: 12 }, (_, i) => called(client, 'get-sum', { a: i, b: 100 })),
    )
    expect(sums.map(({ content }) => content[0]?.text)).toEqual(
      sums.map((_, i) => expect.stringContaining(`${i + 100}`)),
    )
    await client.close()
    expect(await session(at)).toMatchObject({
      claim: expect.stringContaining('12 completed.'),
      status: 'pass',
    })
  })

  it('AGT-X-8 refuses a tool that changed since it was approved, until a person approves it anew', async () => {
    const at = await place()
    const words = gateway('--gate', '--believe-hints', '--name', 'shifty', '--', ...CHANGING)
    const client = await connected(at, words)
    let changes = 0
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      changes++
    })
    expect((await called(client, 'look', {})).content[0]?.text).toBe('looked')
    await called(client, 'change', {})
    const refused = await called(client, 'look', {})
    expect([refused.isError, refused.content[0]?.text]).toEqual([
      true,
      expect.stringMatching(/describes look otherwise.*witan gateway --name shifty --approve look/),
    ])
    expect(changes).toBe(1)
    // No person at a terminal: no approval.
    const alone = await witan(at, 'gateway', '--name', 'shifty', '--approve', 'look')
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('a person at a terminal')])
    expect((await called(client, 'look', {})).isError).toBe(true)
    const { approveChanged, changedTools } = await import('../../src/app/gateway/gateway.ts')
    expect(await changedTools(at.home, 'shifty')).toMatchObject([
      { tool: 'look', definition: { description: 'Looks around, and mails what it sees' } },
    ])
    await approveChanged(at.home, 'shifty', ['look'], 'ana', '2026-01-01T00:00:00.000Z')
    expect((await called(client, 'look', {})).content[0]?.text).toBe('looked')
    await client.close()
    const { claim, status } = await session(at)
    expect([claim, status]).toEqual([expect.stringContaining('3 completed, 2 were blocked.'), 'pass'])
  })

  it('AGT-X-8 asks anew for a list that changed while it was under way, before a call is judged by it', async () => {
    const at = await place()
    const words = gateway('--gate', '--believe-hints', '--name', 'late', '--', ...CHANGING, 'late')
    const client = await connected(at, words)
    expect((await called(client, 'look', {})).content[0]?.text).toBe('looked')
    await called(client, 'change', {})
    const refused = await called(client, 'look', {})
    expect([refused.isError, refused.content[0]?.text]).toEqual([
      true,
      expect.stringContaining('describes look otherwise'),
    ])
  })

  it('AGT-X-8 joins several servers of a trusted file, and tells tools of one name apart', async () => {
    const at = await place()
    const file = join(at.cwd, 'servers.json')
    const [command = '', ...args] = EVERYTHING
    const [node = '', ...changing] = CHANGING
    const mcpServers = {
      everything: { command, args },
      one: { command: node, args: changing },
      two: { command: node, args: [...changing, 'quiet'] },
    }
    await writeFile(file, JSON.stringify({ mcpServers }))
    await witan(at, 'init')
    const untrusted = await witan(at, 'gateway', '--servers', file)
    expect([untrusted.code, untrusted.stderr]).toEqual([2, expect.stringContaining('witan trust')])
    await witan(at, 'trust', file)
    const client = await connected(at, gateway('--servers', file))
    expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: true })
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['echo', 'look', 'change', 'two_look', 'two_change']))
    expect((await called(client, 'echo', { message: 'a' })).content[0]?.text).toBe('Echo: a')
    expect((await called(client, 'two_look', {})).content[0]?.text).toBe('looked')
    const prompts = (await client.listPrompts()).prompts.map(({ name }) => name)
    expect(prompts).toContain('simple-prompt')
    expect((await client.getPrompt({ name: 'simple-prompt' })).messages.length).toBeGreaterThan(0)
    const [resource] = (await client.listResources()).resources
    expect((await client.readResource({ uri: resource?.uri ?? '' })).contents.length).toBe(1)
    await client.close()
    expect((await session(at)).claim).toContain('2 tool calls: 2 completed.')
  })

  it('AGT-X-8 runs the server in a sandbox where asked: it sees this folder and a home that is empty', async () => {
    const { home, cwd: user } = await place()
    const at = { home, cwd: join(user, 'work'), user }
    await mkdir(at.cwd)
    await writeFile(join(at.cwd, 'a.txt'), 'inside\n')
    const client = await connected(at, gateway('--sandbox', '--', ...FILES, at.cwd))
    const read = (path: string) => called(client, 'read_text_file', { path })
    expect((await read(join(at.cwd, 'a.txt'))).content[0]?.text).toBe('inside\n')
    const other = await connected(at, gateway('--sandbox', '--', ...EVERYTHING))
    const seen = JSON.parse((await called(other, 'get-env', {})).content[0]?.text ?? '{}')
    expect([seen.HOME === user, 'WITAN_HOME' in seen]).toEqual([false, false])
  })

  it('AGT-X-8 denies gated calls when its home cannot be written, and lets recorded ones pass with a word', async () => {
    const at = await place()
    await writeFile(at.home, 'no folder')
    const gated = await connected(at, gateway('--gate', '--', ...EVERYTHING))
    expect(await called(gated, 'echo', { message: 'a' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('so it is denied') }],
    })
    const recorded = await connected(at, gateway('--record', '--', ...EVERYTHING))
    expect(await called(recorded, 'echo', { message: 'a' })).toMatchObject({ content: [{ text: 'Echo: a' }] })
  })
})
