// A council before it is opened: its seats, what it is shown, and its policy. Every entrance plans its
// councils here. Planning sends and records nothing.

import type { Ports } from '../../clerk/ports.ts'
import type { CouncilResult } from '../../council/council-result.ts'
import type { Follow } from '../../council/events.ts'
import { followOf } from '../../council/follow-up.ts'
import { type CouncilPolicy, DEFAULT_POLICY, type QuorumGiven, quorumGiven } from '../../council/policy.ts'
import { type Finding, SEVERITIES, type Severity } from '../../council/replies/finding.ts'
import type { Mode } from '../../council/replies/opinion.ts'
import { checkLocation } from '../../council/report/locations.ts'
import type { CouncilFinalReport } from '../../council/report/report.ts'
import { unseenInWords } from '../../council/size/notices.ts'
import { isOpenedCouncil } from '../../council/state.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { CouncilSettings } from '../config/settings.ts'
import type { Home } from '../home/home.ts'
import { type Consent, obtainConsent } from '../person.ts'
import { findTrace } from '../traces/trace-name.ts'
import { openLog } from './council.ts'
import { type LoadedContext, loadContext, type Wanted } from './council-context.ts'
import { type Convening, MOST_PARTS, planOpening } from './open-council.ts'
import { type CouncilPreview, councilPreview } from './preview.ts'
import type { Seating } from './seating.ts'

// The policy of a council: the defaults, overridden by the settings, overridden by the request.

/** Rules that differ from the defaults: quorum, budget, timeouts, short circuits, limits. */
export type PolicyGiven = {
  readonly [Section in Exclude<keyof CouncilPolicy, 'quorum'>]?: Partial<CouncilPolicy[Section]>
} & { readonly quorum?: QuorumGiven }

export interface PolicyRequest {
  /** Rounds may be skipped where the conditions of the policy hold. */
  readonly shortCircuit?: boolean
  /** US dollars. */
  readonly maxCost?: number | null
}

/** An hour, where no time is set for a round. */
const SLOW_ROUND_MS = 3_600_000

function patient(policy: CouncilPolicy): CouncilPolicy {
  const { r1_round, r2_round, r3_round } = policy.timeouts
  const timeouts = {
    r1_round: r1_round ?? SLOW_ROUND_MS,
    r2_round: r2_round ?? SLOW_ROUND_MS,
    r3_round: r3_round ?? SLOW_ROUND_MS,
  }
  return { ...policy, timeouts: { ...policy.timeouts, ...timeouts } }
}

/** `panel`: all seats are embedded checks; `slow`: a person or a host answers at one of the seats. */
export function policyOf(
  { quorum, short_circuit, budget, timeouts }: CouncilSettings,
  { shortCircuit = false, maxCost = null }: PolicyRequest,
  { panel, slow }: { readonly panel: boolean; readonly slow: boolean },
): CouncilPolicy {
  const mergedQuorum = { ...DEFAULT_POLICY.quorum, ...quorum }
  const policy: CouncilPolicy = {
    ...DEFAULT_POLICY,
    quorum: panel ? { ...mergedQuorum, r1_min: 1, r2_min: 0 } : mergedQuorum,
    short_circuit: {
      enabled: shortCircuit || (short_circuit?.enabled ?? false),
      embeddings: short_circuit?.embeddings ?? DEFAULT_POLICY.short_circuit.embeddings,
      conditions: { ...DEFAULT_POLICY.short_circuit.conditions, ...short_circuit?.conditions },
    },
    budget: {
      cost: maxCost ?? budget?.cost ?? null,
      minutes: budget?.minutes ?? null,
    },
    timeouts: { ...DEFAULT_POLICY.timeouts, ...timeouts },
  }
  return slow ? patient(policy) : policy
}

/** Sections that are `given` override the policy. */
export const amendPolicy = (policy: CouncilPolicy, given: PolicyGiven = {}): CouncilPolicy => ({
  quorum: { ...policy.quorum, ...quorumGiven(given.quorum) },
  short_circuit: { ...policy.short_circuit, ...given.short_circuit },
  budget: { ...policy.budget, ...given.budget },
  timeouts: { ...policy.timeouts, ...given.timeouts },
  limits: { ...policy.limits, ...given.limits },
})

// Whether a pipeline may continue: closed by a finding that is severe enough, or by a decision. A finding
// outside what was reviewed does not count: it is in no file of the change. A severe finding of a seat counts
// too where the report neither includes nor answers it: a chair must not open the gate by omitting it.

export type Gate =
  | { readonly kind: 'severity'; readonly severity: Severity }
  | { readonly kind: 'decision'; readonly decision: 'reject' | 'need-info' }

/** Null for none, and for an unknown word. */
export function readGate(text: string | null): Gate | null {
  if (text === null) return null
  if (text === 'reject' || text === 'need-info') return { kind: 'decision', decision: text }
  const severity = SEVERITIES.find((one) => one === text)
  return severity ? { kind: 'severity', severity } : null
}

const isReviewed = (checked: Finding['location_checked']): boolean => checked === 'ok' || checked === 'none'

/** A gate says that nothing severe was found in what it covers: this cannot be said of content that no seat is shown. */
export function refuseUnseenGate(gate: Gate | null, { convening, loaded, follow }: CouncilPlan): void {
  if (gate === null) return
  if (convening.mode === 'review' && loaded === null && follow === null)
    throw new WitanError(
      'USAGE',
      '--fail-on cannot judge a review without files: there is nothing to review',
      'Name a folder or files with --context, or type: witan review --fail-on SEVERITY',
    )
  const { opened } = planOpening({ ...convening, follow: null })
  if (!opened.unseen) return
  const parts = convening.mostParts ?? MOST_PARTS
  throw new WitanError(
    'USAGE',
    `--fail-on cannot judge what no seat is shown. ${unseenInWords(opened.unseen)}`,
    `Look with --preview; then allow more parts than ${parts} with --parts N, name fewer files, or seat models with larger windows.`,
  )
}

/**
 * Ids of findings end like this, as in `op-1.f2`; other severe points are about statements of a seat, not about
 * what was reviewed.
 */
const OF_FINDING = /\.f\d+$/

/** The ids of findings outside what was reviewed. */
export function misplacedFindings({
  context: { files },
  rounds: [{ opinions }, { reviews }],
}: Pick<CouncilResult, 'context' | 'rounds'>): ReadonlySet<string> {
  const answers = [
    ...opinions.map(({ id, findings }) => ({ id, findings })),
    ...reviews.map(({ id, missed_findings }) => ({ id, findings: missed_findings })),
  ]
  return new Set(
    answers.flatMap(({ id, findings }) =>
      findings.flatMap((finding, i) =>
        isReviewed(checkLocation(files, finding)) ? [] : [`${id}.f${i + 1}`],
      ),
    ),
  )
}

function whyLeftOpen(
  least: Severity,
  { unresolved }: CouncilFinalReport,
  misplaced: ReadonlySet<string>,
): string | null {
  const worst = SEVERITIES.indexOf(least)
  const open = unresolved.filter(
    ({ id, severity }) => OF_FINDING.test(id) && SEVERITIES.indexOf(severity) <= worst && !misplaced.has(id),
  )
  if (open.length === 0) return null
  const count = `${open.length} finding${open.length === 1 ? '' : 's'} of severity ${least} or worse`
  return `the report neither takes up nor answers ${count}`
}

/**
 * Why the gate is closed, as text; null when it is open. `unjudged`: parts to which no seat gave an answer.
 * `misplaced`: findings of seats outside what was reviewed.
 */
export function whyGateClosed(
  gate: Gate | null,
  report: CouncilFinalReport | null,
  unjudged: readonly number[] = [],
  misplaced: ReadonlySet<string> = new Set(),
): string | null {
  if (gate === null) return null
  if (report === null) return 'there is no report'
  if (unjudged.length > 0)
    return `no seat answered to part ${unjudged.join(', ')} of what was laid before them`
  if (gate.kind === 'decision') {
    // A gate that closes at need-info also closes at a rejection.
    const closing = gate.decision === 'reject' ? ['reject'] : ['reject', 'need-info']
    return closing.includes(report.decision) ? `the decision is ${report.decision}` : null
  }
  const worst = SEVERITIES.indexOf(gate.severity)
  const severe = report.findings.filter(
    (finding) => SEVERITIES.indexOf(finding.severity) <= worst && isReviewed(finding.location_checked),
  )
  const [first] = severe
  if (!first) return whyLeftOpen(gate.severity, report, misplaced)
  return `${severe.length} finding${severe.length === 1 ? '' : 's'} of severity ${gate.severity} or worse (${first.id})`
}

// A question about a finished council: its question and its conclusion are shown to the next one, as data,
// with the event that they come from.

export async function followUp(home: { readonly ports: Ports }, name: string): Promise<Follow> {
  const trace = await findTrace(home.ports.store, name)
  const log = await openLog(home, trace)
  const { inner: state } = log.state
  const follow = isOpenedCouncil(state) && state.isClosed ? followOf(state, log.head) : null
  if (follow) return follow
  const next = state.isClosed ? 'Ask a new council.' : `Finish it first: witan resume ${trace}`
  throw new WitanError('USAGE', `${trace} has no report that could be followed up`, next)
}

export interface CouncilRequest extends PolicyRequest {
  readonly question: string
  readonly mode: Mode
  readonly constraints?: readonly string[]
  readonly focus?: readonly string[]
  /** Reviewers are told the author of each opinion. */
  readonly labelled?: boolean
  /** A finished council, by its name, whose report is shown to this one. */
  readonly follow?: string | null
  /** How many parts round one may have where the content is too long for one prompt. */
  readonly mostParts?: number | null
}

export interface CouncilPlan {
  readonly convening: Omit<Convening, 'follow'>
  readonly seating: Seating
  readonly loaded: LoadedContext | null
  readonly follow: string | null
  /** The folders whose contents may leave this machine. */
  readonly folders: readonly string[]
}

/** Paths are relative to the folder `from`. */
export async function planCouncil(
  request: CouncilRequest,
  seating: Seating,
  { settings, from, context }: { settings: CouncilSettings; from: string; context: Wanted },
): Promise<CouncilPlan> {
  const { question, mode, constraints = [], focus = [], labelled = false, follow = null } = request
  const mostParts = request.mostParts ?? settings.parts ?? MOST_PARTS
  const windows = seating.records.flatMap(({ prompt_chars }) => prompt_chars ?? [])
  const promptChars = windows.length === 0 ? null : Math.min(...windows)
  const loaded = await loadContext(from, context, { isReview: mode === 'review', promptChars, mostParts })
  return {
    convening: {
      question,
      mode,
      constraints,
      focus,
      seats: seating.records,
      chairs: seating.chairs,
      leftOut: seating.leftOut,
      labelled,
      policy: policyOf(settings, request, seating),
      context: loaded,
      mostParts,
    },
    seating,
    loaded,
    follow,
    // A report may quote what its council was shown, and the folder is not recorded.
    folders: loaded && loaded.folders.length > 0 ? loaded.folders : follow === null ? [] : [from],
  }
}

export const previewCouncil = (
  { convening, loaded }: CouncilPlan,
  follow: Follow | null = null,
): Promise<CouncilPreview> => councilPreview({ ...convening, follow }, loaded)

/** Recommendations may quote the folder, and go to the encoder that compares them. */
async function comparedBy({ policy }: Pick<Convening, 'policy'>): Promise<readonly string[]> {
  if (!policy.short_circuit.embeddings) return []
  const { embeddingProvider } = await import('../../embeddings/named.ts')
  const provider = embeddingProvider()
  return provider === null ? [] : [provider]
}

/** Returns the opening when the content of the plan may be sent to the seats; throws otherwise. */
export async function allowCouncil(
  home: Home,
  plan: CouncilPlan,
  consent: Omit<Consent, 'chosen'>,
): Promise<Convening> {
  const { folders, seating, convening } = plan
  const follow = plan.follow === null ? null : await followUp(home, plan.follow)
  const providers = [...seating.providers, ...(await comparedBy(convening))]
  if (folders.length > 0 && providers.length > 0) {
    const material = async () => ({ kind: 'council' as const, preview: await previewCouncil(plan, follow) })
    const sending = { folders, providers, material }
    await obtainConsent(home.directory, sending, { ...consent, chosen: seating.chosen })
  }
  return { ...convening, follow }
}
