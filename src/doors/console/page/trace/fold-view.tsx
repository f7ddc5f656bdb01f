// The state that a protocol's view is drawn from, as far as it is folded. A trace that cannot be folded shows why.

import type { ComponentChildren } from 'preact'
import { IsolatedText } from '../elements/text.tsx'
import { followLink, tracePath } from '../route.ts'
import type { Fold } from './fold.ts'
import type { TraceModel } from './trace-model.ts'

export function FoldView({
  model,
  children,
}: {
  readonly model: TraceModel
  readonly children: (fold: Fold) => ComponentChildren
}) {
  const { folding, trace } = model
  const size = folding.size.value
  const fault = folding.fault.value
  if (fault !== null)
    return (
      <p class="notice bad" role="alert">
        This trace cannot be folded: <IsolatedText text={fault} />.{' '}
        <a href={tracePath(trace, 'verify')} onClick={followLink(tracePath(trace, 'verify'))}>
          Verify it
        </a>{' '}
        to see what is wrong.
      </p>
    )
  if (folding.fold === null || size === 0) return <p class="loading">Folding…</p>
  return <>{children(folding.fold)}</>
}
