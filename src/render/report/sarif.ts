// Findings as SARIF 2.1.0, for code hosts and editors. A place is given only where the file was really
// reviewed and has that line; fingerprints do not change when lines move, so that a known finding stays
// known.

import { sha256 } from '@noble/hashes/sha2.js'
import type { Finding, Severity } from '../../council/replies/finding.ts'
import { checkLocation, reviewedPath } from '../../council/report/locations.ts'
import { findingLeftOpen, seatLeftOpen } from '../../council/report/open-points.ts'
import { toHex, utf8 } from '../../ledger/bytes.ts'
import { diffIn, plain } from '../plain.ts'
import { failureKind, failuresIn, type ReportView } from './document.ts'

const LEVEL = { critical: 'error', high: 'error', medium: 'warning', low: 'note' } as const
/** The grades of code hosts for security findings. */
const SCORE: Readonly<Record<Severity, string>> = { critical: '9.5', high: '8.0', medium: '5.5', low: '2.5' }
const MAX_TEXT = 8_000

const words = (text: string): string =>
  plain(text.replace(/\s+/g, ' ').trim()).slice(0, MAX_TEXT).toWellFormed()

/** The fault, and its fix; a fix that is a change keeps its lines. */
function withFix({ description, fix }: Finding): string {
  const diff = diffIn(fix)
  if (diff === null) return words(fix.trim() === '' ? description : `${description} Fix: ${fix}`)
  return [words(description), 'Fix:', ...diff.map(plain)].join('\n').slice(0, MAX_TEXT).toWellFormed()
}

/** Letters, digits and few signs, no matter what a model called it. */
const ruleOf = ({ rule, category }: Finding): string => {
  const named = rule
    .replace(/[^A-Za-z0-9._/-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100)
  return named === '' ? `council/${category}` : named
}

const uriOf = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

function locationsOf({ file, line, location_checked }: Finding): object[] {
  if (file === null || (location_checked !== 'ok' && location_checked !== 'beyond-end')) return []
  const region = location_checked === 'ok' && line !== null && line > 0 ? { region: { startLine: line } } : {}
  return [{ physicalLocation: { artifactLocation: { uri: uriOf(file), uriBaseId: '%SRCROOT%' }, ...region } }]
}

/** The content of the finding, not its place: lines move, the quoted text moves with them. */
function fingerprintOf(finding: Finding): string {
  const about = finding.quote.trim() === '' ? finding.description : finding.quote
  const parts = [ruleOf(finding), finding.file ?? '', about.replace(/\s+/g, ' ').trim()]
  return toHex(sha256(utf8(parts.join('\0'))))
}

function resultOf(finding: Finding, rules: readonly string[], isOpen: boolean): object {
  const ruleId = ruleOf(finding)
  return {
    ruleId,
    ruleIndex: rules.indexOf(ruleId),
    level: LEVEL[finding.severity],
    message: { text: withFix(finding) || 'No description was given.' },
    locations: locationsOf(finding),
    partialFingerprints: { 'witanFinding/v1': fingerprintOf(finding) },
    properties: {
      id: finding.id,
      ...(isOpen && { leftOpen: true }),
      severity: finding.severity,
      category: finding.category,
      priority: finding.priority,
      location: finding.location_checked,
      reportedBy: finding.reported_by.map(words),
      confirmedBy: finding.confirmed_by.map(words),
      disputedBy: finding.disputed_by.map(words),
    },
  }
}

function rulesOf(findings: readonly Finding[]): object[] {
  const worst = new Map<string, Finding>()
  const rank = (finding: Finding) => Object.keys(LEVEL).indexOf(finding.severity)
  for (const finding of findings) {
    const known = worst.get(ruleOf(finding))
    if (!known || rank(finding) < rank(known)) worst.set(ruleOf(finding), finding)
  }
  return [...worst].map(([id, { category, severity }]) => ({
    id,
    shortDescription: { text: `${category}: ${id}` },
    defaultConfiguration: { level: LEVEL[severity] },
    properties: {
      tags: [category],
      ...(category === 'security' ? { 'security-severity': SCORE[severity] } : {}),
    },
  }))
}

export function sarifOf(view: ReportView, version: string): object {
  const open = openFindings(view)
  const findings = [...(view.report?.findings ?? []), ...open]
  const ids = [...new Set(findings.map(ruleOf))]
  const notifications = failuresIn(view).map(({ provider, round, error_message, ...failure }) => ({
    level: 'warning',
    message: { text: words(`${provider} failed in ${round}: ${failureKind(failure)}: ${error_message}`) },
  }))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Witan', semanticVersion: version, rules: rulesOf(findings) } },
        automationDetails: { id: `witan/${view.mode}/` },
        originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The folder that was reviewed.' } } },
        invocations: [
          {
            executionSuccessful: view.report !== null,
            toolExecutionNotifications: notifications,
          },
        ],
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => resultOf(finding, ids, open.includes(finding))),
        properties: {
          trace: view.trace,
          status: view.status,
          decision: view.report?.decision ?? null,
          notices: (view.report?.notices ?? []).map(words),
        },
      },
    ],
  }
}

// The same findings as commands of GitHub's workflow log, which show them beside the changed lines. A command
// is one line that begins with `::`: no text of a model can begin one.

const COMMAND = { critical: 'error', high: 'error', medium: 'warning', low: 'notice' } as const

const inCommand = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escaped = (text: string): string => inCommand(words(text))
const property = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

function where({
  file,
  line,
  location_checked,
}: Pick<Finding, 'file' | 'line' | 'location_checked'>): string[] {
  if (file === null || (location_checked !== 'ok' && location_checked !== 'beyond-end')) return []
  const at = location_checked === 'ok' && line !== null && line > 0 ? [`line=${line}`] : []
  return [`file=${property(file)}`, ...at]
}

/** Severe findings that the chair passed over: a gate may be closed by one, so it must not be missing here. */
const openFindings = (view: ReportView): readonly Finding[] =>
  (view.report?.unresolved ?? []).flatMap(({ id }) => {
    const finding = findingLeftOpen(view, id)
    if (finding === null) return []
    const { files } = view.context
    const file = finding.file === null ? null : (reviewedPath(files, finding.file) ?? finding.file)
    const by = { sources: [id], reported_by: [seatLeftOpen(view, id)], confirmed_by: [], disputed_by: [] }
    return [{ ...finding, ...by, id, file, location_checked: checkLocation(files, finding) }]
  })

/** Nothing for a critique, and for a place that was not reviewed. */
function whereOpen(view: ReportView, id: string): string[] {
  const openFinding = openFindings(view).find((finding) => finding.id === id)
  return openFinding ? where(openFinding) : []
}

function annotation(finding: Finding): string {
  const { severity } = finding
  const title = `title=${property(`${severity}: ${ruleOf(finding)}`)}`
  return `::${COMMAND[severity]} ${[...where(finding), title].join(',')}::${inCommand(withFix(finding))}`
}

/** Ends with a newline, unless there is nothing to annotate. */
export function annotationsOf(view: ReportView): string {
  const { report, reason } = view
  if (report === null) return `::error title=No report::${escaped(reason)}\n`
  const notices = report.notices.map((text) => `::notice title=Witan::${escaped(text)}`)
  // A severe point that the chair did not answer must be visible, with or without a line.
  const open = report.unresolved.map(
    ({ id, severity, description }) =>
      `::error ${[...whereOpen(view, id), `title=${property(`open, ${severity}`)}`].join(',')}::${escaped(description)}`,
  )
  return [...report.findings.map(annotation), ...open, ...notices].map((line) => `${line}\n`).join('')
}
