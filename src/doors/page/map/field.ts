// The field of the map: one drawing for any number of messages. Only the selected message has lines: bold to
// what its author was shown, thin to those that it was shown to later.

import type { MapPoint } from '../../../exchange/map/map.ts'
import { forQuote } from '../../../ledger/text/neutral.ts'
import { groupOf, middleOf } from '../../../render/map/groups.ts'
import { type Place, placePoints, pointNear } from '../../../render/map/places.ts'
import { h } from '../dom.ts'
import { type Drawn, inks, prepare } from './canvas.ts'
import type { MapState } from './view-state.ts'

const MARGIN = 18
const MOST_LABELS = 12
const LABEL = 26

const radiusFor = (count: number, width: number): number => {
  const most = width < 500 ? 5 : 6.5
  return Math.max(2.2, Math.min(most, most * Math.sqrt(250 / Math.max(count, 1))))
}

const shortLabel = (text: string): string => {
  const chars = [...forQuote(text)]
  return chars.length > LABEL ? `${chars.slice(0, LABEL - 1).join('')}…` : chars.join('')
}

function circle({ context }: Drawn, x: number, y: number, radius: number): void {
  context.beginPath()
  context.arc(x, y, radius, 0, 7)
}

function drawDots(drawn: Drawn, state: MapState, place: Place, radius: number): void {
  const { context } = drawn
  const ink = inks()
  const colours = new Map(
    state.groups.map(({ id, colour }) => [id, ink(colour === null ? 'none' : `c${colour}`)]),
  )
  const last = Math.max(1, state.until)
  for (const point of state.seen) {
    const [x, y] = place(point)
    const isOut = state.isOut(point)
    context.globalAlpha = isOut ? 0.08 : 0.4 + 0.55 * (point.round / last)
    context.fillStyle = colours.get(groupOf(point, state.by)) ?? ink('none')
    circle(drawn, x, y, radius)
    context.fill()
    if (!point.asks || isOut) continue
    context.globalAlpha = 1
    context.strokeStyle = ink('bad')
    context.lineWidth = radius < 4 ? 1 : 1.5
    circle(drawn, x, y, radius + (radius < 4 ? 1.5 : 2.5))
    context.stroke()
  }
  context.globalAlpha = 1
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const meet = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** Names of the largest groups at their place; one that would cover another is only in the legend. */
function drawLabels(drawn: Drawn, state: MapState, place: Place): void {
  if (state.by !== 'theme') return
  const { context, width } = drawn
  const ink = inks()
  context.font = `600 ${width < 500 ? 11 : 12.5}px system-ui, sans-serif`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  const taken: Box[] = []
  for (const { id, label, colour } of state.groups.slice(0, MOST_LABELS)) {
    if (colour === null || (state.only !== null && state.only !== id)) continue
    const middle = middleOf(state.seen.filter((point) => groupOf(point, 'theme') === id))
    if (!middle) continue
    const words = shortLabel(label)
    const half = context.measureText(words).width / 2
    const [at, y] = place(middle)
    const x = Math.min(width - half - 6, Math.max(half + 6, at))
    const box = { left: x - half - 3, right: x + half + 3, top: y - 10, bottom: y + 10 }
    if (taken.some((other) => meet(box, other))) continue
    taken.push(box)
    context.strokeStyle = ink('sheet')
    context.lineWidth = 4
    context.strokeText(words, x, y)
    context.fillStyle = ink('ink')
    context.fillText(words, x, y)
  }
}

function drawLines(drawn: Drawn, state: MapState, place: Place, radius: number): void {
  const point = state.read
  if (!point) return
  const { context } = drawn
  const ink = inks()
  const [x, y] = place(point)
  const lineTo = (id: string, width: number, alpha: number): void => {
    const other = state.byId.get(id)
    if (!other || other.round > state.until) return
    const [a, b] = place(other)
    context.globalAlpha = alpha
    context.lineWidth = width
    context.beginPath()
    context.moveTo(a, b)
    context.lineTo(x, y)
    context.stroke()
  }
  context.strokeStyle = ink('ink')
  for (const id of state.heardBy.get(point.id) ?? []) lineTo(id, 0.6, 0.35)
  for (const id of point.from) lineTo(id, 1.4, 0.85)
  context.globalAlpha = 1
  context.lineWidth = 2
  circle(drawn, x, y, radius + 2.5)
  context.stroke()
}

export function fieldView(state: MapState): HTMLElement {
  const canvas = h('canvas', 'field')
  canvas.tabIndex = 0
  canvas.setAttribute('role', 'img')
  const draw = (): void => {
    const drawn = prepare(canvas)
    if (!drawn) return
    const place = placePoints(drawn.width, drawn.height, MARGIN)
    const radius = radiusFor(state.data.points.length, drawn.width)
    canvas.setAttribute(
      'aria-label',
      `Map of ${state.seen.length} messages. The arrow keys go from message to message.`,
    )
    drawDots(drawn, state, place, radius)
    drawLabels(drawn, state, place)
    drawLines(drawn, state, place, radius)
  }
  const under = (event: MouseEvent): MapPoint | null => {
    const box = canvas.getBoundingClientRect()
    const spot = { x: event.clientX - box.left, y: event.clientY - box.top }
    const among = state.seen.filter((point) => !state.isOut(point))
    return pointNear(among, placePoints(box.width, box.height, MARGIN), spot)
  }
  canvas.addEventListener('mousemove', (event) => {
    const point = under(event)
    if (point === state.pointed) return
    state.pointed = point
    state.changed()
  })
  canvas.addEventListener('mouseleave', () => {
    if (!state.pointed) return
    state.pointed = null
    state.changed()
  })
  canvas.addEventListener('click', (event) => state.choose(under(event)))
  canvas.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    state.step(step === 1 ? 1 : -1)
  })
  state.watch(draw)
  new ResizeObserver(draw).observe(canvas)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw)
  return canvas
}
