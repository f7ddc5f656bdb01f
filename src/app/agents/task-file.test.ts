import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SettingsError } from '../config/faults.ts'
import { trust } from '../home/permissions.ts'
import { readTask } from './task-file.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'witan-task-'))
  await mkdir(join(folder, 'home'))
  await mkdir(join(folder, 'vendor'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const WRITTEN = `objective: State the licence of every package in ./vendor
constraints: [change nothing]
workspace: ./vendor
roles: {planner: written, executor: written, critic: [policy, human], auditor: verifier}
policy: strict
limits: {steps: 40, revisions: 3, minutes: 20, cost: 1.00}
evidence_min: 1
tools: [files.list, files.read, mcp.docs.search]
proposals:
  - objective: Read each LICENSE
    assumptions: [one LICENSE per package]
    required_tools: [files.read]
    expected_evidence: [licence text]
    steps: [{id: a, tool: files.read, input: {path: a/LICENSE}, justification: licence of a}]
    claims: [{text: a is MIT, confidence: high, evidence: [{step: a, quote: MIT License}]}]
    on_failure: stop
`

async function read(text: string) {
  const file = join(folder, 'task.yaml')
  await writeFile(file, text)
  return readTask(file, join(folder, 'home'))
}

const faultsOf = (text: string): Promise<readonly string[]> =>
  read(text).then(
    () => [],
    (error: SettingsError) => error.faults.map(({ line, message }) => `${line}: ${message}`),
  )

describe('a task file', () => {
  it('APP-6 may say all that the design names, with paths meant from the file', async () => {
    expect(await read(WRITTEN)).toMatchObject({
      objective: 'State the licence of every package in ./vendor',
      workspace: join(folder, 'vendor'),
      policy: 'strict',
      roles: { critic: ['policy', 'human'] },
      proposals: [{ steps: [{ id: 'a', input: { path: 'a/LICENSE' } }] }],
    })
  })

  it.each([
    [
      'constraints: []\n',
      ['1: the file needs objective', '1: the plan is written, but there are no proposals'],
    ],
    ['objective: x\n', ['1: the plan is written, but there are no proposals']],
    [
      'objective: x\nroles: {planner: claude}\n',
      ['2: a plan that is thought out has no written steps to execute'],
    ],
    [
      'objective: x\nroles: {executor: claude}\nproposals: [{objective: y, required_tools: [files.read]}]\n',
      ['3: files.read is no tool of this task'],
    ],
    [
      'objective: x\nproposals:\n  - {objective: y}\n',
      ['3: execution is written, but this proposal has no steps'],
    ],
    [WRITTEN.replace('step: a', 'step: b'), ["15: there is no step 'b' in this proposal"]],
    [WRITTEN.replace('tool: files.read', 'tool: files.write'), ['14: files.write is no tool of this task']],
    [
      WRITTEN.replace('policy: strict', 'policy: loose'),
      ['5: policy must be strict, default, lenient, or a file that ends with .cedar'],
    ],
  ])('APP-6 tells what is wrong with %j', async (text, faults) => {
    expect(await faultsOf(text)).toEqual(faults)
  })

  it('VOX-14 runs no program, reaches no server and widens no grant before it is trusted', async () => {
    const widening = `${WRITTEN}roots: [/etc]\nunconfined: true\nmcp_servers: {evil: {command: [./evil.sh]}}\n`
    await expect(read(widening)).rejects.toMatchObject({
      code: 'FILE_UNTRUSTED',
      faults: [{ key: 'roots' }, { key: 'unconfined' }, { key: 'mcp_servers' }],
    })
    await trust(join(folder, 'home'), join(folder, 'task.yaml'))
    expect(await read(widening)).toMatchObject({
      roots: ['/etc'],
      mcp_servers: { evil: { command: [join(folder, 'evil.sh')] } },
    })
    await expect(read(`${widening}# changed\n`)).rejects.toMatchObject({ code: 'FILE_UNTRUSTED' })
  })

  it('treats the input of a tool as text, not as settings', async () => {
    const shell = WRITTEN.replaceAll('files.read', 'shell.run').replace(
      '{path: a/LICENSE}',
      '{command: [ls], cwd: .}',
    )
    expect((await read(shell)).proposals?.[0]?.steps?.[0]?.input).toEqual({ command: ['ls'], cwd: '.' })
  })

  it('APP-6 reports a workspace that does not exist', async () => {
    await expect(read(WRITTEN.replace('./vendor\nroles', './nowhere\nroles'))).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
    })
  })
})
