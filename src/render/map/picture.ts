// The map as one picture without scripts or external resources.

import type { MapData, MapPoint } from '../../exchange/map/map.ts'
import { forPicture as escaped } from '../../ledger/text/neutral.ts'
import { COLOURS, PICTURE_STYLE } from './colours.ts'

// Text of models inside a picture: escaped, without control characters, and cut. Nothing a model writes can end an
// element.

function shortened(text: string, limit: number): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()]
  return characters.length <= limit ? characters.join('') : `${characters.slice(0, limit - 1).join('')}…`
}

// The map as one SVG: messages coloured by theme and paler with age, lines to what their authors were shown,
// the signal over the rounds below, the themes at the side. Pointing at a message, or reaching it with the
// Tab key, shows its text and its lines; no script is needed.

const WIDTH = 1120
const HEIGHT = 800
const FIELD = { x: 24, y: 84, width: 780, height: 530 }
const CHART = { x: 60, y: 660, width: 744, height: 96 }
const SIDE = { x: 836, y: 100, width: 260 }
const MARGIN = 18
/** Only this many themes have a colour, and are listed; the rest are grey like messages without a theme. */
const LISTED = COLOURS

const at = (value: number): string => String(Math.round(value * 10) / 10)
const placeX = (x: number): number => FIELD.x + MARGIN + x * (FIELD.width - 2 * MARGIN)
const placeY = (y: number): number => FIELD.y + MARGIN + y * (FIELD.height - 2 * MARGIN)

export const mapTitle = ({ title, demo }: Pick<MapData, 'title' | 'demo'>): string =>
  demo && !/^mechanics demo\b/i.test(title) ? `${title}: mechanics demo` : title

const text = (x: number, y: number, words: string, kind = ''): string =>
  `<text x="${at(x)}" y="${at(y)}"${kind === '' ? '' : ` class="${kind}"`}>${escaped(words)}</text>`

function message(point: MapPoint, byId: ReadonlyMap<string, MapPoint>, colour: string, age: number): string {
  const [x, y] = [at(placeX(point.x)), at(placeY(point.y))]
  const lines = point.from.flatMap((id) => {
    const source = byId.get(id)
    if (!source) return []
    return `<line class="line" x1="${at(placeX(source.x))}" y1="${at(placeY(source.y))}" x2="${x}" y2="${y}"/>`
  })
  const about = `Round ${point.round}, ${point.author}${point.asks ? ', asks for a restart' : ''}`
  const title = escaped(`${about}: ${shortened(point.text, 280)}`)
  const ring = point.asks ? `<circle class="ask" cx="${x}" cy="${y}" r="9"/>` : ''
  const dot = `<circle class="dot ${colour}" cx="${x}" cy="${y}" r="5.5" opacity="${at(1 - 0.65 * age)}"/>`
  return `<g class="m" tabindex="0" role="img" aria-label="${title}"><title>${title}</title>${lines.join('')}${ring}${dot}</g>`
}

function field({ points }: MapData, colourOf: (theme: string | null) => string): string {
  const byId = new Map(points.map((point) => [point.id, point]))
  const rounds = points.map(({ round }) => round)
  const [first, last] = [Math.min(...rounds), Math.max(...rounds)]
  const age = ({ round }: MapPoint): number => (last > first ? (last - round) / (last - first) : 0)
  const { x, y, width, height } = FIELD
  const frame = `<rect class="frame" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`
  const empty = points.length === 0 ? text(x + 24, y + 40, 'No messages yet.', 'muted') : ''
  // The newest first: their lines lead to older messages, which are then drawn above them.
  const groups = points.toReversed().map((point) => message(point, byId, colourOf(point.theme), age(point)))
  return frame + empty + groups.join('')
}

function chart({ series, raise }: MapData): string {
  const { x, y, width, height } = CHART
  const rounds = series.map(({ round }) => round)
  const [first, last] = [Math.min(...rounds), Math.max(...rounds)]
  const across = (round: number): number =>
    x + (last > first ? ((round - first) / (last - first)) * width : width / 2)
  const up = (value: number): number => y + height - Math.max(0, Math.min(1, value)) * height
  const path = (pick: 'level' | 'share', kind: string): string =>
    `<polyline class="${kind}" points="${series.map((point) => `${at(across(point.round))},${at(up(point[pick]))}`).join(' ')}"/>`
  const step = series.length > 1 ? width / (series.length - 1) : width
  const raised = series
    .filter((point) => point.raised)
    .map(
      (point) =>
        `<rect class="raised" x="${at(Math.max(x, across(point.round) - step / 2))}" y="${y}" width="${at(Math.min(step, x + width - across(point.round) + step / 2))}" height="${height}"/>`,
    )
  const limit = `<line class="limit" x1="${x}" y1="${at(up(raise))}" x2="${x + width}" y2="${at(up(raise))}"/>`
  const marks = [
    text(
      24,
      y - 14,
      'Restart signal: level (bold) and share of rounds; dashed: raised from here',
      'small muted',
    ),
    text(24, y + 10, '100%', 'small muted'),
    text(24, y + height, '0%', 'small muted'),
    ...(series.length > 0
      ? [
          text(x, y + height + 18, `round ${first}`, 'small muted'),
          text(x + width - 60, y + height + 18, `round ${last}`, 'small muted'),
        ]
      : [text(x + 8, y + height / 2, 'Not evaluated yet.', 'small muted')]),
  ]
  const frame = `<rect class="frame" x="${x}" y="${y}" width="${width}" height="${height}"/>`
  return frame + raised.join('') + limit + path('share', 'share') + path('level', 'level') + marks.join('')
}

function legend({ themes, points, encoder }: MapData, colourOf: (theme: string | null) => string): string {
  const listedThemes = themes.slice(0, LISTED)
  const rows = listedThemes.map(({ id, label, size, excerpt }, i) => {
    const y = SIDE.y + 26 + i * 40
    const name = `${shortened(label, 30)} (${size})`
    return `<g><title>${escaped(excerpt)}</title><circle class="${colourOf(id)}" cx="${SIDE.x + 6}" cy="${y - 4}" r="6"/>${text(SIDE.x + 20, y, name)}${text(SIDE.x + 20, y + 15, shortened(excerpt, 40), 'small muted')}</g>`
  })
  const alone = points.filter(({ theme }) => theme === null).length
  const bottom = SIDE.y + 34 + listedThemes.length * 40
  const rest = [
    ...(themes.length > LISTED ? [`and ${themes.length - LISTED} smaller themes, in grey`] : []),
    `${alone} ${alone === 1 ? 'message' : 'messages'} of no theme`,
    'Paler: older. Ringed: asks for a restart.',
    'Lines: what its author was shown.',
    `Places: ${shortened(encoder, 36)}`,
  ]
  return (
    text(SIDE.x, SIDE.y, 'Themes', '') +
    rows.join('') +
    rest.map((line, i) => text(SIDE.x, bottom + i * 18, line, 'small muted')).join('')
  )
}

/** A whole SVG document. */
export function mapSvg(data: MapData): string {
  const order = new Map(data.themes.slice(0, LISTED).map(({ id }, i) => [id, i]))
  const colourOf = (theme: string | null): string => {
    const colour = theme === null ? undefined : order.get(theme)
    return colour === undefined ? 'none' : `c${colour}`
  }
  const title = escaped(mapTitle(data))
  const rounds = data.points.reduce((most, { round }) => Math.max(most, round), 0)
  const intro = data.demo
    ? 'No language model was asked: this shows how the pool works, not what minds think.'
    : `${data.points.length} messages up to round ${rounds}, laid out so that what is alike lies together.`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-label="${title}">`,
    `<style>${PICTURE_STYLE}</style>`,
    `<text x="24" y="40" class="head">${title}</text>`,
    text(24, 64, intro, 'muted'),
    field(data, colourOf),
    chart(data),
    legend(data, colourOf),
    '</svg>',
  ].join('\n')
}
