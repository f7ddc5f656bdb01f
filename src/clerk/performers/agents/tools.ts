// An intent becomes an act. What it is given is kept before it is signed; whether the policy, the approvals and the
// tool are still what they were is asked again in the moment before it starts; and what comes out is kept before it
// is told. A call that was cut off is not told at all: nobody knows whether it ran.

import type { Saying } from '../../../agents/signable-actions.ts'
import { utf8 } from '../../../ledger/bytes.ts'
import type { Json } from '../../../ledger/canonical.ts'
import type { Artifact } from '../../../ledger/event.ts'
import type { Draft } from '../../../ledger/seal.ts'
import type { Action } from '../../../protocol.ts'
import { inputOf } from '../../../protocol.ts'
import { type CallLimits, definitionHash, normalisedInput, type ToolOutcome } from '../../../tools/toolset.ts'
import { type AgentsDesk, saying } from './ports.ts'

const INPUT = 'input.json'
const LIMITS: CallLimits = { timeoutMs: 120_000, maxOutputBytes: 4_000_000, maxProcesses: 4_096 }

interface Call {
  readonly intent: string
  readonly tool: string
  readonly input: Json
  readonly input_hash: string
  readonly definition: string
}

const callOf = (action: Action): Call => inputOf<Call>(action)
const executor = ({ log }: AgentsDesk): string => log.state.inner.task?.roles.executor.agent ?? ''

async function keepInput({ ports }: AgentsDesk, input: Json): Promise<Artifact> {
  const { hash, size } = await ports.store.putArtifact(utf8(normalisedInput(input)))
  return { hash, size, name: INPUT, media_type: 'application/json' }
}

export async function signIntent(desk: AgentsDesk, action: Action): Promise<readonly Draft[]> {
  const { input, say } = inputOf<{ readonly input: Json; readonly say: Saying }>(action)
  const artifacts = [await keepInput(desk, input)]
  return saying(desk, action, { ...say, payload: { ...say.payload, artifacts } })
}

export async function assess(desk: AgentsDesk, action: Action): Promise<readonly Draft[]> {
  const { intent, tool, input } = callOf(action)
  const risk = desk.log.state.inner.intents.get(intent)?.risk ?? 'critical'
  const assessed = await desk.policy.assess({ tool, input, risk })
  const payload = { intent, ...assessed, policy: desk.policy.hash }
  return saying(desk, action, {
    type: 'intent_assessed',
    agent: String(action.input.agent),
    role: 'critic',
    payload,
  })
}

/** Why what was approved can no longer be started. */
async function voidedBy(desk: AgentsDesk, action: Action, signal: AbortSignal) {
  const { tool, definition } = callOf(action)
  const expires = String(action.input.expires)
  if (expires !== '' && desk.ports.now() >= expires) {
    return { why: 'expired', reason: `an approval ended at ${expires}` } as const
  }
  if (desk.policy.hash !== desk.log.state.inner.task?.policy.hash) {
    return { why: 'policy_changed', reason: 'other policies are in force than when it was approved' } as const
  }
  const offered = (await desk.toolsets.tools(signal)).find(({ name }) => name === tool)
  if (offered && definitionHash(offered) === definition) return null
  const reason = offered ? `${tool} is defined otherwise than when it was approved` : `${tool} is gone`
  return { why: 'tool_changed', reason } as const
}

export async function startTool(
  desk: AgentsDesk,
  action: Action,
  signal: AbortSignal,
): Promise<readonly Draft[]> {
  const { intent, input_hash, definition } = callOf(action)
  const voided = await voidedBy(desk, action, signal)
  if (signal.aborted) throw signal.reason
  if (voided)
    return saying(desk, action, {
      type: 'approval_voided',
      agent: executor(desk),
      role: 'executor',
      payload: { intent, ...voided },
    })
  const payload = { intent, approvals: action.input.approvals, input_hash, definition }
  return saying(desk, action, {
    type: 'tool_execution_started',
    agent: executor(desk),
    role: 'executor',
    payload,
  })
}

async function keepOutput({ ports }: AgentsDesk, { content }: ToolOutcome): Promise<readonly Artifact[]> {
  // Independent of each other, so they are written side by side.
  return Promise.all(
    content.map(async ({ name, mediaType, bytes }) => {
      const { hash, size } = await ports.store.putArtifact(bytes)
      return { hash, size, name, media_type: mediaType }
    }),
  )
}

export async function runTool(
  desk: AgentsDesk,
  action: Action,
  signal: AbortSignal,
): Promise<readonly Draft[]> {
  const { intent, tool, input, definition } = callOf(action)
  const outcome = await desk.toolsets.call({
    tool,
    input,
    definitionHash: definition,
    signal,
    limits: LIMITS,
  })
  if (signal.aborted) throw signal.reason
  const artifacts = [await keepInput(desk, input), ...(await keepOutput(desk, outcome))]
  const about = { intent, duration_ms: Math.round(outcome.durationMs), artifacts }
  if (!outcome.ok) {
    const failure = { ...about, error_type: outcome.type, error_message: outcome.message }
    return saying(desk, action, {
      type: 'tool_execution_failed',
      agent: executor(desk),
      role: 'executor',
      payload: failure,
    })
  }
  const { truncated, secretsRemoved: secrets_removed } = outcome
  const result = { ...about, truncated, secrets_removed }
  return saying(desk, action, {
    type: 'tool_execution_completed',
    agent: executor(desk),
    role: 'executor',
    payload: result,
  })
}
