// The map of an exchange: every message with a vector of the current encoder, placed by its content. Messages
// with vectors of an earlier encoder cannot be compared with the others; they are left out, and counted.

import { editionOf } from '../../exchange/editions.ts'
import { type MapData, type MapTheme, mapData } from '../../exchange/map/map.ts'
import { isRestart } from '../../exchange/messages.ts'
import { isDemo } from '../../exchange/result.ts'
import { isScripted } from '../../exchange/terms.ts'
import type { Vector } from '../../ledger/vector.ts'
import type { Home } from '../home/home.ts'
import { type History, type Row, readHistory, withVectors } from './history.ts'

const EXCERPT = 140

/** By the rule of this exchange: tags and judgements, or in the first edition tags and scores. */
function asks({ message, score, judged }: Row, state: History['state']): boolean {
  if (message.kind !== 'mind') return false
  const isFound = editionOf(state).signal === 'heard' ? judged === true : score !== null && score >= 0
  return isRestart(message) || isFound
}

function themesOf(
  rows: readonly Row[],
  labels: History['labels'],
  state: History['state'],
): readonly MapTheme[] {
  const rowsByCluster = new Map<string, Row[]>()
  for (const row of rows) {
    if (row.cluster !== null) rowsByCluster.set(row.cluster, [...(rowsByCluster.get(row.cluster) ?? []), row])
  }
  return [...rowsByCluster].map(([id, own]) => ({
    id,
    label: `${labels.get(id) ?? id}${isAsking(own, state) ? ' (restart theme)' : ''}`,
    excerpt: own[0]?.message.text.slice(0, EXCERPT) ?? '',
    members: own.map(({ message }) => message.id),
  }))
}

/** At least half of its messages ask for a restart. */
const isAsking = (rows: readonly Row[], state: History['state']): boolean =>
  rows.filter((row) => asks(row, state)).length * 2 >= rows.length

/** What is drawn, and how much of it. */
export interface ExchangeMap {
  readonly data: MapData
  /** Messages shown that minds wrote. */
  readonly byMinds: number
  /** Messages with vectors of another encoder. */
  readonly leftOut: number
  /** Placed along the directions in which themes differ, not by neighbourhoods. */
  readonly isQuick: boolean
}

/** With more messages than this, a map that is redrawn often is computed in linear time. */
const MANY = 1_500

export async function exchangeMap(
  home: Pick<Home, 'ports'>,
  id: string,
  { live = false }: { readonly live?: boolean } = {},
): Promise<ExchangeMap> {
  const { rows, labels, series, state } = await readHistory(home, id)
  const { project, projectByThemes } = await import('../../embeddings/projection.ts')
  const placed: [Row, Vector][] = []
  for await (const [row, vector] of withVectors(home, rows)) {
    if (vector?.encoder === state.encoder) placed.push([row, vector])
  }
  const { terms, encoder, trace } = state
  const shown = placed.map(([row]) => row)
  const vectors = placed.map(([, vector]) => vector)
  const isQuick = live && vectors.length > MANY
  const data = mapData({
    title: `${terms?.pool.prompt.replaceAll(/\s+/g, ' ').slice(0, EXCERPT) ?? trace}${terms && isScripted(terms) ? ': scripted demo' : ''}`,
    demo: terms !== null && isDemo(terms),
    encoder,
    series,
    raise: terms?.restart.raise ?? 1,
    clear: terms?.restart.clear ?? 0,
    messages: shown.map((row) => {
      const { message, sampled } = row
      return {
        id: message.id,
        round: message.round,
        author: message.kind === 'mind' ? message.author : message.kind,
        text: message.text,
        asks: asks(row, state),
        sampled,
      }
    }),
    spots: isQuick
      ? projectByThemes(
          vectors,
          shown.map(({ cluster }) => cluster),
        )
      : await project(vectors, terms?.pool.seed),
    themes: themesOf(shown, labels, state),
  })
  const embedded = rows.filter(({ place }) => place !== null)
  const byMinds = shown.filter(({ message }) => message.kind === 'mind').length
  return { data, byMinds, leftOut: embedded.length - placed.length, isQuick }
}
