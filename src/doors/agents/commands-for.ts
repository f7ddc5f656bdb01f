// What a person types to answer what waits for them.

import type { Pending } from './decision.ts'

export function commandsFor({
  trace,
  kind,
  subject,
}: Pick<Pending, 'kind' | 'subject'> & { readonly trace: string }): readonly string[] {
  if (kind === 'resolve') {
    return ['failed', 'again'].map((as) => `witan agents resolve ${trace} ${subject} --as ${as} --reason "…"`)
  }
  if (kind !== 'judge' && kind !== 'review') return [`witan abort ${trace} --reason "…"`]
  return ['approve', 'block'].map((word) => `witan agents ${word} ${trace} ${subject} --reason "…"`)
}
