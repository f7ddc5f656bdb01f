// The findings, in the report's own codes and words: what fails, where, and what the reader can do about it.

import type { Failure } from '../../ledger/verify/report.ts'
import { button, type Child, h, mono } from './dom.ts'
import type { PageContext } from './examined.ts'

const MOST = 50
const PASTE = ' On this page, paste it under “Who signed this?”.'

function place(scene: PageContext, { event, artifact }: Failure): Child {
  const parts: Child[] = []
  if (event !== null) {
    const [trace, seq] = event.split('/')
    const own = trace === scene.inquiry.main.trace
    const name = own ? `event ${seq}` : `event ${seq} of ${trace}`
    parts.push(button(name, 'link', () => scene.reveal(event)))
  }
  if (artifact !== null) parts.push(h('span', '', 'artifact ', mono(artifact)))
  return parts.length > 0 ? h('span', 'where', parts) : null
}

export function findingView(scene: PageContext, failure: Failure, placed = true, times = 1): HTMLElement {
  const { code, severity, message, suggested_action: action } = failure
  const tone = severity === 'error' ? 'fail' : 'warning'
  return h(
    'div',
    `finding ${tone}`,
    h('p', '', h('span', `code ${tone}`, code), ' ', placed ? place(scene, failure) : null),
    h('p', 'message', message, times > 1 ? ` (${times} times)` : null),
    h('p', 'muted', h('b', '', 'What to do: '), action, code === 'TRUST_UNPINNED' ? PASTE : null),
  )
}

/** Errors first, then trust; duplicates are shown once. */
function ordered(failures: readonly Failure[]): { readonly failure: Failure; readonly times: number }[] {
  const counted = new Map<string, { failure: Failure; times: number }>()
  const rank = ({ severity, check }: Failure): number =>
    severity === 'error' ? 0 : check === 'trust' ? 1 : 2
  for (const failure of failures.toSorted((a, b) => rank(a) - rank(b))) {
    const same = counted.get(JSON.stringify(failure))
    if (same) same.times++
    else counted.set(JSON.stringify(failure), { failure, times: 1 })
  }
  return [...counted.values()]
}

/** A forger can cause any number of findings, so not all are rendered. */
export function findingsView(scene: PageContext): Child {
  const all = ordered(scene.report?.failures ?? [])
  const rest = all.length - MOST
  return [
    all.slice(0, MOST).map(({ failure, times }) => findingView(scene, failure, true, times)),
    rest > 0
      ? h('p', 'muted', `… and ${rest.toLocaleString('en')} more, all of them in the report below.`)
      : null,
  ]
}
