// A session over time: every event as it was told, at its place between the first and the last; a call as long as it took.

import { stay, tracePath } from '../route.ts'
import { storyOf } from '../trace/seen-event.ts'
import type { TraceModel } from '../trace/trace-model.ts'
import { clip, Said, seconds } from '../words/text.tsx'

interface Step {
  readonly seq: number
  readonly who: string
  readonly words: string
  readonly tone: string
  readonly from: number
  readonly to: number
}

function stepsOf({ events }: TraceModel): readonly Step[] {
  const begun = new Map<string, number>()
  const steps: Step[] = []
  for (const event of events) {
    const { header, payload, seq } = event
    if (typeof header === 'string') continue
    const at = Date.parse(header.at)
    const action = typeof payload === 'object' && typeof payload?.action === 'string' ? payload.action : null
    if (header.type === 'call_started') {
      if (action !== null) begun.set(action, at)
      continue
    }
    const told = storyOf(event)
    const from = (action === null ? undefined : begun.get(action)) ?? at
    steps.push({
      seq,
      who: header.actor.agent,
      words: told?.text ?? header.type,
      tone: told?.tone ?? 'quiet',
      from,
      to: at,
    })
  }
  return steps
}

export function SessionTimeline({ model }: { readonly model: TraceModel }) {
  const steps = stepsOf(model)
  const start = Math.min(...steps.map(({ from }) => from))
  const span = Math.max(1, Math.max(...steps.map(({ to }) => to)) - start)
  return (
    <ol class="timeline" aria-label="Timeline of the session">
      {steps.map(({ seq, who, words, tone, from, to }) => {
        const path = tracePath(model.trace, 'events', seq)
        return (
          <li key={seq}>
            <span class="timeline-at muted small">{seconds(from - start)}</span>
            <span class="timeline-lane" aria-hidden="true">
              <span
                class={`timeline-bar tone-${tone}`}
                style={{ left: `${((from - start) / span) * 100}%`, width: `${((to - from) / span) * 100}%` }}
              />
            </span>
            <a href={path} onClick={stay(path)} class={`tone-${tone}`}>
              <Said text={clip(words, 160)} />
            </a>
            <span class="muted small">
              <Said text={who} />
              {to > from && `, ${seconds(to - from)}`}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
