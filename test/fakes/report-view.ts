// The result of a council with something in every field, and the same with one hostile text in all of them.

import type { Finding } from '../../src/council/replies/finding.ts'
import type { CouncilOpinion } from '../../src/council/replies/opinion.ts'
import { CHECKS_ONLY, type CouncilFinalReport, DISCLAIMER } from '../../src/council/report/report.ts'
import type { ReportView } from '../../src/render/report/document.ts'

export const TRACE = '01KA4T2V5R8Q9XNBM7C3DYE1FZ'

type Say = (words: string) => string

const finding = (id: string, say: Say, over: Partial<Finding> = {}): Finding => ({
  id,
  rule: say('CWE-89'),
  severity: 'high',
  category: 'security',
  file: 'src/a b/query.ts',
  line: 12,
  quote: say("db.run('SELECT ' + id)"),
  description: say('The id is put into the query as it comes.'),
  rationale: say('A caller can close the string.'),
  fix: say('Bind the parameter.'),
  impact: say('Any row can be read.'),
  tests: say('Ask for an id with a quote in it.'),
  priority: 'now',
  sources: ['op-1.f1'],
  reported_by: [say('claude')],
  confirmed_by: [say('gemini')],
  disputed_by: [say('openai')],
  location_checked: 'ok',
  ...over,
})

const usage = { input_tokens: 900, output_tokens: 300 }

const opinion = (say: Say, seat: string, id: string): CouncilOpinion => ({
  id,
  round: 'R1',
  mode: 'architecture',
  embedded: false,
  event: `${TRACE}/3`,
  seat,
  provider: seat,
  model: say(`${seat}-large`),
  transport: 'api',
  timestamp: '2026-11-15T10:00:00.000Z',
  usage,
  cost_usd: 0.01,
  latency_ms: 1_200,
  stance: 'adopt',
  summary: say('A queue decouples the two, at the price of one more thing to run.'),
  details: {
    understanding: say('u'),
    key_considerations: [say('k')],
    recommendation: say('Adopt the queue for the export path only.'),
    rationale: say('r'),
  },
  risks: [{ description: say('d'), severity: 'low', mitigation: say('m') }],
  assumptions: [say('a')],
  questions: [say('q')],
  confidence: 'medium',
  findings: [],
  alternatives: [],
  verification_plan: [],
  in_scope: [],
  out_of_scope: [],
  information_needed: [],
})

function reportOf(say: Say): CouncilFinalReport {
  return {
    mode: 'architecture',
    synthesis: 'chair',
    chair: say('claude'),
    notices: [say('one vendor: agreement counts little')],
    shown_opinion: null,
    decision: 'adopt',
    conclusion: say('Put a queue between the importer and the exporter, and nowhere else yet.'),
    need_info_reason: '',
    summary: say(
      'Two of three seats would take the queue now.\nThe third would wait for a measured backlog.',
    ),
    confidence: 'medium',
    rationale: [{ point: say('The exporter stalls the importer today.'), supported_by: ['op-1', 'rv-2.c1'] }],
    risks: [
      {
        description: say('Messages may be handled twice.'),
        severity: 'high',
        mitigation: say('Make the handler idempotent.'),
        mentioned_by: ['op-2'],
        status: 'agreed',
      },
    ],
    next_actions: [
      {
        action: say('Measure the backlog for a week.'),
        priority: 'now',
        success_criteria: say('A graph exists.'),
      },
    ],
    disagreements: [
      {
        topic: say('When to begin'),
        positions: [
          { held_by: [say('claude')], position: say('Now.') },
          { held_by: [say('openai')], position: say('After the measurement.') },
        ],
        resolution: say('Begin with the measurement.'),
        why: say('It costs a week.'),
      },
    ],
    uncertainties: [
      { point: say('Peak load is a guess.'), confidence: 'low', verification: say('Load test.') },
    ],
    consensus_points: [say('The table lock has to go.')],
    answered_critiques: [{ critique: 'rv-2.c1', answer: say('Yes, hence the idempotent handler.') }],
    alternatives: [
      {
        name: say('A second table'),
        pros: [say('No new service.')],
        cons: [say('Locks stay.')],
        when_to_use: say('Small loads.'),
      },
    ],
    verification_plan: [say('Replay a day of imports.')],
    in_scope: [say('Export path')],
    out_of_scope: [say('Billing')],
    information_needed: [say('Peak imports an hour')],
    findings: [
      finding('SEC-001', say),
      finding('SEC-002', say, { severity: 'critical', line: 900, location_checked: 'beyond-end' }),
      finding('DOC-001', say, {
        severity: 'low',
        category: 'documentation',
        rule: '',
        file: 'nowhere.md',
        location_checked: 'unknown-file',
      }),
      finding('COR-001', say, {
        severity: 'medium',
        category: 'correctness',
        file: null,
        line: null,
        location_checked: 'none',
      }),
    ],
    unsupported: [{ place: 'rationale[1]', cited: [say('op-9')] }],
    unresolved: [
      { id: 'rv-1.c2', severity: 'critical', description: say('Nobody says who runs it at night.') },
    ],
    majority: { stance: 'adopt', counts: { adopt: 2, reject: 1 }, departed: true },
    position_changes: [
      { seat: say('gemini'), before: 'reject', after: 'adopt', why: say('The measurement comes first.') },
    ],
    one_vendor: false,
    participants: [
      {
        seat: say('claude'),
        provider: 'claude',
        vendor: 'anthropic',
        model: say('m'),
        roles: ['chair'],
        embedded: false,
      },
    ],
    rounds_completed: ['R1', 'R2', 'R3'],
    short_circuit: { triggered: false, rounds_skipped: [] },
    confidence_adjustment: 0,
    duration_ms: 61_000,
  }
}

/** `say` may turn every text into another; by default it stays. */
export function viewWith(say: Say = (words) => words): ReportView {
  const report = reportOf(say)
  const metrics = {
    session_id: TRACE,
    mode: 'architecture' as const,
    total_duration_ms: 61_000,
    rounds_completed: 3,
    short_circuit_triggered: false,
    total_cost_estimate: 0.1234,
    cost_unknown_calls: 1,
    calls: 7,
    calls_lost: 0,
  }
  const failure = {
    seat: say('local'),
    provider: say('local'),
    round: 'R1' as const,
    error_type: 'timeout' as const,
    cause: null,
    error_message: say('no answer within 60000 ms'),
    retried: true,
    fallback_used: false,
  }
  return {
    trace: TRACE,
    question: say('Should the importer write to a queue?'),
    mode: 'architecture',
    context: {
      kind: 'full',
      files: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ path: say(`${name}.ts`), lines: 1, bytes: 9 })),
      excluded: { [say('binary')]: 2 },
      bytes: 45,
      tokens: 10,
      diff: say('main against this branch'),
    },
    at: '2026-11-15T10:01:01.000Z',
    status: 'reported',
    reason: '',
    degraded: false,
    report,
    rounds: [
      {
        round: 'R1',
        opinions: [opinion(say, 'claude', 'op-1'), opinion(say, 'openai', 'op-2')],
        failed_providers: [failure],
        round_duration_ms: 20_000,
      },
      { round: 'R2', reviews: [], failed_providers: [], round_duration_ms: 0 },
      {
        round: 'R3',
        final_report: report,
        chair_provider: 'claude',
        failed_providers: [],
        round_duration_ms: 9_000,
      },
    ],
    unjudged_parts: [],
    metrics,
    transparency: {
      level: 'detailed',
      run_id: TRACE,
      query_hash: '0'.repeat(64),
      query_start: say('Should the importer'),
      mode: 'architecture',
      status: 'reported',
      metrics,
      short_circuit: { triggered: false, reasons: [] },
      failures: [failure],
    },
  }
}

/** A report that no chair wrote: the best opinion under the source's disclaimer. */
export function fallbackView(): ReportView {
  const view = viewWith()
  const report = view.report && {
    ...view.report,
    synthesis: 'fallback' as const,
    chair: null,
    notices: [DISCLAIMER],
  }
  return { ...view, report, status: 'degraded', degraded: true, reason: 'the chair failed twice' }
}

export function embeddedView(): ReportView {
  const view = viewWith()
  const report = view.report && {
    ...view.report,
    mode: 'review' as const,
    decision: 'need-info' as const,
    need_info_reason: 'Checks cannot decide.',
    synthesis: 'none' as const,
    notices: [CHECKS_ONLY],
  }
  return { ...view, mode: 'review', report }
}

export function quorumView(): ReportView {
  const view = viewWith()
  const reason = '1 of 2 opinions needed'
  return {
    ...view,
    report: null,
    rounds: [view.rounds[0], view.rounds[1]],
    status: 'quorum_failed',
    reason,
  }
}
