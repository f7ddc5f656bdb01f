// The selected message: the one under the pointer, or the one that was clicked. Its content is shown as text,
// no matter what it says.

import type { MapPoint } from '../../../exchange/map/map.ts'
import { button, type Child, count, fill, foreignText, h } from '../dom.ts'
import type { MapState } from './view-state.ts'

const MOST_NAMED = 12

function others(state: MapState, words: string, ids: readonly string[]): Child {
  if (ids.length === 0) return null
  const named = ids.slice(0, MOST_NAMED).map((id) => {
    const point = state.byId.get(id)
    return [' ', point ? button(id, '', () => state.choose(point)) : id]
  })
  return h(
    'p',
    'small muted',
    words,
    named,
    ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : null,
  )
}

function messageView(state: MapState, point: MapPoint): Child {
  const theme = state.data.themes.find(({ id }) => id === point.theme)
  const text = h('p', 'text', foreignText(point.text))
  text.dir = 'auto'
  return [
    h(
      'p',
      '',
      h('strong', '', foreignText(point.author)),
      ` in round ${point.round} `,
      h('span', 'muted small', point.id, theme ? [' · ', foreignText(theme.label)] : null),
      point.asks ? h('span', 'asks', ' asks for a restart') : null,
    ),
    text,
    others(state, 'Its author was shown', point.from),
    others(state, 'Shown later to the authors of', state.heardBy.get(point.id) ?? []),
  ]
}

export function readingView(state: MapState): HTMLElement {
  const element = h('section', 'reading')
  element.setAttribute('aria-label', 'The message that is read')
  element.setAttribute('aria-live', 'polite')
  const update = (): void => {
    const { read } = state
    fill(
      element,
      read
        ? messageView(state, read)
        : h(
            'p',
            'muted',
            `Point at one of ${count(state.seen.length, 'message')}, click to keep it here, or use the arrow keys on the map.`,
          ),
    )
  }
  let shown: MapPoint | null | undefined
  state.watch(() => {
    if (state.read === shown && shown !== null) return
    shown = state.read
    update()
  })
  return element
}
