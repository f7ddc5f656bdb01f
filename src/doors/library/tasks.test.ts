// A task file worked by a program, in a home of its own, as `witan agents run` works it.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HomeStorage } from '../../app/storage.ts'
import { forkTask, inHome, type Person, resumeTask, runTask, type Verdict } from './agents.ts'
import { addKey, verifyTrace } from './index.ts'

const READING = `objective: Say which licence this is
workspace: .
tools: [files.read, files.write]
proposals:
  - objective: Read it
    steps:
      - { id: read, tool: files.read, input: { path: LICENSE }, justification: it is written there }
    claims:
      - text: It is the Apache License
        confidence: high
        evidence: [{ step: read, quote: Apache License }]
`
const WRITING = `objective: Leave a note
workspace: .
tools: [files.read, files.write]
proposals:
  - objective: Write it
    steps:
      - { id: write, tool: files.write, input: { path: note.txt, content: hello, expected: null }, justification: as asked }
    claims: []
`

let folder = ''
let storage: HomeStorage
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'witan-tasks-'))
  await writeFile(join(folder, 'LICENSE'), 'Apache License\nVersion 2.0\n')
  storage = await inHome(join(folder, 'home'))
})
afterEach(async () => {
  await storage.close()
  await rm(folder, { recursive: true, force: true })
})

async function written(text: string): Promise<string> {
  const file = join(folder, 'task.yaml')
  await writeFile(file, text)
  return file
}

describe('witan/agents: a task file', () => {
  it('APP-5 is worked to its end, with its events and what was proven', async () => {
    const run = runTask(await written(READING), { storage })
    const types: string[] = []
    for await (const { type } of run) types.push(type)
    expect(types[0]).toBe('session_initialized')
    const { trace, status, proven } = await run.result
    expect({ status, proven: proven.length }).toEqual({ status: 'completed', proven: 1 })
    expect((await verifyTrace({ directory: storage.home.directory }, trace)).status).not.toBe('fail')
  })

  it('APP-5 waits for a person if the program gives no decision, continues, and can be forked', async () => {
    const file = await written(WRITING)
    const waiting = await runTask(file, { storage }).result
    expect(waiting.waiting).toHaveLength(1)
    const still = await resumeTask(waiting.trace, { storage, decide: async () => null }).result
    expect(still.waiting).toHaveLength(1)
    const fork = await forkTask(waiting.trace, { storage, after: 0 }).result
    expect(fork.trace).not.toBe(waiting.trace)
    expect(fork.waiting).toHaveLength(1)
  })

  it("APP-5 accepts a person's decision through the program, if the home allows it", async () => {
    await writeFile(join(storage.home.directory, 'config.yaml'), 'agents: { approvals_via_host: true }\n')
    await addKey({ directory: storage.home.directory }, 'ana', { roles: ['critic'] })
    const decide = async (): Promise<Verdict> => ({ as: 'approve', minutes: 5, reason: 'Fine.' })
    const run = runTask(await written(WRITING), { storage, decide, by: 'ana' })
    const said: unknown[] = []
    for await (const { type, payload } of run) if (type === 'intent_approved') said.push(payload?.via)
    expect(said).toContain('host')
    expect(await readFile(join(folder, 'note.txt'), 'utf8')).toBe('hello')
  })

  it('APP-5 asks the program whether a file may decide what runs', async () => {
    const file = await written(`${READING}mcp_servers: { own: { command: ["true"] } }\n`)
    await expect(runTask(file, { storage }).result).rejects.toMatchObject({ code: 'FILE_UNTRUSTED' })
    const asked: unknown[] = []
    const person: Person = {
      trustsFile: async ({ code }) => asked.push(code) > 0,
      allowsSending: async () => null,
    }
    expect(await runTask(file, { storage, person }).result).toMatchObject({ status: 'completed' })
    expect(asked).toHaveLength(1)
  })
})
