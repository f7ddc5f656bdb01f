// What programs receive of this trace: the same value as on the command line, folded here.

import { forJson } from '../../../../ledger/text/neutral.ts'
import type { ViewProps } from './view-props.ts'

const COMMANDS: Readonly<Record<string, string>> = {
  'council/1': 'witan report',
  'agents/1': 'witan resume',
  'exchange/1': 'witan exchange status',
  'eval/1': 'witan report',
}

export function ResultTab({ model }: ViewProps) {
  const { folding, trace } = model
  const size = folding.size.value
  if (folding.fault.value !== null)
    return <p class="notice bad">It cannot be folded: {folding.fault.value}. Verify it to see why.</p>
  if (folding.fold === null || size === 0) return <p class="loading">Folding…</p>
  return (
    <section>
      <p class="muted">
        Folded in this page from {size.toLocaleString('en')} events; the same as{' '}
        <code>
          {COMMANDS[model.protocol ?? ''] ?? 'witan show'} {trace} --json
        </code>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it */}
      <pre class="json" data-result tabIndex={0}>
        {forJson(JSON.stringify(folding.fold.result(), null, 2))}
      </pre>
    </section>
  )
}
