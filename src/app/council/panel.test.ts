// Saved panels: what is kept under a name is what sits, within its limits, and no cloned file can keep one.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { directory, newHome, witan } from '../../../test/doors/command.ts'
import { type CouncilServer, playCouncil } from '../../../test/fakes/council.ts'
import { seatsAt } from '../../../test/support/mcp-host.ts'
import type { Settings } from '../config/config.ts'
import { panelOf } from './seating.ts'

const settings = (panels: Settings['panels']): Settings => ({
  files: [],
  council: { budget: { cost: 5, minutes: 10 }, timeouts: { r3_chair: 9_000 } },
  panels: panels ?? {},
  mcpServers: {},
  chosen: true,
})

describe('APP-6 a saved panel', () => {
  it('names seats, as often as they sit, a chair and limits over those of the council', () => {
    const kept = {
      seats: [
        { seat: 'claude', stance: ' Doubt it. ', temperature: 0.2 },
        { seat: 'local:llama', count: 3 },
      ],
      chair: 'claude',
      budget: { cost: 0.2 },
      timeout: 30_000,
    }
    const { wish, settings: limited } = panelOf('fast', settings({ fast: kept }))
    expect(wish.seats).toEqual(['claude', 'local:llama', 'local:llama', 'local:llama'])
    expect(wish.manners).toEqual([{ stance: 'Doubt it.', tuning: { temperature: 0.2 } }, {}, {}, {}])
    expect(wish.chair).toBe('claude')
    expect(limited.council.budget).toEqual({ cost: 0.2, minutes: 10 })
    expect(limited.council.timeouts).toEqual({ r3_chair: 9_000, each: 30_000 })
  })

  it('is refused under an unknown name, with the names that exist', () => {
    expect(() => panelOf('fats', settings({ fast: { seats: [{ seat: 'claude' }] } }))).toThrow(
      expect.objectContaining({ code: 'USAGE', next: 'Did you mean fast? There are: fast.' }),
    )
  })
})

describe('APP-6 --panel', () => {
  let server: CouncilServer
  beforeAll(async () => {
    server = await playCouncil({ a: {}, b: {}, c: {} })
  })
  afterAll(() => server.close())

  it('holds a council with the seats and the chair of the panel', { timeout: 60_000 }, async () => {
    const where = await newHome()
    const panels = 'panels: {pair: {seats: [b, c], chair: c, budget: {cost: 1}}}\n'
    await writeFile(join(where.home, 'config.yaml'), `${seatsAt(server.url, 'a', 'b', 'c')}${panels}`)
    const { code, json } = await witan(where, 'ask', 'Shall we?', '--panel', 'pair', '--json')
    expect(code).toBe(0)
    const { report } = json as { report: { chair: string; participants: { seat: string }[] } }
    expect(report.participants.map(({ seat }) => seat)).toEqual(['b', 'c'])
    expect(report.chair).toBe('c')
  })

  const STANCE = 'Look for what could fail.'
  const mixed = {
    seats: [{ seat: 'a', stance: STANCE, temperature: 0.2 }, { seat: 'b', thinking: 'high' }, 'c'],
    chair: 'b',
  }
  const keep = async (where: { home: string }, panels: object) => {
    const seats = seatsAt(server.url, 'a', 'b', 'c')
    await writeFile(join(where.home, 'config.yaml'), `${seats}panels: ${JSON.stringify(panels)}\n`)
  }

  it('APP-6 asks each seat with the stance, temperature and thinking of the panel, on record and verified', {
    timeout: 120_000,
  }, async () => {
    const where = await newHome()
    await keep(where, { mixed })
    const before = server.heard.length
    const { code, json } = await witan(where, 'ask', 'Shall we?', '--panel', 'mixed', '--json')
    expect(code).toBe(0)
    const { trace } = json as { trace: string }
    const asked = server.heard.slice(before).map(({ model, round, body }) => {
      const { messages, temperature, reasoning_effort } = body as {
        messages: { role: string; content: string }[]
        temperature?: number
        reasoning_effort?: string
      }
      const isTold = JSON.stringify(messages[0]).includes(STANCE)
      return [`${round} ${model}`, isTold, temperature ?? null, reasoning_effort ?? null]
    })
    expect(asked.sort()).toEqual([
      ['R1 a', true, 0.2, null],
      ['R1 b', false, null, 'high'],
      ['R1 c', false, null, null],
      ['R2 a', true, 0.2, null],
      ['R2 b', false, null, 'high'],
      ['R2 c', false, null, null],
      ['R3 b', false, null, 'high'],
    ])
    const shown = await witan(where, 'show', trace, '--json')
    expect(shown.stdout).toContain(`"stance":"${STANCE}"`)
    expect((await witan(where, 'verify', trace)).code).toBe(0)
    const full = await witan(where, 'report', trace, '--full')
    expect(full.stdout).toMatch(/a\s+temperature 0\.2 · role: Look for what could fail\./)
    // Another chair for the same table: who stays keeps the part that it had.
    const forked = await witan(where, 'fork', trace, '--after', 'R1', '--chair', 'c', '--json')
    expect(forked.code).toBe(0)
    const reviews = server.heard.slice(before + 7).filter(({ round }) => round === 'R2')
    expect(reviews.filter(({ body }) => JSON.stringify(body).includes(STANCE))).toHaveLength(1)
  })

  it('APP-6 is refused before anything is recorded if a model cannot be asked in this way', {
    timeout: 60_000,
  }, async () => {
    const where = await newHome()
    const seats = [{ seat: 'claude:claude-opus-5-5', temperature: 0.2 }, { seat: 'a' }]
    await keep(where, { cold: { seats } })
    const env = { ANTHROPIC_API_KEY: 'sk-ant-planted', PATH: '/nonexistent' }
    const { code, stderr } = await witan({ ...where, env }, 'ask', 'Shall we?', '--panel', 'cold')
    expect(code).toBe(2)
    expect(stderr).toContain('claude-opus-5-5 takes no temperature')
    expect((await witan(where, 'list', '--json')).stdout).not.toContain('council')
  })

  it('VOX-10 is listed by the doctor, with the settings of each seat and why a panel cannot be used', {
    timeout: 60_000,
  }, async () => {
    const where = await newHome()
    const cold = { seats: [{ seat: 'claude:claude-opus-5-5', temperature: 0.2 }, { seat: 'a' }] }
    await keep(where, { mixed, cold })
    const env = { ANTHROPIC_API_KEY: 'sk-ant-planted', PATH: '/nonexistent', OLLAMA_HOST: '127.0.0.1:9' }
    const { code, stdout } = await witan({ ...where, env }, 'doctor')
    expect(code).toBe(0)
    expect(stdout).toContain('  mixed\n    a · temperature 0.2 · role: Look for what could fail.')
    expect(stdout).toMatch(/ {2}cold {2}cannot be held now\n/)
    expect(stdout).toMatch(/takes no\s+temperature/)
  })

  it.each([
    ['{seats: [{stance: Doubt it.}]}', 'panels.x.seats[0] needs seat'],
    [
      '{seats: [{seat: claude, temperature: 3}]}',
      'panels.x.seats[0].temperature must be a number from 0 to 2, not 3',
    ],
    ['{seats: [{seat: claude, thinking: hard}]}', "panels.x.seats[0].thinking cannot be 'hard'"],
    ['{seats: [{seat: claude, count: 0}]}', 'panels.x.seats[0].count must be a whole number'],
    ['{seats: [{seat: claude, role: chair}]}', "unknown key 'role'"],
  ])(
    'APP-6 is refused with its place if it is written wrongly: %s',
    { timeout: 60_000 },
    async (panel, words) => {
      const where = await newHome()
      await writeFile(join(where.home, 'config.yaml'), `panels: {x: ${panel}}\n`)
      const { code, stderr } = await witan(where, 'ask', 'Shall we?', '--panel', 'x')
      expect(code).toBe(2)
      expect(stderr).toContain(words)
    },
  )

  it('does not count in a file that came with a clone', { timeout: 60_000 }, async () => {
    const where = await newHome()
    const clone = join(await directory(), 'clone')
    await mkdir(clone)
    await writeFile(join(clone, 'witan.yaml'), 'panels: {pair: {seats: [claude, openai]}}\n')
    const { code, stderr } = await witan({ ...where, cwd: clone }, 'ask', 'Shall we?', '--panel', 'pair')
    expect(code).toBe(2)
    expect(stderr).toContain("there is no panel 'pair'")
  })
})
