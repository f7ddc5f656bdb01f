// Longer foreign text. However long it is, only its beginning is rendered until the reader requests the rest.

import { button, type Child, count, fill, h } from './dom.ts'

const FIRST = 4000

export function longText(text: string, className = 'text'): HTMLElement {
  const block = h('div', className)
  block.dir = 'auto'
  if (text.length <= FIRST) {
    fill(block, text)
    return block
  }
  const rest = text.length - FIRST
  const more = button(`Show ${count(rest, 'more character')}`, 'link', () => {
    fill(block, text)
    more.remove()
  })
  fill(block, text.slice(0, FIRST), '…')
  return h('div', '', block, more satisfies Child)
}
