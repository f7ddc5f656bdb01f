// How those who sat in past councils fared, by the outcomes that were entered.

import { plain, type Sheet, wrap } from '../plain.ts'
import { percent } from './numbers.ts'

interface Line {
  readonly who: string
  readonly stated: string
  readonly n: number
  readonly right: number
  readonly low: number
  readonly high: number
}

export function calibrationLines(
  {
    councils,
    right,
    lines,
  }: { readonly councils: number; readonly right: number; readonly lines: readonly Line[] },
  { width }: Sheet,
): readonly string[] {
  if (councils === 0) return []
  const rows = [...new Set(lines.map(({ who }) => who))].map((who) => {
    const own = lines.filter((line) => line.who === who)
    const all = own.find(({ stated }) => stated === 'any')
    const said = own.filter(({ stated }) => stated !== 'any')
    const shares = said.map(({ stated, n, right: hits }) => `${stated} ${hits} of ${n}`)
    const span = all ? ` (${percent(all.low)} – ${percent(all.high)})` : ''
    return `${who}: right ${all?.right ?? 0} of ${all?.n ?? 0}${span}; said ${shares.join(', ')}`
  })
  return [
    `  ${right} of ${councils} councils turned out right`,
    ...rows.map((row) => `  ${wrap(plain(row), 4, width)}`),
  ]
}
