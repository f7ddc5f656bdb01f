// A server that we did not write: the public one that shows everything the protocol can do, as a process and over
// HTTP. Its tools are no models, but a mind behind them must not know the difference.

import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { PLANTED_SECRET } from '../../../test/contracts/scenarios.ts'
import { type Child, startScript } from '../../../test/support/children.ts'
import type { Request } from '../model.ts'
import { type McpModelOptions, mcpModel } from './mcp.ts'

const script = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')
/** So that no other run of the same program is taken for ours. */
const mark = randomUUID()
const server = { command: [process.execPath, script, 'stdio', mark] }

const mind = (tool: string, rest: Partial<McpModelOptions> = {}) =>
  mcpModel({ provider: 'everything', model: null, server, tool, arguments: { message: '{prompt}' }, ...rest })

const asking = (text: string, signal = new AbortController().signal): Request => ({
  system: '',
  parts: [{ name: 'question', text, quotes: null, template: null }],
  schema: null,
  limits: { timeoutMs: 20_000, maxOutputTokens: null, maxReplyBytes: 1 << 22 },
  signal,
})

/** Programs of the server that still run, by their command lines. */
async function running(): Promise<string[]> {
  const numbers = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(
    numbers.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return lines.filter((line) => line.includes(mark))
}

describe('the public everything server, as a process', () => {
  it('echoes, and is gone afterwards', async () => {
    const outcome = await mind('echo').ask(asking('Ja – 議会'))
    expect(outcome).toMatchObject({ ok: true, text: 'Echo: Ja – 議会', model: null, cost: null })
    expect(await running()).toEqual([])
  })

  it('echoes a prompt of a megabyte', async () => {
    const outcome = await mind('echo').ask(asking('x'.repeat(1 << 20)))
    expect(outcome.ok && outcome.text.length).toBe('Echo: '.length + (1 << 20))
  })

  it('is ready, and says who it is', async () => {
    const found = await mind('echo').available(new AbortController().signal)
    expect(found).toMatchObject({ ready: true, detail: expect.stringMatching(/everything .+, tool echo/) })
  })

  it('answers with structure, which is read where the mapping says', async () => {
    const weather = mind('get-structured-content', {
      arguments: { location: '{prompt}' },
      reply: { text: 'structured', model: 'structured.conditions', inputTokens: 'json.humidity' },
    })
    const outcome = await weather.ask(asking('Chicago'))
    expect(outcome).toMatchObject({ ok: true, model: expect.stringMatching(/\w/) })
    expect(outcome.usage.inputTokens).toBeGreaterThan(0)
    expect(JSON.parse(outcome.ok ? outcome.text : '{}')).toHaveProperty('temperature')
  })

  it('has no such tool', async () => {
    const outcome = await mind('think').ask(asking('Shall we?'))
    expect(outcome).toMatchObject({ cause: 'unavailable', message: expect.stringContaining('it has echo') })
  })

  it('refuses an argument: its words reach the user', async () => {
    const outcome = await mind('get-structured-content', { arguments: { location: '{prompt}' } }).ask(
      asking('Atlantis'),
    )
    expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining('location') })
  })

  it('sees no secret of ours in its environment', async () => {
    const environment = { ...process.env, ANTHROPIC_API_KEY: PLANTED_SECRET }
    const outcome = await mind('get-env', { environment }).ask(asking('what do you see?'))
    expect(outcome.ok && outcome.text).toContain('PATH')
    expect(JSON.stringify(outcome)).not.toContain(PLANTED_SECRET)
  })

  it('is stopped in the middle of long work', async () => {
    const long = mind('trigger-long-running-operation', {
      arguments: { duration: 60, steps: 600, note: '{prompt}' },
    })
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 2_000)
    expect(await long.ask(asking('go', abort.signal))).toMatchObject({ cause: 'aborted' })
    expect(await running()).toEqual([])
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe('the public everything server, over HTTP', () => {
  let child: Child | undefined
  afterEach(() => child?.kill())

  it('echoes, and its session is ended', async () => {
    const port = await freePort()
    process.env.PORT = String(port)
    child = startScript(script, ['streamableHttp'])
    delete process.env.PORT
    const url = `http://127.0.0.1:${port}/mcp`
    const echo = mind('echo', { server: { url } })
    await expect
      .poll(() => echo.available(new AbortController().signal), { timeout: 10_000 })
      .toMatchObject({ ready: true })
    expect(await echo.ask(asking('Shall we?'))).toMatchObject({ ok: true, text: 'Echo: Shall we?' })
    await child.line(/session termination/i)
  })
})
