// A session for people: each event as a line while it runs, and at its end what was proven, what was not, and
// who it waits for.

import {
  endedWithoutSuccess,
  outcomeWords,
  resultJson,
  type SessionOutcome,
  type SessionResult,
} from '../agents/result.ts'
import type { SessionState } from '../agents/state.ts'
import { SCRIPTED_DEMO } from '../ledger/scripted.ts'
import type { Occurrence } from '../protocol.ts'
import { actWords } from './call-words.ts'
import { pendingLines, waitingView } from './pending.ts'
import { type Layout, plain, wrap } from './plain.ts'
import { type Acts, followActs } from './story/acts.ts'
import { tell } from './story/agents.ts'

/** Critics and people give reasons; the policy's are in the line above. */
const isReasoned = ({ type, payload }: Occurrence): boolean =>
  type === 'intent_blocked' ||
  type === 'claim_challenged' ||
  (['proposal_reviewed', 'intent_approved'].includes(type) && payload?.via !== 'policy')

export { followActs }

/** Null where there is nothing to show of an event. */
export function eventLine(
  event: Occurrence,
  { paint, width }: Layout,
  acts: Acts | null = null,
): string | null {
  const tones = { plain: (text: string) => text, good: paint.green, bad: paint.red, quiet: paint.dim }
  const line = tell(event, acts)
  if (!line) return null
  const head = wrap(plain(line.text), 2, width).split('\n').map(tones[line.tone])
  const reasons = isReasoned(event) ? line.more.map((words) => `    ${wrap(plain(words), 4, width)}`) : []
  return [...head, ...reasons].join('\n')
}

const WORK: Readonly<Record<string, (subject: string, seat: string, state: SessionState) => string>> = {
  plan: (_subject, _seat, { task }) => `the planner (${task?.roles.planner.mind ?? 'written'}) is planning`,
  act: (subject, _seat, { task }) =>
    `the executor (${task?.roles.executor.mind ?? 'written'}) thinks about ${subject}`,
  consult: (subject, seat) => `${seat} judges ${subject}`,
  tool: (subject, _seat, { intents }) => {
    const intent = intents.get(subject)
    return intent ? `${subject}: ${actWords(intent.tool, intent.input)}` : subject
  },
}

/** Who is working on what, from the ids of the open calls; null when no one is. */
export function openCallsLine(open: readonly string[], state: SessionState): string | null {
  const words = open.flatMap((id) => {
    const [kind = '', subject = '', seat = ''] = id.split('/')
    const workText = Object.hasOwn(WORK, kind) ? WORK[kind] : undefined
    return workText ? [plain(workText(subject, seat, state))] : []
  })
  const demo = state.task?.scripted ? `${SCRIPTED_DEMO} · ` : ''
  return words.length === 0 ? null : `… ${demo}${words.join(', ')}`
}

const waitingOf = ({ trace, parked, commands }: Extract<SessionOutcome, { kind: 'waiting' }>) =>
  waitingView(trace, parked, commands)

/** `status` is the word that lists also use, `phase` the state of the protocol. */
export function sessionJson(outcome: SessionOutcome): object {
  if (outcome.kind === 'over') return resultJson(outcome.result)
  if (outcome.kind === 'waiting') {
    const { value } = waitingOf(outcome)
    return { ...value, ...(outcome.rejected && { status: 'blocked' }), phase: outcome.state.phase }
  }
  return { trace: outcome.trace, status: 'tampered', phase: 'failed', reason: outcome.reason }
}

function endLines(
  { task }: SessionState,
  result: SessionResult,
  { paint, width }: Layout,
): readonly string[] {
  const fitted = (text: string, indent: number): string => wrap(plain(text), indent, width)
  const hasFailed = endedWithoutSuccess(result)
  const outcomeText = outcomeWords(result)
  const mark = outcomeText === 'completed' ? paint.green : paint.red
  return [
    `${mark(paint.bold(outcomeText))}  ${fitted(task?.objective ?? '', outcomeText.length + 2)}`,
    ...(hasFailed ? [mark('  The audit passed, but no proposal succeeded:')] : []),
    ...(hasFailed
      ? result.proposals.map(
          ({ id, reason }) => `  ${id}  ${fitted(reason ?? 'never closed', id.length + 4)}`,
        )
      : []),
    ...result.proven.flatMap(({ text, confidence, evidence }) => [
      `  ${paint.green('proven')}    ${fitted(`${text} (${confidence})`, 12)}`,
      ...evidence.map(({ quote }) => paint.dim(`            “${plain(quote)}”`)),
    ]),
    ...result.unproven.map(
      ({ text, reason }) => `  ${paint.red('unproven')}  ${fitted(`${text}: ${reason}`, 12)}`,
    ),
    ...(task?.scripted ? [paint.yellow(SCRIPTED_DEMO)] : []),
    `trace ${result.trace}`,
  ]
}

export function sessionLines(outcome: SessionOutcome, sheet: Layout): readonly string[] {
  const { paint } = sheet
  switch (outcome.kind) {
    case 'over':
      return endLines(outcome.state, outcome.result, sheet)
    case 'waiting': {
      const { pending, state } = outcome
      const { lines } = waitingOf(outcome)
      return [
        ...pending.flatMap((one) => pendingLines(one, state, sheet)),
        ...lines.map((line) => wrap(line, 0, sheet.width)),
      ]
    }
    case 'unsound':
      return [`${paint.red(paint.bold('tampered'))}  ${plain(outcome.reason)}`, `trace ${outcome.trace}`]
  }
}

export function sessionHints(outcome: SessionOutcome): readonly string[] {
  const { kind, trace } = outcome
  if (kind === 'waiting') return waitingOf(outcome).hints
  if (kind === 'unsound') return [`What does not hold: witan verify ${trace}`]
  return [
    `The whole story: witan show ${trace}`,
    `Anyone can check it: witan export ${trace} -o session.witan`,
  ]
}
