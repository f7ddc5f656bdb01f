// A server in its sandbox: what it sees, what it gets and what it cannot reach, asked of a real one from inside.
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { callNow, cleanPlanted, textOf } from '../../../test/contracts/toolsets.ts'
import { bundleScript } from '../../../test/support/children.ts'
import type { Toolset } from '../toolset.ts'
import { type McpToolsOptions, mcpTools } from './mcp.ts'
import { type Enclosure, enclosed } from './sandboxed-server.ts'

let base: string
let script: string
const toolsets: Toolset[] = []
const at = (...path: readonly string[]): string => join(base, ...path)

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'witan-enclosed-'))
  script = await bundleScript('test/fakes/mcp/tools-server.ts')
  for (const folder of ['work', 'witan', 'user', 'other', 'work/inner']) await mkdir(at(folder))
  await writeFile(at('work', 'a.txt'), 'in the workspace')
  for (const folder of ['witan', 'user', 'other', 'work/inner'])
    await writeFile(at(folder, 'key.txt'), 'a key')
})
afterAll(async () => {
  for (const toolset of toolsets) await toolset.close()
  await rm(base, { recursive: true })
})

const enclosure = (more: Partial<Enclosure> = {}): Enclosure => ({
  roots: [{ name: 'workspace', path: at('work'), write: true }],
  forbidden: { never: [at('witan'), at('work', 'inner')], homes: [at('user')] },
  network: false,
  folders: [],
  ...more,
})

function open(more: Partial<Enclosure> = {}, options: Partial<McpToolsOptions> = {}) {
  const toolset = mcpTools({
    name: 'fake',
    server: { command: [process.execPath, script, at('work')], env: { OWN: 'mine' }, pass: ['PASSED'] },
    environment: { PATH: process.env.PATH, PASSED: 'yours', OPENAI_API_KEY: 'not-for-servers' },
    clean: cleanPlanted,
    enclosure: enclosure(more),
    ...options,
  })
  toolsets.push(toolset)
  return async (tool: string, words: string) =>
    textOf(await callNow(toolset, { tool: `mcp.fake.${tool}`, input: { words } }))
}

describe.skipIf(inject('bubblewrap') === null)('a server in a sandbox', () => {
  it('AGT-TOOL-6 sees the workspace at its own path, and neither store, keys, homes nor other files', async () => {
    const ask = open()
    expect(await ask('look', at('work', 'a.txt'))).toBe('in the workspace')
    for (const folder of ['witan', 'user', 'other', 'work/inner'])
      expect([folder, await ask('look', at(folder, 'key.txt'))]).toEqual([folder, 'ENOENT'])
    expect(await ask('look', '/etc/passwd')).toBe('ENOENT')
    expect(await ask('write', at('work', 'b.txt'))).toBe('written')
    expect(await readFile(at('work', 'b.txt'), 'utf8')).toBe('words')
    expect(await ask('write', join(dirname(script), 'planted.js'))).toMatch(/EROFS|ENOENT/)
    expect(await ask('write', '/usr/planted')).toBe('EROFS')
  })

  it('AGT-TOOL-6 gets the variables that it was configured with and none of ours, an empty home, and the workspace to run in', async () => {
    const told = JSON.parse(await open()('surroundings', ''))
    expect(told).toMatchObject({ cwd: at('work'), home: [] })
    expect(told.env).toMatchObject({ OWN: 'mine', PASSED: 'yours', HOME: '/home/witan' })
    const known = ['HOME', 'LANG', 'OWN', 'PASSED', 'PATH', 'PWD', 'TERM', 'TMPDIR']
    expect(Object.keys(told.env).filter((name) => !known.includes(name))).toEqual([])
  })

  it('AGT-TOOL-6 has the network only if that was granted', async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(String(request.url))
      response.end('reached')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    try {
      expect(await open()('fetch', `http://127.0.0.1:${port}/inside`)).not.toBe('reached')
      expect(await open({ network: true })('fetch', `http://127.0.0.1:${port}/online`)).toBe('reached')
      expect(asked).toEqual(['/online'])
    } finally {
      server.close()
    }
  })

  it('AGT-TOOL-6 is gone with all that it started when it is closed', async () => {
    const running = (): readonly string[] =>
      readdirSync('/proc').filter((pid) => {
        if (!/^\d+$/.test(pid)) return false
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(at('closing'))
        } catch {
          // It ended while it was looked at.
          return false
        }
      })
    await mkdir(at('closing'))
    const roots = [{ name: 'workspace', path: at('closing'), write: true }]
    const server = { command: [process.execPath, script, at('closing')] }
    await open({ roots }, { server })('echo', 'hello')
    expect(running().length).toBeGreaterThan(0)
    await toolsets.at(-1)?.close()
    // The kernel ends what is left in a sandbox when its first process has ended, not before.
    await vi.waitFor(() => expect(running()).toEqual([]), { timeout: 30_000 })
  })

  it('says in its definitions where it runs, so an approval for one form is not valid for the other', async () => {
    const descriptions = await Promise.all(
      [enclosure(), enclosure({ network: true }), null].map(async (one) => {
        const server = { command: [process.execPath, script, at('work')] }
        const toolset = mcpTools({ name: 'fake', server, clean: cleanPlanted, enclosure: one })
        toolsets.push(toolset)
        const [first] = await toolset.tools(new AbortController().signal)
        return first?.description
      }),
    )
    expect(descriptions).toEqual([
      expect.stringMatching(/in a sandbox .* no network/),
      expect.stringMatching(/in a sandbox .* the network/),
      expect.stringMatching(/NOT confined/),
    ])
  })

  it('AGT-TOOL-6 whose code is in the store, or whose folder is the home itself, cannot see them', async () => {
    await writeFile(at('witan', 'server.js'), '')
    await expect(
      enclosed({ command: [process.execPath, at('witan', 'server.js')] }, enclosure(), process.env),
    ).rejects.toMatchObject({ message: expect.stringContaining('never touched') })
    await writeFile(at('user', 'package.json'), '{}')
    await writeFile(at('user', 'server.js'), '')
    await writeFile(at('user', 'secret.txt'), 'a secret')
    const listing = `console.log(require('node:fs').readdirSync(${JSON.stringify(at('user'))}).join())`
    await writeFile(at('user', 'server.js'), `${listing}; process.exit(3)`)
    const server = { command: [process.execPath, at('user', 'server.js')] }
    const toolset = mcpTools({ name: 'fake', server, clean: cleanPlanted, enclosure: enclosure() })
    toolsets.push(toolset)
    await expect(toolset.tools(new AbortController().signal)).rejects.toMatchObject({
      message: expect.stringMatching(/: server\.js\b(?!,)/),
    })
  })
})

it('AGT-TOOL-6 a server does not run if it should be confined and cannot be', async () => {
  const server = { command: ['node', 'x'] }
  await expect(enclosed(server, enclosure(), { PATH: at('other') })).rejects.toMatchObject({
    code: 'HAND_UNAVAILABLE',
    next: expect.stringMatching(/bubblewrap is not installed.*confined: false/),
  })
})
