// Whole runs of the command with models of three vendors, each asked on its own wire, which refuses what its vendor
// documents as refused: a council, a session of agents with each vendor in each role, and an exchange.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { witan } from './doors/command.ts'
import { serveVendors, type VendorModels } from './fakes/vendor-models.ts'
import { type AgentsHome, agentsHome, runTrusted } from './support/agents-home.ts'

let home: AgentsHome
let models: VendorModels
beforeAll(async () => {
  models = await serveVendors()
  home = { ...(await agentsHome()), env: models.env }
  await writeFile(join(home.home, 'config.yaml'), models.providers)
})
afterAll(() => models.close())

const since = (at: number): readonly string[] => models.asked.slice(at)

describe('VOX-17 models of three vendors, each on its own wire', () => {
  it('hold a council, and each is asked once a round', async () => {
    const at = models.asked.length
    const { code, json, stderr } = await witan(home, 'ask', 'Shall we drink tea?', '--json')
    expect([code, stderr]).toEqual([0, ''])
    expect(json).toMatchObject({ status: 'reported', report: { decision: 'adopt' } })
    const calls = since(at)
    for (const vendor of ['claude', 'openai', 'gemini']) {
      expect(calls.filter((call) => call === `${vendor} participant`)).toHaveLength(1)
    }
    expect(calls.filter((call) => call.endsWith('chair'))).toEqual(['claude chair'])
    expect((await witan(home, 'verify', String(json.trace), '--json')).json).toMatchObject({ status: 'pass' })
  })

  it.each([
    ['claude', 'openai', 'gemini'],
    ['openai', 'gemini', 'claude'],
    ['gemini', 'claude', 'openai'],
  ])('%s plans, %s acts and %s judges', async (planner, executor, critic) => {
    const at = models.asked.length
    const task = { roles: { planner, executor, critic: ['policy', critic] }, tools: ['files.read'] }
    const { code, json, stderr } = await runTrusted(home, task)
    expect(code, JSON.stringify([json, stderr])).toBe(0)
    expect(json).toMatchObject({ status: 'completed' })
    expect(new Set(since(at))).toEqual(
      new Set([`${planner} planner`, `${executor} executor`, `${critic} critic`]),
    )
  })

  it('speak in an exchange, and one of them audits it', async () => {
    const at = models.asked.length
    const terms = {
      pool: { prompt: 'Speak of tea.', minds: ['claude', 'openai', 'gemini'], sample: 3, seed: 7 },
      auditor: { spec: 'Say what they speak of.', mind: 'openai', every: 3, sample: 10 },
      observer: { name: 'tester', role: 'I read.' },
    }
    const file = join(home.folder, 'terms.yaml')
    await writeFile(file, JSON.stringify(terms))
    await witan(home, 'trust', file)
    const { code, stderr } = await witan(home, 'exchange', 'run', '--terms', file, '--rounds', '6', '--json')
    expect(code, stderr).toBe(0)
    const calls = new Set(since(at))
    for (const call of ['claude member', 'openai member', 'gemini member', 'openai auditor'])
      expect(calls).toContain(call)
  })
})
