// The map of a pool: every message by what it says, coloured by theme, paler the older it is, up to the round that the
// slider names. The one under the pointer, or chosen by the keyboard, shows its words and what its author was shown.
// It is drawn on a canvas, so that ten thousand messages cost one drawing.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { MapData, MapPoint } from '../../../../exchange/map/map.ts'
import { placePoints, pointNear } from '../../../../render/map/places.ts'
import { get, type Refused } from '../client.ts'
import { route } from '../route.ts'
import type { ViewProps } from '../trace/view-props.ts'
import { clip, count, Said } from '../words/text.tsx'

const COLOURS = 10
const MARGIN = 18
const HEIGHT = 520

interface Painted {
  readonly ink: string
  readonly bad: string
  readonly themes: readonly string[]
}

function inks(): Painted {
  const style = getComputedStyle(document.documentElement)
  const value = (name: string): string => style.getPropertyValue(name).trim()
  // light-dark() is resolved by a property that takes a colour.
  const probe = document.createElement('span')
  document.body.append(probe)
  const resolved = (name: string): string => {
    probe.style.color = value(name)
    return getComputedStyle(probe).color
  }
  const painted = {
    ink: resolved('--ink'),
    bad: resolved('--bad'),
    themes: Array.from({ length: COLOURS }, (_, i) => resolved(`--theme-${i}`)),
  }
  probe.remove()
  return painted
}

interface Drawing {
  readonly data: MapData
  readonly until: number
  readonly chosen: MapPoint | null
}

function draw(canvas: HTMLCanvasElement, { data, until, chosen }: Drawing): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const scale = devicePixelRatio
  const { clientWidth: width, clientHeight: height } = canvas
  canvas.width = width * scale
  canvas.height = height * scale
  context.scale(scale, scale)
  const painted = inks()
  const colour = new Map(data.themes.map(({ id }, i) => [id, painted.themes[i] ?? painted.ink]))
  const place = placePoints(width, height, MARGIN)
  const last = Math.max(1, until)
  const byId = new Map(data.points.map((point) => [point.id, point]))
  const radius = data.points.length > 2_000 ? 2.5 : 4.5
  for (const point of data.points) {
    if (point.round > until) continue
    const [x, y] = place(point)
    context.globalAlpha = 0.35 + 0.65 * (point.round / last)
    context.fillStyle = (point.theme === null ? null : colour.get(point.theme)) ?? painted.ink
    context.beginPath()
    context.arc(x, y, radius, 0, 7)
    context.fill()
    if (!point.asks) continue
    context.globalAlpha = 1
    context.strokeStyle = painted.bad
    context.lineWidth = 1.5
    context.beginPath()
    context.arc(x, y, radius + 3, 0, 7)
    context.stroke()
  }
  if (chosen === null) return
  context.globalAlpha = 0.8
  context.strokeStyle = painted.ink
  context.lineWidth = 1
  const [x, y] = place(chosen)
  for (const id of chosen.from) {
    const source = byId.get(id)
    if (!source) continue
    const [a, b] = place(source)
    context.beginPath()
    context.moveTo(a, b)
    context.lineTo(x, y)
    context.stroke()
  }
  context.lineWidth = 2
  context.beginPath()
  context.arc(x, y, radius + 3, 0, 7)
  context.stroke()
}

function Field({ data }: { readonly data: MapData }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const rounds = useMemo(() => Math.max(0, ...data.points.map(({ round }) => round)), [data])
  const [until, setUntil] = useState(Number.POSITIVE_INFINITY)
  const [chosen, setChosen] = useState<MapPoint | null>(null)
  const [turn, setTurn] = useState(0)
  const shownUntil = Math.min(until, rounds)
  useEffect(() => {
    const again = (): void => setTurn((n) => n + 1)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const observer = new ResizeObserver(again)
    if (canvas.current) observer.observe(canvas.current)
    scheme.addEventListener('change', again)
    return () => {
      observer.disconnect()
      scheme.removeEventListener('change', again)
    }
  }, [])
  useEffect(() => {
    if (canvas.current) draw(canvas.current, { data, until: shownUntil, chosen })
  }, [data, shownUntil, chosen, turn])
  const seen = data.points.filter(({ round }) => round <= shownUntil)
  const find = (event: MouseEvent): void => {
    const { current } = canvas
    if (!current) return
    const box = current.getBoundingClientRect()
    const spot = { x: event.clientX - box.left, y: event.clientY - box.top }
    setChosen(pointNear(seen, placePoints(box.width, box.height, MARGIN), spot))
  }
  const step = (by: number): void => {
    const at = chosen === null ? -1 : seen.indexOf(chosen)
    setChosen(seen[Math.min(seen.length - 1, Math.max(0, at + by))] ?? null)
  }
  return (
    <>
      <canvas
        ref={canvas}
        class="map"
        style={{ height: `${HEIGHT}px` }}
        role="img"
        tabIndex={0}
        aria-label={`Map of ${seen.length} messages; the arrow keys go from message to message`}
        onMouseMove={find}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return
          event.preventDefault()
          step(event.key === 'ArrowRight' ? 1 : -1)
        }}
      />
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
          <>
            <p class="small">
              <strong>
                <Said text={chosen.author} />
              </strong>{' '}
              in round {chosen.round} <code>{chosen.id}</code>
              {chosen.asks && <span class="bad"> asks for a restart</span>}
              {chosen.from.length > 0 && <span class="muted"> was shown {chosen.from.join(', ')}</span>}
            </p>
            <p dir="auto">
              <Said text={clip(chosen.text, 1_200)} />
            </p>
          </>
        ) : (
          <p class="muted">Point at a message, or press the arrow keys on the map.</p>
        )}
      </div>
    </>
  )
}

interface MapAnswer {
  readonly data: MapData
  readonly left_out: number
}

export function MapView({ model }: ViewProps) {
  const { trace } = model
  const [answer, setAnswer] = useState<MapAnswer | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  // A map is placed anew when vectors were added, not with every event.
  const made = model.folding.size.value && vectorsIn(model)
  useEffect(() => {
    let isLate = false
    get<MapAnswer>(`/traces/${trace}/map`).then(
      (found) => isLate || setAnswer(found),
      (error: Refused) => isLate || setFault(`${error.message}. ${error.next}`),
    )
    return () => {
      isLate = true
    }
  }, [trace, made])
  if (route.value.at !== 'trace') return null
  if (fault !== null)
    return (
      <p class="notice bad">
        <Said text={fault} />
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
          <Field data={data} />
        </div>
        <div>
          <h2>Themes</h2>
          <ul class="themes">
            {data.themes.map((theme, i) => (
              <li key={theme.id}>
                <span class={`swatch swatch-${i < COLOURS ? i : 'none'}`} aria-hidden="true" />{' '}
                <strong>
                  <Said text={theme.label} />
                </strong>{' '}
                <span class="muted small">{count(theme.size, 'message')}</span>
                <span class="block small muted">
                  <Said text={theme.excerpt} />
                </span>
              </li>
            ))}
          </ul>
          <p class="small muted">
            Placed by {data.encoder}
            {answer.left_out > 0 &&
              `; ${count(answer.left_out, 'message')} with vectors of another encoder left out`}
          </p>
        </div>
      </div>
    </section>
  )
}

const vectorsIn = ({ events }: ViewProps['model']): number => {
  let n = 0
  for (const { header } of events)
    if (typeof header === 'object' && (header.type === 'messages_embedded' || header.type === 'reembedded'))
      n++
  return n
}
