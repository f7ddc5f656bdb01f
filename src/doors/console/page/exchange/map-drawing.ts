// Draws a map: all messages on one canvas, once for each round of the slider; the message under the pointer
// and its sources on another above it, so that moving the pointer over ten thousand messages draws only a few
// lines.

import type { MapData, MapPoint } from '../../../../exchange/map/map.ts'
import { placePoints } from '../../../../render/map/places.ts'

export const COLOURS = 10
export const MARGIN = 18

export interface Palette {
  readonly ink: string
  readonly bad: string
  readonly themes: readonly string[]
}

/** The colours of the page as a canvas takes them: light-dark() is resolved by a property that takes a colour. */
export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement)
  const probe = document.createElement('span')
  document.body.append(probe)
  const resolved = (name: string): string => {
    probe.style.color = style.getPropertyValue(name).trim()
    return getComputedStyle(probe).color
  }
  const palette = {
    ink: resolved('--ink'),
    bad: resolved('--bad'),
    themes: Array.from({ length: COLOURS }, (_, i) => resolved(`--theme-${i}`)),
  }
  probe.remove()
  return palette
}

function clearCanvas(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const context = canvas.getContext('2d')
  if (!context) return null
  const scale = devicePixelRatio
  canvas.width = canvas.clientWidth * scale
  canvas.height = canvas.clientHeight * scale
  context.scale(scale, scale)
  return context
}

const radiusOf = (data: MapData): number => (data.points.length > 2_000 ? 2.5 : 4.5)

const circle = (context: CanvasRenderingContext2D, x: number, y: number, radius: number): void => {
  context.beginPath()
  context.arc(x, y, radius, 0, 7)
}

/** Every message up to a round; those of other themes are pale when one is chosen. */
export function drawPoints(
  canvas: HTMLCanvasElement,
  data: MapData,
  {
    until,
    theme,
    inks: palette,
  }: { readonly until: number; readonly theme: string | null; readonly inks: Palette },
): void {
  const context = clearCanvas(canvas)
  if (!context) return
  const colour = new Map(data.themes.map(({ id }, i) => [id, palette.themes[i] ?? palette.ink]))
  const place = placePoints(canvas.clientWidth, canvas.clientHeight, MARGIN)
  const last = Math.max(1, until)
  const radius = radiusOf(data)
  for (const point of data.points) {
    if (point.round > until) continue
    const [x, y] = place(point)
    const isPale = theme !== null && point.theme !== theme
    context.globalAlpha = isPale ? 0.08 : 0.35 + 0.65 * (point.round / last)
    context.fillStyle = (point.theme === null ? null : colour.get(point.theme)) ?? palette.ink
    circle(context, x, y, radius)
    context.fill()
    if (!point.asks) continue
    context.globalAlpha = isPale ? 0.2 : 1
    context.strokeStyle = palette.bad
    context.lineWidth = 1.5
    circle(context, x, y, radius + 3)
    context.stroke()
  }
}

/** The sources of a message as solid lines, and messages whose authors saw it as dashed lines. */
export function drawLineage(
  canvas: HTMLCanvasElement,
  data: MapData,
  {
    chosen,
    until,
    inks: palette,
  }: { readonly chosen: MapPoint | null; readonly until: number; readonly inks: Palette },
): void {
  const context = clearCanvas(canvas)
  if (!context || chosen === null) return
  const place = placePoints(canvas.clientWidth, canvas.clientHeight, MARGIN)
  const [x, y] = place(chosen)
  const radius = radiusOf(data)
  context.strokeStyle = palette.ink
  const sources = new Set(chosen.from)
  for (const point of data.points) {
    const isSource = sources.has(point.id)
    const isLater = point.round <= until && point.from.includes(chosen.id)
    if (!isSource && !isLater) continue
    const [a, b] = place(point)
    context.globalAlpha = isSource ? 0.85 : 0.45
    context.lineWidth = isSource ? 1.25 : 1
    context.setLineDash(isSource ? [] : [3, 3])
    context.beginPath()
    context.moveTo(a, b)
    context.lineTo(x, y)
    context.stroke()
  }
  context.setLineDash([])
  context.globalAlpha = 1
  context.lineWidth = 2
  circle(context, x, y, radius + 3)
  context.stroke()
}
