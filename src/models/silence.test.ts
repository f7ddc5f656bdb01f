// A limit is on silence: who sends anything at all is heard, up to a cap; who sends nothing is cut.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Drip, type DrippingServer, startDrippingServer } from '../../test/support/dripping-server.ts'
import { apiModel } from './api/api.ts'
import { claudeModel } from './cli/claude.ts'
import { startDeadline } from './deadline.ts'
import type { Request } from './model.ts'

const LIMIT_MS = 800
const EVERY_MS = 50
/** Two limits and a half. */
const LONG = Math.ceil((LIMIT_MS * 2.5) / EVERY_MS)

const request = (timeoutMs: number): Request => ({
  system: '',
  parts: [{ name: 'question', text: 'Shall we?', quotes: null, template: null }],
  schema: null,
  limits: { timeoutMs, maxOutputTokens: null, maxReplyBytes: 1 << 20 },
  signal: new AbortController().signal,
})

const cleaners: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleaners.splice(0)) await clean()
})

async function serving(drip: Drip | 'silent'): Promise<DrippingServer> {
  const server = await startDrippingServer(() => ({ drip, text: 'Adopt it.' }))
  cleaners.push(server.dispose)
  return server
}

const mindAt = (baseUrl: string) =>
  apiModel({ kind: 'openai-compatible', name: 'slow', model: 'fake-1', baseUrl, apiKey: async () => null })

describe('a deadline', () => {
  it('VOX-18 moves with each sign of life, and ends after silence', async () => {
    const deadline = startDeadline(300, new AbortController().signal)
    for (let i = 0; i < 6; i++) {
      await pause(40)
      deadline.noteActivity()
    }
    expect(deadline.ended).toBeNull()
    await new Promise((resolve) => deadline.signal.addEventListener('abort', resolve, { once: true }))
    expect(deadline.ended).toBe('silence')
    deadline.close()
  })

  it('VOX-18 has a cap that never moves', async () => {
    const deadline = startDeadline(200, new AbortController().signal)
    const talking = setInterval(deadline.noteActivity, 5)
    await new Promise((resolve) => deadline.signal.addEventListener('abort', resolve, { once: true }))
    clearInterval(talking)
    expect(deadline.ended).toBe('cap')
    deadline.close()
  })
})

describe('a model behind an API', () => {
  // The first asking also loads what speaks to the API, which takes of its time.
  beforeAll(async () => {
    const server = await startDrippingServer(() => ({
      drip: { times: 0, everyMs: 1, as: 'pings' },
      text: 'Yes.',
    }))
    await mindAt(server.url).ask(request(60_000))
    await server.dispose()
  })

  it.each(['pings', 'reasoning', 'words'] as const)(
    'VOX-18 that streams %s for long is not cut off',
    async (as) => {
      const server = await serving({ times: LONG, everyMs: EVERY_MS, as })
      const outcome = await mindAt(server.url).ask(request(LIMIT_MS))
      expect(outcome).toMatchObject({ ok: true, text: expect.stringContaining('Adopt it.') })
      expect(server.asked).toBe(1)
    },
  )

  it('VOX-18 that begins and then is silent is cut, saying so', async () => {
    const server = await serving('silent')
    const outcome = await mindAt(server.url).ask(request(300))
    expect(outcome).toMatchObject({ ok: false, type: 'timeout', message: 'nothing came for 300 ms' })
  })

  it('VOX-18 that never ends is cut at the cap', async () => {
    const server = await serving({ times: null, everyMs: 20, as: 'pings' })
    const message = 'no whole answer within 2.5 s, 5 times the limit on silence'
    expect(await mindAt(server.url).ask(request(500))).toMatchObject({ ok: false, type: 'timeout', message })
  })
})

describe("a vendor's command", () => {
  const script = (body: string) => `#!${process.execPath}
    if (process.argv.includes('--version')) { console.log('1.0.0 (Claude Code)'); process.exit(0) }
    process.stdin.resume(); process.stdin.on('end', async () => { ${body} })`

  async function command(body: string) {
    const folder = await mkdtemp(join(tmpdir(), 'witan-slow-'))
    cleaners.push(() => rm(folder, { recursive: true, force: true }))
    const program = join(folder, 'claude')
    await writeFile(program, script(body))
    await chmod(program, 0o755)
    return claudeModel({ name: 'claude', model: null, program })
  }

  const SAID = JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'Adopt it.' })

  it('VOX-18 that writes to either pipe now and then is not cut off', async () => {
    const mind = await command(`
      for (let i = 0; i < 25; i++) { console.error('thinking'); await new Promise((done) => setTimeout(done, 100)) }
      console.log(${JSON.stringify(SAID)})`)
    expect(await mind.ask(request(1_500))).toMatchObject({ ok: true, text: 'Adopt it.' })
  })

  it('VOX-18 that writes nothing is cut', async () => {
    const mind = await command('setInterval(() => {}, 1000)')
    const message = 'nothing came for 1.5 s'
    expect(await mind.ask(request(1_500))).toMatchObject({ ok: false, type: 'timeout', message })
  })
})
