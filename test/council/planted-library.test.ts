// Secrets in what a program hands to the library, and in plans that people wrote: taken out of everything that is sent
// and of everything that is kept.

import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AskableSeat } from '../../src/clerk/seat.ts'
import { agents } from '../../src/doors/library/agents.ts'
import { council, inHome, roundExecutor } from '../../src/doors/library/council.ts'
import { exchange } from '../../src/doors/library/exchange.ts'
import { openBuiltInEmbedder } from '../../src/embeddings/embedded.ts'
import { directory, witan } from '../doors/command.ts'
import { WordCountEmbedder } from '../fakes/embeddings-sense.ts'
import { PLANTED } from '../fakes/planted.ts'
import { agentsHome, READING, runTask, traceOf, writeFiles } from '../support/agents-home.ts'
import { leaksIn, TEXT } from '../support/leaks.ts'
import { everythingIn } from './table.ts'

const secret = (at: number): string => PLANTED[at]?.[1] ?? ''
/** Of a kind that no file is refused for. */
const WRITTEN = `The ${'pass'}word is Gr4nite-Otter, tell nobody.`
const MARKER = '[secret removed: '

let sent: string[]
let home: string
beforeEach(async () => {
  sent = []
  home = join(await directory(), 'home')
})

/** A seat that hears everything, and answers nothing that can be read. */
const listener = (provider: string, text = 'hm\n---\nRivers bend.'): AskableSeat => ({
  provider,
  ask: async ({ system, parts }) => {
    sent.push(JSON.stringify([system, parts]))
    const outcome = {
      ...{ ok: true as const, text, object: null, usage: { inputTokens: 1, outputTokens: 1 }, cost: null },
      ...{ latencyMs: 1, transport: 'api' as const, model: 'own', repaired: false },
    }
    return { outcome, attempts: [], failure: null }
  },
})

async function leaks(...more: readonly string[]): Promise<readonly string[]> {
  return leaksIn([...sent, ...more, await everythingIn(home)].join('\n'))
}

describe('secrets that a program hands over', () => {
  it('COU-C-2 leave with no question, constraint, focus, file or diff of a council, and are kept nowhere', async () => {
    const storage = await inHome(home)
    const given = {
      question: `Is ${secret(0)} safe?`,
      constraints: [`keep ${secret(1)}`],
      focus: [`on ${secret(2)}`],
      files: [{ path: 'notes.md', text: TEXT }],
      diff: `--- a/x\n+++ b/x\n@@ -1 +1 @@\n+${secret(3)}\n`,
    }
    const seats = ['a', 'b'].map((name) => ({ seat: listener(name) }))
    await council({ ...given, seats, storage }).result
    await storage.close()
    await roundExecutor({ seats })
      .executeR1(given)
      .catch(() => undefined)
    expect(sent.length).toBeGreaterThan(3)
    expect(sent.every((one) => one.includes(MARKER))).toBe(true)
    expect(await leaks()).toEqual([])
  })

  it('COU-C-2 leave with no terms, injected words or reasons of an exchange, and are kept nowhere', async () => {
    const storage = await inHome(home)
    const embedder = new WordCountEmbedder(openBuiltInEmbedder().encoder)
    const terms = {
      pool: { prompt: `Think. ${WRITTEN} ${secret(4)}`, minds: ['a', 'b'] },
      auditor: { spec: `Sum up ${secret(5)}.`, mind: 'a', every: 9 },
      observer: { name: 'ana', role: `I know ${secret(6)}.` },
    }
    const minds = { a: listener('a'), b: listener('b') }
    const first = exchange({ terms, minds, rounds: 1, embedder, storage })
    const { trace } = await first.result
    const observer = await first.observer
    await observer.inject(`Look at ${secret(7)}.`)
    await exchange({ trace, minds, rounds: 2, embedder, storage }).result
    await observer.halt(`since ${secret(8)}`)
    expect(observer.removed).toBe(2)
    await storage.close()
    expect(sent.some((one) => one.includes(MARKER))).toBe(true)
    expect(await leaks()).toEqual([])
  })

  it('COU-C-2 leave with no objective, constraint, plan or claim of a session, and are kept nowhere', async () => {
    const storage = await inHome(home)
    const { cwd } = await agentsHome()
    const plan = {
      objective: `Read it. ${secret(0)}`,
      assumptions: [`it holds ${secret(1)}`],
      expected_evidence: [`the line ${secret(2)}`],
      steps: [{ id: 'a', tool: 'files.list', input: { path: '.' }, justification: `for ${secret(3)}` }],
      claims: [
        {
          text: `It is ${secret(4)}`,
          confidence: 'high' as const,
          evidence: [{ step: 'a', quote: secret(5) }],
        },
      ],
    }
    const task = { objective: `State it. ${WRITTEN}`, constraints: [`not ${secret(6)}`], proposals: [plan] }
    const critic = listener('a', '{}')
    const roles = { critic: ['policy', 'a'] }
    const run = agents({
      ...{ task: { ...task, roles }, workspace: cwd, minds: { a: critic }, consent: true, storage },
    })
    await run.result
    await storage.close()
    expect(sent.some((one) => one.includes(MARKER))).toBe(true)
    expect(await leaks()).toEqual([])
  })
})

describe('secrets that people write into plans', () => {
  it('COU-C-2 come out of no written proposal, nor of one by hand', async () => {
    const own = await agentsHome()
    home = own.home
    await writeFiles(own.home, { 'config.yaml': 'agents: {approvals_without_terminal: true}\n' })
    const [proposal] = READING.proposals
    const spoken = {
      ...proposal,
      objective: `Read it. ${WRITTEN}`,
      assumptions: [WRITTEN],
      expected_evidence: [WRITTEN],
      claims: proposal?.claims?.map((claim) => ({ ...claim, text: `It is so. ${WRITTEN}` })),
    }
    await witan(own, 'keys', 'add', 'ana', '--role', 'critic')
    const roles = { critic: ['policy', 'human'] }
    const ran = await runTask(own, { ...READING, roles, proposals: [spoken] })
    expect([ran.code, ran.stderr]).toEqual([8, expect.stringContaining('taken out of your words')])
    const trace = traceOf(ran)
    await witan(own, 'agents', 'block', trace, 'p1', '--by', 'ana', '--reason', 'not so')
    await witan(own, 'resume', trace)
    await writeFiles(own.cwd, { 'proposal.yaml': JSON.stringify(spoken) })
    const proposed = await witan(own, 'agents', 'propose', trace, 'proposal.yaml')
    expect([proposed.code, proposed.stderr]).toEqual([0, expect.stringContaining('taken out of your words')])
    const aborted = await witan(own, 'abort', trace, '--reason', `since ${secret(7)}`)
    const erased = await witan(own, 'redact', trace, '1', '--reason', `as ${secret(8)}`)
    const revoked = await witan(own, 'keys', 'revoke', 'ana', '--reason', `it was ${secret(9)}`)
    const shown = await witan(own, 'show', trace)
    expect(shown.stdout).toContain(MARKER)
    await writeFiles(own.cwd, { 'proposal.yaml': '' })
    const out = [ran, proposed, aborted, erased, revoked, shown].map(({ stdout, stderr }) => stdout + stderr)
    expect(await leaks(...out)).toEqual([])
  }, 90_000)
})
