// The verdict in one line: whether the following content is as it was signed, and whether the reader knows
// the signers. It is above the answer and has its space reserved, so nothing moves. The word "Verified" is
// written only here, and only from a report. A failure is a card before everything else.

import type { Failure, Report } from '../../ledger/verify/report.ts'
import { button, type Child, count, fill, h } from './dom.ts'

type Tone = 'checking' | 'pass' | 'intact' | 'warning' | 'fail'

const element = (id: string): HTMLElement => {
  const child = document.getElementById(id)
  if (!child) throw new Error(`the page has no ${id}`)
  return child
}

/** Made again each time, so that replaced text does not count as a layout shift. */
function show(tone: Tone, title: string, lede: string, ...facts: readonly Child[]): void {
  const heading = h('strong', '', title)
  heading.id = 'verdict-title'
  if (tone === 'fail') {
    heading.setAttribute('role', 'heading')
    heading.setAttribute('aria-level', '1')
  }
  const aside = h('div', '', ...facts)
  aside.id = 'verdict-facts'
  element('verdict').dataset.tone = tone
  fill(element('verdict-words'), heading, ' ', h('span', '', lede))
  element('verdict-facts').replaceWith(aside)
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
  show('checking', 'Checking…', '· here, in your browser')
  showProgress('', 0, 0)
}

const isTrust = ({ check, severity }: Failure): boolean => check === 'trust' && severity !== 'error'

/** Tone, title and the text behind it. */
function sealOf({ status, failures, trusted_by: by }: Report): readonly [Tone, string, string] {
  if (status === 'fail') {
    const errors = failures.filter(({ severity }) => severity === 'error').length
    const until = errors === 1 ? 'it is' : 'they are'
    return [
      'fail',
      'FAILED',
      `${count(errors, 'problem')} found. Do not rely on this record until ${until} explained.`,
    ]
  }
  const others = failures.filter((one) => !isTrust(one)).length
  const warned = others > 0 ? ` · ${count(others, 'warning')}` : ''
  if (by !== null) {
    const title = others > 0 ? 'Verified with warnings' : 'Verified'
    return [others > 0 ? 'warning' : 'pass', title, `· ${PINNED[by]}${warned}`]
  }
  return [others > 0 ? 'warning' : 'intact', 'Intact since signing', `· signer not yet confirmed${warned}`]
}

const PINNED = { key: 'signer confirmed by your key', checkpoint: 'signer confirmed by your checkpoint' }

export const truncation = ({ truncation_excluded_to: to }: Report): string =>
  to === null ? 'Truncation not excluded' : `Nothing cut off up to event ${(to - 1).toLocaleString('en')}`

/** Leads to a part of the page by its id. */
const leading = (id: string, label: string): Child =>
  button(label, 'link', () => {
    const part = document.querySelector(`.part.${id}`)
    part?.scrollIntoView({ block: 'start' })
    part?.querySelector<HTMLElement>('textarea, summary, button')?.focus({ preventScroll: true })
  })

export function showVerdict(report: Report): void {
  const [tone, title, lede] = sealOf(report)
  const isWarned = report.status !== 'fail' && report.failures.some((one) => !isTrust(one))
  show(tone, title, lede, [
    isWarned ? leading('findings', 'What was found') : null,
    report.trusted_by === null && tone !== 'fail' ? leading('pin', 'Confirm the signer') : null,
    leading('checks', 'What was checked'),
  ])
}

/** Where no report could be made. It looks like a failure: what was not checked is not verified. */
export const showFailure = (lede: string, code: string | null): void =>
  show('fail', 'FAILED', lede, code === null ? null : h('span', 'code fail', code))

export const showUnable = (): void =>
  show(
    'fail',
    'Not checked',
    'This browser cannot check signatures, so it cannot say whether this trace is genuine. Open the file in a current browser, directly from disk or over https.',
  )
