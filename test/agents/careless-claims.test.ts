// A model that claims what it cannot: an artifact that there is not, a quote that is not verbatim. Over the wire, through
// the built command, as a person at the screen sees it.

import { afterEach, describe, expect, it } from 'vitest'
import { type Ran, witan } from '../doors/command.ts'
import { type Asked, type MindScripts, serveMinds } from '../fakes/minds.ts'
import { agentsHome, eventsOf, latestSession, saidIn, writeTask } from '../support/agents-home.ts'

const PLAN = { objective: 'Read it', assumptions: [], required_tools: ['files.read'], expected_evidence: [] }
const READ = { intent: { tool: 'files.read', input: { path: 'beta/LICENSE' }, justification: 'it is next' } }
const claims = (artifact: string | undefined, quote: string) => ({
  claims: [{ text: 'beta is under the Apache licence', confidence: 'high', evidence: [{ artifact, quote }] }],
})
const last = ({ artifacts }: Asked): string | undefined => artifacts.at(-1)

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function run(executor: NonNullable<MindScripts['executor']>) {
  const minds = await serveMinds({ planner: [{ proposals: [PLAN] }], executor })
  closing.push(() => minds.close())
  const home = await agentsHome()
  await minds.settings(home.home)
  const task = await writeTask(home, {
    roles: { planner: 'ollama', executor: 'ollama', critic: ['policy'] },
    tools: ['files.read'],
  })
  const ran: Ran = await witan(home, 'agents', 'run', task, '--yes')
  const trace = await latestSession(home)
  const events = await eventsOf(home, trace)
  const verified = await witan(home, 'verify', trace)
  const attempts = events.reduce(
    (sum, { payload }) => sum + ((payload?.attempts as unknown[]) ?? []).length,
    0,
  )
  expect(attempts).toBe(minds.asked.length)
  expect(verified.code, verified.stdout).toBe(0)
  return { ran, events, asked: minds.asked.filter(({ part }) => part === 'executor') }
}

describe('a careless claim', () => {
  it('VOX-15 VOX-16 of an artifact that there is not costs one further call, is told, and the session goes on', async () => {
    const { ran, events, asked } = await run([READ, claims('a'.repeat(64), 'Apache License')])
    expect(asked).toHaveLength(3)
    expect(asked[2]?.words).toContain('there are no others')
    expect(saidIn(events, 'proposal_closed')).toMatchObject([{ outcome: 'failed' }])
    expect(saidIn(events, 'verification_run_completed')).toMatchObject([{ status: 'pass' }])
    expect(ran.stderr).toMatch(/asked again on p1: it names an artifact that there is\s+not/)
    expect(ran.stderr).toMatch(/did not answer on p1: the answer lacks/)
  }, 120_000)

  it('VOX-15 AGT-CLAIM-2 with a quote that is not verbatim is mended from the nearest passage', async () => {
    const quoted = ({ words, artifacts }: Asked) => {
      const shown =
        /bytes \d+ to \d+ of \d+">\n(Apache License)\n<\/data-[0-9a-f]+>\n\nQuotes of this claim/.exec(words)
      return claims(artifacts.at(-1), shown?.[1] ?? 'it was not shown')
    }
    const near = (asked: Asked) => claims(last(asked), 'apache  licence')
    const { ran, events, asked } = await run([READ, near, quoted])
    expect(asked).toHaveLength(3)
    expect(saidIn(events, 'final_statement_signed')).toMatchObject([{ claims: ['p1-c1-r1'] }])
    expect(ran.code).toBe(0)
  }, 120_000)
})
