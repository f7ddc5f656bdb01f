// The only way the page builds elements. Every string becomes text nodes through `forPage`, attributes are
// set by this page's own code only, and there is no call that parses markup: nothing in a trace can become an
// element.

import { forPage } from '../../ledger/text/neutral.ts'

export type Child = Node | string | null | readonly Child[]

function nodesOf(text: string): (Node | string)[] {
  return forPage(text).map((part) => {
    if (typeof part === 'string') return part
    const span = document.createElement('span')
    span.className = 'escape'
    span.textContent = part.escape
    return span
  })
}

function flat(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === null) return []
    if (typeof child === 'string') return nodesOf(child)
    return child instanceof Node ? [child] : flat(child)
  })
}

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  if (className !== '') element.className = className
  element.append(...flat(children))
  return element
}

export const fill = (element: Element, ...children: readonly Child[]): void =>
  element.replaceChildren(...flat(children))

/** Foreign text: its direction of writing is isolated. */
export const foreignText = (text: string): HTMLElement => h('bdi', '', text)

/** A hash, key or id: selected whole by one click. */
export const mono = (text: string): HTMLElement => h('code', 'id', text)

export function button(label: string, className: string, act: () => void): HTMLButtonElement {
  const element = h('button', className, label)
  element.type = 'button'
  element.addEventListener('click', act)
  return element
}

/** A folded part whose content is made when it is first opened: most of a long trace is never viewed. */
export function fold(className: string, summary: HTMLElement, inside: () => Child): HTMLDetailsElement {
  const details = h('details', className, summary)
  details.addEventListener(
    'toggle',
    () => {
      details.append(h('div', 'inside', inside()))
    },
    { once: true },
  )
  return details
}

export function section(id: string, title: string, ...children: readonly Child[]): HTMLElement {
  const heading = h('h2', '', title)
  heading.id = `${id}-title`
  const element = h('section', `part ${id}`, heading, ...children)
  element.setAttribute('aria-labelledby', heading.id)
  return element
}

export const rows = (pairs: readonly (readonly [string, Child])[]): HTMLElement =>
  h(
    'dl',
    'rows',
    pairs.map(([name, value]) => h('div', '', h('dt', '', name), h('dd', '', value))),
  )

export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`

export function bytes(size: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  let unit = 0
  let value = size
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024
  return `${unit === 0 ? value : Number(value.toFixed(1))} ${units[unit]}`
}
