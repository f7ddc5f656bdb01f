// Sessions of agents that say every event, come into every phase, reach every limit and close proposals in every way.

import type { Draft } from '../../../src/ledger/signing.ts'
import type { Action } from '../../../src/protocol.ts'
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
import type { Made } from './councils.ts'
import { inPhase, opened, openRoom, Recorded, type Room, wanting } from './recorded.ts'

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

const viaHost = (opening = withCritics(HUMAN)) => ({
  ...opening,
  policy: { ...opening.policy, via_host: true },
})

const saying =
  (change: object) =>
  (draft: Draft): Draft => ({ ...draft, payload: { ...draft.payload, ...change } })

const ABORTED = { reason: 'enough', via: 'terminal' }
const abort = (session: Recorded, via = 'terminal'): Promise<Recorded> =>
  session.say({ type: 'session_aborted', actor: by('olga'), payload: { ...ABORTED, via } })

const planned = { plan: () => ({ proposals: [plan] }) }
const needing = (needs: 'none' | 'critic' | 'human', risk: 'low' | 'medium' | 'high' | 'critical') => ({
  assess: () => ({ decision: 'allow' as const, needs, risk }),
})

async function voided(room: Room, why: 'tool_changed' | 'policy_changed'): Promise<Recorded> {
  const session = await (await new Recorded(room).open()).run(wanting('start/'))
  const { id, input } = session.wanted.find((action) => action.id.startsWith('start/')) as Action
  const payload = { action: id, intent: String(input.intent), why, reason: 'it is another one now' }
  await session.say({ type: 'approval_voided', actor: by('eve'), payload })
  return session.run()
}

/** A person who blocks the intents, or rejects the proposals, that wait for them. */
const blocking = (draft: Draft, { id }: Action): Draft => {
  const { action, intent, seat, proposal } = draft.payload as Record<string, string>
  const actor = by('carl', 'critic')
  if (id.startsWith('judge/'))
    return {
      type: 'intent_blocked',
      actor,
      payload: { action, intent, seat, reason: 'not that', via: 'terminal' } as never,
    }
  const said = {
    action,
    proposal,
    seat,
    verdict: 'rejected',
    conditions: {},
    reasons: ['no'],
    via: 'key-file',
  }
  return { type: 'proposal_reviewed', actor, payload: said as never }
}

async function challengedByPerson(room: Room, via: 'terminal' | 'key-file' | 'host'): Promise<Recorded> {
  const claims = ['MIT License', 'Permission'].map((quote) => ({
    text: quote,
    confidence: via === 'terminal' ? ('low' as const) : ('medium' as const),
    evidence: [{ step: 'a', quote }],
  }))
  const { roles } = task()
  const session = new Recorded(room)
  const critics = [...roles.critics, MIND, HUMAN]
  await session.open(viaHost(task({ roles: { ...roles, critics }, proposals: [written({ claims })] })))
  await session.run(opened('consult/p1-c1/'))
  const payload = { claim: 'p1-c1', seat: 'human', ground: 'weak', reason: 'thin', via }
  await session.say({ type: 'claim_challenged', actor: by('carl'), payload })
  await session.run(inPhase('auditing'))
  if (session.log.state.open.size > 0) await session.lose()
  return session.run()
}

async function blockedBy(room: Room, via: 'key-file' | 'host'): Promise<Recorded> {
  const person = (draft: Draft, action: Action): Draft =>
    action.id.startsWith('judge/') ? saying({ via })(blocking(draft, action)) : draft
  return (await new Recorded(room, needing('human', 'medium'), person).open(viaHost())).run()
}

/** A person rejects what was planned, and another plan is made by hand in its place. */
async function byHand(room: Room, via: 'terminal' | 'key-file' | 'host'): Promise<Recorded> {
  const person = (draft: Draft, action: Action): Draft =>
    action.id.startsWith('review/p1/') ? blocking(draft, action) : draft
  const session = await (await new Recorded(room, {}, person).open(viaHost())).run()
  const { id } = session.wanted.find(({ input }) => input.by_hand === true) as Action
  const payload = { action: id, proposal: 'p2', revises: 'p1', ...written(), via } as never
  await session.say({ type: 'proposal_created', actor: by('paula'), payload })
  return session.run()
}

const replan: ExecutorReply = { replan: { reason: 'other way', proposal: plan } }

/** File name → the session. Those that end in -open are unfinished. */
const SESSIONS: Readonly<Record<string, (room: Room) => Promise<Recorded>>> = {
  plain: async (room) => (await new Recorded(room).open()).run(),
  everyone: async (room) =>
    (await new Recorded(room, needing('human', 'high')).open(withCritics(MIND, COUNCIL, HUMAN))).run(),
  replanned: async (room) => {
    const change = {
      plan: (round: number) => (round === 2 ? { proposals: [plan, plan] } : null),
      judge: (subject: string) => (subject === 'p2' ? REJECT : APPROVE),
      ...acting(null, read('a'), replan, read('b'), quoting('GNU'), quoting('MIT License')),
    }
    return (await new Recorded(room, change).open(plannedTask([MIND]))).run()
  },
  rejected: async (room) => {
    const change: Partial<World> = {
      plan: (round) => (round === 2 ? null : { proposals: round === 3 ? [plan, plan] : [plan] }),
      judge: (subject) =>
        subject === 'p1' || subject === 'p3' ? REJECT : subject.includes('-i') ? null : APPROVE,
      ...needing('critic', 'medium'),
      ...acting(read('a'), { give_up: { reason: 'blocked' } }),
    }
    return (await new Recorded(room, change).open(plannedTask([MIND]))).run()
  },
  'all-rejected-open': async (room) =>
    (await new Recorded(room, {}, blocking).open(withCritics(HUMAN))).run(),
  'blocked-by-person': async (room) =>
    (
      await new Recorded(room, needing('human', 'medium'), (draft, action) =>
        action.id.startsWith('judge/') ? blocking(draft, action) : draft,
      ).open(withCritics(HUMAN))
    ).run(),
  denied: async (room) =>
    (
      await new Recorded(room, {
        assess: () => ({ decision: 'deny', needs: 'none', risk: 'critical' }),
      }).open()
    ).run(),
  conditional: async (room) =>
    (
      await new Recorded(room, needing('human', 'medium'), (draft) =>
        draft.type === 'proposal_reviewed'
          ? saying({ verdict: 'conditional', conditions: { max_risk: 'high' } })(draft)
          : draft,
      ).open(withCritics(HUMAN))
    ).run(),
  'via-key-file': async (room) =>
    (
      await new Recorded(room, needing('human', 'medium'), saying({ via: 'key-file' })).open(
        withCritics(HUMAN),
      )
    ).run(),
  'via-host': async (room) =>
    (await new Recorded(room, needing('human', 'medium'), saying({ via: 'host' })).open(viaHost())).run(),
  'critic-silent': async (room) =>
    (
      await new Recorded(room, { judge: (subject) => (subject.includes('-c') ? null : APPROVE) }).open(
        withCritics(MIND),
      )
    ).run(),
  'critics-gone': async (room) =>
    (await new Recorded(room, { judge: () => null }).open(withCritics(MIND))).run(),
  'council-against': async (room) =>
    (
      await new Recorded(room, {
        ...needing('critic', 'high'),
        council: () => ({ decision: 'reject', unresolved_high: 1, degraded: true, reasons: ['no'] }),
      }).open(withCritics(COUNCIL))
    ).run(),
  'tool-fails': async (room) => (await new Recorded(room, { tool: () => new Error('gone') }).open()).run(),
  'next-proposal': async (room) =>
    (
      await new Recorded(room, {
        tool: (_, input) => ((input as { path: string }).path.startsWith('b') ? new Error('gone') : LICENCE),
      }).open(task({ proposals: [written({ on_failure: 'next' }), written()] }))
    ).run(),
  abandoned: async (room) => {
    const change: Partial<World> = {
      plan: () => ({ proposals: [plan, plan] }),
      judge: (subject) => (subject === 'p2' ? REJECT : APPROVE),
      ...acting(read('a'), quoting('MIT License')),
    }
    return (await new Recorded(room, change).open(plannedTask([MIND]))).run()
  },
  'limit-steps': async (room) =>
    (
      await new Recorded(room, { ...planned, ...acting(read('a'), quoting('MIT License')) }).open(
        plannedTask([], { limits: { ...LIMITS, steps: 1 } }),
      )
    ).run(),
  'limit-steps-silent': async (room) =>
    (
      await new Recorded(room, { ...planned, ...acting(read('a'), null) }).open(
        plannedTask([], { limits: { ...LIMITS, steps: 1 } }),
      )
    ).run(),
  'limit-revisions': async (room) =>
    (
      await new Recorded(room, {
        ...planned,
        assess: () => ({ decision: 'deny', needs: 'none', risk: 'high' }),
        act: (_, turn) => read(`a${turn}`),
      }).open(plannedTask([], { limits: { ...LIMITS, revisions: 1 } }))
    ).run(),
  'limit-same-intent': async (room) =>
    (
      await new Recorded(room, { ...planned, ...acting(read('a')) }).open(
        plannedTask([], { limits: { ...LIMITS, same_intent: 2 } }),
      )
    ).run(),
  'limit-minutes': async (room) =>
    (await new Recorded(room).open(task({ limits: { ...LIMITS, minutes: 0 } }))).run(),
  'limit-minutes-later': async (room) => {
    const session = await (await new Recorded(room).open()).run(inPhase('claiming'))
    room.late = 24 * 60
    session.world.at = room.ports.now()
    return session.run()
  },
  'limit-cost': async (room) =>
    (
      await new Recorded(room, { ...planned, ...acting(read('a'), read('b'), quoting('MIT License')) }).open(
        plannedTask([], { limits: { ...LIMITS, cost: 0.02 } }),
      )
    ).run(),
  'approval-expired': async (room) => {
    const session = await (await new Recorded(room).open()).run(wanting('start/'))
    room.late = 40
    session.world.at = room.ports.now()
    return session.run()
  },
  'tool-changed': (room) => voided(room, 'tool_changed'),
  'policy-changed': (room) => voided(room, 'policy_changed'),
  'cut-off-again': async (room) => {
    const session = await (await new Recorded(room).open()).run(opened('tool/'))
    return (await session.lose()).run()
  },
  'cut-off-failed': async (room) => {
    const session = new Recorded(room, {}, (draft) =>
      draft.type === 'execution_resolved'
        ? { ...saying({ as: 'failed', via: 'key-file' })(draft), actor: by('olga', 'operator') }
        : draft,
    )
    await (await session.open()).run(opened('tool/'))
    return (await session.lose()).run()
  },
  'cut-off-host': async (room) => {
    const session = new Recorded(room, {}, saying({ via: 'host' }))
    await (await session.open(viaHost(task()))).run(opened('tool/'))
    return (await session.lose()).run()
  },
  ...Object.fromEntries(
    (['plan', 'consult/p1', 'act/p1', 'consult/p1-c1'] as const).map((kind) => [
      `lost-${kind.replace('/', '-')}`,
      async (room: Room) => {
        const session = new Recorded(room, { ...planned, ...acting(read('a'), quoting('MIT License')) })
        await (await session.open(plannedTask([MIND], { limits: { ...LIMITS, steps: 3 } }))).run(
          opened(`${kind}/`),
        )
        return (await session.lose()).run()
      },
    ]),
  ),
  challenged: (room) => challengedByPerson(room, 'terminal'),
  'challenged-key-file': (room) => challengedByPerson(room, 'key-file'),
  'challenged-host': (room) => challengedByPerson(room, 'host'),
  'by-hand': (room) => byHand(room, 'terminal'),
  'by-hand-key-file': (room) => byHand(room, 'key-file'),
  'by-hand-host': (room) => byHand(room, 'host'),
  'blocked-key-file': (room) => blockedBy(room, 'key-file'),
  'blocked-host': (room) => blockedBy(room, 'host'),
  'risky-steps': async (room) => {
    const steps = (['high', 'critical'] as const).map((risk) => ({
      id: risk,
      tool: 'files.read',
      input: { path: `${risk}/LICENSE` },
      justification: 'as planned',
      risk,
    }))
    const evidence = [{ step: 'high', quote: 'MIT License' }]
    const claims = [{ text: 'it is MIT', confidence: 'medium' as const, evidence }]
    return (await new Recorded(room).open(task({ proposals: [written({ steps, claims })] }))).run()
  },
  'audit-warns': async (room) =>
    (await new Recorded(room, { audit: () => 'pass-with-warnings' }).open()).run(),
  'audit-fails': async (room) => (await new Recorded(room, { audit: () => 'fail' }).open()).run(),
  failed: async (room) => {
    const session = await (await new Recorded(room).open()).run(inPhase('executing'))
    const payload = { code: 'SIG_INVALID', event: null, reason: 'a signature does not hold' }
    return session.say({ type: 'session_failed', actor: by('aude'), payload })
  },
  'aborted-planning': async (room) => abort(await new Recorded(room).open()),
  'aborted-claiming': async (room) =>
    abort(await (await new Recorded(room).open()).run(inPhase('claiming')), 'key-file'),
  'aborted-host': async (room) => abort(await new Recorded(room).open(viaHost()), 'host'),
  'planning-open': async (room) => new Recorded(room).open(),
  'reviewing-open': async (room) =>
    (await new Recorded(room).open(withCritics(HUMAN))).run(() => false, false),
  'executing-open': async (room) => (await new Recorded(room).open()).run(opened('tool/')),
  'judging-open': async (room) =>
    (await new Recorded(room, needing('human', 'medium')).open(withCritics(HUMAN))).run(
      (session) => session.phase === 'executing' && session.wanted.every(({ call }) => call === 'park'),
    ),
  'claiming-open': async (room) => (await new Recorded(room).open()).run(inPhase('claiming')),
  'auditing-open': async (room) => (await new Recorded(room).open()).run(inPhase('auditing')),
  'forked-midway': async (room) => {
    const parent = await (await new Recorded(room).open()).run(wanting('start/'))
    return (await parent.fork(parent.log.size - 1)).run()
  },
  'forked-after-end': async (room) => {
    const parent = await abort(await (await new Recorded(room).open()).run(inPhase('claiming')))
    return (await parent.fork(parent.log.size - 1)).run()
  },
  'forked-in-tool-open': async (room) => {
    const parent = await (await new Recorded(room).open()).run(opened('tool/'))
    return parent.fork(parent.log.size - 1)
  },
}

export async function makeSessions(): Promise<Made> {
  const room = await openRoom()
  const traces = new Map<string, string>()
  for (const [name, make] of Object.entries(SESSIONS)) {
    try {
      traces.set(`agents-${name}`, (await make(room)).log.trace)
    } catch (error) {
      throw new Error(`${name}: ${(error as Error).message}`)
    }
  }
  return { scene: room, traces }
}
