// Who may act: the role guard of the table, the agent named for the role at the opening, and the separation
// of duties: no key that acted as executor, critic or auditor ever acts as another of the three.

import { FIRST_EDITION } from '../../ledger/editions.ts'
import type { Occurrence, Refusal } from '../../protocol.ts'
import { seatFault } from '../approvals.ts'
import { policySeat, seatNamed } from '../critics.ts'
import type { CriticVia, Payloads } from '../events.ts'
import type { Row } from '../lifecycle.ts'
import type { SessionState } from '../state.ts'
import { type CriticSeat, SCRIPTED_PREFIX, type Task } from '../task.ts'
import { malformed, notAllowed } from './refusals.ts'

export function refuseRole({ roles }: Row, { actor, type }: Occurrence): Refusal | null {
  if (roles.some((role) => role === actor.role)) return null
  return notAllowed(`${type} is for ${roles.join(' or ')}, not for ${actor.role}`)
}

function refuseCritic(task: Task, event: Occurrence): Refusal | null {
  const payload = event.payload as { readonly seat?: string; readonly via?: CriticVia }
  if (event.type === 'execution_resolved') return null
  const seat = event.type === 'intent_assessed' ? policySeat(task) : seatNamed(task, payload.seat ?? '')
  if (!seat) return notAllowed(`${payload.seat} is no critic of this session`)
  const via = payload.via ?? (seat.kind === 'human' ? 'terminal' : seat.kind)
  const fault = seatFault(task, seat, event.actor, via)
  return fault === null ? null : notAllowed(fault)
}

/** The agent named at the opening must act, with a key that has no other duty. */
export function refuseSpeaker(state: SessionState, event: Occurrence): Refusal | null {
  const { task } = state
  const { agent, role, key } = event.actor
  if (!task || role === 'operator' || role === 'clerk') return null
  const duty = state.duties.get(key)
  if (duty !== undefined && duty !== role)
    return notAllowed(`a key that acts as ${duty} cannot act as ${role}`)
  if (role === 'critic') return refuseCritic(task, event)
  const named = role === 'planner' ? task.roles.planner : task.roles[role as 'executor' | 'auditor']
  return named.agent === agent
    ? null
    : notAllowed(`the ${role} of this session is ${named.agent}, not ${agent}`)
}

const isMachine = ({ kind }: CriticSeat): boolean => kind !== 'human'

/** Executor, critics and auditor are different agents with different keys, and a critic plans nothing. */
function refuseDuties({ planner, executor, critics, auditor }: Task['roles']): Refusal | null {
  const signers = [executor, auditor, ...critics.filter(({ agent }) => agent !== null)]
  const agents = signers.map(({ agent }) => agent)
  const keys = signers.flatMap(({ key }) => (key === null ? [] : [key]))
  if (new Set(agents).size !== agents.length || new Set(keys).size !== keys.length)
    return notAllowed('executor, critics and auditor must be different agents with different keys')
  if (critics.some(({ agent, key }) => agent === planner.agent || key === planner.key))
    return notAllowed('the planner cannot be a critic of its own plan')
  return planner.agent === auditor.agent || planner.key === auditor.key
    ? notAllowed('the planner cannot be the auditor')
    : null
}

/** A session that says that no model was asked must not depend on a seat with a model. */
function refuseScripted({ scripted, edition = FIRST_EDITION, roles }: Task): Refusal | null {
  if (scripted === undefined) return null
  if (scripted !== true || edition === FIRST_EDITION) return malformed('scripted is not of this edition')
  const { planner, executor, critics } = roles
  const minds = [
    planner.mind,
    executor.mind,
    ...critics.map(({ seat, kind }) => (kind === 'mind' ? seat : null)),
  ]
  const isScripted =
    critics.every(({ kind }) => kind !== 'council') &&
    minds.every((mind) => mind === null || mind.startsWith(SCRIPTED_PREFIX))
  return isScripted ? null : malformed('a model of a scripted demo is not scripted')
}

export function refuseOpening(task: Payloads['session_initialized']): Refusal | null {
  const { planner, executor, critics } = task.roles
  const [first] = critics
  const policies = critics.filter(({ kind }) => kind === 'policy')
  if (first?.kind !== 'policy' || policies.length !== 1)
    return malformed('the first critic, and only the first, is the policy')
  if (critics.some((seat) => isMachine(seat) && (seat.agent === null || seat.key === null)))
    return malformed('a critic that is no person needs an agent and a key')
  if (executor.mind === null && planner.mind !== null)
    return malformed('a plan without written steps needs a mind to execute it')
  if ((planner.mind === null) !== task.proposals.length > 0)
    return malformed('proposals are written exactly when no mind plans')
  const hashes = task.artifacts.map(({ hash }) => hash)
  if (task.tools.some(({ definition }) => !hashes.includes(definition)))
    return malformed('the definition of a tool is not among the artifacts')
  return refuseScripted(task) ?? refuseDuties(task.roles)
}
