// Every example is run as its reader would run it, on a copy, and ends as it says.

import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { newHome, type Ran, type Where, witan } from '../doors/command.ts'
import { serveMinds } from '../fakes/minds.ts'
import { addPerson, eventsOf, saidIn, traceOf, typesOf, writeFiles } from '../support/agents-home.ts'
import { namesIn, shape } from '../support/json-shape.ts'
import { projectRoot } from '../support/sources.ts'

let where: Where & { readonly cwd: string }
const EXAMPLES = join(projectRoot, 'examples/agents')
/** So that a server from npm is found as in a project that has it. */
const PATH = `${join(projectRoot, 'node_modules/.bin')}:${process.env.PATH}`

beforeAll(async () => {
  where = await newHome()
  await cp(EXAMPLES, join(where.cwd, 'agents'), { recursive: true })
  await writeFiles(where.home, { 'config.yaml': 'agents: {approvals_without_terminal: true}\n' })
  await addPerson(where)
})

const example = (name: string): string => join(where.cwd, 'agents', name)
const run = (
  name: string,
  env: Readonly<Record<string, string>> = {},
  ...options: readonly string[]
): Promise<Ran> => witan({ ...where, env }, 'agents', 'run', example(name), '--json', ...options)
const proven = ({ json }: Ran): readonly string[] =>
  (json.proven as readonly { readonly text: string }[]).map(({ text }) => text)

async function verified(trace: string): Promise<void> {
  const { code, json } = await witan(where, 'verify', trace, '--json')
  expect([code, json.status]).toEqual([0, 'pass'])
}

describe('the examples of sessions', () => {
  it('AGT-CLAIM-1 AGT-AUD-1 APP-9 licences.yaml proves both licences and passes its audit', async () => {
    const ran = await run('licences.yaml')
    expect(ran.code).toBe(0)
    expect(ran.json.status).toBe('completed')
    expect(shape(ran.json)).toEqual([
      'cost limit phase proposals proven status trace unproven',
      {
        proposals: ['id objective outcome reason status'],
        proven: [
          ['confidence evidence id text', { evidence: [['artifact quote range', { range: [null] }]] }],
        ],
        unproven: [],
      },
    ])
    expect(proven(ran)).toEqual(['alpha is under the MIT licence', 'beta is under the Apache licence'])
    await verified(traceOf(ran))
    const replayed = await witan(where, 'replay', traceOf(ran), '--json')
    expect(replayed.code).toBe(0)
    expect(namesIn(replayed.json)).toBe('decisions digest divergences events next trace')
  })

  it('AGT-TOOL-1 AGT-ACT-1 dangerous.yaml blocks the removal before anything runs', async () => {
    const ran = await run('dangerous.yaml')
    expect(ran.code).toBe(5)
    expect(proven(ran)).toEqual(['alpha is under the MIT licence'])
    expect(ran.json.unproven).toMatchObject([{ text: 'the folder is empty' }])
    const events = await eventsOf(where, traceOf(ran))
    expect(saidIn(events, 'intent_assessed')[1]).toMatchObject({
      decision: 'deny',
      deciding: ['strict#nothing-destructive'],
      policy: (saidIn(events, 'session_initialized') as readonly { policy?: { hash: string } }[])[0]?.policy
        ?.hash,
    })
    expect(saidIn(events, 'tool_execution_started')).toHaveLength(1)
    await verified(traceOf(ran))
  })

  it('AGT-TOOL-4 fallback.yaml records the failure and runs the proposal that was written for it', async () => {
    const ran = await run('fallback.yaml')
    expect(ran.code).toBe(0)
    expect(ran.json.proposals).toMatchObject([
      { id: 'p1', outcome: 'failed' },
      { id: 'p2', outcome: 'succeeded' },
    ])
    expect(proven(ran)).toEqual(['beta is under the Apache licence'])
    await verified(traceOf(ran))
  })

  it('AGT-TOOL-6 mcp-tools.yaml runs a server from npm, once it is trusted and a person agrees', async () => {
    expect((await run('mcp-tools.yaml', { PATH })).code).toBe(2)
    await witan(where, 'trust', example('mcp-tools.yaml'))
    const waiting = await run('mcp-tools.yaml', { PATH })
    expect(waiting.code).toBe(8)
    const trace = traceOf(waiting)
    await witan(where, 'agents', 'approve', trace, '--by', 'ana', '--reason', 'it only reads')
    const ran = await witan({ ...where, env: { PATH } }, 'resume', trace, '--json')
    expect(ran.code).toBe(0)
    expect(proven(ran)).toEqual(['alpha is under the MIT licence'])
    await verified(trace)
  })

  it('AGT-PROP-3 revised.yaml has a rejected proposal revised, and keeps both', async () => {
    const plan = (tool: string) => ({
      objective: 'Read it',
      assumptions: [],
      required_tools: [tool],
      expected_evidence: ['the text'],
    })
    const server = await serveMinds({
      planner: [{ proposals: [plan('shell.run')] }, { proposals: [plan('files.read')] }],
      executor: [
        { intent: { tool: 'files.read', input: { path: 'alpha/LICENSE' }, justification: 'its licence' } },
        ({ artifacts }) => ({
          claims: [
            {
              text: 'alpha is under the MIT licence',
              confidence: 'high',
              evidence: [{ artifact: artifacts.at(-1), quote: 'MIT License' }],
            },
          ],
        }),
      ],
    })
    try {
      await server.settings(where.home)
      const refused = await run('revised.yaml')
      expect([refused.code, server.asked]).toEqual([2, []])
      expect(refused.json).toMatchObject({ error: { next: expect.stringContaining('--yes') } })
      const ran = await run('revised.yaml', {}, '--yes')
      expect(ran.stderr).toBe('')
      expect(ran.code).toBe(0)
      expect(ran.json.proposals).toMatchObject([
        { id: 'p1', status: 'rejected' },
        { id: 'p2', outcome: 'succeeded' },
      ])
      const events = await eventsOf(where, traceOf(ran))
      expect(saidIn(events, 'proposal_created')[1]).toMatchObject({ revises: 'p1' })
      expect(typesOf(events).at(-1)).toBe('verification_run_completed')
      await verified(traceOf(ran))
    } finally {
      await server.close()
    }
  })
})
