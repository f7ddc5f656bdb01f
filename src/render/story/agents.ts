// A session told as a person would tell it: who proposed what, who allowed it and why, what ran, what was proven and
// what was refused. It only retells what is recorded; whether that can be relied on is for `verify` to say.

import { VIA_WORDS } from '../../agents/approval-proof.ts'
import type { CriticVia, EventType, Evidence, Payloads, Via } from '../../agents/events.ts'
import type { Occurrence } from '../../protocol.ts'
import { count, line, type StoryLine, short } from './story-line.ts'

type Teller<Type extends EventType> = (payload: Payloads[Type], by: string) => StoryLine

const asked = ({ model, transport }: { readonly model: string | null; readonly transport: string }): string =>
  `${model ?? 'its model'} over ${transport}`

const quoted = ({ artifact, range, quote }: Evidence): string =>
  `“${quote}” ${range === null ? 'not found' : `bytes ${range[0]}–${range[1]}`} of ${short(artifact)}`

/** `2026-11-16 05:20 UTC` */
const minuteOf = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`

/** Of a person, by what means they spoke; of a machine nothing, since its name says it. */
const meansOf = (via: CriticVia): string => {
  if (via === 'policy' || via === 'mind' || via === 'council') return ''
  return ` ${VIA_WORDS[via]}`
}

/** A person proposed it by hand, or nothing shows that one did, or it is of the one whose turn it was. */
function proposed(id: string, via: Via | undefined, by: string): string {
  if (via === undefined) return `${by} proposed ${id}`
  const byHand = via === 'none' ? `${id} was proposed` : `a person proposed ${id}`
  return `${byHand} by hand, ${VIA_WORDS[via]}`
}

const LONGEST = 400

/** What a tool is to be given, as far as a reader wants it here; the whole is an artifact of the intent. */
const given = (input: object): string => {
  const text = JSON.stringify(input)
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}

const TELLERS: { readonly [Type in EventType]?: Teller<Type> } = {
  session_initialized: ({ objective, constraints, tools, limits, roles }, by) =>
    line('plain', `${by} set the task: ${objective}`, [
      ...constraints.map((constraint) => `constraint: ${constraint}`),
      `tools: ${tools.map(({ name }) => name).join(', ') || 'none'}`,
      `critics: ${roles.critics.map(({ seat }) => seat).join(', ')}; at most ${count(limits.steps, 'step')}`,
    ]),
  planner_answered: (payload) => line('quiet', `the planner was asked (${asked(payload)})`),
  planner_failed: ({ error_message }) => line('bad', `the planner did not answer: ${error_message}`),
  proposal_created: ({ proposal, objective, revises, assumptions, required_tools, steps = [], via }, by) =>
    line(
      'plain',
      `${proposed(proposal, via, by)}${revises ? `, in place of ${revises}` : ''}: ${objective}`,
      [
        ...assumptions.map((assumption) => `assumes: ${assumption}`),
        `needs: ${required_tools.join(', ') || 'no tool'}`,
        ...steps.map(({ id, tool, input }) => `step ${id}: ${tool} ${given(input)}`),
      ],
    ),
  proposal_reviewed: ({ proposal, verdict, reasons }, by) =>
    line(verdict === 'rejected' ? 'bad' : 'good', `${by}: ${proposal} ${verdict}`, reasons),
  critic_answered: ({ subject, ...rest }, by) =>
    line('quiet', `${by} was asked about ${subject} (${asked(rest)})`),
  critic_failed: ({ subject, error_message }, by) =>
    line('bad', `${by} did not answer about ${subject}: ${error_message}`),
  council_convened: ({ intent, trace }) => line('quiet', `a council over ${intent} sits in ${trace}`),
  council_heard: ({ intent, decision, unresolved_high, degraded, reasons }) =>
    line('plain', `the council on ${intent}: ${decision ?? 'no decision'}`, [
      ...(degraded ? ['it was degraded, which counts as a block'] : []),
      ...(unresolved_high > 0 ? [`${count(unresolved_high, 'grave critique')} unresolved`] : []),
      ...reasons,
    ]),
  executor_answered: ({ subject, reply, ...rest }) =>
    line(
      'quiet',
      `the executor answered on ${subject} with ${Object.keys(reply)[0]} (${asked(rest)})`,
      'intent' in reply ? [`${reply.intent.tool} ${given(reply.intent.input)}`] : [],
    ),
  executor_failed: ({ subject, error_message }) =>
    line('bad', `the executor did not answer on ${subject}: ${error_message}`),
  tool_intent_signed: ({ intent, tool, risk, justification, revises }, by) =>
    line(
      'plain',
      `${by} intends ${intent}: ${tool}, risk ${risk}${revises ? `, in place of ${revises}` : ''}`,
      [justification],
    ),
  intent_assessed: ({ intent, decision, needs, risk, deciding, reasons }) => {
    const also = {
      none: 'nobody else is needed',
      critic: 'a critic must agree',
      human: 'a person must agree',
    }
    const words = decision === 'deny' ? 'denied' : `allowed, risk ${risk}, ${also[needs]}`
    const by = deciding.length > 0 ? ` (by ${deciding.join(', ')})` : ''
    return line(decision === 'deny' ? 'bad' : 'plain', `the policy on ${intent}: ${words}${by}`, reasons)
  },
  intent_approved: ({ intent, via, expires, reasons }, by) =>
    line('good', `${by} approved ${intent}${meansOf(via)}, until ${minuteOf(expires)}`, reasons),
  intent_blocked: ({ intent, reason, via }, by) =>
    line('bad', `${by} blocked ${intent}${meansOf(via)}`, [reason]),
  tool_execution_started: ({ intent }) => line('quiet', `${intent} started`),
  approval_voided: ({ intent, reason }) =>
    line('bad', `the approval of ${intent} no longer counts: ${reason}`),
  tool_execution_completed: ({ intent, duration_ms, artifacts, truncated, secrets_removed }) =>
    line('good', `${intent} completed in ${duration_ms} ms${truncated ? ', output cut' : ''}`, [
      ...artifacts.map(({ name, size, hash }) => `${name}: ${size} bytes, ${short(hash)}`),
      ...(secrets_removed > 0 ? [`${count(secrets_removed, 'secret')} taken out`] : []),
    ]),
  tool_execution_failed: ({ intent, error_type, error_message }) =>
    line('bad', `${intent} failed (${error_type}): ${error_message}`),
  tool_execution_indeterminate: ({ intent, reason }) => line('bad', `${intent} is indeterminate: ${reason}`),
  execution_resolved: ({ intent, as, reason, via }, by) =>
    line(
      'plain',
      `${by}: ${intent} ${as === 'failed' ? 'counts as failed' : 'is to be intended anew'}${meansOf(via)}`,
      [reason],
    ),
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
    line('bad', `${by} aborted the session ${VIA_WORDS[via]}: ${reason}`),
}

/** Null for what a reader of the story need not know. */
export function tell({ type, payload, actor }: Occurrence): StoryLine | null {
  const teller = Object.hasOwn(TELLERS, type) ? TELLERS[type as EventType] : undefined
  return teller && payload ? (teller as Teller<EventType>)(payload as never, actor.agent) : null
}
