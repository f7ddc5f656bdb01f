// The map of a pool: every message placed by its content, coloured by theme, paler with age, updated as it
// grows. It is loaded again when vectors were added, never more than one at a time.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { MapData } from '../../../../exchange/map/map.ts'
import { get, type RefusedRequest } from '../client.ts'
import { count, IsolatedText } from '../elements/text.tsx'
import type { ViewProps } from '../trace/view-props.ts'
import type { ExchangeFold } from './fold.ts'
import { COLOURS } from './map-drawing.ts'
import { Field } from './map-field.tsx'

interface MapAnswer {
  readonly data: MapData
  readonly left_out: number
  readonly is_quick: boolean
}

/** How often vectors were added, as far as events are folded. */
const vectorBatchesIn = ({ folding }: ViewProps['model']): number =>
  folding.size.value === 0 ? 0 : ((folding.fold as ExchangeFold | null)?.notes.vectors ?? 0)

/** The newest map; while one is being made, the next waits. */
function useMap(
  trace: string,
  vectorBatches: number,
): { readonly answer: MapAnswer | null; readonly fault: string | null } {
  const [answer, setAnswer] = useState<MapAnswer | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const request = useRef({ wanted: -1, isAsking: false, isGone: false })
  const loadWanted = async (): Promise<void> => {
    const { current } = request
    if (current.isAsking) return
    current.isAsking = true
    for (let loaded = -2; loaded !== current.wanted && !current.isGone; ) {
      loaded = current.wanted
      try {
        const map = await get<MapAnswer>(`/traces/${trace}/map`)
        if (!current.isGone) setAnswer(map)
      } catch (error) {
        const { message, next } = error as RefusedRequest
        if (!current.isGone) setFault(`${message}. ${next}`)
      }
    }
    current.isAsking = false
  }
  useEffect(() => {
    request.current.wanted = vectorBatches
    void loadWanted()
  }, [trace, vectorBatches])
  useEffect(
    () => () => {
      request.current.isGone = true
    },
    [],
  )
  return { answer, fault }
}

function Themes({
  data,
  chosen,
  choose,
}: {
  readonly data: MapData
  readonly chosen: string | null
  readonly choose: (theme: string | null) => void
}) {
  return (
    <ul class="themes">
      {data.themes.map((theme, i) => (
        <li key={theme.id}>
          <span class={`swatch swatch-${i < COLOURS ? i : 'none'}`} aria-hidden="true" />{' '}
          <button
            type="button"
            class="link"
            aria-pressed={chosen === theme.id}
            onClick={() => choose(chosen === theme.id ? null : theme.id)}
          >
            <IsolatedText text={theme.label} />
          </button>{' '}
          <span class="muted small">{count(theme.size, 'message')}</span>
          <span class="block small muted">
            <IsolatedText text={theme.excerpt} />
          </span>
        </li>
      ))}
    </ul>
  )
}

export function MapView({ model }: ViewProps) {
  const [theme, setTheme] = useState<string | null>(null)
  // Folding follows the events; a map is computed again when vectors were added, not at every event.
  const vectorBatches = vectorBatchesIn(model)
  const { answer, fault } = useMap(model.trace, vectorBatches)
  if (fault !== null)
    return (
      <p class="notice bad" role="alert">
        <IsolatedText text={fault} />
      </p>
    )
  if (answer === null) return <p class="loading">Placing the messages…</p>
  const { data } = answer
  if (data.points.length === 0)
    return <p class="empty">No message has a vector yet: they are made as the pool thinks.</p>
  return (
    <section class="map-view" aria-label="Map of the pool">
      {data.demo && <p class="notice warning">Mechanics demo: no language model was asked.</p>}
      <div class="map-columns">
        <div>
          <Field data={data} theme={theme} />
        </div>
        <div>
          <h2>Themes</h2>
          <Themes data={data} chosen={theme} choose={setTheme} />
          <p class="small muted">
            Vectors by {data.encoder}, placed{' '}
            {answer.is_quick ? 'along the directions in which themes differ most' : 'by neighbourhood (UMAP)'}
            {answer.left_out > 0 &&
              `; ${count(answer.left_out, 'message')} with vectors of another encoder left out`}
          </p>
        </div>
      </div>
    </section>
  )
}
