// How the seats of past councils did, by the recorded outcomes.

import { type Layout, plain, wrap } from '../plain.ts'
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
  { width }: Layout,
): readonly string[] {
  if (councils === 0) return []
  const rows = [...new Set(lines.map(({ who: voice }) => voice))].map((voice) => {
    const own = lines.filter((line) => line.who === voice)
    const anyLevel = own.find(({ stated }) => stated === 'any')
    const byLevel = own.filter(({ stated }) => stated !== 'any')
    const shares = byLevel.map(({ stated, n, right: hits }) => `${stated} ${hits} of ${n}`)
    const span = anyLevel ? ` (${percent(anyLevel.low)} – ${percent(anyLevel.high)})` : ''
    return `${voice}: right ${anyLevel?.right ?? 0} of ${anyLevel?.n ?? 0}${span}; said ${shares.join(', ')}`
  })
  return [
    `  ${right} of ${councils} councils turned out right`,
    ...rows.map((row) => `  ${wrap(plain(row), 4, width)}`),
  ]
}
