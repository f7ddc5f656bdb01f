// The first word of an attached session: the operator's standing order as the planner's proposal, the policy in force, and
// which host acts under them, as it says itself. Tools are recorded at their first use, since a host does not list them.

import { randomBytes } from 'node:crypto'
import { type AgentsState, agentsProtocol } from '../../agents/agents.ts'
import { NEWEST } from '../../agents/editions.ts'
import { type AttachedAs, DEFAULT_LIMITS, type Proof, type Task } from '../../agents/task.ts'
import type { Ports } from '../../clerk/ports.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import { TraceLog } from '../../clerk/trace-log.ts'
import { utf8 } from '../../ledger/bytes.ts'
import { asJsonObject } from '../../ledger/canonical.ts'
import { isWitanError } from '../../ledger/errors.ts'
import type { Signer } from '../home/signers.ts'
import { withoutTypedSecrets } from '../person.ts'
import type { AttachedPolicy } from './attached-policy.ts'

export type AttachedLog = TraceLog<AgentsState>

/** What the operator lets a host do. */
export interface StandingOrder {
  readonly objective: string
  /** Names, or beginnings with a star behind them. */
  readonly tools: readonly string[]
}

export const ANY_WORK: StandingOrder = {
  objective: 'Work as its user asks, within the policy',
  tools: ['*'],
}

export interface AttachedOpening {
  readonly as: Omit<AttachedAs, 'kind'>
  readonly order: StandingOrder
  readonly policy: AttachedPolicy
  readonly proof: Proof
  /** Whether a word that a program brings counts as a person's. */
  readonly viaHost?: boolean
  readonly operator: string
  /** The trace of an earlier part of the same session of the host. */
  readonly continues?: string | null
}

/** The agents that sign in an attached session; people have keys of their own. */
export const attachedSigners = (operator: string): readonly Signer[] => [
  { agent: operator, roles: ['operator'] },
  ...['planner', 'executor', 'auditor'].map((agent) => ({ agent, roles: [agent] })),
  { agent: 'policy', roles: ['critic'] },
]

function rolesOf(registrar: Registrar, as: AttachedOpening['as']): Task['roles'] {
  const signatory = (agent: string, role = agent) => ({ agent, key: registrar.actor(agent, role).key })
  return {
    planner: { ...signatory('planner'), mind: null },
    executor: { ...signatory('executor'), mind: null, kind: 'attached', ...as },
    critics: [{ seat: 'policy', kind: 'policy', ...signatory('policy', 'critic') }],
    auditor: signatory('auditor'),
  }
}

/** In the trace of this name. Where another process opened it first, that opening counts. */
export async function openAttached(
  ports: Ports,
  registrar: Registrar,
  trace: string,
  opening: AttachedOpening,
): Promise<AttachedLog> {
  const log = new TraceLog(ports, agentsProtocol(ports.sha256), trace)
  await log.refresh()
  if (log.size > 0) return log
  const { policy, proof, continues } = opening
  const { value: order } = await withoutTypedSecrets(opening.order)
  const policyFile = await ports.store.putArtifact(utf8(policy.text))
  const task: Task = {
    objective: order.objective,
    constraints: [],
    workspace: 'workspace',
    roles: rolesOf(registrar, opening.as),
    policy: {
      hash: policy.hash,
      via_host: opening.viaHost ?? false,
      approval_proof: proof,
      ...(policy.observes && { observe: true }),
      fallback: false,
      council_from: 'critical',
    },
    limits: DEFAULT_LIMITS,
    evidence_min: 1,
    tools: [],
    proposals: [
      {
        objective: order.objective,
        assumptions: ['what the host does outside of its hooks is not seen'],
        required_tools: order.tools,
        expected_evidence: ['the input of every call that the host announces'],
        on_failure: 'stop',
      },
    ],
    seed: randomBytes(32).toString('hex'),
    edition: NEWEST,
    ...(continues && { continues }),
  }
  const artifacts = [{ ...policyFile, name: 'policy.json', media_type: 'application/json' }]
  const actor = registrar.actor(opening.operator, 'operator')
  const payload = asJsonObject({ ...task, artifacts })
  try {
    await log.append([{ type: 'session_initialized', actor, payload }], true)
  } catch (error) {
    if (!isWitanError(error, 'EVENT_REFUSED')) throw error
  }
  return log
}
