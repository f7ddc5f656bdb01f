// What waits for a person, as that person must see it before deciding: the call with all its arguments, why it is
// wanted and for what, and what the policy said. Nothing is shortened: whoever consents, consents to all of it.

import type { Plan } from '../agents/task.ts'
import type { Pending, SessionLog } from '../app/agents/decide.ts'
import type { Call } from '../doors/cli/command.ts'
import { block, plain, plainJson } from './plain.ts'
import { wrap } from './wrap.ts'

type Look = Pick<Call, 'paint' | 'width'>

const fieldOf =
  ({ paint, width }: Look) =>
  (name: string, words: string): string =>
    `  ${paint.dim(name.padEnd(8))}  ${wrap(plain(words), 12, width)}`

/** A plan with all its steps. */
export function planLines(plan: Plan, look: Look): readonly string[] {
  const field = fieldOf(look)
  const steps = (plan.steps ?? []).map(({ id, tool, input }) => `${id}: ${tool} ${JSON.stringify(input)}`)
  return [
    field('for', plan.objective ?? ''),
    ...(plan.assumptions ?? []).map((words) => field('assumes', words)),
    field('needs', plan.required_tools.join(', ') || 'no tool'),
    ...steps.map((words) => field('step', words)),
  ]
}

export function pendingLines(
  { subject, kind, action }: Pick<Pending, 'subject' | 'kind' | 'action'>,
  log: SessionLog,
  { paint, width }: Look,
): readonly string[] {
  const { intents, proposals, task } = log.state.inner
  const intent = intents.get(subject)
  const field = fieldOf({ paint, width })
  if (!intent) {
    const plan = proposals.get(subject)?.plan
    if (!plan) return [`${paint.bold(plain(action.id))}  ${wrap(plain(task?.objective ?? ''), 2, width)}`]
    return [`${paint.bold(plain(subject))} is proposed`, ...planLines(plan, { paint, width })]
  }
  const { tool, input, justification, assessment } = intent
  const rules = [...(assessment?.deciding ?? []), ...(assessment?.reasons ?? [])].join('; ')
  const what = kind === 'resolve' ? 'was cut off; nobody knows whether it ran' : 'is intended'
  return [
    `${paint.bold(`${plain(subject)}  ${plain(tool)}`)}  ${what}`,
    ...block(input === null ? 'erased' : plainJson(input, 2), '    '),
    field('why', justification),
    field('for', proposals.get(intent.proposal)?.plan.objective ?? ''),
    field(
      'policy',
      `${assessment?.decision ?? 'not asked'}, risk ${assessment?.risk ?? intent.risk} (${rules})`,
    ),
  ]
}
