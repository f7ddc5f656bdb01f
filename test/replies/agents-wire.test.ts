// Every habit of the corpus that a session can meet without work of its own before it, end to end: over a loopback server,
// through the real performer, into a trace that a verifier judges. What the wire carried and what is recorded agree.

import { afterEach, describe, expect, it } from 'vitest'
import { agentsProtocol } from '../../src/agents/agents.ts'
import { wholeBundle } from '../../src/clerk/extract.ts'
import type { AskingFields } from '../../src/ledger/raw-reply.ts'
import type { Protocol } from '../../src/protocol.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { examine } from '../../src/stores/verify-answers.ts'
import { type Asked, type MindScripts, type Part, serveMinds } from '../fakes/minds.ts'
import { agentsHome } from '../support/agents-home.ts'
import { cutOffSessions } from '../support/cut-off-sessions.ts'
import { type CarelessReply, isReadable, readCorpus } from './corpus.ts'

const PLAN = {
  proposals: [
    { objective: 'Read it', assumptions: [], required_tools: ['files.read'], expected_evidence: ['text'] },
  ],
}
const USUAL: Required<MindScripts> = {
  planner: [PLAN],
  executor: [{ give_up: { reason: 'enough' } }],
  critic: [{ verdict: 'approve', reasons: ['fine'] }],
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** The outcomes of one role's askings, after the one who plays the others has answered as usual. */
const run = (part: Part, { raw, wire }: CarelessReply): Promise<readonly string[]> =>
  runWith(part, [{ careless: { raw, wire } }])

async function runWith(part: Part, first: NonNullable<MindScripts[Part]>): Promise<readonly string[]> {
  const minds = await serveMinds({ ...USUAL, [part]: [...first, ...USUAL[part]] })
  closing.push(() => minds.close())
  const home = await agentsHome()
  await minds.settings(home.home)
  const runKit = await cutOffSessions(home)
  closing.push(() => runKit.close())
  const trace = await runKit.open({
    roles: { planner: 'ollama', executor: 'ollama', critic: ['policy', 'ollama'] },
    tools: ['files.read'],
  })
  await runKit.work(trace)
  const { store } = runKit.home.ports
  const bundle = await wholeBundle(store, trace)
  const events: { readonly type: string; readonly payload: Partial<AskingFields> }[] = []
  for await (const event of store.read(trace)) {
    const { type } = JSON.parse(Buffer.from(event.header).toString())
    events.push({ type, payload: JSON.parse(Buffer.from(event.payload ?? []).toString()) })
  }
  const attempts = events.reduce((sum, { payload }) => sum + (payload.attempts ?? []).length, 0)
  expect(attempts).toBe(minds.asked.length)
  const announced = events.filter(
    ({ type, payload }) => type === 'call_started' && (payload as { call?: string }).call === 'ask',
  )
  expect(announced).toHaveLength(minds.asked.length)
  const header = JSON.parse(Buffer.from(bundle.registry.events[0]?.event.header ?? []).toString('utf8'))
  const trust = { keys: [header.actor.key], checkpoints: [] }
  const report = await examine(bundle, store, trust, [agentsProtocol(sha256) as Protocol])
  expect(report.failures).toEqual([])
  return events
    .filter(({ type }) => new RegExp(`^${part}_(?:answered|failed|incomplete)$`).test(type))
    .map(({ type }) => type.slice(part.length + 1))
}

const EXPECTED = { kept: ['answered'], missing: ['incomplete', 'answered'], refused: ['failed'] } as const

/** Evidence needs executions before it. */
const isAlone = ({ context, raw }: CarelessReply): boolean =>
  context?.prompt === undefined && (context?.artifacts === undefined || !/claims|evidence/i.test(raw))

/** The first reply of each habit. */
function ofEachHabit(replies: readonly CarelessReply[]): readonly CarelessReply[] {
  const seen = new Set<string>()
  return replies.filter(({ habits }) => {
    const isNew = habits.some((habit) => !seen.has(habit))
    for (const habit of habits) seen.add(habit)
    return isNew
  })
}

/** What an executor claims of artifacts: with the ids of two that its session left, where the reply names those it was shown. */
const claiming =
  ({ raw, wire, context }: CarelessReply) =>
  ({ artifacts }: Asked): object => {
    const own = artifacts.slice(-2)
    const named = (text: string): string =>
      (context?.artifacts ?? []).reduce((all, id, i) => {
        const real = own[i] ?? ''
        const forms: readonly (readonly [string, string])[] = [
          [id, real],
          [id.toUpperCase(), real.toUpperCase()],
          [id.slice(0, 12), real.slice(0, 12)],
        ]
        return forms.reduce((changed, [from, to]) => changed.replaceAll(from, to), all)
      }, text)
    return { careless: { raw: named(raw), wire } }
  }

const CORPUS = readCorpus().filter((reply) => isReadable(reply) && isAlone(reply))
const PARTS: readonly (readonly [Part, string])[] = [
  ['planner', 'plan'],
  ['executor', 'turn'],
  ['critic', 'critic'],
]

describe.each(PARTS)('careless replies of a %s over the wire', (part, shape) => {
  it.each(ofEachHabit(CORPUS.filter((reply) => reply.shape === shape)))(
    'VOX-15 VOX-16 $id costs at most one further call',
    async (reply) => {
      const { outcome } = reply.expect
      if (outcome === 'prose') throw new Error('only opinions may be prose')
      const came = await run(part, reply)
      expect(came.slice(0, EXPECTED[outcome].length)).toEqual(EXPECTED[outcome])
    },
    60_000,
  )
})

describe('careless claims of an executor over the wire', () => {
  const READS = ['alpha/LICENSE', 'beta/LICENSE'].map((path) => ({
    intent: { tool: 'files.read', input: { path }, justification: 'it is next' },
  }))
  const replies = readCorpus().filter(
    (reply) => isReadable(reply) && reply.shape === 'turn' && !isAlone(reply) && !reply.context?.prompt,
  )

  it.each(replies)(
    'VOX-15 VOX-16 $id costs at most one further call',
    async (reply) => {
      const { outcome } = reply.expect
      if (outcome === 'prose') throw new Error('only opinions may be prose')
      const came = await runWith('executor', [...READS, claiming(reply)])
      expect(came.slice(READS.length, READS.length + EXPECTED[outcome].length)).toEqual(EXPECTED[outcome])
    },
    60_000,
  )
})
