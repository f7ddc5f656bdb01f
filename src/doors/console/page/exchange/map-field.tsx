// The map: two canvases, a slider over the rounds, and the text of the message under the pointer or selected
// with the arrow keys. A click keeps a message selected.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { MapData, MapPoint } from '../../../../exchange/map/map.ts'
import { placePoints, pointNear } from '../../../../render/map/places.ts'
import { clip, count, IsolatedText } from '../elements/text.tsx'
import { drawLineage, drawPoints, MARGIN, type Palette, readPalette } from './map-drawing.ts'

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

function PointText({ point, later }: { readonly point: MapPoint; readonly later: number }) {
  return (
    <>
      <p class="small">
        <strong>
          <IsolatedText text={point.author} />
        </strong>{' '}
        in round {point.round} <code>{point.id}</code>
        {point.asks && <span class="bad"> asks for a restart</span>}
        <span class="muted">
          {point.from.length > 0 ? ` was shown ${point.from.join(', ')};` : ' was shown nothing placed here;'}{' '}
          {count(later, 'later message')} came from it
        </span>
      </p>
      <p dir="auto">
        <IsolatedText text={clip(point.text, 1_200)} />
      </p>
    </>
  )
}

/** Counts up whenever the size of the canvas or the colours of the page change. */
function useRepaint(canvas: { readonly current: HTMLCanvasElement | null }): number {
  const [repaints, setRepaints] = useState(0)
  useEffect(() => {
    const repaint = (): void => setRepaints((n) => n + 1)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const size = new ResizeObserver(repaint)
    const chosen = new MutationObserver(repaint)
    if (canvas.current) size.observe(canvas.current)
    chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-scheme'] })
    scheme.addEventListener('change', repaint)
    return () => {
      size.disconnect()
      chosen.disconnect()
      scheme.removeEventListener('change', repaint)
    }
  }, [])
  return repaints
}

export function Field({ data, theme }: { readonly data: MapData; readonly theme: string | null }) {
  const below = useRef<HTMLCanvasElement>(null)
  const above = useRef<HTMLCanvasElement>(null)
  const palette = useRef<Palette | null>(null)
  const rounds = useMemo(() => data.points.reduce((most, { round }) => Math.max(most, round), 0), [data])
  const [until, setUntil] = useState(Number.POSITIVE_INFINITY)
  const [chosen, setChosen] = useState<MapPoint | null>(null)
  const [isKept, setKept] = useState(false)
  const repaints = useRepaint(below)
  const shownUntil = Math.min(until, rounds)
  const visible = useMemo(() => data.points.filter(({ round }) => round <= shownUntil), [data, shownUntil])
  useEffect(() => {
    palette.current = readPalette()
    if (below.current) drawPoints(below.current, data, { until: shownUntil, theme, inks: palette.current })
  }, [data, shownUntil, theme, repaints])
  useEffect(() => {
    if (above.current && palette.current)
      drawLineage(above.current, data, { chosen, until: shownUntil, inks: palette.current })
  }, [data, chosen, shownUntil, repaints])
  const find = (event: MouseEvent): MapPoint | null => {
    const box = above.current?.getBoundingClientRect()
    if (!box) return null
    const spot = { x: event.clientX - box.left, y: event.clientY - box.top }
    return pointNear(visible, placePoints(box.width, box.height, MARGIN), spot)
  }
  const step = (by: number): void => {
    const at = chosen === null ? -1 : visible.findIndex(({ id }) => id === chosen.id)
    setChosen(visible[Math.min(visible.length - 1, Math.max(0, at + by))] ?? null)
    setKept(true)
  }
  const later = chosen === null ? 0 : visible.filter(({ from }) => from.includes(chosen.id)).length
  return (
    <>
      <div class="map" data-points={visible.length}>
        <canvas ref={below} />
        <canvas
          ref={above}
          role="img"
          tabIndex={0}
          aria-label={`Map of ${count(visible.length, 'message')}; the arrow keys go from message to message`}
          onMouseMove={(event) => isKept || setChosen(find(event))}
          onClick={(event) => {
            const pointUnder = find(event)
            setChosen(pointUnder)
            setKept(pointUnder !== null)
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
          <PointText point={chosen} later={later} />
        ) : (
          <p class="muted">Point at a message, or press the arrow keys on the map. A click keeps it.</p>
        )}
      </div>
    </>
  )
}
