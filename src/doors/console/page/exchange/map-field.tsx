// The map itself: two canvases, a slider over the rounds, and the words of the message that is pointed at or chosen by the
// arrow keys. A click keeps a message chosen.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { MapData, MapPoint } from '../../../../exchange/map/map.ts'
import { placePoints, pointNear } from '../../../../render/map/places.ts'
import { clip, count, Said } from '../words/text.tsx'
import { drawLineage, drawPoints, type Inks, MARGIN, readInks } from './map-drawing.ts'

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

function Words({ point, later }: { readonly point: MapPoint; readonly later: number }) {
  return (
    <>
      <p class="small">
        <strong>
          <Said text={point.author} />
        </strong>{' '}
        in round {point.round} <code>{point.id}</code>
        {point.asks && <span class="bad"> asks for a restart</span>}
        <span class="muted">
          {point.from.length > 0 ? ` was shown ${point.from.join(', ')};` : ' was shown nothing placed here;'}{' '}
          {count(later, 'later message')} came from it
        </span>
      </p>
      <p dir="auto">
        <Said text={clip(point.text, 1_200)} />
      </p>
    </>
  )
}

/** Counts up whenever the size of the canvas or the colours of the page change. */
function useRepaint(canvas: { readonly current: HTMLCanvasElement | null }): number {
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const again = (): void => setTurn((n) => n + 1)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const size = new ResizeObserver(again)
    const chosen = new MutationObserver(again)
    if (canvas.current) size.observe(canvas.current)
    chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-scheme'] })
    scheme.addEventListener('change', again)
    return () => {
      size.disconnect()
      chosen.disconnect()
      scheme.removeEventListener('change', again)
    }
  }, [])
  return turn
}

export function Field({ data, theme }: { readonly data: MapData; readonly theme: string | null }) {
  const below = useRef<HTMLCanvasElement>(null)
  const above = useRef<HTMLCanvasElement>(null)
  const inks = useRef<Inks | null>(null)
  const rounds = useMemo(() => data.points.reduce((most, { round }) => Math.max(most, round), 0), [data])
  const [until, setUntil] = useState(Number.POSITIVE_INFINITY)
  const [chosen, setChosen] = useState<MapPoint | null>(null)
  const [isKept, setKept] = useState(false)
  const turn = useRepaint(below)
  const shownUntil = Math.min(until, rounds)
  const seen = useMemo(() => data.points.filter(({ round }) => round <= shownUntil), [data, shownUntil])
  useEffect(() => {
    inks.current = readInks()
    if (below.current) drawPoints(below.current, data, { until: shownUntil, theme, inks: inks.current })
  }, [data, shownUntil, theme, turn])
  useEffect(() => {
    if (above.current && inks.current)
      drawLineage(above.current, data, { chosen, until: shownUntil, inks: inks.current })
  }, [data, chosen, shownUntil, turn])
  const find = (event: MouseEvent): MapPoint | null => {
    const box = above.current?.getBoundingClientRect()
    if (!box) return null
    const spot = { x: event.clientX - box.left, y: event.clientY - box.top }
    return pointNear(seen, placePoints(box.width, box.height, MARGIN), spot)
  }
  const step = (by: number): void => {
    const at = chosen === null ? -1 : seen.findIndex(({ id }) => id === chosen.id)
    setChosen(seen[Math.min(seen.length - 1, Math.max(0, at + by))] ?? null)
    setKept(true)
  }
  const later = chosen === null ? 0 : seen.filter(({ from }) => from.includes(chosen.id)).length
  return (
    <>
      <div class="map" data-points={seen.length}>
        <canvas ref={below} />
        <canvas
          ref={above}
          role="img"
          tabIndex={0}
          aria-label={`Map of ${count(seen.length, 'message')}; the arrow keys go from message to message`}
          onMouseMove={(event) => isKept || setChosen(find(event))}
          onClick={(event) => {
            const found = find(event)
            setChosen(found)
            setKept(found !== null)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setKept(false)
            const by = STEPS[event.key]
            if (by === undefined) return
            event.preventDefault()
            step(by)
          }}
        />
      </div>
      <label for="until">
        Up to round {shownUntil} of {rounds}
      </label>
      <input
        id="until"
        type="range"
        min={0}
        max={rounds}
        value={shownUntil}
        onInput={(event) => {
          const value = Number(event.currentTarget.value)
          setUntil(value === rounds ? Number.POSITIVE_INFINITY : value)
        }}
      />
      <div class="map-words" aria-live="polite">
        {chosen ? (
          <Words point={chosen} later={later} />
        ) : (
          <p class="muted">Point at a message, or press the arrow keys on the map. A click keeps it.</p>
        )}
      </div>
    </>
  )
}
