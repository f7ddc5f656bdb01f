// The answer, big and plain. Its card has its size before there is an answer, so nothing moves when it comes. The
// word "Verified" is written here only, and only from a report.

import type { Failure, Report } from '../../ledger/verify/report.ts'
import { button, type Child, count, fill, h, mono } from './dom.ts'
import type { Scene } from './scene.ts'

type Tone = 'checking' | 'pass' | 'warning' | 'fail'

const element = (id: string): HTMLElement => {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no ${id}`)
  return found
}

function show(tone: Tone, title: string, lede: string, ...facts: readonly Child[]): void {
  element('verdict').dataset.tone = tone
  fill(element('verdict-title'), title)
  fill(element('verdict-lede'), lede)
  fill(element('verdict-facts'), ...facts)
  document.title = `${title}: Witan`
}

const bar = document.createElement('progress')
bar.setAttribute('aria-label', 'Progress of the check')

export function showProgress(doing: string, done: number, total: number): void {
  bar.max = Math.max(total, 1)
  bar.value = done
  const text =
    total === 0 ? 'Reading' : `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${doing}`
  fill(element('verdict-facts'), bar, h('span', 'muted', text))
}

export function showChecking(): void {
  show('checking', 'Checking…', 'Everything in this file is being checked here, in your browser.')
  showProgress('', 0, 0)
}

function ledeOf(report: Report): string {
  const errors = report.failures.filter(({ severity }) => severity === 'error').length
  const warnings = report.failures.length - errors
  if (report.status === 'fail') {
    return `${count(errors, 'problem')} found. Do not rely on this trace until ${errors === 1 ? 'it is' : 'they are'} explained.`
  }
  if (report.status === 'pass') return 'Every check passed, and the registry is the one you pinned.'
  if (report.trusted_by !== null)
    return `Nothing failed, but ${count(warnings, 'warning limits', 'warnings limit')} what this shows.`
  return 'Nothing in this file contradicts itself, but nothing ties it to anyone yet: a forger could have made all of it. Pin its registry below.'
}

const TITLES = {
  pass: ['pass', 'Verified'],
  'pass-with-warnings': ['warning', 'Verified with warnings'],
  fail: ['fail', 'FAILED'],
} as const

const fact = (tone: 'pass' | 'warning', text: string): HTMLElement => h('span', `fact ${tone}`, text)

const PINNED = { key: 'Registry pinned by your key', checkpoint: 'Registry pinned by your checkpoint' }

export const truncation = ({ truncation_excluded_to: to }: Report): string =>
  to === null ? 'Truncation not excluded' : `Nothing cut off up to event ${(to - 1).toLocaleString('en')}`

export function showVerdict(report: Report): void {
  const [tone, title] = TITLES[report.status]
  const { trusted_by: by } = report
  show(
    tone,
    title,
    ledeOf(report),
    h('span', 'fact', count(report.size, 'event')),
    by === null ? fact('warning', 'TRUST_UNPINNED') : fact('pass', PINNED[by]),
    fact(report.truncation_excluded_to === null ? 'warning' : 'pass', truncation(report)),
  )
}

/** Where no report could be made. It reads as a failure: what was not checked is not verified. */
export const showFailure = (lede: string, code: string | null): void =>
  show('fail', 'FAILED', lede, code === null ? null : h('span', 'code fail', code))

export const showUnable = (): void =>
  show(
    'fail',
    'Not checked',
    'This browser cannot check signatures, so it cannot say whether this trace is genuine. Open the file in a current browser, directly from disk or over https.',
  )

// What was found, in the report's own codes and words: what fails, where, and what the reader can do about it.

const MOST = 50
const PASTE = ' On this page, paste it into the field below.'

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

export function findingView(scene: Scene, failure: Failure, placed = true, times = 1): HTMLElement {
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

/** Errors first, then whose trace it is; what is said twice stands once. */
function ordered(failures: readonly Failure[]): { readonly failure: Failure; readonly times: number }[] {
  const found = new Map<string, { failure: Failure; times: number }>()
  const rank = ({ severity, check }: Failure): number =>
    severity === 'error' ? 0 : check === 'trust' ? 1 : 2
  for (const failure of failures.toSorted((a, b) => rank(a) - rank(b))) {
    const same = found.get(JSON.stringify(failure))
    if (same) same.times++
    else found.set(JSON.stringify(failure), { failure, times: 1 })
  }
  return [...found.values()]
}

/** A forger can cause any number of findings, so not all are laid out. */
export function findingsView(scene: Scene): Child {
  const all = ordered(scene.report?.failures ?? [])
  const rest = all.length - MOST
  return [
    all.slice(0, MOST).map(({ failure, times }) => findingView(scene, failure, true, times)),
    rest > 0
      ? h('p', 'muted', `… and ${rest.toLocaleString('en')} more, all of them in the report below.`)
      : null,
  ]
}
