// Time: a slider over the rounds, and above it the level of the restart signal in each round, with the
// threshold at which it is raised. Both share one axis.

import { h } from '../dom.ts'
import { inks, prepare } from './canvas.ts'
import type { MapState } from './view-state.ts'

const EDGE = 8

function draw(canvas: HTMLCanvasElement, { data, rounds, until }: MapState): void {
  const drawn = prepare(canvas)
  if (!drawn) return
  const { context, width, height } = drawn
  const ink = inks()
  const across = (round: number): number => EDGE + (round / Math.max(1, rounds)) * (width - 2 * EDGE)
  const up = (value: number): number => height - 4 - Math.max(0, Math.min(1, value)) * (height - 8)
  context.fillStyle = ink('line')
  context.globalAlpha = 0.5
  context.fillRect(across(until), 0, width - across(until), height)
  context.globalAlpha = 1
  context.strokeStyle = ink('muted')
  context.setLineDash([4, 4])
  context.beginPath()
  context.moveTo(EDGE, up(data.raise))
  context.lineTo(width - EDGE, up(data.raise))
  context.stroke()
  context.setLineDash([])
  context.strokeStyle = ink('bad')
  context.lineWidth = 1.8
  context.beginPath()
  for (const [i, { round, level }] of data.series.entries()) {
    if (i === 0) context.moveTo(across(round), up(level))
    else context.lineTo(across(round), up(level))
  }
  context.stroke()
}

export function timeView(state: MapState): readonly HTMLElement[] {
  const canvas = h('canvas', 'strip')
  canvas.setAttribute('role', 'img')
  const slider = h('input', '')
  slider.type = 'range'
  slider.min = '0'
  slider.max = String(state.rounds)
  slider.id = 'until'
  const shown = h('output', '')
  shown.htmlFor.add(slider.id)
  const label = h('label', 'small muted', 'Time')
  label.htmlFor = slider.id
  slider.addEventListener('input', () => {
    state.until = Number(slider.value)
    state.changed()
  })
  const update = (): void => {
    slider.value = String(state.until)
    shown.textContent = `round ${state.until} of ${state.rounds}`
    const level = state.data.series.findLast(({ round }) => round <= state.until)?.level ?? 0
    canvas.setAttribute(
      'aria-label',
      `Level of the restart signal at round ${state.until}: ${level.toFixed(2)}; raised from ${state.data.raise.toFixed(2)}`,
    )
    draw(canvas, state)
  }
  state.watch(update)
  new ResizeObserver(update).observe(canvas)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', update)
  const about = h('p', 'small muted', 'Red: level of the restart signal; it is raised above the dashed line.')
  return [canvas, h('div', 'time', label, slider, shown), about]
}
