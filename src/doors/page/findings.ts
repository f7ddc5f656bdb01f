// What was found, in the report's own codes and words: what fails, where, and what the reader can do about it.

import type { Failure } from '../../ledger/verify/report.ts'
import { button, type Child, h, mono } from './dom.ts'
import type { Scene } from './scene.ts'

const MOST = 50

function place(scene: Scene, { event, artifact }: Failure): Child {
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

export function findingView(scene: Scene, failure: Failure, placed = true): HTMLElement {
  const { code, severity, message, suggested_action: action } = failure
  const tone = severity === 'error' ? 'fail' : 'warning'
  return h(
    'div',
    `finding ${tone}`,
    h('p', '', h('span', `code ${tone}`, code), ' ', placed ? place(scene, failure) : null),
    h('p', '', message),
    h('p', 'muted', h('b', '', 'What to do: '), action),
  )
}

/** Errors first; a forger can cause any number of them, so not all are laid out. */
export function findingsView(scene: Scene): Child {
  const failures = scene.report?.failures ?? []
  const errors = failures.filter(({ severity }) => severity === 'error')
  const ordered = [...errors, ...failures.filter(({ severity }) => severity !== 'error')]
  const rest = ordered.length - MOST
  return [
    ordered.slice(0, MOST).map((failure) => findingView(scene, failure)),
    rest > 0
      ? h('p', 'muted', `… and ${rest.toLocaleString('en')} more, all of them in the report below.`)
      : null,
  ]
}
