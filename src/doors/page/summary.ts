// The tables of the report: which checks were made, and which immutable things the verdict is about.

import type { Check, CheckLine, Report } from '../../ledger/verify/report.ts'
import { type Child, count, fold, h, mono, rows } from './dom.ts'
import type { PageContext } from './examined.ts'
import { truncation } from './verdict.ts'

const NAMES: Readonly<Record<Check, string>> = {
  schema: 'Every record has its form',
  event_hash: 'Headers have their hashes',
  chain: 'Events form one chain',
  signature: 'Signatures are valid',
  key_status: 'Keys were in force',
  key_role: 'Keys were used in their roles',
  artifact_existence: 'Artifacts are here',
  artifact_hash: 'Artifacts hold the named bytes',
  payload_hash: 'Payloads are those committed to',
  protocol_replay: 'The protocol allowed every event',
  claim_evidence: 'Claims stand on evidence',
  finalisation: 'The trace was closed properly',
  checkpoints: 'Checkpoints agree with the events',
  trust: 'The registry is one you pinned',
}

const STATES: Readonly<Record<CheckLine['status'], string>> = {
  pass: '✓ passed',
  warning: '! warning',
  fail: '✗ failed',
  skipped: 'nothing to check',
}

function heading(text: string, className = ''): HTMLElement {
  const cell = h('th', className, text)
  cell.scope = 'col'
  return cell
}

export function checksTable({ checks }: Report): HTMLElement {
  const body = checks.map(({ check, status, examined }) => {
    const name = h('th', '', NAMES[check])
    name.scope = 'row'
    const state = h('td', status === 'skipped' ? 'muted' : status, STATES[status])
    return h('tr', '', name, h('td', 'number', examined.toLocaleString('en')), state)
  })
  const head = h('tr', '', heading('Check'), heading('Examined', 'number'), heading('Result'))
  return h('table', 'checks', h('thead', '', head), h('tbody', '', body))
}

const orNone = (hash: string | null): Child => (hash === null ? h('span', 'muted', 'none') : mono(hash))

export function identifiers({ report, inquiry }: PageContext): HTMLElement {
  const { registry } = report ?? {}
  return rows([
    ['trace', mono(inquiry.bundle.trace)],
    ['protocol', report?.protocol ?? h('span', 'muted', 'unknown')],
    ['size', count(report?.size ?? inquiry.main.events.length, 'event')],
    ['head hash', orNone(report?.head ?? null)],
    ['tree root', orNone(report?.root ?? null)],
    ['registry', mono(inquiry.registry.trace)],
    ['registry keys', (registry?.keys ?? inquiry.keys.registrars).map((key) => h('div', '', mono(key)))],
    ['pinned by', report?.trusted_by ?? 'nothing: TRUST_UNPINNED'],
    ['cut off?', report ? truncation(report) : 'Truncation not excluded'],
  ])
}

/** Still JSON when copied: invisible characters are escaped the JSON way. */
const reportText = (report: Report): string =>
  JSON.stringify(report, null, 2).replaceAll(/[\u007f-\u{10ffff}]/gu, (char) =>
    [...Array(char.length).keys()]
      .map((i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`)
      .join(''),
  )

export function reportView({ report, digest }: PageContext): Child {
  if (!report || digest === null) return null
  const json = fold('json', h('summary', '', 'The report as JSON'), () => {
    const text = h('pre', 'report', reportText(report))
    text.tabIndex = 0
    return text
  })
  return [
    rows([['report digest', mono(digest)]]),
    h(
      'p',
      'muted',
      h('code', '', 'witan verify --json'),
      ' names the same digest for the same bytes and the same pin.',
    ),
    json,
  ]
}
