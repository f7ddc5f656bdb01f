// A new branch of an exchange: from which round, with what, and whether the exchange continues there. The old
// one stays recorded.

import { useState } from 'preact/hooks'
import { ANSWERS } from '../../../../exchange/result.ts'
import { type ActsProps, observe } from './observe.ts'

const CARRIES = [
  ['window', 'the whole window'],
  ['audit', 'the last audit alone'],
  ['none', 'nothing but what is pinned'],
] as const

export function CourseForm({ trace, state }: ActsProps) {
  const [round, setRound] = useState('')
  const [carry, setCarry] = useState('window')
  const [isCurrent, setCurrent] = useState(false)
  const [reason, setReason] = useState('')
  const course = { round: round.trim() === '' ? null : Number(round), carry, current: isCurrent }
  const isSound = course.round === null || (Number.isInteger(course.round) && course.round <= state.closed)
  return (
    <details class="form">
      <summary>Branch or roll back</summary>
      <label for="course-round">
        After round (0 to {state.closed}; empty: the latest, for a rollback the last audit)
      </label>
      <input
        id="course-round"
        class="short"
        inputMode="numeric"
        value={round}
        onInput={(event) => setRound(event.currentTarget.value)}
      />
      <label for="course-carry">It takes along</label>
      <select
        id="course-carry"
        class="medium"
        value={carry}
        onChange={(event) => setCarry(event.currentTarget.value)}
      >
        {CARRIES.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <label for="course-reason">Reason (recorded permanently)</label>
      <input
        id="course-reason"
        class="medium"
        value={reason}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
      <label class="check-line">
        <input
          type="checkbox"
          checked={isCurrent || state.signal !== null}
          disabled={state.signal !== null}
          onChange={(event) => setCurrent(event.currentTarget.checked)}
        />{' '}
        a branch takes the place of this course
      </label>
      <p class="actions">
        <button
          type="button"
          disabled={!isSound}
          title={ANSWERS.branch}
          onClick={() => void observe(trace, 'branch', reason, { course })}
        >
          Branch…
        </button>
        <button
          type="button"
          disabled={!isSound}
          title={ANSWERS.rollback}
          onClick={() => void observe(trace, 'rollback', reason, { course: { ...course, current: true } })}
        >
          Roll back…
        </button>
        <span class="small muted">A rollback always takes the place of this course.</span>
      </p>
    </details>
  )
}
