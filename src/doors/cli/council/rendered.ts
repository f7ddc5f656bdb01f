// The result of a council as lines of text, in the form that was asked for.

import type { CouncilResult } from '../../council/result.ts'
import type { Call } from '../command.ts'
import { plain, plainJson } from '../plain.ts'
import { wrap } from '../wrap.ts'

export async function rendered(result: CouncilResult, call: Call): Promise<readonly string[]> {
  if (call.text('format') === 'json') return [plainJson(result, 2)]
  const { report } = result
  if (!report) return result.rounds[0].opinions.map(({ seat, summary }) => `${seat}: ${plain(summary)}`)
  const { paint, width } = call
  const block = (text: string): readonly string[] => wrap(plain(text), 0, width).split('\n')
  return [
    ...report.notices.map((notice) => paint.yellow(notice)),
    paint.bold(`${report.decision.toUpperCase()} (confidence ${report.confidence})`),
    ...block(report.conclusion),
    '',
    ...block(report.summary),
    ...report.findings.flatMap((finding) => [
      '',
      ...block(
        `${finding.severity} ${finding.id} ${finding.file ?? ''}:${finding.line ?? ''} ${finding.description}`,
      ),
    ]),
    ...report.uncertainties.map(({ point }) => `- ${plain(point)}`),
  ]
}
