// The commands that only read: `witan list`, `show` and `verify`. Each loads its own use case.

import { block, plain } from '../../../render/plain.ts'
import { type Call, EXIT, locationOf, parseCount, usage, type Verb } from '../command.ts'

const NEWEST = 30

/** The traces of the home, newest first, each with its subject. */
export const list: Verb = async (call) => {
  const [{ listOutcomes }, { listHints, listJson, outcomeLines, withOutcomes }] = await Promise.all([
    import('../../../app/traces/list-traces.ts'),
    import('../../../render/trace-list.ts'),
  ])
  const newest = call.flag('all') ? Number.POSITIVE_INFINITY : NEWEST
  const { traces, outcomes } = await listOutcomes(locationOf(call), newest)
  const value = listJson(call.home, traces)
  const shown = value.traces.slice(0, newest)
  return {
    value: withOutcomes(value, outcomes),
    lines: outcomeLines(value.traces, shown, outcomes, new Date().toISOString(), call),
    brief: value.traces.map(({ trace }) => trace),
    hints: listHints(value.traces, value.traces.length - shown.length),
  }
}

/** What was spent. */
export const costs: Verb = async (call) => {
  const [{ COST_GROUPS, costsOf }, { costLines }] = await Promise.all([
    import('../../../app/traces/costs.ts'),
    import('../../../render/costs.ts'),
  ])
  const by = COST_GROUPS.find((one) => one === call.text('by')) ?? 'day'
  const value = await costsOf(locationOf(call), { by, since: call.text('since') })
  return { value, lines: costLines(value, call) }
}

function dollars(text: string | null, name: string): number | null {
  if (text === null) return null
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  throw usage(`${name} is an amount in dollars, not '${text}'`, 'Give it like 0.50.')
}

const NARROWING = ['since', 'seat', 'protocol', 'in', 'verdict', 'min-cost'] as const

/** Where words occur in recorded text. */
export const find: Verb = async (call) => {
  const [{ findEvents }, { foundHints, foundJson, foundLines }, { recordedStance }] = await Promise.all([
    import('../../../app/traces/find.ts'),
    import('../../../render/search-results.ts'),
    import('../../../render/report/document.ts'),
  ])
  const words = call.args.join(' ')
  const limit = call.count('limit')
  if (limit === 0) throw usage('--limit is 0', 'Give at least 1.')
  const verdict = call.text('verdict')
  const narrowed = NARROWING.filter((name) => call.text(name) !== null).map((name) => `--${name}`)
  const meant = verdict === null ? null : recordedStance(verdict)
  const findings = await findEvents(locationOf(call), words, {
    since: call.text('since'),
    seat: call.text('seat'),
    protocol: call.text('protocol'),
    trace: call.text('in'),
    verdict: meant?.stance ?? null,
    mode: meant?.mode ?? null,
    minCost: dollars(call.text('min-cost'), '--min-cost'),
    ...(limit !== null && { limit }),
  })
  return {
    value: foundJson(words, findings),
    lines: foundLines(findings, new Date().toISOString(), call, narrowed),
    brief: findings.events.map(({ trace, seq }) => `${trace} ${seq}`),
    hints: foundHints(findings),
  }
}

/** The content of an artifact of one event. */
const showArtifact = async (call: Call, name: string, seq: number, named: string) => {
  const { readArtifact } = await import('../../../app/traces/read-artifact.ts')
  const value = await readArtifact(locationOf(call), name, seq, named)
  const hints = value.isCut ? [`The beginning of ${value.artifact.size} bytes.`] : []
  const lines = block(value.text, '')
  return { value, lines, brief: lines, hints }
}

/** Shows a trace, of this home or in a file from anyone. Nothing is verified: that is `verify`. */
export const show: Verb = async (call) => {
  const [{ readEvent, readTrace }, { eventJson, eventLines, traceJson, traceLines }] = await Promise.all([
    import('../../../app/traces/read-trace.ts'),
    import('../../../render/trace-content.ts'),
  ])
  const [name = '', number, artifact] = call.args
  if (number !== undefined && artifact !== undefined)
    return showArtifact(call, name, parseCount(number, 'SEQ'), artifact)
  if (number !== undefined) {
    const content = await readEvent(locationOf(call), name, parseCount(number, 'SEQ'))
    return { value: eventJson(content), lines: eventLines(content, call) }
  }
  const content = await readTrace(locationOf(call), name)
  return {
    value: traceJson(content),
    lines: traceLines(content, call),
    hints: [
      '',
      `One event in full: witan show ${plain(name)} SEQ`,
      `To check it: witan verify ${plain(name)}`,
    ],
  }
}

/** Verifies a trace of this home or a file from anyone. */
export const verify: Verb = async (call) => {
  const [{ verifyTrace }, { truncationLine, verdictLine, verdictLines }] = await Promise.all([
    import('../../../app/traces/verify-trace.ts'),
    import('../../../render/verdict.ts'),
  ])
  const trust = call.texts('trust')
  const checking = (events: number): void => call.progress(`Checking ${events} events…`)
  call.progress('Reading…')
  const report = await verifyTrace(locationOf(call), call.args[0] ?? '', { trust, checking })
  return {
    value: report,
    lines: verdictLines(report, { paint: call.paint, width: call.width, hasReaderTrust: trust.length > 0 }),
    brief: [`${verdictLine(report, call.paint)}  ${truncationLine(report)}`],
    exit: report.status === 'fail' ? EXIT.verificationFailed : EXIT.done,
  }
}

/** Prints the report of a council again, on a screen or into a file. */
export const report: Verb = async (call) => {
  const [{ readReport }, { writeReport }, { checkOutputs }] = await Promise.all([
    import('../../../app/traces/trace-report.ts'),
    import('../council/present.ts'),
    import('../run-trace.ts'),
  ])
  await checkOutputs(call)
  const evaluation = await (await import('../../../app/eval/read-eval.ts')).readEval(
    locationOf(call),
    call.args[0] ?? '',
  )
  if (evaluation) return (await import('../eval/running.ts')).presentEval(evaluation, call)
  const value = await readReport(locationOf(call), call.args[0] ?? '')
  return { value, lines: await writeReport(value, call) }
}
