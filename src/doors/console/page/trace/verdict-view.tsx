// The result of a verification: the verdict, why, and where; every verdict shows the limits of what it can
// prove. The word "Verified" is written only here, and only from a report.

import { forJson } from '../../../../ledger/text/neutral.ts'
import type { Failure, Report } from '../../../../ledger/verify/report.ts'
import { count, Id, IsolatedText } from '../elements/text.tsx'
import { followLink, tracePath } from '../route.ts'
import type { Verifying } from './examination.ts'

const TITLES = {
  pass: ['good', 'Verified'],
  'pass-with-warnings': ['warning', 'Verified with warnings'],
  fail: ['bad', 'FAILED'],
} as const

const MAX_FAILURES = 100

function Place({ failure, isHere }: { readonly failure: Failure; readonly isHere: boolean }) {
  const [trace = '', seq = ''] = failure.event?.split('/') ?? []
  if (failure.event === null) return null
  const path = tracePath(trace, 'events', Number(seq))
  return isHere ? (
    <a href={path} onClick={followLink(path)}>
      event {seq}
    </a>
  ) : (
    <span>
      event {seq} of <Id text={trace} />
    </span>
  )
}

function Finding({ failure, isHere }: { readonly failure: Failure; readonly isHere: boolean }) {
  const tone = failure.severity === 'error' ? 'bad' : 'warning'
  return (
    <li class={`finding ${tone}-edge`}>
      <p>
        <strong class={tone}>{failure.code}</strong> <Place failure={failure} isHere={isHere} />
        {failure.artifact !== null && (
          <>
            {' '}
            artifact <Id text={failure.artifact} short />
          </>
        )}
      </p>
      <p>
        <IsolatedText text={failure.message} />
      </p>
      <p class="muted small">
        What to do: <IsolatedText text={failure.suggested_action} />
      </p>
    </li>
  )
}

function introText(report: Report, isHere: boolean): string {
  const errors = report.failures.filter(({ severity }) => severity === 'error').length
  if (report.status === 'fail')
    return `${count(errors, 'problem')} found. Do not rely on this trace until ${errors === 1 ? 'it is' : 'they are'} explained.`
  if (report.status === 'pass')
    return isHere
      ? 'Every check passed, against the registry key that this home keeps.'
      : 'Every check passed, and the registry is the one you pinned.'
  return report.trusted_by === null
    ? 'Nothing in it contradicts itself, but nothing ties it to anyone yet: a forger could have made all of it. Pin its registry below.'
    : 'Nothing failed, but the warnings below limit what this shows.'
}

export function VerdictView({ state, isHere }: { readonly state: Verifying; readonly isHere: boolean }) {
  if (state.is === 'idle') return null
  if (state.is === 'busy')
    return (
      <div class="verdict" role="status">
        <p class="verdict-word">Checking…</p>
        <progress max={Math.max(1, state.total)} value={state.done} aria-label="Progress of the check" />
        <p class="muted">
          {state.total === 0
            ? 'Reading'
            : `${state.done.toLocaleString('en')} of ${state.total.toLocaleString('en')} ${state.doing}`}
        </p>
      </div>
    )
  if (state.is === 'unable')
    return (
      <div class="verdict bad-edge" role="status">
        <p class="verdict-word bad">Not verified</p>
        <p>
          {state.code && <strong class="bad">{state.code} </strong>}
          <IsolatedText text={state.why} />
        </p>
      </div>
    )
  const { report, digest, inquiry } = state.examination
  const [tone, title] = TITLES[report.status]
  const failures = [...report.failures].sort((a, b) =>
    a.severity === b.severity ? 0 : a.severity === 'error' ? -1 : 1,
  )
  return (
    <>
      <div class={`verdict ${tone}-edge`} role="status" data-status={report.status}>
        <p class={`verdict-word ${tone}`}>{title}</p>
        <p>{introText(report, isHere)}</p>
        <p class="muted small">
          {count(report.size, 'event')}, {count(inquiry.questions.signatures.length, 'signature')},{' '}
          {count(inquiry.questions.artifacts.length, 'artifact')} · trace <Id text={inquiry.main.trace} />
        </p>
        <p class="muted small">
          report digest{' '}
          <code class="id" data-digest>
            {digest}
          </code>
        </p>
      </div>
      {failures.length > 0 && (
        <ul class="findings">
          {failures.slice(0, MAX_FAILURES).map((failure, i) => (
            <Finding key={i} failure={failure} isHere={isHere} />
          ))}
        </ul>
      )}
      {failures.length > MAX_FAILURES && (
        <p class="muted">… and {failures.length - MAX_FAILURES} more, all in the report below.</p>
      )}
      <details>
        <summary>Report as JSON</summary>
        <pre class="json" data-report>
          {forJson(JSON.stringify(report, null, 2))}
        </pre>
      </details>
      <ul class="limits small muted">
        <li>
          The ledger cannot prove that every action was logged, that a claim is true, or that a signer was
          honest when signing.
        </li>
        <li>
          {report.truncation_excluded_to === null
            ? 'Truncation not excluded: without an earlier checkpoint of yours, later events may have been cut off.'
            : `Nothing was cut off up to event ${report.truncation_excluded_to - 1}.`}
        </li>
        <li>
          The keys of seats are held by the machine that recorded them: a signature says “this installation
          recorded this reply from that seat”.
        </li>
      </ul>
    </>
  )
}
