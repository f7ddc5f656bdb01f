// The verdict of a council on one screen: the decision, who made it, what is still open, what to do. It never
// has more lines than requested. What does not fit is counted, by severity where it has one: every severe
// point that the report does not answer is named here, or counted.

import type { CouncilFinalReport } from '../../council/report/report.ts'
import { dollars } from '../board/board-lines.ts'
import { clip, type Layout, plain } from '../plain.ts'
import {
  bySeverity,
  failureKind,
  failuresIn,
  labelOf,
  type ReportView,
  stanceOf,
  TONES,
  type Tone,
  tallyOf,
  toneOf,
  withNames,
} from './document.ts'
import { brush, folded } from './render.ts'
import { nameIn, type Vote, votesIn } from './seats-said.ts'
import { withoutNotices } from './sections.ts'

interface Line {
  /** A word or two before the text: a severity, a name. */
  readonly lead: string
  readonly tone?: Tone
  readonly text: string
}

interface Section {
  readonly title: string
  readonly lines: readonly Line[]
  /** A description of the lines that do not fit. */
  readonly rest?: (hidden: number) => string
}

const MARGIN = 9
const LEAST_ROWS = 12
const CONCLUSION = 3
const NOTICES = 3
const QUESTION = 2
/** Lines that one point may take if there is space. */
const DEEPEST = 3

/** Names, votes and places are kept whole where possible, and leave space for some text. */
const leadRoom = (width: number): number => Math.floor((width * 2) / 3)

const oneLine = (text: string): string => plain(text.replace(/\s+/g, ' ').trim())

/** `2 critical, 3 high`, of those after the shown ones. */
const severities =
  (items: readonly { readonly severity: string }[]) =>
  (hidden: number): string => {
    const counts = new Map<string, number>()
    for (const { severity } of items.slice(items.length - hidden))
      counts.set(severity, (counts.get(severity) ?? 0) + 1)
    return [...counts].map(([severity, count]) => `${count} ${severity}`).join(', ')
  }

function findings({ findings: all }: CouncilFinalReport): Section {
  const sorted = bySeverity(all)
  return {
    title: 'Findings',
    lines: sorted.map(({ severity, file, line, rule, description }) => ({
      lead: `${file === null ? '(no file)' : `${file}${line === null ? '' : `:${line}`}`} ${severity}`,
      tone: toneOf(severity),
      text: `${rule === '' ? '' : `${rule}: `}${description}`,
    })),
    rest: severities(sorted),
  }
}

function votes(view: ReportView, all: readonly Vote[]): Section {
  return {
    title: 'Votes',
    lines: all.map(({ opinion, stance, isChanged, text }) => ({
      lead: `${nameIn(all, opinion)} ${stanceOf(view, stance)}${isChanged ? ` (was ${stanceOf(view, opinion.stance)})` : ''}:`,
      tone: TONES[stance] ?? 'open',
      text,
    })),
    rest: (hidden) => {
      const counts = new Map<string, number>()
      for (const { stance } of all.slice(all.length - hidden))
        counts.set(stance, (counts.get(stance) ?? 0) + 1)
      return [...counts].map(([stance, count]) => `${count} ${stanceOf(view, stance)}`).join(', ')
    },
  }
}

function unanswered({ unresolved }: CouncilFinalReport): Section {
  const sorted = bySeverity(unresolved)
  return {
    title: 'Open',
    lines: sorted.map(({ id, severity, description }) => ({
      lead: severity,
      tone: toneOf(severity),
      text: `${id}: ${description}`,
    })),
    rest: severities(sorted),
  }
}

const actions = ({ next_actions }: CouncilFinalReport): Section => ({
  title: 'Do',
  lines: next_actions.map(({ action, priority }) => ({ lead: priority, text: action })),
})

function risks({ risks: all }: CouncilFinalReport): Section {
  const sorted = bySeverity(all)
  return {
    title: 'Risks',
    lines: sorted.map(({ severity, status, description }) => ({
      lead: status === 'disputed' ? `${severity} (disputed)` : severity,
      tone: toneOf(severity),
      text: description,
    })),
    rest: severities(sorted),
  }
}

function dissent(report: CouncilFinalReport, view: ReportView): Section {
  const { majority, disagreements } = report
  return {
    title: 'Dissent',
    lines: [
      ...(majority.departed
        ? [
            {
              lead: 'chair',
              tone: 'open' as const,
              text: `against the majority of R1 (${tallyOf(view, majority.counts)})`,
            },
          ]
        : []),
      ...disagreements.map(({ topic, resolution }) => ({ lead: `${topic}:`, text: resolution })),
    ],
  }
}

const unknowns = ({ information_needed, uncertainties }: CouncilFinalReport): Section => ({
  title: 'Unknown',
  lines: [
    ...information_needed.map((text) => ({ lead: 'needed:', tone: 'open' as const, text })),
    ...uncertainties.map(({ point, verification }) => ({
      lead: 'unsure:',
      tone: 'open' as const,
      text: verification === '' ? point : `${point} To verify: ${verification}`,
    })),
  ],
})

const failed = (view: ReportView): Section => ({
  title: 'Failed',
  lines: failuresIn(view).map(({ who, round, error_message, ...failure }) => ({
    lead: `${who} in ${round}`,
    tone: 'bad',
    text: `${failureKind(failure)}: ${error_message}`,
  })),
})

const height = ({ lines }: Section, shown: number): number => shown + (lines.length > shown ? 1 : 0)

/** How many lines of each section are shown: one of each, then more in turn while there is space. */
function fitted(sections: readonly Section[], room: number): readonly number[] {
  const shown = sections.map(() => 1)
  const used = (): number => sections.reduce((sum, section, i) => sum + height(section, shown[i] ?? 0), 0)
  for (let grew = true; grew; ) {
    grew = false
    for (const [i, { lines }] of sections.entries()) {
      const now = shown[i] ?? 0
      if (now >= lines.length) continue
      shown[i] = now + 1
      if (used() > room) shown[i] = now
      else grew = true
    }
  }
  return shown
}

/** One line of a section in as many as it takes: the label, and the text behind it. */
function foldedLine({ lead, text }: Line, width: number): readonly string[] {
  const leadText = clip(oneLine(lead), leadRoom(width))
  return folded(`${leadText} ${text}`, '', 2, width)
}

/** Shown lines of a section with the depth that each may have. */
function sectionLines(
  section: Section,
  shown: number,
  spare: { rows: number },
  { paint, width }: Layout,
): readonly string[] {
  const room = width - MARGIN
  const lines = section.lines.slice(0, shown).flatMap((line) => {
    const all = foldedLine(line, room)
    const depth = Math.min(all.length, DEEPEST, 1 + Math.max(spare.rows, 0))
    spare.rows -= depth - 1
    const cut = all.slice(0, depth)
    const last = cut[depth - 1] ?? ''
    const shownLines =
      depth < all.length ? [...cut.slice(0, -1), clip(`${last} ${all[depth]?.trim()}`, room)] : cut
    const lead = clip(oneLine(line.lead), leadRoom(room))
    return shownLines.map((each, i) =>
      i === 0 && each.startsWith(lead) ? `${brush(line.tone, paint)(lead)}${each.slice(lead.length)}` : each,
    )
  })
  const hidden = section.lines.length - shown
  const more = hidden > 0 ? section.rest?.(hidden) : undefined
  const counted = hidden > 0 ? [paint.dim(`and ${hidden} more${more ? `: ${more}` : ''}`)] : []
  return [...lines, ...counted].map(
    (line, i) => `${paint.dim((i === 0 ? section.title : '').padEnd(MARGIN))}${line}`,
  )
}

function durationText(view: ReportView): string {
  const { metrics, report, rounds } = view
  const { total_cost_estimate: cost, cost_unknown_calls: unknown } = metrics
  const isUnknown = cost === null || (cost === 0 && unknown > 0)
  const money = isUnknown ? 'cost not known' : `${unknown > 0 ? 'at least ' : ''}${dollars(cost)}`
  const seats = report?.participants.length ?? rounds[0].opinions.length
  const chair = report?.chair ? `; chair ${report.chair}` : ''
  const time = (metrics.total_duration_ms / 1000).toFixed(1)
  return `${seats} seat${seats === 1 ? '' : 's'}, ${metrics.calls} call${metrics.calls === 1 ? '' : 's'}, ${time} s, ${money}${chair}`
}

/** As many lines as fit, the last of them marked where something is left out. */
function clipLines(lines: readonly string[], most: number, width: number): readonly string[] {
  if (lines.length <= most) return lines
  return [...lines.slice(0, most - 1), clip(`${lines[most - 1]} …`.padEnd(width, ' ').trimEnd(), width)]
}

function verdictLines(view: ReportView, { paint, width }: Layout): readonly string[] {
  const { report, status, reason, degraded } = view
  const tone = report ? (TONES[report.decision] ?? 'open') : 'bad'
  const label = report ? labelOf(view, report.decision) : status === null ? 'Still under way' : 'No report'
  const detail = report ? `  confidence ${report.confidence}` : ''
  const notices = [...(degraded && reason !== '' ? [`Degraded: ${reason}`] : []), ...(report?.notices ?? [])]
  const paragraphs = report
    ? [report.conclusion || report.summary, withoutNotices(report.need_info_reason, notices)]
    : [reason]
  const hidden = notices.length - NOTICES
  const shown = hidden > 0 ? [...notices.slice(0, NOTICES), `and ${hidden} more notices`] : notices
  const deepest = Math.floor((NOTICES + 1) / shown.length)
  const spokenLines = paragraphs
    .filter((text) => text.trim() !== '')
    .flatMap((text) => folded(text, '', 0, width))
  const questionLines = folded(oneLine(view.question), 'Asked'.padEnd(MARGIN), MARGIN, width)
  return [
    `${brush(tone, paint)(paint.bold(label))}${paint.dim(detail)}`,
    ...clipLines(spokenLines, CONCLUSION, width),
    ...shown
      .flatMap((text) => clipLines(folded(text, '! ', 2, width), deepest, width))
      .map((line) => paint.yellow(line)),
    ...clipLines(questionLines, QUESTION, width).map((line) => paint.dim(line)),
  ]
}

/** No wider than `width`, and at most `rows` lines. */
export function briefLines(view: ReportView, sheet: Layout & { readonly rows?: number }): readonly string[] {
  const report = withNames(view)
  const { paint, width, rows = 26 } = sheet
  const castVotes = votesIn(view)
  const sections = [
    ...(report ? [findings(report)] : []),
    votes(view, castVotes),
    ...(report
      ? [unanswered(report), actions(report), risks(report), dissent(report, view), unknowns(report)]
      : []),
    failed(view),
  ].filter(({ lines }) => lines.length > 0)
  const head = verdictLines(view, sheet)
  const tail = [
    `${paint.dim('Took'.padEnd(MARGIN))}${clip(oneLine(durationText(view)), width - MARGIN)}`,
    paint.dim(`${'More'.padEnd(MARGIN)}witan report ${view.trace} --full`),
    paint.dim(`${'Check'.padEnd(MARGIN)}witan verify ${view.trace}`),
  ]
  const room = Math.max(rows, LEAST_ROWS) - head.length - tail.length - 1
  const shown = fitted(sections, room)
  const used = sections.reduce((sum, section, i) => sum + height(section, shown[i] ?? 1), 0)
  const spare = { rows: room - used }
  const body = sections.flatMap((section, i) => sectionLines(section, shown[i] ?? 1, spare, sheet))
  return [...head, '', ...body, ...tail]
}
