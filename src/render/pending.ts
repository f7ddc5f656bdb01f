// A pending decision, as the person must see it before deciding: the call with all its arguments, why and for
// what it is wanted, and what the policy said. Nothing is shortened: approval covers all of it.

import { PROOF_WORDS } from '../agents/approvals.ts'
import type { Pending } from '../agents/result.ts'
import type { SessionState } from '../agents/state.ts'
import type { Plan, Proof } from '../agents/task.ts'
import type { Json } from '../ledger/canonical.ts'
import type { Action } from '../protocol.ts'
import { actOf } from './call-words.ts'
import { withDemoMark } from './demo-mark.ts'
import { fieldOf, intentDetails, intentLines } from './intent-view.ts'
import { block, type Layout, plain, plainJson, wrap } from './plain.ts'

// A trace that continues only when someone else has answered: who has to answer, and the commands to type.

export interface WaitingView {
  readonly value: object
  readonly lines: readonly string[]
  readonly hints: readonly string[]
}

export function waitingView(
  trace: string,
  parked: readonly Pick<Action, 'id' | 'waitsFor'>[],
  commands: readonly string[],
): WaitingView {
  // What was aborted is over.
  const endsIt = commands.length > 0 && commands.every((command) => command.startsWith('witan abort '))
  const waitsFor = parked.map(({ waitsFor }) => waitsFor ?? 'an answer')
  return {
    value: {
      trace,
      status: 'waiting',
      waits_for: waitsFor,
      actions: parked.map(({ id }) => id),
      next: commands,
    },
    lines: [`${trace} waits for ${plain(waitsFor.join(', ') || 'an answer')}`],
    hints: [
      ...commands.map((command) => `  ${plain(command)}`),
      ...(endsIt ? [] : [`Then: witan resume ${trace}`]),
    ],
  }
}

/** A plan with all its steps. */
export function planLines(plan: Plan, sheet: Layout): readonly string[] {
  const field = fieldOf(sheet)
  const steps = (plan.steps ?? []).map(({ id, tool, input }) => {
    const act = actOf(tool, input)
    const whole = act?.isWhole ? '' : ` ${JSON.stringify(input)}`
    return act ? `${id}: ${act.verb} ${act.target} (${tool})${whole}` : `${id}: ${tool}${whole}`
  })
  return [
    field('for', plan.objective ?? ''),
    ...(plan.assumptions ?? []).map((words) => field('assumes', words)),
    field('needs', plan.required_tools.join(', ') || 'no tool'),
    ...steps.map((words) => field('step', words)),
  ]
}

/** What is copied out of a scripted demo says that it is one. */
const markedLines = (lines: readonly string[], { task }: SessionState, sheet: Layout): readonly string[] =>
  task?.scripted ? withDemoMark(lines.join('\n'), sheet).split('\n') : lines

export const pendingLines = (pending: Pending, state: SessionState, sheet: Layout): readonly string[] =>
  markedLines(wantedLines(pending, state, sheet), state, sheet)

function wantedLines(pending: Pending, state: SessionState, { paint, width }: Layout): readonly string[] {
  const { subject, kind, action } = pending
  const { intents, proposals, claims, task } = state
  const intent = intents.get(subject)
  const field = fieldOf({ paint, width })
  if (!intent) {
    const claim = claims.get(subject)
    if (claim)
      return [
        `${paint.bold(plain(subject))} is claimed`,
        field('claim', `${claim.text} (${claim.confidence})`),
        ...claim.evidence.map(({ quote, artifact }) =>
          field('quote', `“${quote}” in ${artifact.slice(0, 12)}`),
        ),
      ]
    const plan = proposals.get(subject)?.plan
    if (kind === 'propose' && typeof action.input.revises === 'string')
      return [`${paint.bold(plain(action.input.revises))} waits for its revision`]
    if (!plan) {
      const ended = [...proposals.values()].filter(({ closed }) => closed && closed.outcome !== 'succeeded')
      const objective = paint.bold(wrap(plain(task?.objective ?? ''), 0, width))
      return [objective, ...ended.map(({ id, closed }) => field(id, closed?.reason ?? ''))]
    }
    return [`${paint.bold(plain(subject))} is proposed`, ...planLines(plan, { paint, width })]
  }
  const cutOff =
    intent.status === 'blocked'
      ? `was blocked: ${intent.reason ?? ''}`
      : 'was cut off; whether it ran is not known'
  return intentLines(intent, pending, state, { paint, width }, kind === 'resolve' ? cutOff : null)
}

/** Further facts before deciding: everything that the decision would be bound to. */
export const pendingDetails = (pending: Pending, state: SessionState, sheet: Layout): readonly string[] =>
  markedLines(detailsOf(pending, state, sheet), state, sheet)

function detailsOf({ subject }: Pending, state: SessionState, sheet: Layout): readonly string[] {
  const intent = state.intents.get(subject)
  if (intent) return intentDetails(intent, state, sheet)
  const plan = state.proposals.get(subject)?.plan
  const claim = state.claims.get(subject)
  return [fieldOf(sheet)('trace', state.trace), ...block(plainJson(plan ?? claim ?? {}, 2), '    ')]
}

/** As the use case returns it. */
interface PendingDecision extends Pending {
  readonly tool: string | null
  readonly input: Json | null
  readonly reason: string
  readonly policy: object | null
  readonly trace: string
  readonly state: SessionState
  readonly about: readonly string[]
  readonly proof: Proof | null
  readonly commands: readonly string[]
}

interface PendingDecisions {
  readonly pending: readonly PendingDecision[]
  readonly unread: readonly string[]
}

export const decisionsJson = ({ pending, unread }: PendingDecisions): object => ({
  pending: pending.map(({ trace, action, subject, about, tool, input, diff, reason, policy, commands }) => ({
    trace,
    action: action.id,
    subject,
    waits_for: action.waitsFor ?? null,
    about,
    tool,
    input,
    diff,
    reason,
    policy,
    commands,
  })),
  unread,
})

const waitsFor = ({ trace, action }: PendingDecision, width: number): string =>
  wrap(`${trace} waits for ${plain(action.waitsFor ?? 'someone')}`, 2, width)

const decisionLines = (pending: PendingDecision, { paint, width }: Layout): readonly string[] => [
  ...pendingLines(pending, pending.state, { paint, width }),
  `${paint.dim(pending.trace)}${waitsFor(pending, width).slice(pending.trace.length)}`,
  ...(pending.proof ? [`  counts by: ${wrap(PROOF_WORDS[pending.proof], 13, width)}`] : []),
  ...pending.commands.map((command) => paint.dim(`  ${command}`)),
]

export const decisionsLines = ({ pending, unread }: PendingDecisions, sheet: Layout): readonly string[] => [
  ...(pending.length === 0
    ? ['Nothing waits for anybody.']
    : pending.flatMap((one, i) => [...(i > 0 ? [''] : []), ...decisionLines(one, sheet)])),
  ...unread.map(plain),
]
