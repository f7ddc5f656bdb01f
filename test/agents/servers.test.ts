// Tools of MCP servers in whole sessions: servers from npm, and one that dies in the middle of a call.

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { serversFor, statedEffects } from '../../src/app/agents/session-servers.ts'
import { type AgentsHome, addPerson, agentsHome, claim, step, writeFiles } from '../support/agents-home.ts'
import { bundleScript } from '../support/children.ts'
import { type CutOffSessions, cutOffSessions, type WorkedSession } from '../support/cut-off-sessions.ts'

let home: AgentsHome
let ports: CutOffSessions
let config: { mcp_servers: object; agents: { servers: { frail: object } } }
const packaged = (name: string): string =>
  join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'dist/index.js')

beforeAll(async () => {
  home = await agentsHome()
  await addPerson(home)
  const node = process.execPath
  const servers = {
    files: { command: [node, packaged('@modelcontextprotocol/server-filesystem'), home.folder] },
    everything: { command: [node, packaged('@modelcontextprotocol/server-everything'), 'stdio'] },
    frail: { command: [node, await bundleScript('test/fakes/mcp/tools-server.ts'), home.folder] },
  }
  const confined = inject('bubblewrap') !== null
  const said = {
    files: { confined, reads: ['read_*', 'list_*'], writes: ['write_*'] },
    everything: { confined },
    frail: { confined },
  }
  config = { mcp_servers: servers, agents: { servers: said } }
  await writeFiles(home.home, { 'config.yaml': JSON.stringify(config) })
  ports = await cutOffSessions(home)
})
afterAll(() => ports.close())

/** A person agrees to all that waits, one after the other. */
async function agreeing(task: object): Promise<WorkedSession> {
  const trace = await ports.open(task)
  for (let turn = 0; turn < 10; turn++) {
    const worked = await ports.work(trace)
    if (worked.end?.status === 'finished') return worked
    await ports.say(trace, 'ana', { as: 'approve', minutes: 10, reason: 'it is known' })
  }
  throw new Error('it waits for ever')
}

describe('a session with tools of servers', () => {
  it('AGT-TOOL-6 reads with one server from npm and echoes with another, and proves both', async () => {
    const path = join(home.folder, 'alpha/LICENSE')
    const { log } = await agreeing({
      tools: ['mcp.files.read_text_file', 'mcp.everything.echo'],
      proposals: [
        {
          objective: 'Ask two servers',
          steps: [
            step('read', 'mcp.files.read_text_file', { path }),
            step('echo', 'mcp.everything.echo', { message: 'heard' }),
          ],
          claims: [claim('alpha is MIT', 'read', 'MIT License'), claim('it echoes', 'echo', 'heard')],
        },
      ],
    })
    const { phase, statement, intents } = log.state.inner
    expect([phase, statement?.claims.length]).toEqual(['completed', 2])
    expect([...intents.values()].map(({ tool, status }) => [tool, status])).toEqual([
      ['mcp.files.read_text_file', 'completed'],
      ['mcp.everything.echo', 'completed'],
    ])
  })

  it('AGT-ACT-1 needs no person for a tool that reads on the word of the operator, and one for all others', async () => {
    const path = join(home.folder, 'beta/LICENSE')
    const reading = await ports.open({
      tools: ['mcp.files.read_text_file'],
      proposals: [
        {
          objective: 'Ask for what is known',
          steps: [step('read', 'mcp.files.read_text_file', { path })],
          claims: [claim('beta is Apache', 'read', 'Apache License')],
        },
      ],
    })
    const { end, log } = await ports.work(reading)
    expect([end?.status, log.state.inner.statement?.claims]).toEqual(['finished', ['p1-c1']])
    expect(log.state.inner.intents.get('p1-i1')?.assessment).toMatchObject({ needs: 'none', risk: 'low' })
    const outside = step('read', 'mcp.files.read_text_file', { path: '/etc/hostname' })
    const written = step('write', 'mcp.files.write_file', { path: join(home.folder, 'x'), content: 'x' })
    const needs = ['mcp.files.read_text_file', 'mcp.files.write_file', 'mcp.everything.echo']
    for (const [at, one] of [
      outside,
      written,
      step('echo', 'mcp.everything.echo', { message: '' }),
    ].entries()) {
      const proposals = [{ objective: 'More', steps: [one] }]
      const worked = await ports.work(await ports.open({ tools: [needs[at] ?? ''], proposals }))
      expect([at, worked.end?.parked.map(({ id }) => id)]).toEqual([at, ['judge/p1-i1/human/1/1']])
    }
  })

  it('AGT-TOOL-2 AGT-TOOL-6 starts no tool that is another than when it was approved', async () => {
    const echo = step('echo', 'mcp.frail.echo', { words: 'hello' })
    const proposals = [{ objective: 'Echo', steps: [echo] }]
    const trace = await ports.open({ tools: ['mcp.frail.echo'], proposals })
    await ports.work(trace)
    await ports.say(trace, 'ana', { as: 'approve', minutes: 10, reason: 'as it is defined' })
    const said = { ...config.agents.servers, frail: { ...config.agents.servers.frail, writes: ['echo'] } }
    await writeFiles(home.home, { 'config.yaml': JSON.stringify({ ...config, agents: { servers: said } }) })
    const { log } = await ports.work(trace)
    await writeFiles(home.home, { 'config.yaml': JSON.stringify(config) })
    const intent = log.state.inner.intents.get('p1-i1')
    expect(intent).toMatchObject({ status: 'blocked', reason: expect.stringContaining('defined otherwise') })
  })

  it('AGT-ACT-1 a server that a task puts in the place of a known one is not taken for it', () => {
    const described = { files: { command: ['server'] }, other: { command: ['other'] } }
    const grant = { reads: ['*'], confined: false, believe_hints: true, network: true }
    const operator = { servers: { files: { grant, described: described.files } } }
    const [own] = serversFor(described, operator, {})
    expect(own).toMatchObject({ confined: false, believeHints: true, network: true })
    expect(own?.effects?.('anything')).toEqual(['read'])
    const [replaced, other] = serversFor({ ...described, files: { command: ['evil'] } }, operator, {})
    for (const one of [replaced, other])
      expect([one?.confined, one?.effects, one?.believeHints, one?.network]).toEqual(Array(4).fill(undefined))
    const many = statedEffects({ reads: ['*'], writes: ['set_*'], destroys: ['set_back'] })
    expect(['get', 'set_name', 'set_back'].map(many)).toEqual([['read'], ['write'], ['write', 'destroy']])
    expect(statedEffects({ reads: ['get'] })('getting')).toBeNull()
  })

  it('AGT-TOOL-4 AGT-TOOL-6 records that a server died in the middle of a call, and runs the fallback', async () => {
    const { log } = await agreeing({
      tools: ['mcp.frail.die', 'mcp.frail.echo'],
      proposals: [
        {
          objective: 'Let it die',
          steps: [step('die', 'mcp.frail.die', { words: 'now' })],
          on_failure: 'next proposal',
        },
        {
          objective: 'Let it echo',
          steps: [step('echo', 'mcp.frail.echo', { words: 'alive' })],
          claims: [claim('it is back', 'echo', 'echo: alive')],
        },
      ],
    })
    const { phase, proposals, intents } = log.state.inner
    expect(phase).toBe('completed')
    expect([...proposals.values()].map(({ closed }) => closed?.outcome)).toEqual(['failed', 'succeeded'])
    expect(intents.get('p1-i1')).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/ended|closed|died|crash|memory/i),
    })
  })
})
