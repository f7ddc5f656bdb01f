// The program of the map page: it draws the data of the page, contacts no server and stores nothing. The data
// was written by Witan; every text in it may be a model's, and becomes text nodes only.

import type { MapData } from '../../../exchange/map/map.ts'
import { count, h } from '../dom.ts'
import { fieldView } from './field.ts'
import { legendView } from './legend.ts'
import { readingView } from './reading.ts'
import { timeView } from './timeline.ts'
import { MapState } from './view-state.ts'

function ledeOf({ points, themes, demo }: MapData, rounds: number): HTMLElement {
  const facts = `${count(points.length, 'message')} in ${count(rounds, 'round')}, ${count(themes.length, 'theme')}.`
  return h('p', demo ? 'notice' : 'muted', demo ? `No language model was asked. ${facts}` : facts)
}

const main = document.querySelector('main')
const data: MapData = JSON.parse(document.getElementById('map')?.textContent ?? 'null')
if (main && data) {
  const state = new MapState(data)
  const stage = h('div', 'stage', fieldView(state), timeView(state), readingView(state))
  main.append(ledeOf(data, state.rounds))
  if (data.points.length === 0) main.append(h('p', 'muted', 'No messages yet.'))
  else main.append(h('div', 'columns', stage, legendView(state)))
  state.changed()
}
