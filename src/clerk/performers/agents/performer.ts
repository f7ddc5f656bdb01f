// Performs what a session decides. Most of it is only to be signed; what has to be found out first (where a quote
// stands, what the policy says, whether a tool is still the one that was approved) is found out here and then said as
// it is. Nobody's word is put in anyone else's mouth: every event is signed by the seat that the decision names.

import { judgesOf } from '../../../agents/critics.ts'
import type { Saying } from '../../../agents/signable-actions.ts'
import type { Action } from '../../../protocol.ts'
import { inputOf } from '../../../protocol.ts'
import type { Perform } from '../../clerk.ts'
import { askModel } from './ask-models.ts'
import { completeAudit } from './audit.ts'
import { issueClaim, weighClaim } from './claims.ts'
import { type AgentsDesk, saying } from './ports.ts'
import { assess, runTool, signIntent, startTool } from './tools.ts'

const APPROVAL_MINUTES = 15
/** For as long as a person may take to answer. Policy and tool are looked at again before anything starts. */
const PATIENT_MINUTES = 7 * 24 * 60

function waitsForPerson({ log }: AgentsDesk, intent: unknown): boolean {
  const { task, intents } = log.state.inner
  const assessment = intents.get(String(intent))?.assessment
  return task !== null && !!assessment && judgesOf(task, assessment).some(({ kind }) => kind === 'human')
}

/** An approval that no person gave ends soon, unless a person has yet to be heard: it must not be over by then. */
function expiry(desk: AgentsDesk, intent: unknown): string {
  const { ports, approvalMinutes = APPROVAL_MINUTES } = desk
  const minutes = waitsForPerson(desk, intent) ? PATIENT_MINUTES : approvalMinutes
  return new Date(Date.parse(ports.now()) + minutes * 60_000).toISOString()
}

function sign(desk: AgentsDesk, action: Action, { type, agent, role, payload }: Saying) {
  const { intent } = payload as { readonly intent?: unknown }
  const ends = type === 'intent_approved' ? { expires: expiry(desk, intent) } : {}
  return saying(desk, action, { type, agent, role, payload: { ...payload, ...ends } })
}

async function convene(desk: AgentsDesk, action: Action, signal: AbortSignal) {
  const { intent, seat, trace } = action.input as { [name: string]: string }
  const critic = desk.log.state.inner.task?.roles.critics.find((candidate) => candidate.seat === seat)
  const agent = critic?.agent ?? ''
  if (trace === undefined) {
    const about = { intent, seat, trace: desk.ports.newTrace() }
    return saying(desk, action, { type: 'council_convened', agent, role: 'critic', payload: about })
  }
  if (!desk.council) throw new Error('no council can be held here')
  const heard = await desk.council(trace, intent ?? '', signal)
  if (signal.aborted) throw signal.reason
  return saying(desk, action, {
    type: 'council_heard',
    agent,
    role: 'critic',
    payload: { intent, seat, trace, ...heard },
  })
}

export function agentsPerformer(desk: AgentsDesk): Perform {
  return async (action, signal) => {
    const kind = action.id.slice(0, action.id.indexOf('/'))
    switch (kind) {
      case 'intent':
        return signIntent(desk, action)
      case 'assess':
        return assess(desk, action)
      case 'start':
        return startTool(desk, action, signal)
      case 'tool':
        return runTool(desk, action, signal)
      case 'convene':
        return convene(desk, action, signal)
      case 'plan':
      case 'act':
        return askModel(desk, action, signal)
      case 'consult':
        return action.input.trace === undefined
          ? askModel(desk, action, signal)
          : convene(desk, action, signal)
      case 'verify':
        return completeAudit(desk, action)
    }
    const { say, find } = action.input
    if (kind === 'claim' && find !== undefined) return issueClaim(desk, action)
    if (kind === 'weigh' && say === undefined) return weighClaim(desk, action)
    if (say === undefined) throw new Error(`a session has no action ${action.id}`)
    return sign(desk, action, inputOf<{ readonly say: Saying }>(action).say)
  }
}
