// The parts of the report that are tables: which checks were made, and which immutable things the verdict is about.

import { artifactsOf } from '../../ledger/event.ts'
import type { Check, CheckLine, Report } from '../../ledger/verify/report.ts'
import { bytes, type Child, count, fold, h, mono, rows, said } from './dom.ts'
import { fateOf } from './payload.ts'
import type { Scene } from './scene.ts'
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

export function identifiers({ report, inquiry }: Scene): HTMLElement {
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

/** Still JSON to whoever copies it: unseen characters are escaped the JSON way. */
const reportText = (report: Report): string =>
  JSON.stringify(report, null, 2).replaceAll(/[\u007f-\u{10ffff}]/gu, (char) =>
    [...Array(char.length).keys()]
      .map((i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`)
      .join(''),
  )

export function reportView({ report, digest }: Scene): Child {
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

// What is not in this file. It is listed on its own, because what is absent cannot be seen and must not be taken
// for checked.

const MOST = 100

const REASONS = {
  omitted: 'not included: over the size limit of this file; not checked',
  erased: 'erased under a recorded redaction; not checked',
  missing: 'missing without a reason',
} as const

function artifactLines(scene: Scene): HTMLElement[] {
  const lines = new Map<string, HTMLElement>()
  for (const section of [...scene.inquiry.ancestors, scene.inquiry.main]) {
    for (const { payload } of section.events) {
      if (typeof payload !== 'object' || !payload) continue
      for (const artifact of artifactsOf(payload)) {
        const fate = fateOf(scene, artifact)
        if (fate === 'intact' || fate === 'altered' || lines.has(artifact.hash)) continue
        const text = ['Artifact ', said(artifact.name), ` (${bytes(artifact.size)}) ${REASONS[fate]}. `]
        lines.set(artifact.hash, h('li', '', text, mono(artifact.hash)))
      }
    }
  }
  return [...lines.values()]
}

function erasedLines(scene: Scene): HTMLElement[] {
  return [scene.inquiry.main, ...scene.inquiry.ancestors].flatMap((section) =>
    section.events.flatMap((read) => {
      const redaction = read.payload === null ? scene.erased.get(read.id) : undefined
      if (!redaction) return []
      const text = [
        'Content of event ',
        read.id,
        ', erased by ',
        said(redaction.by),
        ': ',
        said(redaction.reason),
      ]
      return [h('li', '', text)]
    }),
  )
}

function generalLines({ inquiry, report }: Scene): HTMLElement[] {
  const { bundle, main, registry } = inquiry
  const lines: string[] = []
  if (bundle.content === 'none')
    lines.push('All payloads and artifacts: this file holds headers, signatures and proofs only.')
  if (main.form === 'sparse')
    lines.push(`All but ${count(main.events.length, 'event')} of the ${report?.size ?? '?'} in the trace.`)
  const left = (report?.registry.size ?? 0) - registry.events.length
  if (registry !== main && left > 0)
    lines.push(
      `${count(left, 'registry event')} that this trace does not rely on; every one about keys is here.`,
    )
  return lines.map((line) => h('li', '', line))
}

/** A limit is stated to the byte. */
const exactly = (size: number): string =>
  size < 1024 ? bytes(size) : `${size.toLocaleString('en')} bytes (${bytes(size)})`

export function omissions(scene: Scene): Child {
  const lines = [...generalLines(scene), ...artifactLines(scene), ...erasedLines(scene)]
  const limit = `Artifacts over ${exactly(scene.cargo.artifactLimit)} were not put into this page.`
  const rest = lines.length - MOST
  return [
    h('p', 'muted', limit),
    lines.length === 0 ? h('p', '', 'Nothing was left out.') : h('ul', '', lines.slice(0, MOST)),
    rest > 0 ? h('p', 'muted', `… and ${rest.toLocaleString('en')} more.`) : null,
  ]
}

// What no check here can show. It is printed with every verdict, a good one above all.

export function limits(report: Report | null): Child {
  const to = report?.truncation_excluded_to ?? null
  const tail =
    to === null
      ? 'Truncation not excluded: without an earlier checkpoint of yours, later events may have been cut off.'
      : `${report ? truncation(report) : ''}: the checkpoint you gave counts them. Whether more followed is not shown.`
  return h(
    'ul',
    '',
    h(
      'li',
      '',
      'The ledger cannot prove that every action was logged, that a claim is true, or that a signer was honest when signing.',
    ),
    h('li', '', tail),
    h(
      'li',
      '',
      'The keys of seats are held by the machine that recorded them: a signature says “this installation recorded this reply from that seat”.',
    ),
    h(
      'li',
      '',
      'A page cannot vouch for itself: its maker could have made it say anything. When it matters, save the bundle and check it with your own copy of Witan.',
    ),
  )
}
