// Every event, one line each, and the selected one in full beside them.

import { useEffect } from 'preact/hooks'
import { clip, IsolatedText } from '../elements/text.tsx'
import { Clock } from '../elements/time.tsx'
import { VirtualList } from '../elements/virtual-list.tsx'
import { navigate, route, tracePath } from '../route.ts'
import { offerKeys } from '../shell/keyboard.ts'
import { EventDetail } from './event-detail.tsx'
import { type SeenEvent, storyOf } from './seen-event.ts'
import type { TraceModel } from './trace-model.ts'

const ROW = 30
const LINE_HEIGHT = 240

function EventLine({ event }: { readonly event: SeenEvent }) {
  const { header, seq } = event
  if (typeof header === 'string')
    return (
      <>
        <span class="seq">{seq}</span>
        <span class="told tone-bad">unreadable header</span>
      </>
    )
  const storyLine = storyOf(event)
  return (
    <>
      <span class="seq">{seq}</span>
      <span class={`told tone-${storyLine?.tone ?? 'quiet'}`}>
        <IsolatedText text={storyLine === null ? header.type : clip(storyLine.text, LINE_HEIGHT)} />
        {event.payload === null && ' (erased)'}
      </span>
      <span class="who">
        {header.actor.agent}
        {header.actor.role !== header.actor.agent && <span class="muted"> {header.actor.role}</span>}
      </span>
      <Clock at={header.at} />
    </>
  )
}

export function EventsTab({ model, seq }: { readonly model: TraceModel; readonly seq: number | null }) {
  const { trace } = model
  const size = model.count.value
  void model.fetched.value
  const choose = (index: number): void =>
    navigate(tracePath(trace, 'events', index), { replace: seq !== null })
  // The route is read at each key: the next one may come before this one is rendered.
  useEffect(
    () =>
      offerKeys((key) => {
        if (key !== 'j' && key !== 'k' && key !== 'Escape') return false
        const at = route.value.at === 'trace' ? route.value.seq : null
        if (key === 'Escape') {
          if (at !== null) navigate(tracePath(trace, 'events'))
          return at !== null
        }
        const next = Math.min(model.count.value - 1, Math.max(0, (at ?? -1) + (key === 'j' ? 1 : -1)))
        navigate(tracePath(trace, 'events', next), { replace: at !== null })
        return true
      }),
    [trace, model],
  )
  const chosen = seq === null ? undefined : model.at(seq)
  return (
    <div class={chosen ? 'events with-detail' : 'events'}>
      <VirtualList
        count={size}
        height={ROW}
        label="Events"
        chosen={seq}
        choose={choose}
        row={(index) => {
          const event = model.at(index)
          return event ? <EventLine event={event} /> : <span class="seq">{index}</span>
        }}
      />
      {chosen && (
        <EventDetail
          key={`${trace}/${chosen.seq}`}
          event={chosen}
          close={() => navigate(tracePath(trace, 'events'))}
        />
      )}
      {seq !== null && seq >= size && (
        <p class="notice warning">
          There is no event {seq} yet: this trace has {size}.
        </p>
      )}
    </div>
  )
}
