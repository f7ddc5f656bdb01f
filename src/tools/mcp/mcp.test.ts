// Tools of MCP servers: the contract, a server that changes or dies, and the public servers that we did not write.
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  callNow,
  cleanPlanted,
  describeToolsetContract,
  LIMITS,
  PLANTED_SECRET,
  textOf,
} from '../../../test/contracts/toolsets.ts'
import { bundleScript } from '../../../test/support/children.ts'
import { isAlive } from '../shell/processes.ts'
import { definitionHash, type Toolset } from '../toolset.ts'
import { type McpToolsOptions, mcpTools } from './mcp.ts'

interface Opened {
  readonly folder: string
  readonly toolset: Toolset
  pids(): number[]
  calls(): string[]
}

const notes = (folder: string, file: string): string[] =>
  existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').trimEnd().split('\n') : []

async function openTools(options: Partial<McpToolsOptions> = {}): Promise<Opened> {
  const script = await bundleScript('test/fakes/mcp/tools-server.ts')
  const folder = await mkdtemp(join(tmpdir(), 'witan-tools-'))
  const server = { command: [process.execPath, script, folder], env: { FAKE_KEY: 'a-key-of-its-own' } }
  return {
    folder,
    toolset: mcpTools({ name: 'fake', server, clean: cleanPlanted, ...options }),
    pids: () => notes(folder, 'pids').map(Number),
    calls: () => notes(folder, 'calls'),
  }
}

const wanted = (tool: string, words = 'hello') => ({ tool: `mcp.fake.${tool}`, input: { words } })

describeToolsetContract('mcp', async () => {
  const { folder, toolset, pids } = await openTools()
  return {
    toolset,
    good: { ...wanted('echo'), says: 'echo: hello' },
    bad: { tool: 'mcp.fake.echo', input: {}, names: 'words' },
    secret: wanted('echo', PLANTED_SECRET),
    large: wanted('flood'),
    endless: wanted('wait'),
    // One server may stay for the next call.
    leftovers: async () => pids().filter(isAlive).slice(1).map(String),
    dispose: async () => {
      expect(pids().filter(isAlive)).toEqual([])
      await rm(folder, { recursive: true })
    },
  }
})

describe('a server of tools', () => {
  const opened: Opened[] = []
  const open = async (options: Partial<McpToolsOptions> = {}) => {
    const one = await openTools(options)
    opened.push(one)
    return one
  }
  afterEach(async () => {
    for (const { toolset, folder, pids } of opened.splice(0)) {
      await toolset.close()
      expect(pids().filter(isAlive)).toEqual([])
      await rm(folder, { recursive: true })
    }
  })

  it('is the same for calls that follow each other', async () => {
    const { toolset, pids } = await open()
    expect(textOf(await callNow(toolset, wanted('count')))).toBe('call 1')
    expect(textOf(await callNow(toolset, wanted('count')))).toBe('call 2')
    expect(pids()).toHaveLength(1)
  })

  it('AGT-TOOL-6 is not called when it has changed the tool since', async () => {
    const { toolset, calls } = await open()
    const { signal } = new AbortController()
    const echo = (await toolset.tools(signal)).find((tool) => tool.name === 'mcp.fake.echo')
    if (echo === undefined) throw new Error('no echo')
    const approved = { ...wanted('echo'), definitionHash: definitionHash(echo), signal, limits: LIMITS }
    expect(await toolset.call(approved)).toMatchObject({ ok: true })
    await callNow(toolset, { tool: 'mcp.fake.change', input: {} })
    expect(await toolset.call(approved)).toMatchObject({
      ok: false,
      type: 'definition_changed',
      message: 'the tool mcp.fake.echo is no longer the one that was allowed',
    })
    await callNow(toolset, { tool: 'mcp.fake.withdraw', input: {} })
    expect(await toolset.call(approved)).toMatchObject({ type: 'not_found' })
    expect(calls()).toEqual(['echo'])
  })

  it('AGT-TOOL-6 dies in the middle of a call: a failure with its last words, and the next call meets a new one', async () => {
    const { toolset, pids } = await open()
    const outcome = await callNow(toolset, wanted('die'))
    expect(outcome).toMatchObject({ ok: false, type: 'crashed' })
    expect(outcome.ok ? '' : outcome.message).toMatch(/ended before it answered \(SIGKILL\): out of memory/)
    expect(textOf(await callNow(toolset, wanted('echo')))).toBe('echo: hello')
    expect(pids()).toHaveLength(2)
  })

  it('does not end the other calls of a server when one runs out of time', async () => {
    const { toolset, pids } = await open()
    await callNow(toolset, wanted('echo'))
    const [late, patient] = await Promise.all([
      callNow(toolset, wanted('wait'), { timeoutMs: 600 }),
      callNow(toolset, wanted('wait'), { timeoutMs: 1_200 }),
    ])
    expect([late, patient]).toMatchObject([{ type: 'timeout' }, { type: 'timeout' }])
    expect(patient.durationMs).toBeGreaterThan(1_100)
    expect(pids().filter(isAlive)).toEqual([])
  })

  it('reports a failure: its text and attachments are kept', async () => {
    const { toolset } = await open()
    expect(await callNow(toolset, wanted('fail', 'no such row'))).toMatchObject({
      type: 'error',
      message: 'could not: no such row',
      content: [{ name: 'text' }],
    })
  })

  it('does not exist: calls say so, and a listing is a coded error', async () => {
    const { toolset } = await open({ server: { command: ['/nowhere/such-a-server'] } })
    const { signal } = new AbortController()
    const call = { ...wanted('echo'), definitionHash: '0'.repeat(64), signal, limits: LIMITS }
    expect(await toolset.call(call)).toMatchObject({ ok: false, type: 'unavailable' })
    await expect(toolset.tools(signal)).rejects.toMatchObject({ code: 'HAND_UNAVAILABLE' })
  })

  it('has unknown effects, unless the operator says what it does', async () => {
    const effectsOf = async (options: Partial<McpToolsOptions>) => {
      const { toolset } = await open(options)
      const tools = await toolset.tools(new AbortController().signal)
      return tools.find((tool) => tool.name === 'mcp.fake.echo')?.effects
    }
    expect(await effectsOf({})).toEqual(['unknown'])
    expect(await effectsOf({ effects: (tool) => (tool === 'echo' ? ['read'] : null) })).toEqual(['read'])
    expect(await effectsOf({ believeHints: true })).toEqual(['write', 'destroy', 'network'])
    await expect(open({ name: 'a.b' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  it('gets its own key, which is never shown again', async () => {
    const { toolset } = await open()
    const outcome = await callNow(toolset, wanted('echo', 'a-key-of-its-own'))
    expect(textOf(outcome)).toBe('echo: [secret]')
    expect(outcome.secretsRemoved).toBe(1)
  })
})

describe('public servers that we did not write', () => {
  const resolve = createRequire(import.meta.url).resolve
  const toolsets: Toolset[] = []
  const folders: string[] = []
  afterEach(async () => {
    for (const toolset of toolsets.splice(0)) await toolset.close()
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
  })
  const open = (name: string, ...command: string[]) => {
    const toolset = mcpTools({
      name,
      server: { command: [process.execPath, ...command] },
      clean: cleanPlanted,
    })
    toolsets.push(toolset)
    return toolset
  }

  it('AGT-TOOL-6 reads and writes through the server of files, which refuses what is outside', async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'witan-served-')))
    folders.push(folder)
    await writeFile(join(folder, 'a.txt'), `MIT License ${PLANTED_SECRET}`)
    const toolset = open('fs', resolve('@modelcontextprotocol/server-filesystem/dist/index.js'), folder)
    const read = await callNow(toolset, {
      tool: 'mcp.fs.read_text_file',
      input: { path: join(folder, 'a.txt') },
    })
    expect(textOf(read)).toContain('MIT License [secret]')
    expect(JSON.stringify(read)).not.toContain(PLANTED_SECRET)
    const made = join(folder, 'b.txt')
    const written = await callNow(toolset, { tool: 'mcp.fs.write_file', input: { path: made, content: 'x' } })
    expect(written).toMatchObject({ ok: true })
    expect(await readFile(made, 'utf8')).toBe('x')
    const outside = await callNow(toolset, { tool: 'mcp.fs.read_text_file', input: { path: '/etc/passwd' } })
    expect(outside).toMatchObject({ ok: false, type: 'error' })
    expect(textOf(outside)).not.toContain('root:')
  })

  it('AGT-TOOL-6 takes text, images, structure and links from the server of everything', async () => {
    const script = resolve('@modelcontextprotocol/server-everything/dist/index.js')
    const toolset = open('everything', script, 'stdio')
    const call = (tool: string, input: Record<string, string | number>) =>
      callNow(toolset, { tool: `mcp.everything.${tool}`, input })
    expect(textOf(await call('echo', { message: 'Ja – 議会' }))).toContain('Ja – 議会')
    const image = await call('get-tiny-image', {})
    expect(image.content.map((part) => part.mediaType)).toContain('image/png')
    const weather = await call('get-structured-content', { location: 'Chicago' })
    expect(weather.content.at(-1)).toMatchObject({ name: 'structured', mediaType: 'application/json' })
    const wrong = await call('get-structured-content', { location: 'Atlantis' })
    expect(wrong).toMatchObject({ ok: false })
    const endless = {
      tool: 'mcp.everything.trigger-long-running-operation',
      input: { duration: 60, steps: 60 },
    }
    expect(await callNow(toolset, endless, { timeoutMs: 1_500 })).toMatchObject({ type: 'timeout' })
    expect(textOf(await call('echo', { message: 'again' }))).toContain('again')
  })
})
