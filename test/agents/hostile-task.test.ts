// A task that came with a clone: regardless of its content, it reaches no further than its own folder, runs nothing of its
// choosing, and is judged by the operator's policy as well as by its own.

import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AgentsHome,
  addPerson,
  agentsHome,
  READING,
  read,
  step,
  WRITING,
  writeFiles,
} from '../support/agents-home.ts'
import { type CutOffSessions, cutOffSessions } from '../support/cut-off-sessions.ts'

let home: AgentsHome
let ports: CutOffSessions

beforeAll(async () => {
  home = await agentsHome()
  await writeFiles(home.cwd, { 'outside/secret.txt': 'nobody may read this\n' })
  await writeFiles(home.folder, { 'all.cedar': '@id("all") permit (principal, action, resource);\n' })
  await symlink(join(home.cwd, 'outside'), join(home.folder, 'link'))
  await symlink(join(home.home, 'keys'), join(home.folder, 'keys'))
  await addPerson(home)
  ports = await cutOffSessions(home)
})
afterAll(() => ports.close())

const SHELL = {
  tools: ['shell.run'],
  proposals: [{ objective: 'Run it', steps: [step('run', 'shell.run', { command: ['node', '-e', '1'] })] }],
}

describe('a task from a stranger', () => {
  it.each<[string, object]>([
    ['roots', { ...READING, roots: ['/etc'] }],
    ['commands', { ...SHELL, commands: ['node'] }],
    ['hosts', { ...READING, hosts: ['example.com'] }],
    ['unconfined', { ...SHELL, unconfined: true }],
    ['mcp_servers', { ...READING, mcp_servers: { evil: { command: ['./evil.sh'] } } }],
    ['a workspace above its own', { ...READING, workspace: '..' }],
    ['a workspace behind a link', { ...READING, workspace: './link' }],
  ])('VOX-14 AGT-TOOL-6 gets nothing by %s', async (_, task) => {
    await expect(ports.open(task)).rejects.toMatchObject({ code: 'FILE_UNTRUSTED' })
  })

  it.each(['lenient', './all.cedar'])('AGT-ACT-1 loosens nothing by the policy %s', async (policy) => {
    const trace = await ports.open({ ...WRITING, policy })
    const { log, end } = await ports.work(trace)
    expect(end?.parked).toMatchObject([{ waitsFor: 'a registered person in the role of critic' }])
    expect(log.state.inner.intents.get('p1-i1')?.assessment).toMatchObject({ needs: 'critic' })
  })

  it('AGT-TOOL-6 reads nothing outside by climbing, by a link or by an absolute path', async () => {
    const paths = ['../outside/secret.txt', 'link/secret.txt', join(home.cwd, 'outside/secret.txt'), 'keys']
    const trace = await ports.open({
      tools: ['files.read'],
      policy: 'lenient',
      proposals: paths.map((path, i) => ({ objective: `Read ${i}`, steps: [read('out', path)] })),
    })
    const { log } = await ports.work(trace)
    const intents = [...log.state.inner.intents.values()]
    expect(intents).toHaveLength(paths.length)
    expect(intents.filter(({ status }) => status === 'completed')).toEqual([])
  })

  it('AGT-ACT-1 AGT-TOOL-6 runs no command that no one granted, and asks no person to agree', async () => {
    const trace = await ports.open({ ...SHELL, policy: './all.cedar' })
    const { log } = await ports.work(trace)
    expect(log.state.inner.intents.get('p1-i1')).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('not granted'),
    })
  })
})
