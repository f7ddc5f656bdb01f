// The first event of a session: the task as written, who acts in which role under which key, the tools as
// they are defined now, and the policies in force. All of it is recorded before anyone proposes anything.

import { randomBytes } from 'node:crypto'
import { type AgentsState, agentsProtocol } from '../../agents/agents.ts'
import { NEWEST } from '../../agents/editions.ts'
import type { CriticSeat, OfferedTool, Plan, Proof, Risk, Roles, Task } from '../../agents/task.ts'
import { openTrace } from '../../clerk/open-trace.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import { TraceLog } from '../../clerk/trace-log.ts'
import { utf8 } from '../../ledger/bytes.ts'
import { asJsonObject } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Artifact } from '../../ledger/event.ts'
import { BUILT_IN_TOOLS, definitionText, type Effect, type ToolDefinition } from '../../tools/toolset.ts'
import type { Home } from '../home/home.ts'
import type { Signer } from '../home/signers.ts'
import { limitsOf, type TaskOnRecord, type WrittenProposal } from './task-schema.ts'
import { withoutSecretsInTask } from './task-words.ts'

export type { TaskOnRecord } from './task-schema.ts'

export type AgentsLog = TraceLog<AgentsState>

const WRITTEN = 'written'
const CRITIC = 'critic'

interface NamedRoles {
  readonly planner: string
  readonly executor: string
  readonly critics: readonly string[]
}

export const namedRoles = ({ roles = {} }: TaskOnRecord): NamedRoles => {
  const named = roles.critic ?? ['policy']
  return {
    planner: roles.planner ?? WRITTEN,
    executor: roles.executor ?? WRITTEN,
    critics: ['policy', ...named.filter((name) => name !== 'policy')],
  }
}

/** The seats of the task that need a model. */
export const mindsOf = (task: TaskOnRecord): readonly string[] => {
  const { planner, executor, critics } = namedRoles(task)
  const others = critics.filter((name) => !['policy', 'human', 'council'].includes(name))
  return [...new Set([...[planner, executor].filter((name) => name !== WRITTEN), ...others])]
}

/** Critics that use the model of the planner or the executor: the same seat, under any name. */
export const actingCritics = (
  critics: readonly string[],
  actors: readonly string[],
  minds: ReadonlyMap<string, object>,
): readonly string[] =>
  critics.filter((critic) =>
    actors.some((actor) => minds.has(actor) && minds.get(actor) === minds.get(critic)),
  )

/** The agents that this machine signs for; people have their own keys. */
const agentOf = (critic: string): string => (critic === 'policy' ? 'policy' : `critic-${critic}`)

/** Critics that this machine signs for are distinguished from people by their names. */
export const isMachineCritic = (agent: string): boolean => agent === 'policy' || agent.startsWith('critic-')

export const signersOf = (operator: string, task: TaskOnRecord): readonly Signer[] => [
  { agent: operator, roles: ['operator'] },
  { agent: 'planner', roles: ['planner'] },
  { agent: 'executor', roles: ['executor'] },
  { agent: 'auditor', roles: ['auditor'] },
  ...namedRoles(task)
    .critics.filter((critic) => critic !== 'human')
    .map((critic) => ({ agent: agentOf(critic), roles: [CRITIC] })),
]

function criticSeat(registrar: Registrar, name: string): CriticSeat {
  if (name === 'human') return { seat: name, kind: 'human', agent: null, key: null }
  const kind = name === 'policy' || name === 'council' ? name : 'mind'
  const agent = agentOf(name)
  return { seat: name, kind, agent, key: registrar.actor(agent, CRITIC).key }
}

function rolesOf(registrar: Registrar, task: TaskOnRecord): Roles {
  const { planner, executor, critics } = namedRoles(task)
  const signatory = (role: string) => ({ agent: role, key: registrar.actor(role, role).key })
  const mind = (name: string) => (name === WRITTEN ? null : name)
  return {
    planner: { ...signatory('planner'), mind: mind(planner) },
    executor: { ...signatory('executor'), mind: mind(executor) },
    critics: critics.map((critic) => criticSeat(registrar, critic)),
    auditor: signatory('auditor'),
  }
}

const RISK_OF: Readonly<Record<Effect, Risk>> = {
  read: 'low',
  write: 'medium',
  destroy: 'high',
  network: 'high',
  execute: 'high',
  unknown: 'high',
}
const RISKS: readonly Risk[] = ['low', 'medium', 'high', 'critical']

const riskOf = ({ effects }: ToolDefinition): Risk =>
  effects.map((effect) => RISK_OF[effect]).sort((a, b) => RISKS.indexOf(b) - RISKS.indexOf(a))[0] ?? 'high'

/** Defaults that a written plan need not spell out. */
export const planOf = (written: WrittenProposal): Plan => ({
  objective: written.objective ?? '',
  assumptions: written.assumptions ?? [],
  required_tools: written.required_tools ?? [
    ...new Set((written.steps ?? []).flatMap((step) => step.tool ?? [])),
  ],
  expected_evidence: written.expected_evidence ?? [],
  ...(written.steps && { steps: written.steps as NonNullable<Plan['steps']> }),
  ...(written.claims && { claims: written.claims }),
  on_failure: written.on_failure === 'next proposal' ? 'next' : 'stop',
})

export interface OpeningSession {
  readonly task: TaskOnRecord
  readonly operator: string
  /** Judges whose model also plans or executes. */
  readonly acting?: readonly string[]
  /** A demo: every model in it answers from a script. */
  readonly scripted?: boolean
  /** The definitions of the tools now. */
  readonly offered: readonly ToolDefinition[]
  readonly policy: {
    readonly hash: string
    readonly text: string
    readonly fallback: boolean
    readonly viaHost: boolean
    readonly proof?: Proof | null
    readonly unproven?: boolean
  }
}

const whereToolsAre = (name: string): string => {
  const [, server] = /^mcp\.([^.]+)\./.exec(name) ?? []
  return server === undefined
    ? `There are: ${BUILT_IN_TOOLS.join(', ')}, and mcp.SERVER.TOOL of servers.`
    : `Describe the server ${server} under mcp_servers, or correct the name: the server has no such tool.`
}

function definitionsFor(
  { tools = [] }: TaskOnRecord,
  offered: readonly ToolDefinition[],
): readonly ToolDefinition[] {
  return tools.map((name) => {
    const offer = offered.find((definition) => definition.name === name)
    if (offer) return offer
    throw new WitanError(
      'CONFIG_INVALID',
      `the task wants ${name}, and there is no such tool`,
      whereToolsAre(name),
    )
  })
}

/** `removed`: how many secrets were removed from the text of the task. */
export async function openSession(
  { ports }: Pick<Home, 'ports'>,
  registrar: Registrar,
  { task: writtenTask, operator, offered, policy, acting = [], scripted = false }: OpeningSession,
): Promise<{ readonly log: AgentsLog; readonly removed: number }> {
  const { value: task, removed } = await withoutSecretsInTask(writtenTask)
  const definitions = definitionsFor(task, offered)
  const keep = async (name: string, text: string, media_type: string): Promise<Artifact> => {
    const { hash, size } = await ports.store.putArtifact(utf8(text))
    return { hash, size, name, media_type }
  }
  const artifacts: Artifact[] = []
  const tools: OfferedTool[] = []
  for (const definition of definitions) {
    const artifact = await keep(`${definition.name}.json`, definitionText(definition), 'application/json')
    artifacts.push(artifact)
    tools.push({ name: definition.name, definition: artifact.hash, risk: riskOf(definition) })
  }
  artifacts.push(await keep('policy.json', policy.text, 'application/json'))
  const recordedTask: Task = {
    objective: task.objective,
    constraints: task.constraints ?? [],
    workspace: 'workspace',
    roles: rolesOf(registrar, task),
    policy: {
      hash: policy.hash,
      via_host: policy.viaHost,
      ...(policy.proof && { approval_proof: policy.proof }),
      ...(policy.unproven && { unproven: true }),
      fallback: policy.fallback,
      council_from: task.council_from ?? 'high',
    },
    limits: limitsOf(task),
    evidence_min: task.evidence_min ?? 1,
    tools,
    proposals: (task.proposals ?? []).map(planOf),
    seed: randomBytes(32).toString('hex'),
    edition: NEWEST,
    ...(acting.length > 0 && { acting_judges: acting }),
    ...(scripted && { scripted }),
  }
  const log = new TraceLog(ports, agentsProtocol(ports.sha256), ports.newTrace())
  const payload = asJsonObject({ ...recordedTask, artifacts })
  const actor = registrar.actor(operator, 'operator')
  await openTrace(ports, log, [{ type: 'session_initialized', actor, payload }])
  return { log, removed }
}
