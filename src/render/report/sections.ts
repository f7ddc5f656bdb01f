// The content and order of a report: the decision first, then what is severe and open, what to do, risks and
// disagreements, then its basis, and last the usage and how to verify it.

import type { Finding } from '../../council/replies/finding.ts'
import type { CouncilFinalReport } from '../../council/report/report.ts'
import { thousands } from '../board/board-lines.ts'
import { seatManner } from '../preview.ts'
import {
  type Block,
  basisOf,
  bySeverity,
  doubtfulPlace,
  failureKind,
  failuresIn,
  findingLead,
  fixNote,
  heading,
  type Item,
  labelOf,
  names,
  note,
  prose,
  type ReportView,
  type SeatPlaces,
  seatNote,
  section,
  stanceOf,
  TONES,
  tallyOf,
  toneOf,
  unsupportedItem,
  withNames,
} from './document.ts'
import { seatPlaces, seatsSaid } from './seats-said.ts'

const list = (items: readonly string[]): Item[] => items.map((text) => ({ text }))

const findingItem = (finding: Finding, places: SeatPlaces): Item => ({
  lead: findingLead(finding),
  tone: toneOf(finding.severity),
  text: finding.description,
  notes: [
    ...note('where', doubtfulPlace(finding)),
    ...note('kind', `${finding.category}, ${finding.id} in this report`),
    ...note('why', finding.rationale),
    ...note('impact', finding.impact),
    ...fixNote(finding.fix),
    ...note('tests', finding.tests),
    ...seatNote('reported by', finding.reported_by, places),
    ...seatNote('confirmed by', finding.confirmed_by, places),
    ...seatNote('disputed by', finding.disputed_by, places),
  ],
})

function dissent(report: CouncilFinalReport, view: ReportView): Block[] {
  const { stance, counts, departed } = report.majority
  const tally = tallyOf(view, counts)
  const majority: Item[] =
    tally === ''
      ? []
      : [
          {
            lead: 'First round',
            text: `${tally}; ${stance === null ? 'no majority' : `majority for ${stanceOf(view, stance)}`}`,
            ...(departed
              ? { tone: 'open' as const, notes: note('note', 'The chair departed from it.') }
              : {}),
          },
        ]
  const changes = report.position_changes.map(
    ({ seat, before, after, why }): Item => ({
      lead: `${seat} changed position`,
      text: `${stanceOf(view, before)} to ${stanceOf(view, after)}`,
      notes: note('why', why),
    }),
  )
  const disputes = report.disagreements.map(
    ({ topic, positions, resolution, why }): Item => ({
      lead: topic,
      text: resolution,
      notes: [
        ...positions.flatMap(({ held_by, position }) => note(names(held_by) || 'position', position)),
        ...note('why', why),
      ],
    }),
  )
  return section('Dissent', [...majority, ...changes, ...disputes])
}

function unresolved(report: CouncilFinalReport): Block[] {
  const open = report.unresolved.map(
    ({ id, severity, description }): Item => ({
      lead: `${severity}, ${id}`,
      tone: toneOf(severity),
      text: description,
    }),
  )
  return section('Unresolved: severe points the report does not answer', open)
}

function actionable(report: CouncilFinalReport, places: SeatPlaces): Block[] {
  const risks = bySeverity(report.risks).map(
    ({ description, severity, mitigation, mentioned_by, status }): Item => ({
      lead: `${severity}, ${status}`,
      tone: toneOf(severity),
      text: description,
      notes: [...note('mitigation', mitigation), ...seatNote('mentioned by', mentioned_by, places)],
    }),
  )
  const actions = report.next_actions.map(
    ({ action, priority, success_criteria }): Item => ({
      lead: priority,
      text: action,
      notes: note('done when', success_criteria),
    }),
  )
  return [...section('Next actions', actions), ...section('Risks', risks)]
}

function architecture(report: CouncilFinalReport): Block[] {
  const alternatives = report.alternatives.map(
    ({ name, pros, cons, when_to_use }): Item => ({
      lead: name,
      text: when_to_use,
      notes: [...pros.flatMap((each) => note('for', each)), ...cons.flatMap((each) => note('against', each))],
    }),
  )
  return [
    ...section('Alternatives', alternatives),
    ...section('How to verify the decision', list(report.verification_plan)),
    ...section('In scope', list(report.in_scope)),
    ...section('Out of scope', list(report.out_of_scope)),
    ...section('Information needed', list(report.information_needed)),
  ]
}

function grounds(report: CouncilFinalReport, places: SeatPlaces): Block[] {
  const points = report.rationale.map(
    ({ point, supported_by }): Item => ({ text: point, notes: seatNote('from', supported_by, places) }),
  )
  const doubts = report.uncertainties.map(
    ({ point, confidence, verification }): Item => ({
      text: point,
      notes: [...note('confidence', confidence), ...note('to verify', verification)],
    }),
  )
  const unsupported = report.unsupported.map(unsupportedItem)
  const answered = report.answered_critiques.map(
    ({ critique, answer }): Item => ({ lead: critique, text: answer }),
  )
  return [
    ...section('Why', points),
    ...section('Agreed by all', list(report.consensus_points)),
    ...section('Uncertain', doubts),
    ...section('Critiques answered', answered),
    ...section('Citations that do not hold', unsupported),
  ]
}

function failures(view: ReportView): Block[] {
  const items = failuresIn(view).map(
    ({ who, round, error_message, retried, fallback_used, ...failure }): Item => ({
      lead: `${who} in ${round}`,
      tone: 'open',
      text: `${failureKind(failure)}: ${error_message}`,
      notes: note(
        'tried',
        names([...(retried ? ['again'] : []), ...(fallback_used ? ['another transport'] : [])]),
      ),
    }),
  )
  return section('Who failed', items)
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

function costOf({ metrics }: ReportView): string {
  const { total_cost_estimate: cost, cost_unknown_calls: unknown } = metrics
  if (cost === null) return 'not known'
  return `${unknown > 0 ? 'at least ' : ''}${cost.toFixed(4)} US dollars`
}

function endBlocks(view: ReportView): Block[] {
  const { trace, metrics, report, transparency } = view
  const tokens = (transparency.rounds ?? []).reduce(
    (sum, each) => [sum[0] + each.total_tokens_in, sum[1] + each.total_tokens_out] as const,
    [0, 0] as readonly [number, number],
  )
  const seats = (report?.participants ?? []).map(({ seat, model }) =>
    model === null || model === seat ? seat : `${seat} (${model})`,
  )
  const manners = (report?.participants ?? []).flatMap(({ seat, ...manner }) => {
    const words = seatManner(manner)
    return words === '' ? [] : [[seat, words] as const]
  })
  return [
    heading('What it took'),
    {
      kind: 'facts',
      rows: [
        ...(seats.length > 0 ? ([['Seats', names(seats)]] as const) : []),
        ...manners,
        ...(report?.chair ? ([['Chair', report.chair]] as const) : []),
        ['Rounds', report ? names(report.rounds_completed) : String(metrics.rounds_completed)],
        ['Time', seconds(metrics.total_duration_ms)],
        ['Cost', costOf(view)],
        ...(transparency.rounds && tokens[0] + tokens[1] > 0
          ? ([['Tokens', `${thousands(tokens[0])} in, ${thousands(tokens[1])} out`]] as const)
          : []),
        [
          'Calls',
          `${metrics.calls}${metrics.calls_lost > 0 ? `, ${metrics.calls_lost} lost and asked again` : ''}`,
        ],
        ['Trace', trace],
      ],
    },
    heading('How to check it'),
    { kind: 'command', text: `witan verify ${trace}` },
    {
      kind: 'prose',
      text: 'The trace shows what was asked and answered, and that nothing was changed since. It cannot show that an answer is true.',
    },
  ]
}

const ABOUT = 300

/** The question on one line, cut where it is long. */
function aboutOf(question: string): string {
  const chars = [...question.replace(/\s+/g, ' ').trim()]
  return chars.length > ABOUT ? `${chars.slice(0, ABOUT).join('')}…` : chars.join('')
}

function verdict(view: ReportView): Block[] {
  const {
    report,
    status,
    reason,
    question,
    context,
    rounds: [first],
  } = view
  const put = { kind: 'verdict', about: aboutOf(question), basis: basisOf(context) } as const
  if (report === null) {
    const over = status === null ? 'Still under way' : 'No report'
    return [
      { ...put, tone: 'bad', label: over, detail: reason },
      ...prose(first.opinions.length > 0 ? 'What was said until then follows; it is not a synthesis.' : ''),
    ]
  }
  const label = labelOf(view, report.decision)
  const tone = TONES[report.decision] ?? 'open'
  return [{ ...put, tone, label, detail: `confidence ${report.confidence}` }]
}

/** What a notice above says already is not repeated. */
export const withoutNotices = (text: string, notices: readonly string[]): string =>
  notices.reduce((rest, notice) => (rest.startsWith(notice) ? rest.slice(notice.length).trim() : rest), text)

export function documentOf(view: ReportView): readonly Block[] {
  const { question, degraded, reason } = view
  const report = withNames(view)
  const places = seatPlaces(view)
  const notices = report?.notices ?? []
  const marked = degraded && reason !== '' ? [...notices, `Degraded: ${reason}`] : notices
  const conclusion = report
    ? [
        ...prose(report.conclusion).map((block): Block => ({ ...block, leads: true })),
        ...prose(withoutNotices(report.need_info_reason, notices)),
        ...prose(report.summary === report.conclusion ? '' : withoutNotices(report.summary, notices)),
        ...section(
          'Findings',
          bySeverity(report.findings).map((finding) => findingItem(finding, places)),
        ),
        ...unresolved(report),
        ...actionable(report, places),
        ...dissent(report, view),
        ...architecture(report),
        ...grounds(report, places),
      ]
    : []
  return [
    ...verdict(view),
    ...marked.map((text): Block => ({ kind: 'notice', text })),
    ...conclusion,
    ...seatsSaid(view),
    ...failures(view),
    ...(aboutOf(question).endsWith('…') ? [heading('The whole question'), ...prose(question)] : []),
    ...endBlocks(view),
  ]
}
