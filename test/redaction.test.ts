// One recorded redaction never makes an honest trace fail, whichever event it erases; and it excuses no violation but
// those that the erased words could explain. Which ones is pinned here, case by case: a guard that answered that
// anything may be missing would show at once.

import { beforeAll, describe, expect, it } from 'vitest'
import { SHAPES } from '../src/agents/events.ts'
import { PAYLOADS, READ_PAYLOADS } from '../src/council/schema.ts'
import { EVENT_TYPES } from '../src/exchange/schema.ts'
import type { ReadEvent } from '../src/ledger/verify/inquire.ts'
import { Erasing } from './support/erasing.ts'
import { faultsOnceErased, frozenTrace } from './support/erasures.ts'
import { type Forgery, forge } from './support/forging.ts'
import { newestTraces, type Trace } from './support/live-traces.ts'

/** A few that between them hold every kind of event; all events of all are erased in `redaction.long.test.ts`. */
const FEW = [
  'council-reported',
  'council-mended',
  'council-reviewer-failed',
  'council-closed-early-r2',
  'council-round-closed-r1',
  'council-failed-r1',
  'council-degraded',
  'council-scored',
  'home-council-reseated',
  'agents-everyone',
  'agents-replanned',
  'agents-challenged',
  'agents-critics-gone',
  'agents-cut-off-again',
  'agents-approval-expired',
  'agents-tool-fails',
  'agents-limit-steps',
  'agents-blocked-by-person',
  'agents-failed',
  'agents-forked-after-end',
  'exchange-steered',
  'exchange-reembedded',
  'exchange-no-vectors',
  'exchange-one-fails',
  'exchange-audit-failed',
  'exchange-signal-amend',
  'exchange-signal-cleared',
  'exchange-policy-rollback-child',
  'exchange-branched',
  'exchange-branch-none',
  'exchange-halted',
]

const DECLARED = [
  ...Object.keys({ ...PAYLOADS, ...READ_PAYLOADS }).map((type) => `council/1 ${type}`),
  ...Object.keys(SHAPES).map((type) => `agents/1 ${type}`),
  ...EVENT_TYPES.map((type) => `exchange/1 ${type}`),
]

/** What only the newest edition says, by name. */
const newest = new Map<string, Trace>()
beforeAll(async () => {
  for (const trace of await newestTraces()) newest.set(trace.name, trace)
}, 120_000)

const traceNamed = async (name: string): Promise<Trace> => newest.get(name) ?? (await frozenTrace(name))

const typeOf = ({ header }: ReadEvent): string => (typeof header === 'string' ? '' : header.type)

describe('an honest trace', () => {
  it('LED-14 never fails because an event was erased, of any kind, alone or with all that quotes it', async () => {
    const traces = [...(await Promise.all(FEW.map(frozenTrace))), ...newest.values()]
    const { faults, types } = faultsOnceErased(traces, 'first of each kind')
    expect(faults).toEqual([])
    expect(DECLARED.filter((kind) => !types.has(kind))).toEqual([])
  })

  it('LED-14 never fails because the bytes of one artifact were erased', async () => {
    for (const name of ['council-reviewed', 'agents-replanned', 'exchange-steered']) {
      const { carrying, keys } = await frozenTrace(name)
      const erasing = new Erasing(carrying, keys)
      for (const artifact of carrying.artifacts.keys())
        expect([name, artifact, erasing.judge([{ artifact }]).status]).toEqual([
          name,
          artifact,
          'pass-with-warnings',
        ])
    }
  })
})

type Case = Forgery & { readonly of: string; readonly breaks: string }

const parts = (request: { readonly [name: string]: unknown }) =>
  request.parts as readonly { readonly name: string; readonly text: string }[]
const otherWords = (name: string) => (request: { readonly [name: string]: unknown }) => ({
  ...request,
  parts: parts(request).map((part) => (part.name === name ? { ...part, text: 'Obey.' } : part)),
})

const CASES: readonly Case[] = [
  {
    breaks: 'answers for another seat',
    of: 'council-reported',
    type: 'opinion_given',
    nth: 2,
    actor: { agent: 'ben' },
  },
  {
    breaks: 'gives a stance that the mode does not know',
    of: 'council-reported',
    type: 'opinion_given',
    nth: 2,
    payload: ({ opinion }) => ({ opinion: { ...(opinion as object), stance: 'maybe' } }),
  },
  {
    breaks: 'sets a chair up with other words',
    of: 'council-reported',
    type: 'report_given',
    request: (request) => ({ ...request, system: 'Obey.' }),
  },
  {
    breaks: 'shows a chair another review',
    of: 'council-reported',
    type: 'report_given',
    request: otherWords('reviews'),
  },
  {
    breaks: 'closes with another status',
    of: 'council-reported',
    type: 'council_closed',
    payload: () => ({ status: 'degraded' }),
  },
  {
    breaks: 'starts a tool before a person approved',
    of: 'agents-everyone',
    type: 'tool_execution_started',
    before: 'intent_approved',
  },
  {
    breaks: 'approves other arguments',
    of: 'agents-everyone',
    type: 'intent_approved',
    payload: () => ({ input_hash: '0'.repeat(64) }),
  },
  {
    breaks: 'approves for a person as a machine',
    of: 'agents-everyone',
    type: 'intent_approved',
    nth: 3,
    actor: { agent: 'policy' },
  },
  {
    breaks: 'claims what was never planned',
    of: 'agents-everyone',
    type: 'claim_issued',
    payload: () => ({ text: 'all is well' }),
  },
  {
    breaks: 'ends without the claims that stand',
    of: 'agents-everyone',
    type: 'final_statement_signed',
    payload: () => ({ claims: [] }),
  },
  {
    breaks: 'sets a critic up with other words',
    of: 'agents-everyone',
    type: 'critic_answered',
    request: (request) => ({ ...request, system: 'Obey.' }),
  },
  {
    breaks: 'audits something else',
    of: 'agents-everyone',
    type: 'verification_run_completed',
    payload: () => ({ size: 3 }),
  },
  {
    breaks: 'writes as another mind',
    of: 'exchange-steered',
    type: 'mind_wrote',
    nth: -1,
    actor: { agent: 'claude' },
    payload: () => ({ mind: 'local' }),
  },
  {
    breaks: 'puts words into a mind',
    of: 'exchange-steered',
    type: 'mind_wrote',
    nth: -1,
    payload: () => ({ messages: [{ text: 'Obey.', cut: false }] }),
  },
  {
    breaks: 'sets a mind up with other words',
    of: 'exchange-steered',
    type: 'mind_wrote',
    nth: -1,
    request: (request) => ({ ...request, system: 'Obey.' }),
  },
  {
    breaks: 'shows a mind another prompt of the pool',
    of: 'exchange-steered',
    type: 'mind_wrote',
    nth: -1,
    request: otherWords('pool_prompt'),
  },
  {
    breaks: 'opens a round with another sample',
    of: 'exchange-steered',
    type: 'round_opened',
    nth: -1,
    payload: () => ({ samples: [] }),
  },
  {
    breaks: 'reports another role',
    of: 'exchange-steered',
    type: 'role_reported',
    nth: -1,
    payload: () => ({ text: 'I obey.' }),
  },
  {
    breaks: 'lets the clerk amend the terms',
    of: 'exchange-steered',
    type: 'terms_amended',
    actor: { agent: 'clerk', role: 'clerk' },
  },
  {
    breaks: 'lacks something a second time',
    of: 'council-incomplete-r1',
    type: 'opinion_incomplete',
    before: 'opinion_given',
    beforeNth: 2,
  },
  {
    breaks: 'reads a mended opinion otherwise than it was written',
    of: 'council-incomplete-r1',
    type: 'opinion_given',
    nth: 2,
    payload: ({ opinion }) => ({ opinion: { ...(opinion as object), summary: 'Obey.' } }),
  },
  {
    breaks: 'asks for what was missing with other words',
    of: 'council-incomplete-r2',
    type: 'review_given',
    nth: 2,
    request: otherWords('missing'),
  },
  {
    breaks: 'asks once more for a report that was mended',
    of: 'council-incomplete-r3',
    type: 'report_incomplete',
    before: 'council_closed',
  },
  {
    breaks: 'closes a fork before who failed was asked again',
    of: 'council-retried-r1',
    type: 'council_closed',
    before: 'opinion_given',
  },
  {
    breaks: 'plans otherwise than a mended answer says',
    of: 'agents-incomplete',
    type: 'planner_answered',
    payload: () => ({ reply: { proposals: [] } }),
  },
  {
    breaks: 'asks a critic a third time',
    of: 'agents-incomplete',
    type: 'critic_incomplete',
    before: 'critic_answered',
  },
  {
    breaks: 'acts otherwise than a mended answer says',
    of: 'agents-incomplete',
    type: 'executor_answered',
    payload: () => ({ reply: { give_up: { reason: 'enough' } } }),
  },
  {
    breaks: 'gives up a step that nobody blocked',
    of: 'agents-given-up',
    type: 'execution_resolved',
    before: 'intent_blocked',
  },
  {
    breaks: 'gives up a step twice',
    of: 'agents-given-up',
    type: 'execution_resolved',
    nth: 1,
    before: 'proposal_closed',
  },
  {
    breaks: 'reviews a plan while claims are weighed',
    of: 'agents-revised',
    type: 'proposal_reviewed',
    nth: 2,
    before: 'claim_issued',
  },
  {
    breaks: 'asks a mind a third time',
    of: 'exchange-incomplete',
    type: 'mind_incomplete',
    before: 'mind_wrote',
  },
  {
    breaks: 'has a judge shown other messages',
    of: 'exchange-judged',
    type: 'judging_opened',
    nth: 1,
    payload: () => ({ shown: [] }),
  },
  {
    breaks: 'lets another mind judge',
    of: 'exchange-judged',
    type: 'restart_judged',
    actor: { agent: 'birch', role: 'judge' },
  },
  {
    breaks: 'judges otherwise than was replied',
    of: 'exchange-judged',
    type: 'restart_judged',
    nth: -1,
    payload: () => ({ asks: [] }),
  },
  {
    breaks: 'raises a signal before a judgement was confirmed',
    of: 'exchange-judged',
    type: 'signal_raised',
    before: 'restart_judged',
    beforeNth: -1,
  },
  {
    breaks: 'alarms where nobody asks',
    of: 'exchange-alarmed',
    type: 'restart_alarmed',
    before: 'round_opened',
    beforeNth: 4,
  },
]

/** What each may hide behind: the kinds of events one of which was erased. */
const EXCUSED: Readonly<Record<string, string>> = {
  'answers for another seat': 'council_opened',
  'gives a stance that the mode does not know': '',
  'sets a chair up with other words': 'council_opened',
  'shows a chair another review': 'council_opened',
  'closes with another status': 'council_opened',
  'starts a tool before a person approved': 'intent_assessed session_initialized tool_intent_signed',
  'approves other arguments': 'intent_assessed session_initialized tool_intent_signed',
  'approves for a person as a machine': 'session_initialized',
  'claims what was never planned': 'proposal_closed proposal_created session_initialized',
  'ends without the claims that stand': 'session_initialized',
  'sets a critic up with other words': 'proposal_created session_initialized',
  'audits something else': 'session_initialized verification_run_started',
  'writes as another mind': '',
  'puts words into a mind': 'exchange_opened round_opened terms_amended',
  'sets a mind up with other words': 'exchange_opened round_opened',
  'shows a mind another prompt of the pool': 'exchange_opened round_opened terms_amended',
  'opens a round with another sample':
    'audit_written continued exchange_opened injected messages_embedded mind_wrote observer_spoke pinned role_reported round_opened terms_amended unpinned',
  'reports another role': 'exchange_opened role_reported round_opened terms_amended',
  'lets the clerk amend the terms': '',
  'lacks something a second time': '',
  'reads a mended opinion otherwise than it was written': 'council_opened',
  'asks for what was missing with other words': 'council_opened review_incomplete',
  'asks once more for a report that was mended': '',
  'closes a fork before who failed was asked again': 'council_opened',
  'plans otherwise than a mended answer says': 'session_initialized',
  'asks a critic a third time': 'critic_incomplete proposal_created session_initialized',
  'acts otherwise than a mended answer says': 'executor_incomplete session_initialized',
  'gives up a step that nobody blocked': 'session_initialized tool_intent_signed',
  'gives up a step twice': 'execution_resolved intent_blocked session_initialized tool_intent_signed',
  'reviews a plan while claims are weighed': 'proposal_created session_initialized',
  'asks a mind a third time': 'mind_incomplete',
  'has a judge shown other messages':
    'audit_written continued exchange_opened judging_opened messages_embedded mind_wrote restart_judged role_reported round_opened',
  'lets another mind judge': '',
  'judges otherwise than was replied': 'exchange_opened judging_opened mind_wrote round_opened',
  'raises a signal before a judgement was confirmed':
    'audit_written continued exchange_opened judging_opened messages_embedded mind_wrote restart_judged role_reported round_opened',
  'alarms where nobody asks': 'continued exchange_opened messages_embedded mind_wrote round_opened',
}

describe('a forged event', () => {
  it.each(CASES)(
    'LED-14 that $breaks is found no matter what was erased that could not explain it',
    async (forgery) => {
      const { carrying, keys } = await traceNamed(forgery.of)
      const erasing = new Erasing(forge(carrying, forgery), keys)
      const last = erasing.events.at(-1)
      const isFound = (failures: ReturnType<Erasing['judge']>['failures']): boolean =>
        failures.some(({ event, severity }) => event === last?.id && severity === 'error')
      expect(isFound(erasing.judge([]).failures)).toBe(true)
      const before = erasing.erasable.filter((read) => read !== last)
      const excused = new Set(
        before.flatMap((read) =>
          isFound(erasing.judge([{ event: read.id }]).failures) ? [] : [typeOf(read)],
        ),
      )
      expect([...excused].sort().join(' ')).toBe(EXCUSED[forgery.breaks])
    },
  )
})
