// One rich trace of each protocol, held in any edition without clerk, keys or store: every kind of asking occurs in it,
// also one that was lost and asked again, and minds may answer with all that they were shown.

import type { Payload } from '../../src/ledger/event.ts'
import type { PromptPart } from '../../src/ledger/prompt.ts'
import { Walk } from './agents-walk.ts'
import { hashOf, LICENCE, MIND, plan, plannedTask, read } from './agents-world.ts'
import type { ExecutorReply } from './all-of-agents.ts'
import type { PackText } from './all-of-council.ts'
import { askedFinding, opinionAnswer, reportAnswer, reviewAnswer } from './council-answers.ts'
import { opening as councilOpening, Sitting } from './council-sitting.ts'
import { ExchangeRun } from './exchange-run.ts'
import { opening as exchangeOpening, type Script, termsIn } from './exchange-script.ts'

/** What was said, and what was kept of it. */
export interface EditionRun {
  readonly events: readonly { readonly type: string; readonly payload: Payload | null }[]
  readonly content: ReadonlyMap<string, Uint8Array>
}

const textOf = (parts: readonly PromptPart[]): string => parts.map(({ text }) => text).join('\n')

const PACK: PackText = {
  parts: [
    { name: 'context:src/a.ts', text: 'one\ntwo\nthree\n' },
    { name: 'diff', text: '--- a/src/a.ts\n+++ b/src/a.ts\n' },
  ],
  condensed: [{ name: 'context', text: 'src/a.ts: 3 lines' }],
}

/** A review by three, with a loss and a mend. */
export function councilIn(edition: number | null, echo = false): EditionRun {
  const sitting = new Sitting({
    pack: PACK,
    says: ({ round, labels, n, prompt }) => {
      const said = echo ? textOf(prompt.parts) : 'said'
      if (round === 'R1') {
        const answer = opinionAnswer('review', { findings: [askedFinding({ file: 'src/a.ts', line: 2 })] })
        return { ...(answer as object), summary: said }
      }
      if (round === 'R2') return { ...(reviewAnswer(labels, 'review') as object), why: said }
      return n === 1 ? { ...(reportAnswer(['op-9'], 'review') as object), summary: said } : undefined
    },
  })
  const { edition: _, ...base } = councilOpening({
    mode: 'review',
    context: {
      kind: 'full',
      files: [{ path: 'src/a.ts', lines: 3, bytes: 14 }],
      excluded: {},
      bytes: 14,
      tokens: 5,
      diff: 'main..HEAD',
    },
    artifacts: [sitting.keep('pack.json', PACK)],
  })
  sitting.say('council_opened', 'olga', 'convener', {
    ...base,
    ...(edition === null ? { prompts: 1 } : { edition }),
  })
  const [first] = sitting.decide()
  if (!first) throw new Error('nobody is asked')
  sitting.start(first).lose(first).run()
  return { events: sitting.spoken, content: sitting.artifacts }
}

/** Two proposals side by side; one is blocked, revised, paged and mended, the other given up after a silence. */
export function agentsIn(edition: number | null, echo = false): EditionRun {
  const said = (own: string): string => (echo ? `${own} ${shownLast().slice(0, 1_500)}` : own)
  const claims = (quote: string): ExecutorReply => ({
    claims: [
      { text: said('it is MIT'), confidence: 'high', evidence: [{ artifact: hashOf(LICENCE), quote }] },
    ],
  })
  const page = { artifact: hashOf(LICENCE), start: 4, length: 9 }
  const replies: Record<string, (() => ExecutorReply | null)[]> = {
    p1: [
      () => read('a'),
      () => read('b'),
      () => ({ intent: { tool: 'session.page', input: page, justification: said('more') } }),
      () => claims('GNU'),
    ],
    p2: [() => read('c'), () => null, () => ({ give_up: { reason: said('enough') } })],
    'p1-c1': [() => claims('MIT License')],
  }
  const walk = new Walk({
    plan: () => ({ proposals: [plan, { ...plan, objective: said('other') }] }),
    act: (subject) => replies[subject]?.shift()?.() ?? null,
    assess: () => ({ decision: 'allow', needs: 'critic', risk: 'medium' }),
    judge: (subject) =>
      subject === 'p1-i1'
        ? { verdict: 'reject', reasons: [said('read b instead')] }
        : { verdict: 'approve', reasons: [said('fine')] },
  })
  const shownLast = (): string => {
    const all = requestsOf({ events: walk.events, content: walk.world.artifacts })
    return textOf(all.at(-1)?.parts ?? [])
  }
  const { edition: _, ...base } = plannedTask([MIND])
  walk.open({ ...base, ...(edition !== null && { edition }) })
  walk.run()
  return { events: walk.events, content: walk.world.artifacts }
}

const CLUSTERED = { clusters: { feed: 'live' } }

/** Seven rounds with an audit among them, a loss, and words of the observer. */
export function exchangeIn(edition: number | null, echo = false): EditionRun {
  const script: Script = {
    reply: (round, mind, { parts }) =>
      `private\n---\n${mind} says ${round}${echo ? `\n${textOf(parts).replaceAll('---', '').slice(0, 3_000)}` : ''}`,
    cluster: () => 'c1',
  }
  const run = new ExchangeRun(script, '01KEE000000000000000000000')
  const { edition: _, ...base } = exchangeOpening(termsIn(edition, CLUSTERED))
  run.person('exchange_opened', {
    ...base,
    ...(edition === null ? { prompts: 1 } : { edition }),
  })
  run.person('continued', { until: 7, mode: 'run' })
  run.run((actions) => actions.find(({ id }) => !id.startsWith('mind/2/')))
  const [second] = run.actions()
  if (!second) throw new Error('nobody is asked')
  run.start(second)
  run.lose(second)
  run.run()
  run.person('injected', { text: 'What of dams?' })
  run.rounds(9)
  return { events: run.events, content: run.kept.content }
}

export interface Shown {
  readonly action: string
  readonly system: string
  readonly parts: readonly PromptPart[]
}

/** Every recorded request, in the order of its event. */
export const requestsOf = ({ events, content }: EditionRun): readonly Shown[] =>
  events.flatMap(({ payload }) => {
    const artifacts = (payload?.artifacts ?? []) as readonly {
      readonly name: string
      readonly hash: string
    }[]
    const hash = artifacts.find(({ name }) => name === 'request.json')?.hash
    const bytes = hash === undefined ? undefined : content.get(hash)
    return bytes ? [{ ...JSON.parse(Buffer.from(bytes).toString()), action: String(payload?.action) }] : []
  })
