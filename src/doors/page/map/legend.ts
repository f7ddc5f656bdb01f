// The meaning of the colours: each group with its size; when pressed, only that group is highlighted.

import type { Grouping } from '../../../render/map/groups.ts'
import { type Child, fill, foreignText, h } from '../dom.ts'
import type { MapState } from './view-state.ts'

function choice(state: MapState, by: Grouping, words: string): HTMLElement {
  const radio = h('input', '')
  radio.type = 'radio'
  radio.name = 'by'
  radio.checked = state.by === by
  radio.addEventListener('change', () => state.groupBy(by))
  return h('label', '', radio, words)
}

export function legendView(state: MapState): HTMLElement {
  const list = h('ul', 'groups')
  const title = h('h2', '')
  const update = (): void => {
    fill(title, state.by === 'theme' ? 'Themes' : 'Authors')
    fill(
      list,
      state.groups.map(({ id, label, size, colour }): Child => {
        const swatch = h('i', `swatch-${colour ?? 'none'}`)
        swatch.setAttribute('aria-hidden', 'true')
        const button = h('button', '', swatch, foreignText(label), h('span', '', size.toLocaleString('en')))
        button.type = 'button'
        button.setAttribute('aria-pressed', String(state.only === id))
        button.addEventListener('click', () => {
          state.only = state.only === id ? null : id
          state.changed()
        })
        return h('li', '', button)
      }),
    )
  }
  let drawn = ''
  state.watch(() => {
    const now = `${state.by} ${state.only}`
    if (now === drawn) return
    drawn = now
    const at = [...list.querySelectorAll('button')].indexOf(document.activeElement as HTMLButtonElement)
    update()
    list.querySelectorAll('button')[at]?.focus()
  })
  const by = h(
    'fieldset',
    '',
    h('legend', '', 'Colour by'),
    choice(state, 'theme', 'theme'),
    choice(state, 'author', 'author'),
  )
  const encoder = h(
    'p',
    'small muted',
    'Paler: older. Ringed: asks for a restart. What is alike lies together. Placed by ',
    foreignText(state.data.encoder),
    '.',
  )
  return h('div', '', by, title, list, encoder)
}
