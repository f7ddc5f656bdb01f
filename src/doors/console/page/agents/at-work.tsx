// Running calls of a session: models with the text that they have written so far, and tools. The text is not
// recorded.

import type { OpenCall } from '../../../../ledger/calls.ts'
import { LiveWords } from '../elements/live-words.tsx'
import { liveTexts } from '../state.ts'

export function AtWork({
  trace,
  open,
}: {
  readonly trace: string
  readonly open: ReadonlyMap<string, OpenCall>
}) {
  if (open.size === 0) return null
  return (
    <section class="at-work" aria-label="Under way">
      {[...open.values()].map(({ action, call }) => {
        const text = liveTexts.value.get(`${trace}/${action}`) ?? ''
        return (
          <div key={action} class="cell cell-thinking">
            <p class="cell-head">
              <code>{action}</code> {call === 'ask' ? 'a model answers' : 'a tool runs'}
            </p>
            <LiveWords text={text} />
          </div>
        )
      })}
    </section>
  )
}
