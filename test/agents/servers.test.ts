// Tools of MCP servers in whole sessions: servers from npm, and one that dies in the middle of a call.

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AgentsHome, addPerson, agentsHome, claim, lay, step } from '../support/agents-home.ts'
import { type AgentsOffice, agentsOffice, type Worked } from '../support/agents-office.ts'
import { bundleScript } from '../support/children.ts'

let home: AgentsHome
let office: AgentsOffice
const packaged = (name: string): string =>
  join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'dist/index.js')

beforeAll(async () => {
  home = await agentsHome()
  await addPerson(home)
  const node = process.execPath
  const servers = {
    files: { command: [node, packaged('@modelcontextprotocol/server-filesystem'), home.folder] },
    everything: { command: [node, packaged('@modelcontextprotocol/server-everything'), 'stdio'] },
    frail: { command: [node, await bundleScript('test/fakes/mcp/tools-server.ts'), home.cwd] },
  }
  await lay(home.home, { 'config.yaml': JSON.stringify({ mcp_servers: servers }) })
  office = await agentsOffice(home)
})
afterAll(() => office.close())

/** A person agrees to whatever waits, one after the other. */
async function agreeing(task: object): Promise<Worked> {
  const trace = await office.open(task)
  for (let turn = 0; turn < 10; turn++) {
    const worked = await office.work(trace)
    if (worked.end?.status === 'finished') return worked
    await office.say(trace, 'ana', { as: 'approve', minutes: 10, reason: 'it is known' })
  }
  throw new Error('it waits for ever')
}

describe('a session with tools of servers', () => {
  it('AGT-TOOL-6 reads with one server from npm and echoes with another, and proves both', async () => {
    const path = join(home.folder, 'alpha/LICENSE')
    const { book } = await agreeing({
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
    const { phase, statement, intents } = book.state.inner
    expect([phase, statement?.claims.length]).toEqual(['completed', 2])
    expect([...intents.values()].map(({ tool, status }) => [tool, status])).toEqual([
      ['mcp.files.read_text_file', 'completed'],
      ['mcp.everything.echo', 'completed'],
    ])
  })

  it('AGT-TOOL-4 AGT-TOOL-6 records that a server died in the middle of a call, and runs the fallback', async () => {
    const { book } = await agreeing({
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
    const { phase, proposals, intents } = book.state.inner
    expect(phase).toBe('completed')
    expect([...proposals.values()].map(({ closed }) => closed?.outcome)).toEqual(['failed', 'succeeded'])
    expect(intents.get('p1-i1')).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/ended|closed|died|crash|memory/i),
    })
  })
})
