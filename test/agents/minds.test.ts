// A session whose planner, executor and critic are models behind a loopback server: blocks, failures and challenges are
// told to them, they go another way, and what they claim in the end is proven.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { witan } from '../doors/command.ts'
import { type Asked, type Minds, serveMinds } from '../fakes/minds.ts'
import { type AgentsHome, agentsHome, eventsOf, saidIn } from '../support/agents-home.ts'
import { type CutOffSessions, cutOffSessions } from '../support/cut-off-sessions.ts'

let home: AgentsHome
let minds: Minds
let ports: CutOffSessions

const plan = (objective: string, ...required_tools: string[]) => ({
  objective,
  assumptions: [],
  required_tools,
  expected_evidence: ['texts'],
})
const intent = (tool: string, input: object) => ({ intent: { tool, input, justification: 'it is next' } })
const claims = (artifact: string | undefined, quote: string) => ({
  claims: [{ text: 'beta is under the Apache licence', confidence: 'high', evidence: [{ artifact, quote }] }],
})
const last = ({ artifacts }: Asked): string | undefined => artifacts.at(-1)

const EXECUTOR = [
  intent('files.read', { path: 'alpha/LICENSE' }),
  intent('files.write', { path: 'alpha/LICENSE', content: 'mine' }),
  intent('files.write', { path: 'note.txt', content: 'alpha: MIT' }),
  intent('files.read', { path: 'beta/COPYING' }),
  { replan: { reason: 'there is no COPYING', proposal: plan('Read LICENSE of beta', 'files.read') } },
  intent('files.read', { path: 'beta/LICENSE' }),
  (asked: Asked) => claims(last(asked), 'GNU General Public License'),
  (asked: Asked) => claims(last(asked), 'Apache License'),
]

beforeAll(async () => {
  home = await agentsHome()
  minds = await serveMinds({
    planner: [{ proposals: [plan('Read both licences', 'files.read', 'files.write')] }],
    executor: EXECUTOR,
    critic: [
      ({ words }) =>
        words.includes('"content":"mine"')
          ? { verdict: 'reject', reasons: ['it overwrites a licence'] }
          : { verdict: 'approve', reasons: [] },
    ],
  })
  await minds.settings(home.home)
  ports = await cutOffSessions(home)
})
afterAll(async () => {
  await ports.close()
  await minds.close()
})

describe('a session of models', () => {
  it('AGT-X-1 AGT-PROP-3 AGT-TOOL-4 AGT-CLAIM-2 revises what is blocked, replans what fails, mends what is challenged', async () => {
    const trace = await ports.open({
      roles: { planner: 'ollama', executor: 'ollama', critic: ['policy', 'ollama'] },
      tools: ['files.read', 'files.write'],
    })
    const { log } = await ports.work(trace)
    const state = log.state.inner
    expect(state.phase).toBe('completed')
    const events = await eventsOf(home, trace)
    expect(saidIn(events, 'intent_blocked')).toMatchObject([
      { intent: 'p1-i2', seat: 'ollama', reason: 'it overwrites a licence', via: 'mind' },
    ])
    expect(saidIn(events, 'tool_intent_signed')[2]).toMatchObject({ intent: 'p1-i3', revises: 'p1-i2' })
    expect(existsSync(join(home.folder, 'note.txt'))).toBe(true)
    expect(saidIn(events, 'tool_execution_failed')).toMatchObject([
      { intent: 'p1-i4', error_type: 'not_found' },
    ])
    expect(saidIn(events, 'proposal_closed')).toMatchObject([
      { proposal: 'p1', outcome: 'replanned' },
      { proposal: 'p2', outcome: 'succeeded' },
    ])
    expect(saidIn(events, 'claim_challenged')).toMatchObject([{ ground: 'contradicted', seat: 'policy' }])
    const [first, second] = saidIn(events, 'claim_issued')
    expect(second?.revises).toBe(first?.claim)
    expect(state.statement?.claims).toEqual([second?.claim])
    const told = minds.asked.filter(({ part }) => part === 'executor').map(({ words }) => words)
    expect(told[2]).toContain('it overwrites a licence')
    expect(told[4]).toContain('there is no such file')
    expect((await witan(home, 'verify', trace, '--json')).json.status).toBe('pass')
    expect((await witan(home, 'replay', trace, '--json')).code).toBe(0)
  })
})
