// A session told for people: who proposed what, who approved it and why, what ran, what was proven and what
// was refused. It only repeats the record; `verify` says whether that can be relied on.

import { GAP_WORDS } from '../../agents/attached/gaps.ts'
import type { CriticVia, EventType, Evidence, Payloads, Via } from '../../agents/events.ts'
import { MEANS_WORDS } from '../../ledger/means.ts'
import { SCRIPTED_DEMO } from '../../ledger/scripted.ts'
import type { Occurrence } from '../../protocol.ts'
import type { Acts } from './acts.ts'
import { count, line, type StoryLine, short } from './story-line.ts'

/** `act`: the description of the intent; empty where that is unknown. */
type Teller<Type extends EventType> = (payload: Payloads[Type], by: string, act: string) => StoryLine

const modelText = ({
  model,
  transport,
}: {
  readonly model: string | null
  readonly transport: string
}): string => `${model ?? 'its model'} over ${transport}`

const quoted = ({ artifact, range, quote }: Evidence): string =>
  `“${quote}” ${range === null ? 'not found' : `bytes ${range[0]}–${range[1]}`} of ${short(artifact)}`

/** `2026-11-16 05:20 UTC` */
const minuteText = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`

/** For a person, how they gave the decision; for a machine nothing, since its name says it. */
const proofText = (via: CriticVia): string => {
  if (via === 'policy' || via === 'mind' || via === 'council') return ''
  return ` ${MEANS_WORDS[via]}`
}

/** Whether a person proposed it by hand, or possibly a program did, or the one whose turn it was. */
function proposed(id: string, via: Via | undefined, by: string): string {
  if (via === undefined) return `${by} proposed ${id}`
  const byHand = via === 'none' ? `${id} was proposed` : `a person proposed ${id}`
  return `${byHand} by hand, ${MEANS_WORDS[via]}`
}

/** `p1-i2 (write notes.md)` */
const named = (intent: string, act: string): string => (act === '' ? intent : `${intent} (${act})`)

const LONGEST = 400

/** The input of a tool, as far as a reader needs it here; the whole is an artifact of the intent. */
const inputText = (input: object): string => {
  const text = JSON.stringify(input)
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}

const missingText = ({ reading }: Pick<Payloads['planner_incomplete'], 'reading'>): string => {
  const places = reading.missing.join(', ')
  const isArtifact =
    reading.missing.length > 0 && reading.missing.every((place) => place.endsWith('.artifact'))
  return isArtifact ? `it names an artifact that there is not (${places})` : `its answer lacks ${places}`
}

type Executor = Payloads['session_initialized']['roles']['executor']

/** What an attached session says about its host; it must be visible that nothing was gated. */
const attached = (
  { host = '', version = '', session = '' }: Executor,
  observes: boolean,
  continues: string | undefined,
): readonly string[] => [
  `attached: ${host} ${version}, as it says; its session ${session}`,
  observes ? 'not gated: calls are recorded and none is held up' : 'gated: calls wait for the policy',
  ...(continues ? [`continues ${continues}`] : []),
  'what the host does outside of its hooks is not seen',
]

const TELLERS: { readonly [Type in EventType]?: Teller<Type> } = {
  session_initialized: (
    { objective, constraints, tools, limits, roles, policy, acting_judges: acting = [], continues, scripted },
    by,
  ) =>
    line('plain', `${scripted ? `(${SCRIPTED_DEMO}) ` : ''}${by} set the task: ${objective}`, [
      ...constraints.map((constraint) => `constraint: ${constraint}`),
      ...(roles.executor.kind === 'attached'
        ? attached(roles.executor, policy.observe === true, continues)
        : [
            `tools: ${tools.map(({ name }) => name).join(', ') || 'none'}`,
            `critics: ${roles.critics.map(({ seat }) => seat).join(', ')}; at most ${count(limits.steps, 'step')}`,
          ]),
      ...(acting.length > 0 ? [`judged by a model that also acts: ${acting.join(', ')}`] : []),
    ]),
  planner_answered: (payload) => line('quiet', `the planner was asked (${modelText(payload)})`),
  planner_failed: ({ error_message }) => line('bad', `the planner did not answer: ${error_message}`),
  planner_incomplete: (payload) => line('quiet', `the planner is asked again: ${missingText(payload)}`),
  proposal_created: ({ proposal, objective, revises, assumptions, required_tools, steps = [], via }, by) =>
    line(
      'plain',
      `${proposed(proposal, via, by)}${revises ? `, in place of ${revises}` : ''}: ${objective}`,
      [
        ...assumptions.map((assumption) => `assumes: ${assumption}`),
        `needs: ${required_tools.join(', ') || 'no tool'}`,
        ...steps.map(({ id, tool, input }) => `step ${id}: ${tool} ${inputText(input)}`),
      ],
    ),
  proposal_reviewed: ({ proposal, verdict, reasons }, by) =>
    line(verdict === 'rejected' ? 'bad' : 'good', `${by}: ${proposal} ${verdict}`, reasons),
  critic_answered: ({ subject, ...rest }, by) =>
    line('quiet', `${by} was asked about ${subject} (${modelText(rest)})`),
  critic_failed: ({ subject, error_message }, by) =>
    line('bad', `${by} did not answer about ${subject}: ${error_message}`),
  critic_incomplete: ({ subject, ...rest }, by) =>
    line('quiet', `${by} is asked again about ${subject}: ${missingText(rest)}`),
  council_convened: ({ intent, proposal, trace }) =>
    line('quiet', `a council over ${intent ?? proposal} is held in ${trace}`),
  council_heard: ({ intent, proposal, decision, unresolved_high, degraded, reasons }) =>
    line('plain', `the council on ${intent ?? proposal}: ${decision ?? 'no decision'}`, [
      ...(degraded ? ['it was degraded, which counts as a block'] : []),
      ...(unresolved_high > 0 ? [`${count(unresolved_high, 'severe critique')} unresolved`] : []),
      ...reasons,
    ]),
  executor_answered: ({ subject, reply, ...rest }) =>
    line(
      'quiet',
      `the executor answered on ${subject} with ${Object.keys(reply)[0]} (${modelText(rest)})`,
      'intent' in reply ? [`${reply.intent.tool} ${inputText(reply.intent.input)}`] : [],
    ),
  executor_failed: ({ subject, error_message }) =>
    line('bad', `the executor did not answer on ${subject}: ${error_message}`),
  executor_incomplete: ({ subject, ...rest }) =>
    line('quiet', `the executor is asked again on ${subject}: ${missingText(rest)}`),
  tool_intent_signed: ({ intent, tool, risk, justification, revises, call, quote, agent_id }, by, act) => {
    // A host does not state the risk of its calls: the worst is recorded here, and the policy judges it.
    const isOfHost = call !== undefined
    const what = act === '' ? tool : `${act} (${tool})`
    const instead = revises ? `, in place of ${revises}` : ''
    const agent = agent_id ? `, by its agent ${agent_id}` : ''
    return line(
      'plain',
      `${by} intends ${intent}: ${what}${isOfHost ? '' : `, risk ${risk}`}${instead}${agent}`,
      [quote ?? justification],
    )
  },
  intent_assessed: ({ intent, decision, needs, risk, deciding, reasons }, _, act) => {
    const also = {
      none: 'no other approval is needed',
      critic: 'a critic must agree',
      human: 'a person must agree',
    }
    const words = decision === 'deny' ? 'denied' : `allowed, risk ${risk}, ${also[needs]}`
    const by = deciding.length > 0 ? ` (by ${deciding.join(', ')})` : ''
    return line(
      decision === 'deny' ? 'bad' : 'plain',
      `the policy on ${named(intent, act)}: ${words}${by}`,
      reasons,
    )
  },
  intent_approved: ({ intent, via, expires, reasons }, by, act) =>
    line(
      'good',
      `${by} approved ${named(intent, act)}${proofText(via)}, until ${minuteText(expires)}`,
      reasons,
    ),
  intent_blocked: ({ intent, reason, via }, by, act) =>
    line('bad', `${by} blocked ${named(intent, act)}${proofText(via)}`, [reason]),
  tool_execution_started: ({ intent }, _, act) => line('quiet', `${named(intent, act)} started`),
  approval_voided: ({ intent, reason }, _, act) =>
    line('bad', `the approval of ${named(intent, act)} no longer counts: ${reason}`),
  tool_execution_completed: (
    { intent, duration_ms, artifacts, truncated, secrets_removed, from },
    _,
    act,
  ) => {
    // Hosts that do not report how long a call took are recorded with 0.
    const how = `${duration_ms > 0 ? ` in ${duration_ms} ms` : ''}${truncated ? ', output cut' : ''}`
    const source = from === 'transcript' ? ', as the transcript of the host tells' : ''
    return line('good', `${named(intent, act)} completed${how}${source}`, [
      ...artifacts.map(({ name, size, hash }) => `${name}: ${size} bytes, ${short(hash)}`),
      ...(secrets_removed > 0 ? [`${count(secrets_removed, 'secret')} taken out`] : []),
    ])
  },
  tool_execution_failed: ({ intent, error_type, error_message }, _, act) =>
    line('bad', `${named(intent, act)} failed (${error_type}): ${error_message}`),
  tool_execution_indeterminate: ({ intent, reason }, _, act) =>
    line('bad', `${named(intent, act)} is indeterminate: ${reason}`),
  execution_resolved: ({ intent, as, reason, via }, by, act) =>
    line(
      'plain',
      `${by}: ${named(intent, act)} ${as === 'failed' ? 'counts as failed' : 'is to be intended again'}${proofText(via)}`,
      [reason],
    ),
  gap_recorded: ({ why, tool, reason }) =>
    line('bad', `gap${tool === null ? '' : `, a call of ${tool}`}: ${GAP_WORDS[why]}`, [reason]),
  host_session_ended: ({ why, reason }) =>
    line('plain', `the session of the host is over (${why})`, [reason]),
  limit_reached: ({ limit, bound, proposal }) =>
    line('bad', `the limit of ${bound} ${limit} is reached${proposal ? ` in ${proposal}` : ''}`),
  proposal_closed: ({ proposal, outcome, reason }) =>
    line(outcome === 'succeeded' ? 'good' : 'bad', `${proposal} ${outcome}: ${reason}`),
  claim_issued: ({ claim, text, confidence, evidence, revises }) =>
    line('plain', `claim ${claim}${revises ? ` in place of ${revises}` : ''}: ${text} (${confidence})`, [
      ...evidence.map(quoted),
    ]),
  claim_withdrawn: ({ text, reason }) => line('bad', `not claimed: ${text}`, [reason]),
  claim_accepted: ({ claim, unchecked }, by) =>
    line(
      'good',
      `${by} found the quotes of ${claim} in the evidence`,
      unchecked.map((hash) => `not at hand: ${short(hash)}`),
    ),
  claim_challenged: ({ claim, ground, reason }, by) =>
    line('bad', `${by} challenged ${claim} as ${ground}`, [reason]),
  final_statement_signed: ({ text, unproven }) =>
    line(
      'plain',
      `final statement: ${text}`,
      unproven.map((one) => `unproven: ${one.text} (${one.reason})`),
    ),
  verification_run_started: () => line('quiet', 'the auditor verifies the session'),
  verification_run_completed: ({ status, report, size }) =>
    line(
      status === 'fail' ? 'bad' : 'good',
      `the auditor: ${status} over ${count(size, 'event')}, report ${short(report)}`,
    ),
  session_failed: ({ code, reason }) => line('bad', `the session failed (${code}): ${reason}`),
  session_aborted: ({ reason, via }, by) =>
    line('bad', `${by} aborted the session ${MEANS_WORDS[via]}: ${reason}`),
}

/** Null for what a reader of the story need not know. With `acts`, which has read all earlier events, calls are named. */
export function tell(event: Occurrence, acts: Acts | null = null): StoryLine | null {
  const { type, payload, actor } = event
  const act = acts?.(event) ?? ''
  const teller = Object.hasOwn(TELLERS, type) ? TELLERS[type as EventType] : undefined
  return teller && payload ? (teller as Teller<EventType>)(payload as never, actor.agent, act) : null
}
