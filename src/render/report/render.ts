// One report in the form that was asked for. Each is a function of the view alone, so that the same minutes always
// give the same report.

import { NO_PAINT, type Paint } from '../paint.ts'
import { plainJson } from '../plain.ts'
import { webPageOf } from './html.ts'
import { markdownOf } from './markdown.ts'
import type { ReportView } from './report-view.ts'
import { sarifOf } from './sarif.ts'
import { documentOf } from './sections.ts'
import { textOf } from './text.ts'

export const FORMATS = ['text', 'md', 'json', 'html', 'sarif'] as const
export type Format = (typeof FORMATS)[number]

export interface RenderOptions {
  /** Columns of the text form. */
  readonly width?: number
  readonly paint?: Paint
  /** Of Witan, named in SARIF. */
  readonly version?: string
}

const WIDTH = 80
/** The command that checks the minutes stays on one line. */
const NARROWEST = 44

/** What programs read: the report, what it was made of, what it took, and what could make one doubt it. */
const jsonOf = (view: ReportView): object => ({
  trace: view.trace,
  question: view.question,
  mode: view.mode,
  at: view.at,
  status: view.status,
  reason: view.reason,
  degraded: view.degraded,
  report: view.report,
  rounds: view.rounds.filter((round) => round !== null),
  metrics: view.metrics,
  transparency: view.transparency,
})

const titleOf = ({ question }: ReportView): string =>
  `${[...question.replace(/\s+/g, ' ').trim()].slice(0, 80).join('')}: Witan council`

/** Ends with a line end. */
export function renderReport(format: Format, view: ReportView, options: RenderOptions = {}): string {
  switch (format) {
    case 'json':
      return `${plainJson(jsonOf(view), 2)}\n`
    case 'sarif':
      return `${plainJson(sarifOf(view, options.version ?? '0.0.0'), 2)}\n`
    case 'md':
      return markdownOf(documentOf(view))
    case 'html':
      return webPageOf(documentOf(view), titleOf(view))
    case 'text': {
      const width = Math.max(options.width ?? WIDTH, NARROWEST)
      return textOf(documentOf(view), width, options.paint ?? NO_PAINT)
    }
  }
}
