// Seats that cannot be asked: left out with the reason on record, or refused before anything is recorded.

import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type Machine, machines } from './table.ts'

const machine = machines()
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A vendor's API that has no model but one. */
async function vendorWithout(known: string): Promise<string> {
  const server = createServer((request, response) => {
    const has = request.url?.endsWith(`/models/${known}`) === true
    response.writeHead(has ? 200 : 404, { 'content-type': 'application/json' })
    response.end(
      has
        ? '{"id":"x"}'
        : JSON.stringify({ type: 'error', error: { type: 'not_found_error', message: 'model: x' } }),
    )
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

const ALONE = {
  SOME_KEY: 'k-1',
  PATH: '/usr/bin:/bin',
  ANTHROPIC_API_KEY: '',
  OPENAI_API_KEY: '',
  GEMINI_API_KEY: '',
}

async function withSeats(lines: readonly string[], models = ['a', 'b']): Promise<Machine> {
  const here = await machine(Object.fromEntries(models.map((name) => [name, {}])), { env: ALONE })
  const own = models.map((name) => `    - {name: ${name}, model: ${name}, base_url: "${here.server.url}/v1"}`)
  await writeFile(
    join(here.home, 'config.yaml'),
    `council:\n  providers:\n${[...lines, ...own].join('\n')}\n`,
    {
      mode: 0o600,
    },
  )
  return here
}

async function opening(here: Machine, trace: string): Promise<Record<string, unknown>> {
  const { json } = await here.run('show', trace, '0', '--json')
  return (json as { event: { payload: Record<string, unknown> } }).event?.payload ?? (json.payload as never)
}

describe('a seat that cannot be asked', () => {
  it('VOX-10 for want of a key is left out, with the reason on record, and someone else chairs', async () => {
    const here = await withSeats(['    - {name: claude, role: [participant, chair], transport: api}'])
    const ran = await here.run('ask', 'Shall we?', '--json')
    expect(ran).toMatchObject({ code: 0, json: { status: 'reported' } })
    const opened = await opening(here, String(ran.json.trace))
    expect(opened.left_out).toMatchObject([
      { seat: 'claude', provider: 'claude', reason: expect.stringContaining('ANTHROPIC_API_KEY is not set') },
    ])
    expect((opened.seats as readonly { seat: string }[]).map(({ seat }) => seat)).toEqual(['a', 'b'])
    expect(opened.chairs).toEqual(['a'])
    expect((await here.run('verify', String(ran.json.trace))).code).toBe(0)
    const shown = await here.run('ask', 'Shall we?', '--preview')
    expect(shown.stdout).toContain('claude is left out: ANTHROPIC_API_KEY is not set')
    expect(shown.stdout).toContain('the whole run: 5 calls')
  })

  it('VOX-10 is told with the others that lack the same, once', async () => {
    const vendor =
      'api: anthropic, transport: api, base_url: "http://127.0.0.1:9/v1", api_key_env: ANTHROPIC_API_KEY'
    const here = await withSeats(
      ['claude', 'opus'].map((name) => `    - {name: ${name}, model: m, ${vendor}}`),
    )
    const own = await here.run('ask', 'Shall we?')
    expect(own.code, own.stderr).toBe(0)
    expect(own.stderr.match(/ANTHROPIC_API_KEY is not set/g)).toHaveLength(1)
    expect(own.stderr.replaceAll(/\s+/g, ' ')).toContain('claude and opus were left out:')
  })

  it('VOX-10 whose model the vendor does not have is left out; one that it has is asked', async () => {
    const url = await vendorWithout('good')
    const seat = (name: string, model: string) =>
      `    - {name: ${name}, model: ${model}, api: anthropic, base_url: "${url}", api_key_env: SOME_KEY, transport: api}`
    const here = await withSeats([seat('x', 'bad'), seat('y', 'good')])
    const { json } = await here.run('ask', 'Shall we?', '--preview', '--json')
    const { seats_left_out, seats } = json as {
      seats_left_out: readonly { seat: string; reason: string }[]
      seats: readonly { seat: string }[]
    }
    expect(seats_left_out).toMatchObject([{ seat: 'x', reason: expect.stringContaining('no model bad') }])
    expect(seats.map(({ seat: name }) => name)).toEqual(['y', 'a', 'b'])
  })

  it('VOX-10 is refused before anything is recorded where it was named, or too few are left', async () => {
    const here = await withSeats([])
    const named = await here.run('ask', 'Shall we?', '--seats', 'claude')
    expect(named.code).toBe(2)
    expect(named.stderr.replaceAll(/\s+/g, ' ')).toContain('claude, claude-2 and claude-3 cannot be asked')
    expect(named.stderr.match(/ANTHROPIC_API_KEY is not set/g)).toHaveLength(1)
    const few = await withSeats(
      ['    - {name: claude, transport: api}', '    - {name: gemini, transport: api}'],
      ['a'],
    )
    const refused = await few.run('ask', 'Shall we?')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('a council needs 2 participants, and 1 can be asked')
    for (const { run } of [here, few])
      expect((await run('list', '--quiet')).stdout.trim()).not.toMatch(/^01/m)
  })
})
