// A summary of attached agents, by host and folder: for each its name, then its counts.

import { type Layout, plain } from './plain.ts'

interface Line {
  readonly host: string
  readonly folder: string
  readonly sessions: number
  readonly open: number
  readonly calls: number
  readonly denied: number
  readonly approved: number
  readonly failed: number
  readonly unknown: number
  readonly gaps: number
  readonly ungated: number
}

interface Summary {
  readonly since: string | null
  readonly total: Line
  readonly lines: readonly Line[]
}

const counted = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`

function figures(line: Line): readonly string[] {
  const about = [
    ...(line.open > 0 ? [`${line.open} open`] : []),
    ...(line.ungated > 0 ? [`${line.ungated} not gated`] : []),
  ]
  const sessions = `${counted(line.sessions, 'session')}${about.length > 0 ? ` (${about.join(', ')})` : ''}`
  const { calls, denied, approved, failed, unknown, gaps } = line
  return [
    `  ${sessions}, ${counted(calls, 'call')}: ${denied} denied, ${approved} approved by a person, ${failed} failed`,
    ...(unknown > 0 ? [`  ${counted(unknown, 'call')} without a known outcome`] : []),
    ...(gaps > 0 ? [`  ${counted(gaps, 'gap')}: something was not recorded as it should have been`] : []),
  ]
}

export function summaryLines({ since, total, lines }: Summary, { paint }: Layout): readonly string[] {
  if (total.sessions === 0)
    return [`no attached agent has done anything${since ? ` since ${since.slice(0, 16)}Z` : ''}`]
  const parts = lines.flatMap((line) => [
    paint.bold(plain([line.host, line.folder].filter((word) => word !== '').join(' in '))),
    ...figures(line),
  ])
  return lines.length > 1 ? [...parts, paint.bold('all'), ...figures(total)] : parts
}
