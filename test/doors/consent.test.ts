// Nothing of a folder goes to a provider that it was not consented to, by any verb and any entrance: refused before
// anything is recorded or sent, with the command that a person would type. What sends nothing needs no consent.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agents, inStore } from '../../src/doors/library/agents.ts'
import { AGENTS_TOOLS } from '../../src/doors/mcp/tools/agents.ts'
import { bareMachine, repository } from '../council/table.ts'
import { playCouncil } from '../fakes/council.ts'
import { type Minds, serveMinds } from '../fakes/minds.ts'
import { type AgentsHome, agentsHome, runTask, traceOf, writeTask } from '../support/agents-home.ts'
import { THREE } from '../support/council-run.ts'
import { call, DEFAULT_TOOLS, filesFolder, hostClient, hostHome, seatsAt } from '../support/mcp-host.ts'
import { openPoolHome } from '../support/pool-home.ts'
import { hasTerminal, Terminal } from '../support/terminal.ts'
import { directory, witan } from './command.ts'

const WORDS = 'Apache License'
const THINKING = {
  roles: { planner: 'ollama', executor: 'ollama' },
  tools: ['files.read'],
}
const intent = (path: string) => ({
  intent: { tool: 'files.read', input: { path }, justification: 'it is next' },
})
const plan = { objective: 'Read', assumptions: [], required_tools: ['files.read'], expected_evidence: [] }

let home: AgentsHome
let minds: Minds

beforeEach(async () => {
  home = await agentsHome()
  minds = await serveMinds({
    planner: [{ proposals: [plan] }],
    executor: [intent('beta/LICENSE'), { give_up: { reason: 'enough' } }],
  })
  await minds.settings(home.home)
})
afterEach(() => minds.close())

const traces = async (): Promise<readonly object[]> => {
  const { json } = await witan(home, 'list', '--json')
  const all = json.traces as readonly { readonly protocol: string }[]
  return all.filter(({ protocol }) => protocol !== 'registry/1')
}
const refused = (ran: { code: number | null; json: unknown }, command: string) => {
  expect(ran.code).toBe(2)
  expect(JSON.stringify(ran.json)).toContain('was never shown to ollama')
  expect(JSON.stringify(ran.json)).toContain(command)
}

describe('consent', () => {
  it('COU-C-2 VOX-14 is asked for what the tools of a session read, and remembered', async () => {
    const ran = await runTask(home, THINKING)
    refused(ran, `witan agents run ${join(home.folder, 'task.yaml')} --yes`)
    expect([await traces(), minds.asked]).toEqual([[], []])
    await runTask(home, THINKING, '--yes')
    expect(minds.asked.some(({ words }) => words.includes(WORDS))).toBe(true)
    const kept = JSON.parse(await readFile(join(home.home, 'consents.json'), 'utf8'))
    expect(Object.values(kept.folders)).toEqual([['ollama']])
    const before = minds.asked.length
    expect((await runTask(home, THINKING)).code).not.toBe(2)
    expect(minds.asked.length).toBeGreaterThan(before)
  })

  it('COU-C-2 VOX-14 is asked again where a session is resumed or forked', async () => {
    const trace = traceOf(await runTask(home, THINKING, '--yes'))
    await writeFile(join(home.home, 'consents.json'), '{"witan":"consents/1","folders":{}}')
    const before = minds.asked.length
    refused(await witan(home, 'fork', trace, '--after', '1', '--json'), `witan fork ${trace} --after 1 --yes`)
    expect(minds.asked.length).toBe(before)
    expect(await traces()).toHaveLength(1)
    const task = await writeTask(home, {
      ...THINKING,
      roles: { ...THINKING.roles, critic: ['policy', 'human'] },
    })
    const waits = await witan(home, 'agents', 'run', task, '--json', '--yes')
    expect(waits.code).toBe(8)
    await writeFile(join(home.home, 'consents.json'), '{"witan":"consents/1","folders":{}}')
    const asked = minds.asked.length
    refused(await witan(home, 'resume', traceOf(waits), '--json'), `witan resume ${traceOf(waits)} --yes`)
    expect(minds.asked.length).toBe(asked)
    expect((await witan(home, 'resume', traceOf(waits), '--json', '--yes')).code).toBe(8)
  })

  it('COU-C-2 VOX-14 is given by a task that was trusted, and not needed where nothing leaves', async () => {
    expect((await witan(home, 'trust', await writeTask(home, THINKING))).code).toBe(0)
    expect((await runTask(home, THINKING)).code).not.toBe(2)
    const steps = [{ id: 'a', tool: 'files.read', input: { path: 'beta/LICENSE' }, justification: 'read it' }]
    const claims = [{ text: 'Apache', confidence: 'high', evidence: [{ step: 'a', quote: WORDS }] }]
    const before = minds.asked.length
    const written = { tools: ['files.read'], proposals: [{ objective: 'Read', steps, claims }] }
    expect((await runTask(home, written)).code).toBe(0)
    expect(minds.asked.length).toBe(before)
  })

  it('COU-C-2 VOX-14 is asked for what a report may quote, where a council is followed up', async () => {
    const bare = await bareMachine()
    const first = await witan(bare, 'ask', 'Where do orders rest?', '--context', 'README.md', '--json')
    expect(first.code).toBe(0)
    const server = await playCouncil(THREE)
    try {
      const found = { ...bare, env: { ...bare.env, OLLAMA_HOST: server.url } }
      const ran = await witan(found, 'ask', 'And why?', '--follow', 'last', '--json')
      expect(ran.code).toBe(2)
      expect(ran.json).toMatchObject({ error: { message: expect.stringContaining('never shown') } })
      expect(server.heard).toEqual([])
    } finally {
      await server.close()
    }
  }, 30_000)

  it('COU-C-2 VOX-14 to one folder covers no file of another that is laid beside it', async () => {
    const bare = await bareMachine()
    const other = await directory()
    await writeFile(join(other, 'notes.md'), 'The neighbours want a lake.\n')
    await writeFile(join(bare.cwd, 'more.md'), 'More.\n')
    const server = await playCouncil(THREE)
    try {
      const found = { ...bare, env: { ...bare.env, OLLAMA_HOST: server.url } }
      const ask = (...more: readonly string[]) =>
        witan(found, 'ask', 'Where do orders rest?', ...more, '--json')
      const own = ['--context', 'README.md', '--context', 'more.md']
      expect((await ask(...own, '--yes')).code).toBe(0)
      const before = server.heard.length
      expect(before).toBeGreaterThan(0)
      const both = await ask(...own, '--context', join(other, 'notes.md'))
      expect(both.code).toBe(2)
      const message = expect.stringContaining(`${other} was never shown to ollama`)
      expect(both.json).toMatchObject({ error: { message } })
      expect(server.heard.length).toBe(before)
      expect((await ask(...own)).code).toBe(0)
    } finally {
      await server.close()
    }
  }, 30_000)

  it('COU-C-2 VOX-14 to a folder of a repository covers no change elsewhere in it', async () => {
    const bare = await bareMachine()
    const sub = join(bare.cwd, 'sub')
    await mkdir(sub)
    await writeFile(join(sub, 'inner.md'), 'Inner.\n')
    repository(bare.cwd)
    await writeFile(join(bare.cwd, 'README.md'), '# Shop\n\nOrders rest in PostgreSQL.\n')
    const server = await playCouncil(THREE)
    try {
      const found = { ...bare, cwd: sub, env: { ...bare.env, OLLAMA_HOST: server.url } }
      const own = await witan(found, 'ask', 'Is it good?', '--context', 'inner.md', '--yes', '--json')
      expect(own.code).toBe(0)
      const before = server.heard.length
      expect(before).toBeGreaterThan(0)
      const whole = await witan(found, 'review', '--json')
      expect(whole.code).toBe(2)
      const message = expect.stringContaining(`${bare.cwd} was never shown to ollama`)
      expect(whole.json).toMatchObject({ error: { message } })
      expect(server.heard.length).toBe(before)
    } finally {
      await server.close()
    }
  }, 30_000)

  it('COU-C-2 VOX-14 is asked for the encoder that compares what a council recommends', async () => {
    const bare = await bareMachine()
    const server = await playCouncil({})
    try {
      await mkdir(bare.home, { recursive: true })
      await writeFile(
        join(bare.home, 'config.yaml'),
        'council:\n  short_circuit: {enabled: true, embeddings: true}\n',
      )
      const WITAN_EMBEDDINGS = 'openai-compatible:some-encoder'
      const found = {
        ...bare,
        env: { ...bare.env, WITAN_EMBEDDINGS, WITAN_EMBEDDINGS_URL: `${server.url}/v1` },
      }
      const ran = await witan(found, 'ask', 'Where do orders rest?', '--context', 'README.md', '--json')
      expect(ran.code).toBe(2)
      const message = expect.stringContaining('never shown to openai-compatible embeddings')
      expect(ran.json).toMatchObject({ error: { message } })
      expect(server.heard).toEqual([])
    } finally {
      await server.close()
    }
  }, 30_000)

  it.skipIf(!hasTerminal)(
    'COU-C-2 VOX-14 is a yes at the terminal, where it is shown what would go to which provider; anything else is a no',
    async () => {
      const task = await writeTask(home, THINKING)
      const answered = async (word: string): Promise<Terminal> => {
        const terminal = new Terminal(home, 'agents', 'run', task)
        await terminal.reads('Send this to ollama? [y/N]')
        expect(terminal.screen).toContain('They are shown what its tools (files.read) give back from:')
        expect(terminal.screen).toContain(home.folder)
        terminal.type(word)
        return terminal
      }
      expect(await (await answered('n')).ended).toBe(2)
      expect([await traces(), minds.asked]).toEqual([[], []])
      expect(await (await answered('y')).ended).not.toBe(2)
      expect(minds.asked.some(({ words }) => words.includes(WORDS))).toBe(true)
      const kept = JSON.parse(await readFile(join(home.home, 'consents.json'), 'utf8'))
      expect(Object.values(kept.folders)).toEqual([['ollama']])
    },
    30_000,
  )

  it('COU-C-2 VOX-14 is not asked for an exchange, which sends nothing of a folder', async () => {
    const house = await openPoolHome()
    try {
      await writeFile(join(house.where.cwd, 'README.md'), 'Only the heron knows the weir.')
      const terms = await house.terms('terms.yaml')
      const ran = await witan(house.where, 'exchange', 'run', '--terms', terms, '--rounds', '3', '--json')
      expect(ran.code).toBe(0)
      const injected = await witan(house.where, 'exchange', 'inject', traceOf(ran), 'Look at README.md.')
      expect(injected.code).toBe(0)
      await witan(house.where, 'exchange', 'run', traceOf(ran), '--rounds', '1')
      const sent = house.asked.map(({ words }) => words).join('\n')
      expect(sent).toContain('Look at README.md.')
      for (const words of ['heron', 'terms.yaml', house.where.cwd]) expect(sent).not.toContain(words)
      await expect(readFile(join(house.where.home, 'consents.json'))).rejects.toThrow('ENOENT')
    } finally {
      await house.server.close()
    }
  }, 60_000)

  it('COU-C-2 VOX-14 is an option of the library', async () => {
    const seat = {
      provider: 'ollama',
      ask: () => {
        throw new Error('asked')
      },
    } as never
    const options = { task: { objective: 'x', ...THINKING }, workspace: home.folder, minds: { ollama: seat } }
    const storage = await inStore()
    for (const more of [{}, { consent: () => false }]) {
      await expect(agents({ ...options, ...more, storage }).result).rejects.toMatchObject({
        code: 'USAGE',
        message: `no consent to show ${home.folder} to ollama`,
      })
    }
    const asked: string[][] = []
    const consent = (folder: string, provider: string) => asked.push([folder, provider]) > 0
    await agents({ ...options, consent, storage }).result.catch(() => undefined)
    expect(asked).toEqual([[home.folder, 'ollama']])
  })
})

const { open } = filesFolder({
  'task.yaml':
    'objective: State the licence\nworkspace: ./vendor\nroles: {planner: a, executor: a}\ntools: [files.read]\n',
})

describe('a host', () => {
  it('COU-C-2 VOX-14 cannot consent, and is told what a person types', async () => {
    const server = await playCouncil({ a: {}, b: {} })
    open.push(() => server.close())
    const at = await hostHome(seatsAt(server.url, 'a', 'b'))
    open.push(at.dispose)
    const client = await hostClient(at.kit, {}, [...DEFAULT_TOOLS, ...AGENTS_TOOLS])
    open.push(() => client.close())
    const { text } = await call(client, 'agents_run', { task: 'task.yaml' })
    expect(text).toContain('was never shown to a')
    expect(text).toContain('task.yaml --yes')
    expect(server.heard).toEqual([])
  })
})
