// Several decisions at once: offered only where session, kind, tool and risk are the same. Each is shown in
// full before one answer is given for all, and each is its own event, with its own bytes in the confirmation.

import { useState } from 'preact/hooks'
import { ANSWERS, type AnswerKind } from './answer.tsx'
import { propose } from './confirm.tsx'
import type { Decision } from './decision.ts'
import { DecisionSubject, Grounds } from './decision-subject.tsx'

export const decisionKey = ({ trace, action }: Decision): string => `${trace}/${action.id}`

export const groupKey = ({ trace, kind, tool, policy }: Decision): string =>
  JSON.stringify([trace, kind, tool, policy?.risk ?? null])

/** What one answer can cover. */
const ANSWERED_TOGETHER: readonly string[] = ['judge', 'review', 'weigh']

/** Whether there are similar ones, so that one answer may cover all. */
export const hasSimilar = (decision: Decision, all: readonly Decision[]): boolean =>
  ANSWERED_TOGETHER.includes(decision.kind) &&
  all.filter((one) => groupKey(one) === groupKey(decision)).length > 1

export function JointAnswer({
  decisions,
  done,
}: {
  readonly decisions: readonly Decision[]
  readonly done: () => void
}) {
  const [reason, setReason] = useState('')
  const [first] = decisions
  if (!first) return null
  const submit = (as: AnswerKind, title: string): void => {
    const act = {
      act: 'decide-several',
      trace: first.trace,
      subjects: decisions.map(({ subject }) => subject),
      as,
      reason: reason === '' ? 'approved' : reason,
    }
    void propose(`${title} ${decisions.map(({ subject }) => subject).join(', ')}`, act, {
      danger: as !== 'approve',
      done: (signed) => signed && done(),
    })
  }
  return (
    <section class="decision" aria-label={`${decisions.length} decisions together`}>
      <h2>{decisions.length} together</h2>
      {decisions.map((decision) => (
        <article key={decisionKey(decision)} class="together" aria-label={decision.subject}>
          <p class="small muted">
            <code>{decision.subject}</code>
          </p>
          <DecisionSubject decision={decision} />
          <Grounds decision={decision} />
        </article>
      ))}
      <label for="reason-all">Reason for all (recorded permanently)</label>
      <input id="reason-all" value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      <p class="actions">
        {(ANSWERS[first.kind] ?? []).map(([as, title]) => (
          <button
            key={as}
            type="button"
            class={as === 'approve' ? 'primary' : 'danger'}
            disabled={as !== 'approve' && reason.trim() === ''}
            onClick={() => submit(as, title)}
          >
            {title} all {decisions.length}…
          </button>
        ))}
      </p>
    </section>
  )
}
