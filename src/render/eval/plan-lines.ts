// What an evaluation would ask and cost, and the smallest difference it could show.

import { type Layout, plain, wrap } from '../plain.ts'
import { money } from './numbers.ts'

interface Planned {
  readonly items: number
  readonly units: number
  readonly clusters: number
  readonly seats: readonly string[]
  readonly arms: readonly string[]
  readonly primary: { readonly arm: string; readonly against: string }
  readonly calls: number
  readonly cost: number | null
  readonly unknown: readonly string[]
  readonly smallest_effect: number
}

export function planLines(plan: Planned, { paint, width }: Layout): readonly string[] {
  const row = (name: string, text: string): string => `  ${name.padEnd(10)} ${wrap(plain(text), 13, width)}`
  const each = plan.units === plan.items ? '' : `, each ${plan.units / plan.items} times`
  const groups = plan.clusters < plan.items ? `, in ${plan.clusters} independent groups` : ''
  const price =
    plan.cost === null ? `unknown: no price for ${plan.unknown.join(', ')}` : `about ${money(plan.cost)}`
  return [
    paint.bold('What would be asked; nothing was sent'),
    row('items', `${plan.items}${each}${groups}`),
    row('seats', plan.seats.join(', ')),
    row('arms', plan.arms.join(', ')),
    row('primary', `${plan.primary.arm} against ${plan.primary.against}`),
    row('calls', `about ${plan.calls}`),
    row('cost', price),
    ...wrap(
      `Smallest difference it would show in four of five cases: ${(plan.smallest_effect * 100).toFixed(1)} points, if the two arms differ on a fifth of the items.`,
      2,
      width,
    )
      .split('\n')
      .map((line, i) => (i === 0 ? `  ${line}` : line)),
  ]
}
