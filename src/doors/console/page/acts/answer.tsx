// One decision with its answer: a verdict, its reason, and for an approval its duration or its conditions.
// The next step shows what is signed.

import { useEffect, useState } from 'preact/hooks'
import type { Conditions } from '../../../../agents/task.ts'
import { clip, IsolatedText } from '../elements/text.tsx'
import { Expiry, now } from '../elements/time.tsx'
import { offerKeys } from '../shell/keyboard.ts'
import { viewer } from '../state.ts'
import { ConditionsForm } from './conditions-form.tsx'
import { notice, propose } from './confirm.tsx'
import { type Decision, objectText } from './decision.ts'

export type AnswerKind = 'approve' | 'block' | 'challenge' | 'failed' | 'again'

/** The possible answers of each kind, the first without a reason. */
export const ANSWERS: Readonly<Record<string, readonly (readonly [AnswerKind, string])[]>> = {
  judge: [
    ['approve', 'Approve'],
    ['block', 'Block'],
  ],
  review: [
    ['approve', 'Approve'],
    ['block', 'Reject'],
  ],
  weigh: [
    ['approve', 'Accept'],
    ['challenge', 'Challenge'],
  ],
  resolve: [
    ['failed', 'It failed'],
    ['again', 'Intend it again'],
  ],
}

const MINUTES = 15
const MOST_MINUTES = 10_080

const minutesOf = (text: string): number =>
  /^[1-9]\d{0,4}$/.test(text.trim()) ? Math.min(Number(text), MOST_MINUTES) : MINUTES

export function Answer({ decision, done }: { readonly decision: Decision; readonly done: () => void }) {
  const [reason, setReason] = useState('')
  const [minutes, setMinutes] = useState(String(MINUTES))
  const [conditions, setConditions] = useState<Conditions | null>(null)
  const answers = ANSWERS[decision.kind] ?? []
  const submit = (as: AnswerKind): void => {
    const act = {
      act: 'decide',
      trace: decision.trace,
      subject: decision.subject,
      as,
      reason: reason === '' && as === 'approve' ? 'approved' : reason,
      ...(as === 'approve' && decision.kind === 'judge' && { minutes: minutesOf(minutes) }),
      ...(as === 'approve' && conditions && { conditions }),
    }
    if (as !== 'approve' && reason.trim() === '') {
      notice.value = {
        text: 'Say why: the reason is recorded and returned to the proposer.',
        tone: 'bad',
      }
      document.getElementById('reason')?.focus()
      return
    }
    const title = answers.find(([word]) => word === as)?.[1] ?? as
    const summary = clip(decision.plan?.objective ?? decision.claim?.text ?? objectText(decision), 100)
    void propose(`${title} ${decision.subject}${summary === '' ? '' : `: ${summary}`}`, act, {
      danger: as !== 'approve',
      done,
    })
  }
  useEffect(() =>
    offerKeys((key) => {
      if (key !== 'a' || viewer.value?.read_only || !answers.some(([as]) => as === 'approve')) return false
      submit('approve')
      return true
    }),
  )
  if (viewer.value?.read_only || answers.length === 0)
    return (
      <div>
        <p class="muted">
          {answers.length === 0 ? 'Answer it in a terminal:' : 'This console only reads. In a terminal:'}
        </p>
        {decision.commands.map((command) => (
          <p key={command}>
            <code>
              <IsolatedText text={command} />
            </code>
          </p>
        ))}
      </div>
    )
  return (
    <form class="answer" onSubmit={(event) => event.preventDefault()}>
      <label for="reason">Reason (recorded permanently)</label>
      <input id="reason" value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      {decision.kind === 'judge' && (
        <>
          <label for="minutes">Minutes until the approval expires</label>
          <input
            id="minutes"
            inputMode="numeric"
            value={minutes}
            onInput={(event) => setMinutes(event.currentTarget.value)}
          />
          <p class="small muted">
            Given now, it <Expiry at={new Date(now.value + minutesOf(minutes) * 60_000).toISOString()} />
          </p>
        </>
      )}
      {decision.plan && <ConditionsForm plan={decision.plan} change={setConditions} />}
      <p class="actions">
        {answers.map(([as, title], i) => (
          <button key={as} type="button" class={i === 0 ? 'primary' : 'danger'} onClick={() => submit(as)}>
            {as === 'approve' && conditions ? `${title} on conditions…` : `${title}…`}
          </button>
        ))}
        <span class="small muted">The next step shows what is signed.</span>
      </p>
    </form>
  )
}
