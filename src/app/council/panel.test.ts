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
      seats: ['claude', 'local:llama*3'],
      chair: 'claude',
      budget: { cost: 0.2 },
      timeout: 30_000,
    }
    const { wish, settings: limited } = panelOf('fast', settings({ fast: kept }))
    expect(wish.seats).toEqual(['claude', 'local:llama', 'local:llama', 'local:llama'])
    expect(wish.chair).toBe('claude')
    expect(limited.council.budget).toEqual({ cost: 0.2, minutes: 10 })
    expect(limited.council.timeouts).toEqual({ r3_chair: 9_000, each: 30_000 })
  })

  it('is refused under a name that is not kept, with those that are', () => {
    expect(() => panelOf('fats', settings({ fast: { seats: ['claude'] } }))).toThrow(
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
