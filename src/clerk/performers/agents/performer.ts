// Performs what a session decides. Most actions only need a signature; what has to be determined first (the
// position of a quote, the verdict of the policy, whether a tool is unchanged since its approval) is
// determined here and recorded as found. Every event is signed by the seat that the decision names.

import { judgesOf } from '../../../agents/critics.ts'
import type { RecordInput } from '../../../agents/signable-actions.ts'
import { utf8 } from '../../../ledger/bytes.ts'
import { canonicalize, type Json } from '../../../ledger/canonical.ts'
import { minutesAfter } from '../../../ledger/clock.ts'
import type { Artifact } from '../../../ledger/event.ts'
import type { Draft } from '../../../ledger/signing.ts'
import { type Action, inputOf } from '../../../protocol.ts'
import {
  type CallLimits,
  definitionHash,
  normalisedInput,
  type ToolCall,
  type ToolOutcome,
} from '../../../tools/toolset.ts'
import { artifactBytes } from '../../artifact-bytes.ts'
import type { Perform } from '../../clerk.ts'
import { askModel } from './ask-models.ts'
import { challengeClaim, issueClaim } from './claims.ts'
import { type AgentsKit, APPROVAL_MINUTES, answerDraft } from './ports.ts'

// Carries out an intent. The input is stored before the intent is signed; policy, approvals and tool are
// checked again right before it starts; the output is stored before it is recorded. The outcome of an
// interrupted call is not recorded: it is unknown whether it ran.

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
const executor = ({ log }: AgentsKit): string => log.state.inner.task?.roles.executor.agent ?? ''

async function keepInput({ ports }: AgentsKit, input: Json): Promise<Artifact> {
  const { hash, size } = await ports.store.putArtifact(utf8(normalisedInput(input)))
  return { hash, size, name: INPUT, media_type: 'application/json' }
}

async function signIntent(kit: AgentsKit, action: Action): Promise<readonly Draft[]> {
  const { input, say } = inputOf<{ readonly input: Json; readonly say: RecordInput }>(action)
  const artifacts = [await keepInput(kit, input)]
  return answerDraft(kit, action, { ...say, payload: { ...say.payload, artifacts } })
}

/** Events of an attached session hold only the hash of an input. */
async function inputGiven({ ports }: AgentsKit, { input, input_hash }: Call): Promise<Json> {
  if (input !== null) return input
  return JSON.parse(new TextDecoder().decode(await artifactBytes(ports.store, input_hash)))
}

async function assess(kit: AgentsKit, action: Action): Promise<readonly Draft[]> {
  const { intent, tool } = callOf(action)
  const input = await inputGiven(kit, callOf(action))
  const risk = kit.log.state.inner.intents.get(intent)?.risk ?? 'critical'
  const assessed = await kit.policy.assess({ tool, input, risk })
  const payload = { intent, ...assessed, policy: kit.policy.hash }
  return answerDraft(kit, action, {
    type: 'intent_assessed',
    agent: String(action.input.agent),
    role: 'critic',
    payload,
  })
}

/** Why an approved call can no longer be started. */
async function reasonVoid(kit: AgentsKit, action: Action, signal: AbortSignal) {
  const { tool, definition } = callOf(action)
  const expires = String(action.input.expires)
  if (expires !== '' && kit.ports.now() >= expires) {
    return { why: 'expired', reason: `an approval ended at ${expires}` } as const
  }
  if (kit.policy.hash !== kit.log.state.inner.task?.policy.hash) {
    return { why: 'policy_changed', reason: 'other policies are in force than when it was approved' } as const
  }
  const offered = (await kit.toolsets.tools(signal)).find(({ name }) => name === tool)
  if (offered && definitionHash(offered) === definition) return null
  const reason = offered ? `${tool} is defined otherwise than when it was approved` : `${tool} is gone`
  return { why: 'tool_changed', reason } as const
}

async function startTool(kit: AgentsKit, action: Action, signal: AbortSignal): Promise<readonly Draft[]> {
  const { intent, input_hash, definition } = callOf(action)
  const voided = await reasonVoid(kit, action, signal)
  if (signal.aborted) throw signal.reason
  if (voided)
    return answerDraft(kit, action, {
      type: 'approval_voided',
      agent: executor(kit),
      role: 'executor',
      payload: { intent, ...voided },
    })
  const payload = { intent, approvals: action.input.approvals, input_hash, definition }
  return answerDraft(kit, action, {
    type: 'tool_execution_started',
    agent: executor(kit),
    role: 'executor',
    payload,
  })
}

async function keepOutput({ ports }: AgentsKit, { content }: ToolOutcome): Promise<readonly Artifact[]> {
  // Independent of each other, so they are written in parallel.
  return Promise.all(
    content.map(async ({ name, mediaType, bytes }) => {
      const { hash, size } = await ports.store.putArtifact(bytes)
      return { hash, size, name, media_type: mediaType }
    }),
  )
}

/** A foreign tool that throws has failed; its effects are unknown, as with any failure. */
async function callSafely({ toolsets }: AgentsKit, call: ToolCall): Promise<ToolOutcome> {
  const start = performance.now()
  try {
    return await toolsets.call(call)
  } catch (error) {
    const message = `${call.tool} threw: ${error instanceof Error ? error.message : String(error)}`
    const ended = { content: [], secretsRemoved: 0, durationMs: performance.now() - start }
    return { ...ended, ok: false, type: 'crashed', message }
  }
}

async function runTool(kit: AgentsKit, action: Action, signal: AbortSignal): Promise<readonly Draft[]> {
  const { intent, tool, input, definition } = callOf(action)
  const call = { tool, input, definitionHash: definition, signal, limits: LIMITS }
  const outcome = await callSafely(kit, call)
  if (signal.aborted) throw signal.reason
  const artifacts = [await keepInput(kit, input), ...(await keepOutput(kit, outcome))]
  const about = { intent, duration_ms: Math.round(outcome.durationMs), artifacts }
  if (!outcome.ok) {
    const failure = { ...about, error_type: outcome.type, error_message: outcome.message }
    return answerDraft(kit, action, {
      type: 'tool_execution_failed',
      agent: executor(kit),
      role: 'executor',
      payload: failure,
    })
  }
  const { truncated, secretsRemoved: secrets_removed } = outcome
  const result = { ...about, truncated, secrets_removed }
  return answerDraft(kit, action, {
    type: 'tool_execution_completed',
    agent: executor(kit),
    role: 'executor',
    payload: result,
  })
}

// The auditor runs the same verifier as any outsider, over everything up to the start of the run, and signs
// the result: status, hash of the report, and how many events it covers.

async function completeAudit(kit: AgentsKit, action: Action): Promise<readonly Draft[]> {
  const { agent, trace, size, hash: head } = action.input as { [name: string]: string | number }
  const { status, report } = await kit.verify(String(trace), Number(size))
  const reportFile = await kit.ports.store.putArtifact(utf8(canonicalize(report)))
  const artifacts = [{ ...reportFile, name: 'report.json', media_type: 'application/json' }]
  const payload = { status, report: reportFile.hash, trace, size, head, artifacts }
  return answerDraft(kit, action, {
    type: 'verification_run_completed',
    agent: String(agent),
    role: 'auditor',
    payload,
  })
}

/** For as long as a person may take to answer. Policy and tool are checked again before anything starts. */
const WAITING_MINUTES = 7 * 24 * 60

function waitsForPerson({ log }: AgentsKit, intent: unknown): boolean {
  const { task, intents } = log.state.inner
  const assessment = intents.get(String(intent))?.assessment
  return task !== null && !!assessment && judgesOf(task, assessment).some(({ kind }) => kind === 'human')
}

/** An approval that is not from a person expires soon, unless a person still has to decide: it must not expire before. */
function expiry(kit: AgentsKit, intent: unknown): string {
  const { ports, approvalMinutes = APPROVAL_MINUTES } = kit
  const minutes = waitsForPerson(kit, intent) ? WAITING_MINUTES : approvalMinutes
  return minutesAfter(ports.now(), minutes)
}

function sign(kit: AgentsKit, action: Action, { type, agent, role, payload }: RecordInput) {
  const { intent } = payload as { readonly intent?: unknown }
  const ends = type === 'intent_approved' ? { expires: expiry(kit, intent) } : {}
  return answerDraft(kit, action, { type, agent, role, payload: { ...payload, ...ends } })
}

async function askCouncil(kit: AgentsKit, action: Action, signal: AbortSignal) {
  const { intent, proposal, seat, trace } = action.input as { [name: string]: string }
  const over = proposal === undefined ? { intent } : { proposal }
  const critic = kit.log.state.inner.task?.roles.critics.find((candidate) => candidate.seat === seat)
  const agent = critic?.agent ?? ''
  if (trace === undefined) {
    const about = { ...over, seat, trace: kit.ports.newTrace() }
    return answerDraft(kit, action, { type: 'council_convened', agent, role: 'critic', payload: about })
  }
  if (!kit.council) throw new Error('no council can be held here')
  const verdict = await kit.council(trace, intent ?? proposal ?? '', signal)
  if (signal.aborted) throw signal.reason
  return answerDraft(kit, action, {
    type: 'council_heard',
    agent,
    role: 'critic',
    payload: { ...over, seat, trace, ...verdict },
  })
}

export function agentsPerformer(kit: AgentsKit): Perform {
  return async (action, signal) => {
    const kind = action.id.slice(0, action.id.indexOf('/'))
    switch (kind) {
      case 'intent':
        return signIntent(kit, action)
      case 'assess':
        return assess(kit, action)
      case 'start':
        return startTool(kit, action, signal)
      case 'tool':
        return runTool(kit, action, signal)
      case 'convene':
        return askCouncil(kit, action, signal)
      case 'plan':
      case 'act':
        return askModel(kit, action, signal)
      case 'consult':
        return action.input.trace === undefined
          ? askModel(kit, action, signal)
          : askCouncil(kit, action, signal)
      case 'verify':
        return completeAudit(kit, action)
    }
    const { say, find } = action.input
    if (kind === 'claim' && find !== undefined) return issueClaim(kit, action)
    if (kind === 'weigh' && say === undefined) return challengeClaim(kit, action)
    if (say === undefined) throw new Error(`a session has no action ${action.id}`)
    return sign(kit, action, inputOf<{ readonly say: RecordInput }>(action).say)
  }
}
