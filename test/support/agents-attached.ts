// A session that is attached to a host, walked event by event: the host makes calls unasked, and says how they ended.

import type { SessionState } from '../../src/agents/state.ts'
import { canonicalize } from '../../src/ledger/canonical.ts'
import type { Payload } from '../../src/ledger/event.ts'
import type { Draft } from '../../src/ledger/signing.ts'
import { Walk } from './agents-walk.ts'
import { artifact, by, hashOf, task, type World } from './agents-world.ts'

export const attachedTask = (change: Parameters<typeof task>[0] = {}) => {
  const { roles } = task()
  const as = { kind: 'attached', host: 'claude-code', version: '2.1.0', session: 's1' } as const
  const order = { objective: 'Tidy up', assumptions: [], expected_evidence: [], on_failure: 'stop' } as const
  return {
    ...task({
      roles: { ...roles, executor: { ...roles.executor, ...as } },
      tools: [],
      proposals: [{ ...order, required_tools: ['Bash', 'mcp__*'] }],
      ...change,
    }),
    artifacts: [],
  }
}

/** The host announces a call. */
export function hostIntent(
  world: World,
  session: SessionState,
  call: string,
  { tool = 'Bash', input = { command: call }, ...more }: Record<string, unknown> = {},
): Draft {
  const text = canonicalize(input as Payload)
  const definition = canonicalize({ name: String(tool) })
  for (const one of [text, definition]) world.artifacts.set(hashOf(one), Buffer.from(one))
  const intent = `p1-i${session.intents.size + 1}`
  const payload = {
    action: `intent/${intent}/1`,
    ...{ intent, proposal: 'p1', step: null, tool, definition: hashOf(definition), input_hash: hashOf(text) },
    ...{ risk: 'high', justification: 'the host calls it', revises: null, call, quote: text.slice(0, 200) },
    artifacts: [artifact(text, 'input.json'), artifact(definition, 'definition.json')],
    ...more,
  }
  return { type: 'tool_intent_signed', actor: by('eve'), payload: payload as object as Payload }
}

/** The host makes a call that is approved. */
export function hostStart(session: SessionState, id: string, call = id): Draft {
  const intent = session.intents.get(id)
  const payload = {
    ...{ action: `start/${id}/1/1`, intent: id, approvals: intent?.approvals.map(({ hash }) => hash) },
    ...{ input_hash: intent?.inputHash, definition: intent?.definition, call },
  }
  return { type: 'tool_execution_started', actor: by('eve'), payload: payload as Payload }
}

/** How a call ended, as the host says. */
export function hostOutcome(world: World, session: SessionState, id: string, more: object = {}): Draft {
  const input = session.intents.get(id)?.inputHash ?? ''
  const kept = { hash: input, size: world.artifacts.get(input)?.length ?? 0 }
  world.artifacts.set(hashOf('done'), Buffer.from('done'))
  const artifacts = [
    { ...kept, name: 'input.json', media_type: 'application/json' },
    artifact('done', 'output'),
  ]
  const fails = 'error_type' in more
  const ended = {
    duration_ms: 1,
    ...(!fails && { truncated: false, secrets_removed: 0 }),
    artifacts,
    ...more,
  }
  const payload = { action: `tool/${id}/1`, intent: id, ...ended } as object as Payload
  return { type: `tool_execution_${fails ? 'failed' : 'completed'}`, actor: by('eve'), payload }
}

export const hostGap = (why = 'unannounced'): Draft => ({
  type: 'gap_recorded',
  actor: by('clerk'),
  payload: { why, tool: 'Bash', call: 'c9', reason: 'no intent was recorded for it' },
})

export const hostEnd = (why = 'ended'): Draft => ({
  type: 'host_session_ended',
  actor: by('clerk'),
  payload: { why, reason: 'the host said so' },
})

export class AttachedWalk extends Walk {
  constructor(change: Partial<World> = {}) {
    super(change)
    this.pick = (actions) => actions.find(({ call }) => call !== 'park')
  }

  signed(call: string, more: Record<string, unknown> = {}): Draft {
    return hostIntent(this.world, this.session, call, more)
  }

  announce(call: string, more: Record<string, unknown> = {}): this {
    this.say(this.signed(call, more))
    return this.run(undefined, false)
  }

  start(id: string, call = id): this {
    this.say(hostStart(this.session, id, call))
    return this
  }

  complete(id: string): this {
    this.say(hostOutcome(this.world, this.session, id))
    return this
  }

  gap(): this {
    this.say(hostGap())
    return this
  }

  end(): this {
    this.say(hostEnd())
    return this
  }
}
