// Several decisions at once: offered only for what is alike in session, kind, tool and risk. Each is shown in full before one
// word is said on all, and each is an event of its own, with its own bytes in the confirmation.

import { useState } from 'preact/hooks'
import { WORDS, type Word } from './answer.tsx'
import { propose } from './confirm.tsx'
import type { Decision } from './decision.ts'
import { Grounds, Matter } from './matter.tsx'

export const keyOf = ({ trace, action }: Decision): string => `${trace}/${action.id}`

export const likenessOf = ({ trace, kind, tool, policy }: Decision): string =>
  JSON.stringify([trace, kind, tool, policy?.risk ?? null])

/** What one word can answer. */
const ANSWERED: readonly string[] = ['judge', 'review', 'weigh']

/** Whether others are like it, so that one word may answer all. */
export const hasAlike = (decision: Decision, all: readonly Decision[]): boolean =>
  ANSWERED.includes(decision.kind) && all.filter((one) => likenessOf(one) === likenessOf(decision)).length > 1

export function Several({
  decisions,
  done,
}: {
  readonly decisions: readonly Decision[]
  readonly done: () => void
}) {
  const [reason, setReason] = useState('')
  const [first] = decisions
  if (!first) return null
  const say = (as: Word, title: string): void => {
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
        <article key={keyOf(decision)} class="together" aria-label={decision.subject}>
          <p class="small muted">
            <code>{decision.subject}</code>
          </p>
          <Matter decision={decision} />
          <Grounds decision={decision} />
        </article>
      ))}
      <label for="reason-all">Reason for all (recorded permanently)</label>
      <input id="reason-all" value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      <p class="actions">
        {(WORDS[first.kind] ?? []).map(([as, title]) => (
          <button
            key={as}
            type="button"
            class={as === 'approve' ? 'primary' : 'danger'}
            disabled={as !== 'approve' && reason.trim() === ''}
            onClick={() => say(as, title)}
          >
            {title} all {decisions.length}…
          </button>
        ))}
      </p>
    </section>
  )
}
