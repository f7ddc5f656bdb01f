// Walks through sessions that between them say every event in every phase in which the table accepts it, each event
// judged before it is folded.

import type { Payload } from '../../src/ledger/event.ts'
import { FORKED } from '../../src/ledger/fork.ts'
import { AttachedWalk, attachedTask } from './agents-attached.ts'
import { agents, TRACE, Walk } from './agents-walk.ts'
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
} from './agents-world.ts'
import type { EventType, ExecutorReply, Phase } from './all-of-agents.ts'

const quoting = (quote: string): ExecutorReply => ({
  claims: [{ text: quote, confidence: 'high', evidence: [{ artifact: hashOf(LICENCE), quote }] }],
})
const APPROVE = { verdict: 'approve', reasons: ['fine'] } as const
const REJECT = { verdict: 'reject', reasons: ['no'] } as const
const LIMITS = task().limits

const acting = (...replies: readonly (ExecutorReply | null)[]): Pick<World, 'act'> => {
  let i = 0
  return { act: () => replies[Math.min(i++, replies.length - 1)] ?? null }
}

function withCritics(...critics: readonly (typeof MIND | typeof HUMAN | typeof COUNCIL)[]) {
  const { roles } = task()
  return task({ roles: { ...roles, critics: [...roles.critics, ...critics] } })
}

/** Closes the call that is open as lost. */
function loseCalls(walk: Walk): void {
  const [action] = [...walk.state.open.keys()]
  const type = action?.startsWith('tool/') ? 'call_indeterminate' : 'call_lost'
  walk.say({ type, actor: by('clerk'), payload: { action: action ?? '', reason: 'gone' } })
}

const opened = (kind: string) => (walk: Walk) => [...walk.state.open.keys()].some((id) => id.startsWith(kind))

/** Minds whose every first answer lacks everything. */
const incompleteFirst = (change: Partial<World>): Partial<World> => {
  const seen = new Set<string>()
  const again = (kind: string, answer: ((...about: never[]) => unknown) | undefined) =>
    answer &&
    ((...about: never[]) => {
      const key = JSON.stringify([kind, ...about])
      if (seen.has(key)) return answer(...about)
      seen.add(key)
      return { raw: { text: '{}' } }
    })
  const { plan: planned, judge, act } = change
  return {
    ...change,
    ...(planned && { plan: again('plan', planned) as World['plan'] }),
    ...(judge && { judge: again('judge', judge) as World['judge'] }),
    ...(act && { act: again('act', act) as World['act'] }),
  }
}

export const WALKS: readonly (() => Walk)[] = [
  () => {
    const replan: ExecutorReply = { replan: { reason: 'other way', proposal: plan } }
    const walk = new Walk(
      incompleteFirst({
        plan: (round) => (round === 1 ? { proposals: [plan, plan] } : { proposals: [plan] }),
        judge: (subject) => (subject === 'p2' ? REJECT : APPROVE),
        ...acting(read('a'), replan, read('b'), quoting('GNU'), quoting('MIT License')),
      }),
    )
    return walk.open(plannedTask([MIND])).run()
  },
  () => {
    const walk = new Walk(
      incompleteFirst({
        plan: (round) => ({ proposals: round === 3 ? [plan, plan] : [plan] }),
        judge: (subject) => (subject === 'p1' || subject === 'p2' ? REJECT : APPROVE),
        ...acting(read('a'), { give_up: { reason: 'blocked' } }),
      }),
    )
    return walk.open(plannedTask([MIND])).run((w) => w.phase === 'claiming')
  },
  () => {
    const acts = acting(read('a'), quoting('MIT License'))
    const walk = new Walk(
      incompleteFirst({ plan: () => ({ proposals: [plan] }), judge: () => APPROVE, ...acts }),
    )
    return walk.open(plannedTask([MIND], { limits: { ...LIMITS, steps: 1 } })).run()
  },
  () =>
    new Walk({ assess: () => ({ decision: 'allow', needs: 'human', risk: 'high' }) })
      .open(withCritics(MIND, COUNCIL, HUMAN))
      .run(),
  () => {
    // A council over a proposal.
    const base = withCritics(COUNCIL)
    return new Walk().open({ ...base, policy: { ...base.policy, council_from: 'low' } }).run()
  },
  () => {
    // A planner that fails first; a second proposal that is rejected while the first is worked on; a replan.
    const replan: ExecutorReply = { replan: { reason: 'other way', proposal: plan } }
    const walk = new Walk({
      plan: (round) => (round === 2 ? { proposals: [plan, plan] } : null),
      judge: (subject) => (subject === 'p2' ? REJECT : APPROVE),
      ...acting(null, read('a'), replan, read('b'), quoting('GNU'), quoting('MIT License')),
    })
    return walk.open(plannedTask([MIND])).run()
  },
  () => {
    // Everything rejected at first, with a planner that fails in between.
    const walk = new Walk({
      plan: (round) => (round === 2 ? null : { proposals: round === 3 ? [plan, plan] : [plan] }),
      judge: (subject) =>
        subject === 'p1' || subject === 'p3' ? REJECT : subject.includes('-i') ? null : APPROVE,
      assess: () => ({ decision: 'allow', needs: 'critic', risk: 'medium' }),
      ...acting(read('a'), { give_up: { reason: 'blocked' } }),
    })
    return walk.open(plannedTask([MIND])).run((w) => w.phase === 'claiming')
  },
  () =>
    new Walk({ judge: (subject) => (subject.includes('-c') ? null : APPROVE) }).open(withCritics(MIND)).run(),
  () => new Walk({ judge: () => null }).open(withCritics(MIND)).run(),
  () => new Walk({ tool: () => new Error('gone') }).open().run(),
  () => {
    // Executor that fails when it is asked, after a bound, what it claims; then an answer.
    const walk = new Walk({ plan: () => ({ proposals: [plan] }), ...acting(read('a'), null) })
    return walk.open(plannedTask([], { limits: { ...LIMITS, steps: 1 } })).run()
  },
  () => {
    const walk = new Walk({
      plan: () => ({ proposals: [plan] }),
      ...acting(read('a'), quoting('MIT License')),
    })
    return walk.open(plannedTask([], { limits: { ...LIMITS, steps: 1 } })).run()
  },
  () => new Walk().open(task({ limits: { ...LIMITS, minutes: 0 } })).run(),
  () => new Walk().open(task({ limits: { ...LIMITS, minutes: 1 / 60 } })).run(),
  () => new Walk().open(task({ limits: { ...LIMITS, minutes: 5 / 60 } })).run(),
  () => {
    const walk = new Walk().open().run((w) => w.phase === 'claiming')
    walk.world.at = '2026-01-02T00:00:00.000Z'
    return walk.run()
  },
  () => {
    const walk = new Walk().open().run((w) => w.wanted.some(({ id }) => id.startsWith('start/')))
    walk.world.at = '2026-01-01T00:40:00.000Z'
    return walk.run()
  },
  () => {
    const walk = new Walk().open().run(opened('tool/'))
    loseCalls(walk)
    return walk.run()
  },
  ...(['plan/', 'consult/p1/', 'act/p1/', 'consult/p1-c1/'] as const).map((kind) => () => {
    const walk = new Walk({
      plan: () => ({ proposals: [plan] }),
      ...acting(read('a'), quoting('MIT License')),
    })
    walk.open(plannedTask([MIND])).run(opened(kind))
    loseCalls(walk)
    return walk.run()
  }),
  () => {
    // A critic is still thinking about a claim that was meanwhile challenged and withdrawn.
    const claims = ['MIT License', 'Permission'].map((quote) => ({
      text: quote,
      confidence: 'high' as const,
      evidence: [{ step: 'a', quote }],
    }))
    const { roles } = task()
    const walk = new Walk()
    walk.open(
      task({ roles: { ...roles, critics: [...roles.critics, MIND] }, proposals: [written({ claims })] }),
    )
    walk.run(opened('consult/p1-c1/'))
    const payload = { claim: 'p1-c1', seat: 'human', ground: 'weak', reason: 'thin', via: 'terminal' }
    walk.say({ type: 'claim_challenged', actor: by('carl'), payload })
    walk.run((w) => w.phase === 'auditing')
    loseCalls(walk)
    return walk.run()
  },
  () => new Walk({ audit: () => 'fail' }).open().run(),
  () => {
    const walk = new AttachedWalk()
    walk.open(attachedTask()).run(undefined, false)
    return walk.announce('c1').start('p1-i1').complete('p1-i1').gap().end().run()
  },
]

const TO: Readonly<Record<Phase, (walk: Walk) => Walk>> = {
  initialized: (walk) => walk,
  planning: (walk) => walk.open(),
  reviewing: (walk) => walk.open().run((w) => w.phase === 'reviewing'),
  executing: (walk) => walk.open().run((w) => w.phase === 'executing'),
  claiming: (walk) => walk.open().run((w) => w.phase === 'claiming'),
  auditing: (walk) => walk.open().run((w) => w.phase === 'auditing'),
  completed: (walk) => walk.open().run(),
  failed: (walk) => {
    walk.open().say({ type: 'session_failed', actor: by('aude'), payload: FAILED })
    return walk
  },
  aborted: (walk) => {
    walk.open().say({ type: 'session_aborted', actor: by('olga'), payload: ABORTED })
    return walk
  },
}

const FAILED = { code: 'SIG_INVALID', event: null, reason: 'a signature does not hold' }
const ABORTED = { reason: 'enough', via: 'terminal' }

const fresh = (phase: Phase): Walk => TO[phase](new Walk())
const kept = new Map<Phase, Walk>()

/** A session that has just come into this phase, to be asked and left as it is. */
export function walkIn(phase: Phase): Walk {
  const walk = kept.get(phase) ?? fresh(phase)
  kept.set(phase, walk)
  return walk
}

export interface Scenarios {
  /** Pairs of phase and event that were accepted. */
  readonly accepted: ReadonlySet<string>
  readonly samples: ReadonlyMap<string, Payload>
  readonly moves: readonly (readonly [Phase, EventType, Phase])[]
}

let known: Scenarios | null = null

export function scenarios(): Scenarios {
  if (known) return known
  const ends = (Object.keys(TO) as Phase[]).flatMap((phase) => {
    const forked = { parent: { trace: TRACE, seq: 0, hash: hashOf('x') } }
    const endings = [
      { type: FORKED, actor: by('clerk'), payload: forked as Payload },
      { type: 'session_failed', actor: by('clerk'), payload: FAILED },
      { type: 'session_aborted', actor: by('olga'), payload: ABORTED },
    ]
    return endings.flatMap((draft) => {
      const walk = fresh(phase)
      const isOver = agents.finished(walk.state) && draft.type !== FORKED
      if (!isOver) walk.say(draft)
      return isOver ? [] : [walk]
    })
  })
  const walks = [...WALKS.map((make) => make()), ...ends]
  const accepted = new Set<string>()
  const samples = new Map<string, Payload>()
  const moves: [Phase, EventType, Phase][] = []
  for (const { events } of walks) {
    let state = agents.initial
    for (const event of events) {
      const { phase } = state.inner
      accepted.add(`${phase} ${event.type}`)
      samples.set(event.type, event.payload ?? {})
      state = agents.evolve(state, event)
      if (event.type !== FORKED && state.inner.phase !== phase)
        moves.push([phase, event.type as EventType, state.inner.phase])
    }
  }
  known = { accepted, samples, moves }
  return known
}
