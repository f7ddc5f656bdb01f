// A session over time: every event at its place between the first and the last; a call with its duration.

import { clip, count, IsolatedText, seconds } from '../elements/text.tsx'
import { followLink, tracePath } from '../route.ts'
import type { SessionSteps } from './session-steps.ts'

export function SessionTimeline({ steps: { shown: steps, earlier } }: { readonly steps: SessionSteps }) {
  const start = Math.min(...steps.map(({ from }) => from))
  const span = Math.max(1, Math.max(...steps.map(({ to }) => to)) - start)
  return (
    <>
      {earlier > 0 && <p class="muted small">{count(earlier, 'earlier line')}: see Events.</p>}
      <ol class="timeline" aria-label="Timeline of the session">
        {steps.map(({ trace, seq, who, words, tone, from, to }) => {
          const path = tracePath(trace, 'events', seq)
          return (
            <li key={`${trace}/${seq}`}>
              <span class="timeline-at muted small">{seconds(from - start)}</span>
              <span class="timeline-lane" aria-hidden="true">
                <span
                  class={`timeline-bar tone-${tone}`}
                  style={{
                    left: `${((from - start) / span) * 100}%`,
                    width: `${((to - from) / span) * 100}%`,
                  }}
                />
              </span>
              <a href={path} onClick={followLink(path)} class={`tone-${tone}`}>
                <IsolatedText text={clip(words, 160)} />
              </a>
              <span class="muted small">
                <IsolatedText text={who} />
                {to > from && `, ${seconds(to - from)}`}
              </span>
            </li>
          )
        })}
      </ol>
    </>
  )
}
