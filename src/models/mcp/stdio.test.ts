// Minds behind servers that are child processes: the contract, and what only a process can do wrong.
import { afterEach, describe, expect, it } from 'vitest'
import { describeModelContract } from '../../../test/contracts/models.ts'
import { PLANTED_SECRET, type Scenario } from '../../../test/contracts/scenarios.ts'
import { ARGUMENTS, REPLY, TOOL } from '../../../test/fakes/mcp/acts.ts'
import { type FakeProgram, fakeProgram } from '../../../test/fakes/mcp/stdio.ts'
import type { Behaviour } from '../../../test/fakes/mcp/stdio-server.ts'
import type { Request } from '../model.ts'
import { type McpModelOptions, mcpModel } from './mcp.ts'

const ANSWER = { act: 'answer', text: 'Adopt it.', usage: null } as const

const over = (command: readonly string[], rest: Partial<McpModelOptions> = {}) =>
  mcpModel({
    provider: 'claude',
    model: 'fake-1',
    server: { command, env: { FAKE_KEY: PLANTED_SECRET } },
    tool: TOOL,
    arguments: ARGUMENTS,
    reply: REPLY,
    ...rest,
  })

const request = (timeoutMs = 60_000, signal = new AbortController().signal): Request => ({
  system: 'Be brief.',
  parts: [{ name: 'question', text: 'Shall we?', quotes: null, template: null }],
  schema: null,
  limits: { timeoutMs, maxOutputTokens: null, maxReplyBytes: 100_000 },
  signal,
})

const open = async (scenario: Scenario) => {
  const [first] = scenario.script
  const gone = first?.act === 'unreachable' ? { crashAtStart: 'nobody is here' } : {}
  const program = await fakeProgram({ script: scenario.script, ...gone })
  return {
    mind: over(first?.act === 'absent' ? ['/nowhere/such-a-server'] : program.command),
    seen: () => program.calls().map((given) => Object.values(given).join('\n')),
    leftovers: async () => (await program.alive()).map((pid) => `process ${pid}`),
    dispose: program.dispose,
  }
}

// A busy machine needs its time to start a process before it can fall silent.
describeModelContract('MCP over stdio', open, {}, 2)

describe('a server that is a process', () => {
  const opened: FakeProgram[] = []
  afterEach(async () => {
    for (const program of opened.splice(0)) {
      expect(await program.alive()).toEqual([])
      await program.dispose()
    }
  })
  const open = async (behaviour: Partial<Behaviour>) => {
    const program = await fakeProgram({ script: [ANSWER], ...behaviour })
    opened.push(program)
    return program
  }

  it('does not exist: the failure names the program', async () => {
    const outcome = await over(['/nowhere/such-a-server', '--stdio']).ask(request())
    expect(outcome).toMatchObject({ ok: false, type: 'network', cause: 'unavailable' })
    expect(outcome).toMatchObject({ message: expect.stringContaining('/nowhere/such-a-server') })
  })

  it('crashes as it starts: its last words reach the user, without secrets', async () => {
    const program = await open({ crashAtStart: `no licence for key ${PLANTED_SECRET}` })
    const mind = over(program.command)
    const message = 'the server ended as it started (exit code 3): no licence for key [secret]'
    expect(await mind.ask(request())).toMatchObject({ type: 'network', cause: 'unavailable', message })
    const found = await mind.available(new AbortController().signal)
    expect(found).toMatchObject({ ready: false, detail: message })
  })

  it('starts too slowly to count as ready within five seconds', async () => {
    const program = await open({ startAfter: 30_000 })
    const found = await over(program.command).available(new AbortController().signal)
    expect(found).toMatchObject({ ready: false, detail: expect.stringContaining('5000 ms') })
  })

  it('starts too slowly for the question: a timeout that names the server as the reason', async () => {
    const program = await open({ startAfter: 30_000 })
    const outcome = await over(program.command, { startMs: 700 }).ask(request())
    expect(outcome).toMatchObject({ ok: false, type: 'timeout', cause: 'unavailable' })
  })

  it('starts slowly, past the first question, and still answers', async () => {
    const program = await open({ startAfter: 2_600 })
    expect(await over(program.command).ask(request())).toMatchObject({ ok: true, text: 'Adopt it.' })
  })

  it.each([
    ['without a word', { older: 'silent' }, 60_000],
    ['with a refusal', { older: 'refuses' }, 60_000],
    ['past the first question, slowly both times', { older: 'silent', startAfter: 6_000 }, 11_000],
  ] as const)(
    'is of the older kind that ends at what it does not know, %s: it is asked in its own way',
    async (_, behaviour, startMs) => {
      const program = await open(behaviour)
      expect(await over(program.command, { startMs }).ask(request())).toMatchObject({
        ok: true,
        text: 'Adopt it.',
      })
      expect(program.starts()).toBe(2)
    },
  )

  it('has no such tool: the failure names those it has', async () => {
    const program = await open({})
    const mind = over(program.command, { tool: 'think' })
    const message = 'the server has no tool think; it has ask, environment'
    expect(await mind.ask(request())).toMatchObject({ type: 'network', cause: 'unavailable', message })
    expect(await mind.available(new AbortController().signal)).toMatchObject({
      ready: false,
      detail: message,
    })
    expect(program.calls()).toEqual([])
  })

  it('needs an argument that no one gives: said before the call', async () => {
    const program = await open({})
    const outcome = await over(program.command, { arguments: { question: '{prompt}' } }).ask(request())
    expect(outcome).toMatchObject({ cause: 'unavailable', message: expect.stringContaining('needs prompt') })
    expect(program.calls()).toEqual([])
  })

  it('writes log lines between the messages: they are ignored', async () => {
    const program = await open({ noisy: true })
    expect(await over(program.command).ask(request())).toMatchObject({ ok: true, text: 'Adopt it.' })
  })

  it('VOX-18 reports its progress for longer than the limit: it is not cut off', async () => {
    const program = await open({ chatty: 100 })
    expect(await over(program.command).ask(request(3_000))).toMatchObject({ ok: true, text: 'Adopt it.' })
  })

  it('VOX-18 reports its progress without end: it is cut at the cap', async () => {
    const program = await open({ chatty: true })
    const message = expect.stringContaining('no whole answer within 10 s')
    expect(await over(program.command).ask(request(2_000))).toMatchObject({ type: 'timeout', message })
  })

  it('is told when the caller gives up', async () => {
    const program = await open({ script: [{ act: 'silence' }] })
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 3_000)
    const outcome = await over(program.command).ask(request(20_000, abort.signal))
    expect(outcome).toMatchObject({ type: 'network', cause: 'aborted' })
    expect(program.cancelled()).toEqual([0])
  })

  it('does not stop when told to, and has a child: both are ended', async () => {
    const program = await open({ stubborn: true })
    expect(await over(program.command).ask(request())).toMatchObject({ ok: true })
    const silent = await open({ stubborn: true, script: [{ act: 'silence' }] })
    expect(await over(silent.command).ask(request(3_000))).toMatchObject({ type: 'timeout' })
  })

  it('gets only the variables that a program needs and those it was given', async () => {
    const program = await open({})
    const environment = { ...process.env, OTHER_VENDOR_KEY: PLANTED_SECRET, GATEWAY_TOKEN: 'for-the-gateway' }
    const server = { command: program.command, env: { REGION: 'eu' }, pass: ['GATEWAY_TOKEN'] }
    const outcome = await over([], { server, environment, tool: 'environment', reply: {} }).ask(request())
    const given: Record<string, string> = JSON.parse(outcome.ok ? outcome.text : '{}')
    expect(given).toMatchObject({ PATH: process.env.PATH, REGION: 'eu', GATEWAY_TOKEN: 'for-the-gateway' })
    expect(JSON.stringify(given)).not.toContain(PLANTED_SECRET)
  })
})
