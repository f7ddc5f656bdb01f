// What a task may make of what the operator granted: never more.
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callNow, cleanPlanted } from '../../test/contracts/toolsets.ts'
import {
  type Bounds,
  commonCommand,
  commonHost,
  confine,
  LIMITS,
  type TaskBounds,
  toolMatches,
} from './bounds.ts'
import { hostMatches } from './http/hosts.ts'
import { openTools } from './open-toolset.ts'
import { granted } from './shell/commands.ts'
import { BUILT_IN_TOOLS } from './toolset.ts'

let base: string
let operator: Bounds
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'witan-bounds-')))
  await mkdir(join(base, 'project/vendor'), { recursive: true })
  await mkdir(join(base, 'data'))
  await mkdir(join(base, 'private'))
  operator = {
    roots: [
      { name: 'workspace', path: join(base, 'project'), write: true },
      { name: 'data', path: join(base, 'data'), write: false },
    ],
    hosts: [
      { host: '*.example.org' },
      { host: '127.0.0.1', port: 8080, private: true, headers: { 'x-key': 'k' } },
    ],
    commands: [['git', 'log'], ['cat']],
    tools: ['files.*', 'shell.run', 'mcp.docs.search'],
    scripts: false,
    network: false,
    unconfined: false,
    limits: LIMITS,
  }
})
afterEach(() => rm(base, { recursive: true }))

describe('a task', () => {
  it('without requests of its own gets what the operator granted', async () => {
    const { bounds, refused } = await confine(operator, {})
    expect(bounds).toEqual(operator)
    expect(refused).toEqual([])
  })

  it('narrows: a folder of the workspace, fewer tools, tighter limits', async () => {
    const task: TaskBounds = {
      workspace: join(base, 'project/vendor'),
      write: false,
      roots: [],
      hosts: [{ host: 'docs.example.org' }],
      commands: [['git'], ['cat', '-n']],
      tools: ['files.read', 'mcp.*'],
      limits: { timeoutMs: 5, maxOutputBytes: 1e12 },
    }
    const { bounds, refused } = await confine(operator, task)
    expect(bounds).toEqual({
      roots: [{ name: 'workspace', path: join(base, 'project/vendor'), write: false }],
      hosts: [{ host: 'docs.example.org' }],
      commands: [
        ['git', 'log'],
        ['cat', '-n'],
      ],
      tools: ['files.read', 'mcp.docs.search'],
      scripts: false,
      network: false,
      unconfined: false,
      limits: { ...LIMITS, timeoutMs: 5 },
    })
    expect(refused).toEqual([])
  })

  it('AGT-TOOL-6 from a hostile clone widens nothing, and what it asked for is named', async () => {
    await symlink(join(base, 'private'), join(base, 'project/innocent'))
    const hostile: TaskBounds = {
      roots: [
        { name: 'data', path: join(base, 'data'), write: true },
        { name: 'all', path: '/', write: true },
        { name: 'link', path: join(base, 'project/innocent'), write: true },
        { name: 'up', path: join(base, 'project/../private'), write: true },
      ],
      hosts: [
        { host: '*', private: true },
        { host: '169.254.169.254', private: true },
        { host: '127.0.0.1', port: 22, private: true },
        { host: 'evil.example', headers: { 'x-key': 'stolen' } },
      ],
      commands: [['rm'], ['git', 'push'], []],
      tools: ['shell.script', '*'],
      scripts: true,
      network: true,
      unconfined: true,
      limits: { timeoutMs: 1e9, maxOutputBytes: 1e12, maxProcesses: 1e6, maxFileBytes: 1e12 },
    }
    const { bounds, refused } = await confine(operator, hostile)
    expect(bounds.roots).toEqual([
      { name: 'workspace', path: join(base, 'project'), write: true },
      { name: 'data', path: join(base, 'data'), write: false },
    ])
    expect(bounds.hosts).toEqual([{ host: '*.example.org' }])
    expect(bounds.commands).toEqual([])
    expect(bounds.tools).toEqual(operator.tools)
    expect(bounds).toMatchObject({ scripts: false, network: false, unconfined: false, limits: LIMITS })
    expect(refused).toEqual([
      'the folder /',
      `the folder ${join(base, 'project/innocent')}`,
      `the folder ${join(base, 'project/../private')}`,
      'the host 169.254.169.254',
      'the host 127.0.0.1:22',
      'the host evil.example',
      'the command rm',
      'the command git push',
      'the command ',
      'the tool shell.script',
      'scripts',
      'network',
      'unconfined',
    ])
  })

  it('AGT-TOOL-6 whose workspace lies outside gets no folder at all', async () => {
    for (const workspace of ['/', base, join(base, 'private'), join(base, 'project-two')]) {
      const { bounds, refused } = await confine(operator, { workspace })
      expect(bounds.roots).toEqual([])
      expect(refused).toEqual([`the workspace ${workspace}`])
      const toolset = openTools({ bounds, forbidden: { never: [], homes: [] }, clean: cleanPlanted })
      expect(await callNow(toolset, { tool: 'files.read', input: { path: 'x' } })).toMatchObject({
        type: 'denied',
      })
    }
  })

  it('never gets a host or a command that the operator alone would refuse', () => {
    const host = fc.constantFrom('*', '*.a.b', '*.b', 'a.b', 'x.a.b', 'c.d', '10.0.0.1', '*.d')
    const port = fc.constantFrom(undefined, 80, 443, 8080)
    const grant = fc.record({ host, port, private: fc.boolean() }).map(({ port, ...rest }) => ({
      ...rest,
      ...(port === undefined ? {} : { port }),
    }))
    fc.assert(
      fc.property(
        grant,
        grant,
        fc.constantFrom('a.b', 'x.a.b', 'y.b', 'c.d', 'z.d', '10.0.0.1'),
        (mine, theirs, name) => {
          const both = commonHost(mine, theirs)
          if (both === null || !hostMatches(both.host, name)) return
          expect(hostMatches(mine.host, name)).toBe(true)
          expect(hostMatches(theirs.host, name)).toBe(true)
          expect(both.private).toBe(mine.private)
        },
      ),
    )
    const word = fc.constantFrom('git', 'log', 'cat', '-n')
    const words = fc.array(word, { maxLength: 3 })
    fc.assert(
      fc.property(words, words, words, (mine, theirs, argv) => {
        const both = commonCommand(mine, theirs)
        const allowed = both !== null && granted([both], argv)
        expect(allowed).toBe(granted([mine], argv) && granted([theirs], argv))
      }),
    )
  })
})

describe('all toolsets together', () => {
  it('are, without a server, those that a person is shown', async () => {
    const bounds = { ...operator, tools: ['*'], scripts: true }
    const toolset = openTools({ bounds, forbidden: { never: [], homes: [] }, clean: cleanPlanted })
    const tools = await toolset.tools(new AbortController().signal)
    expect(tools.map((tool) => tool.name).sort()).toEqual([...BUILT_IN_TOOLS].sort())
    await toolset.close()
  })

  it('show and call only what was granted, and start no server that no one may use', async () => {
    const { bounds } = await confine(operator, { tools: ['files.read'] })
    const servers = [{ name: 'docs', server: { command: ['/nowhere/such-a-server'] } }]
    const toolset = openTools({ bounds, servers, forbidden: { never: [], homes: [] }, clean: cleanPlanted })
    const tools = await toolset.tools(new AbortController().signal)
    expect(tools.map((tool) => tool.name)).toEqual(['files.read'])
    for (const tool of ['files.write', 'shell.run', 'mcp.docs.search', 'http.get', 'nobody']) {
      expect(await callNow(toolset, { tool, input: {} }), tool).toMatchObject({ ok: false, type: 'denied' })
    }
    await toolset.close()
    expect(toolMatches('files.*', 'filesystem.read')).toBe(false)
  })
})
