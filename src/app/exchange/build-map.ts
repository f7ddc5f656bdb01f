// The map of an exchange: every message that has a vector of the encoder in use, placed by what it says. Messages with
// vectors of an encoder that was given up cannot be placed beside the others; they are left out, and counted.

import { type MapData, type MapTheme, mapData } from '../../exchange/map/map.ts'
import { isRestart } from '../../exchange/messages.ts'
import type { Vector } from '../../ledger/vector.ts'
import type { Home } from '../home/home.ts'
import { isDemo } from './demo-minds.ts'
import { type History, type Row, withVectors } from './history.ts'

const EXCERPT = 140

function themesOf(rows: readonly Row[], labels: History['labels']): readonly MapTheme[] {
  const found = new Map<string, Row[]>()
  for (const row of rows) {
    if (row.cluster !== null) found.set(row.cluster, [...(found.get(row.cluster) ?? []), row])
  }
  return [...found].map(([id, own]) => ({
    id,
    label: labels.get(id) ?? id,
    excerpt: own[0]?.message.text.slice(0, EXCERPT) ?? '',
    members: own.map(({ message }) => message.id),
  }))
}

export async function mapOf(
  home: Pick<Home, 'ports'>,
  { rows, labels, series, state }: History,
): Promise<{ readonly data: MapData; readonly byMinds: number; readonly leftOut: number }> {
  const { project } = await import('../../embeddings/projection.ts')
  const placed: [Row, Vector][] = []
  for await (const [row, vector] of withVectors(home, rows)) {
    if (vector?.encoder === state.encoder) placed.push([row, vector])
  }
  const { terms, encoder, trace } = state
  const shown = placed.map(([row]) => row)
  const data = mapData({
    title: terms?.pool.prompt.replaceAll(/\s+/g, ' ').slice(0, EXCERPT) ?? trace,
    demo: terms !== null && isDemo(terms),
    encoder,
    series,
    raise: terms?.restart.raise ?? 1,
    clear: terms?.restart.clear ?? 0,
    messages: shown.map(({ message, sampled, score }) => ({
      id: message.id,
      round: message.round,
      author: message.kind === 'mind' ? message.author : message.kind,
      text: message.text,
      asks: message.kind === 'mind' && (isRestart(message) || (score !== null && score >= 0)),
      sampled,
    })),
    spots: await project(
      placed.map(([, vector]) => vector),
      terms?.pool.seed,
    ),
    themes: themesOf(shown, labels),
  })
  const embedded = rows.filter(({ place }) => place !== null)
  const byMinds = shown.filter(({ message }) => message.kind === 'mind').length
  return { data, byMinds, leftOut: embedded.length - placed.length }
}
