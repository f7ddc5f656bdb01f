// What is new in the second edition of each protocol: answers that lack something and are asked for again, prose that
// stands for an opinion, seats that were left out, failures that a fork asks again, and judges of restart requests.
// Edition 2 is open until it is released; until then these are made again by every test that needs them.

import type { SessionState } from '../../../src/agents/state.ts'
import { retryableFailures } from '../../../src/council/retry.ts'
import { voicesOf } from '../../../src/council/seat-ids.ts'
import { pairsOf } from '../../../src/council/short-circuit/agreement.ts'
import type { Payload } from '../../../src/ledger/event.ts'
import { FORKED } from '../../../src/ledger/fork.ts'
import type { RawReply } from '../../../src/ledger/raw-reply.ts'
import type { Draft } from '../../../src/ledger/signing.ts'
import type { Action } from '../../../src/protocol.ts'
import {
  attachedTask,
  hostEnd,
  hostGap,
  hostIntent,
  hostOutcome,
  hostStart,
} from '../../support/agents-attached.ts'
import {
  by,
  COUNCIL,
  HUMAN,
  hashOf,
  LICENCE,
  MIND,
  plan,
  plannedTask,
  read,
  task,
  type World,
  written,
} from '../../support/agents-world.ts'
import type { ExecutorReply } from '../../support/all-of-agents.ts'
import * as room from '../../support/all-of-council.ts'
import { reviewAnswer } from '../../support/council-answers.ts'
import { about as inParts, openInParts } from '../../support/council-parts.ts'
import { policy, type Question, type ScriptedReply, Sitting } from '../../support/council-sitting.ts'
import { openExchangeHome, recordRun } from '../../support/exchange-home.ts'
import { ExchangeRun, newTrace as newRun } from '../../support/exchange-run.ts'
import { plainScript, type Script, terms } from '../../support/exchange-script.ts'
import { council, seal } from '../../support/sealed-council.ts'
import type { PageContext } from '../../support/tamper.ts'
import type { Made } from './councils.ts'
import { openRoom, Recorded, type Room } from './recorded.ts'

let traces = 0
const newTrace = (): string => `01KEC0ED2Z${String(traces++).padStart(16, '0')}`

// Councils.

type Says = (question: Question) => ScriptedReply | undefined
type Opened = Partial<room.CouncilOpened>

const held = (says?: Says): Sitting => new Sitting({ ...(says && { says }), trace: newTrace() })
const sit = (says: Says, opened: Opened = {}): Sitting => held(says).open(opened).run()

const NOTHING: { readonly raw: RawReply } = { raw: { text: '{}' } }
const PROSE: { readonly raw: RawReply } = {
  raw: { text: 'A cache before the reader would help, and it would also hide how slow the reader is.' },
}

const isCompleting = ({ prompt }: Question): boolean => prompt.parts.some(({ name }) => name === 'complete')

/** This seat's first answer in this round is of no use; `then` is its second, the usual where it is undefined. */
const lacking =
  (round: room.Round, name: string, first: ScriptedReply, then?: ScriptedReply): Says =>
  (question) => {
    if (question.round !== round || question.seat !== name) return undefined
    return isCompleting(question) ? then : first
  }

const isEnding = (sitting: Sitting): boolean => sitting.decide().some(({ id }) => id.startsWith('close'))

function scored(): Sitting {
  const sitting = held()
    .open({ policy: policy({ short_circuit: { embeddings: true } }) })
    .run((one) => one.decide().some(({ id }) => id.startsWith('score/')))
  const [action] = sitting.decide()
  const pairs = pairsOf(voicesOf(sitting.inner).map(({ id }) => id)).map(([a, b], i) => ({
    a,
    b,
    cosine: 0.5 + i / 10,
  }))
  const payload = { action: action?.id, encoder: 'test', pairs }
  return sitting.say(room.AGREEMENT_SCORED, 'clerk', 'clerk', payload).run()
}

/** A fork in which who failed is asked again, to its end. */
function retried(parent: Sitting): Sitting {
  const child = new Sitting({ trace: newTrace() })
  child.state = parent.state
  for (const [hash, bytes] of parent.artifacts) child.artifacts.set(hash, bytes)
  const retry = retryableFailures(parent.inner).map(({ event }) => event)
  const point = { trace: parent.trace, seq: parent.spoken.length - 1, hash: '0'.repeat(64) }
  return child.wait(3_600_000).say(FORKED, 'olga', room.CONVENER, { parent: point, amend: { retry } }).run()
}

const LEFT_OUT = [{ seat: 'dan', provider: 'dan', model: 'dan-1', reason: 'there is no key' }]

const COUNCILS: Readonly<Record<string, () => Sitting>> = {
  'incomplete-r1': () => sit(lacking('R1', 'ben', NOTHING)),
  'incomplete-r1-failed': () => sit(lacking('R1', 'ben', NOTHING, NOTHING)),
  prose: () => sit(lacking('R1', 'ben', PROSE)),
  'prose-stands': () => sit(lacking('R1', 'ben', PROSE, { fails: 'timeout' })),
  'incomplete-r2': () => sit(lacking('R2', 'cat', NOTHING)),
  'incomplete-r2-failed': () => sit(lacking('R2', 'cat', NOTHING, NOTHING)),
  'incomplete-r3': () => sit(lacking('R3', 'ann', NOTHING)),
  'incomplete-r3-failed': () => sit(lacking('R3', 'ann', NOTHING, NOTHING)),
  'moved-reviewer': () =>
    sit(({ round, seat: name, labels }) =>
      round === 'R2' && name === 'ben' ? reviewAnswer(labels, 'ask', { stance_after: 'reject' }) : undefined,
    ),
  scored,
  'left-out': () => sit(() => undefined, { left_out: LEFT_OUT }),
  'in-parts': () => openInParts(inParts, {}, { trace: newTrace() }).run(),
}

/** Rounds in which someone fails, and is asked again in a fork. */
const RETRIED: Readonly<Record<string, Says>> = {
  r1: ({ round, seat: name }) => (round === 'R1' && name === 'cat' ? { fails: 'timeout' } : undefined),
  r2: ({ round, seat: name }) => (round === 'R2' && name === 'cat' ? { fails: 'timeout' } : undefined),
  r3: ({ round }) => (round === 'R3' ? { fails: 'rate_limit' } : undefined),
}

async function makeCouncils(): Promise<Made> {
  const scene = await council()
  const made = new Map<string, string>()
  for (const [name, make] of Object.entries(COUNCILS)) {
    const sitting = make()
    await seal(scene, sitting)
    made.set(`council-${name}`, sitting.trace)
  }
  for (const [name, says] of Object.entries(RETRIED)) {
    const parent = held(says).open().run(isEnding)
    await seal(scene, parent)
    const child = retried(parent)
    await seal(scene, child)
    made.set(`council-retried-${name}`, child.trace)
  }
  return { scene, traces: made }
}

// Sessions.

const quoting = (quote: string): ExecutorReply => ({
  claims: [{ text: quote, confidence: 'high', evidence: [{ artifact: hashOf(LICENCE), quote }] }],
})
const APPROVE = { verdict: 'approve', reasons: ['fine'] } as const
const REJECT = { verdict: 'reject', reasons: ['no'] } as const

/** Minds whose every first answer lacks everything; with `twice`, also what they are asked for again. */
function careless(change: Partial<World>, twice: (kind: string, about: string) => boolean): Partial<World> {
  const seen = new Map<string, number>()
  const again = (kind: string, answer: ((...about: never[]) => unknown) | undefined) =>
    answer &&
    ((...about: never[]) => {
      const key = JSON.stringify([kind, ...about])
      const times = (seen.get(key) ?? 0) + 1
      seen.set(key, times)
      const isLacking = times === 1 || (times === 2 && twice(kind, String(about[0])))
      return isLacking ? NOTHING : answer(...about)
    })
  const { plan: planned, judge, act } = change
  return {
    ...change,
    ...(planned && { plan: again('plan', planned) as World['plan'] }),
    ...(judge && { judge: again('judge', judge) as World['judge'] }),
    ...(act && { act: again('act', act) as World['act'] }),
  }
}

const acting = (...replies: readonly (ExecutorReply | null)[]): Pick<World, 'act'> => {
  let i = 0
  return { act: () => replies[Math.min(i++, replies.length - 1)] ?? null }
}

const session = (change: Partial<World>, twice: (kind: string, about: string) => boolean = () => false) =>
  async function make(where: Room): Promise<Recorded> {
    return (await new Recorded(where, careless(change, twice)).open(plannedTask([MIND]))).run()
  }

const replan: ExecutorReply = { replan: { reason: 'other way', proposal: plan } }
const REPLANNED: Partial<World> = {
  plan: (round) => (round === 1 ? { proposals: [plan, plan] } : { proposals: [plan] }),
  judge: (subject) => (subject === 'p2' ? REJECT : APPROVE),
  ...acting(read('a'), replan, read('b'), quoting('GNU'), quoting('MIT License')),
}

const needing = (needs: 'human' | 'critic'): Pick<World, 'assess'> => ({
  assess: () => ({ decision: 'allow', needs, risk: 'high' }),
})
const withCritics = (
  ...critics: readonly (typeof HUMAN | typeof COUNCIL)[]
): Parameters<Recorded['open']>[0] => {
  const { roles, policy: rules } = task()
  return task({
    roles: { ...roles, critics: [...roles.critics, ...critics] },
    policy: { ...rules, council_from: 'low' },
  })
}

/** Says other things where the action begins so, and by another event. */
type Otherwise = Readonly<Record<string, { readonly type: string; readonly payload: object }>>
const otherwise =
  (said: Otherwise) =>
  (draft: Draft, { id }: Action): Draft => {
    const other = said[Object.keys(said).find((start) => id.startsWith(start)) ?? '']
    if (!other) return draft
    const { action, intent, seat, proposal, claim } = draft.payload as Record<string, string>
    const about = Object.entries({ action, intent, seat, proposal, claim }).filter(([, value]) => value)
    return {
      ...draft,
      type: other.type,
      payload: { ...Object.fromEntries(about), ...other.payload } as Payload,
    }
  }

const BLOCKED = { type: 'intent_blocked', payload: { reason: 'not that', via: 'terminal' } }

/** A person approves on conditions, blocks the second step, revises the plan by hand and challenges a claim. */
async function revised(where: Room): Promise<Recorded> {
  const person = otherwise({
    'review/p1/': {
      type: 'proposal_reviewed',
      payload: {
        verdict: 'conditional',
        conditions: { max_risk: 'high' },
        reasons: ['so far'],
        via: 'terminal',
      },
    },
    'judge/p1-i2/': BLOCKED,
    'weigh/p2-c1/': {
      type: 'claim_challenged',
      payload: { ground: 'weak', reason: 'another file', via: 'terminal' },
    },
  })
  const claims = ['MIT License', 'Permission is hereby granted'].map((quote) => ({
    ...{ text: quote, confidence: 'high' as const, evidence: [{ step: 'a', quote }] },
  }))
  const session = await new Recorded(where, needing('human'), person).open(withCritics(HUMAN))
  await session.run(({ wanted }) => wanted.some(({ id }) => id.startsWith('propose/p2/')))
  const plan2 = { proposal: 'p2', revises: 'p1', ...written({ claims }), via: 'terminal' }
  const payload = { action: 'propose/p2/1', ...plan2 } as never
  await session.say({ type: 'proposal_created', actor: by('paula'), payload })
  return session.run()
}

/** A person blocks the second step, has it intended again, blocks it once more and gives it up. */
async function givenUp(where: Room): Promise<Recorded> {
  const person = otherwise({
    'judge/p1-i2/': BLOCKED,
    'judge/p1-i3/': BLOCKED,
    'resolve/p1-i3/': {
      type: 'execution_resolved',
      payload: { as: 'failed', reason: 'let it be', via: 'terminal' },
    },
  })
  return (await new Recorded(where, needing('human'), person).open(withCritics(HUMAN))).run()
}

/** A host makes calls unasked, with gaps, and its session ends in this way. */
const attached =
  (why: string) =>
  async (where: Room): Promise<Recorded> => {
    const session = await new Recorded(where).open(attachedTask())
    const now = (): SessionState => session.log.state.inner
    await session.run(undefined, false)
    for (const call of ['c1', 'c2', 'c3', 'c4']) {
      await session.say(hostIntent(session.world, now(), call))
      await session.run(undefined, false)
    }
    for (const id of ['p1-i1', 'p1-i2', 'p1-i3']) await session.say(hostStart(now(), id))
    await session.say(hostOutcome(session.world, now(), 'p1-i1'))
    await session.say(hostOutcome(session.world, now(), 'p1-i2', { from: 'transcript' }))
    const failed = { from: 'transcript', error_type: 'failed', error_message: 'no such file' }
    await session.say(hostOutcome(session.world, now(), 'p1-i3', failed))
    for (const gap of ['unannounced', 'unrecorded', 'unseen', 'hooks_changed'])
      await session.say(hostGap(gap))
    await session.say(hostEnd(why))
    return session.run()
  }

const SESSIONS: Readonly<Record<string, (where: Room) => Promise<Recorded>>> = {
  attached: attached('ended'),
  'attached-closed': attached('closed'),
  'attached-idle': attached('idle'),
  revised,
  'given-up': givenUp,
  'council-reviewed': async (where) =>
    (await new Recorded(where, needing('critic')).open(withCritics(COUNCIL))).run(),
  incomplete: session(REPLANNED),
  'incomplete-critic': session(
    { ...REPLANNED, assess: () => ({ decision: 'allow', needs: 'critic', risk: 'medium' }) },
    (kind, about) => kind === 'judge' && about === 'p2',
  ),
  'incomplete-planner': session(REPLANNED, (kind) => kind === 'plan'),
}

async function makeSessions(): Promise<Made> {
  const scene = await openRoom()
  const made = new Map<string, string>()
  for (const [name, make] of Object.entries(SESSIONS))
    made.set(`agents-${name}`, (await make(scene)).log.trace)
  return { scene, traces: made }
}

// Exchanges.

const judged = (restart: object = {}) =>
  terms({
    pool: { minds: ['local', 'birch', 'cedar'] },
    auditor: { mind: 'claude', every: 5 },
    restart: { judge: 'auditor', enough: 10, ...restart },
  })

const isAsking = (text: string): boolean => text.startsWith('let us begin anew')
/** From round 5 on every second message asks, without a tag and in words of its own. */
const restless: Script = {
  ...plainScript,
  reply: (round, mind) =>
    round < 5
      ? `---\n${mind} ${round} a\n---\n${mind} ${round} b`
      : `---\nlet us begin anew, says ${mind} in ${round}\n---\n${mind} ${round} b`,
  score: (text) => (isAsking(text) ? 0.5 : -0.5),
  cluster: (text) => (isAsking(text) ? 'c9' : 'c1'),
}

/** Minds that forget the line of hyphens once, and one that forgets it always. */
const forgetful: Script = {
  ...plainScript,
  reply: (round, mind, request) => {
    const isAgain = request.parts.some(({ name }) => name === 'complete')
    return isAgain && round !== 2 ? plainScript.reply(round, mind, request) : 'only a thought'
  },
  auditText: (round, isAgain) => (isAgain && round !== 6 ? null : 'no audit'),
}

function signalled(): ExchangeRun {
  const run = ExchangeRun.open(judged(), restless).rounds(25)
  const { signal } = run.inner
  if (!signal) throw new Error('no signal was raised')
  const said = { signal: signal.number, answer: 'acknowledge', reason: 'heard', terms: null, branch: null }
  run.person('signal_answered', said)
  return run.rounds(run.inner.closed + 2)
}

const EXCHANGES: Readonly<Record<string, () => ExchangeRun>> = {
  incomplete: () => ExchangeRun.open(terms({ auditor: { every: 3 } }), forgetful).rounds(7),
  judged: signalled,
  'judge-incomplete': () => {
    let turn = 0
    const judge: Script['judge'] = () => (turn++ === 0 ? 'None of these asks.' : { asks: [] })
    return ExchangeRun.open(judged(), { ...restless, judge }).rounds(6)
  },
  'judge-fails': () => ExchangeRun.open(judged(), { ...restless, judge: () => null }).rounds(6),
  alarmed: () => ExchangeRun.open(judged({ judge: 'none' }), restless).rounds(25),
}

async function makeExchanges(): Promise<Made> {
  const home = await openExchangeHome(true)
  // The first id is that of the registry.
  newRun()
  const made = new Map<string, string>()
  for (const [name, make] of Object.entries(EXCHANGES)) {
    const run = make()
    await recordRun(home, run)
    made.set(`exchange-${name}`, run.trace)
  }
  return { scene: { ...home, trace: '' } as PageContext, traces: made }
}

export const makeEdition2 = async (): Promise<readonly Made[]> => [
  await makeCouncils(),
  await makeSessions(),
  await makeExchanges(),
]
