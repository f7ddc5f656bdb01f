// The result of the trace, drawn from the blocks that every form of a report is made of. Every text goes
// through `h`; the source of a note is a button that leads to it, and an item leads to the signed event
// behind it.

import { sha256 } from '../../browser/bytes.ts'
import { isWitanError } from '../../ledger/errors.ts'
import { occurrence } from '../../ledger/verify/inquire.ts'
import type { Occurrence } from '../../protocol.ts'
import { answerOf } from '../../render/answer/answer.ts'
import { type Block, type Item, isMark, type Note, withLead } from '../../render/report/document.ts'
import { ifReadable } from '../../render/story/story-line.ts'
import { button, type Child, foreignText, h, rows } from './dom.ts'
import type { PageContext } from './examined.ts'

/** Readable events, with the prefix of a fork before its own. */
function eventsOf({ inquiry: { ancestors, main } }: PageContext): readonly Occurrence[] {
  return [...ancestors, main].flatMap(({ events }) =>
    events.flatMap(({ header, payload, event }) =>
      typeof header === 'string' || typeof payload === 'string'
        ? []
        : [occurrence(header, event.hash, payload)],
    ),
  )
}

/** Null where there is none to show: headers only, or nothing that could be folded. */
function blocksOf(scene: PageContext): readonly Block[] | null {
  const { bundle, main } = scene.inquiry
  const header = main.events.find(({ header: read }) => typeof read === 'object')?.header
  if (bundle.content === 'none' || main.form === 'sparse' || typeof header !== 'object') return null
  try {
    return ifReadable(() => answerOf(sha256, header.protocol, eventsOf(scene)))
  } catch (error) {
    if (isWitanError(error)) return null
    throw error
  }
}

const paragraphs = (text: string): Child => {
  const parts = text.split(/\n+/).filter((each) => each.trim() !== '')
  return parts.map((each) => h('p', '', foreignText(each)))
}

/** Opens the folded parts around it and scrolls to it. */
function goTo(root: HTMLElement, id: string): void {
  const target = root.querySelector(`[data-place="${CSS.escape(id)}"]`)
  if (!(target instanceof HTMLElement)) return
  for (let at: Element | null = target; at; at = at.parentElement)
    if (at instanceof HTMLDetailsElement) at.open = true
  target.scrollIntoView({ block: 'center' })
  target.focus({ preventScroll: true })
}

class AnswerView {
  readonly element = h('article', 'part answer')
  readonly #scene: PageContext

  constructor(scene: PageContext, blocks: readonly Block[]) {
    this.#scene = scene
    const { lead, rest } = withLead(blocks)
    this.element.append(...rest.flatMap((block) => this.#block(block, lead)))
  }

  #note = ({ name, text, sources }: Note): readonly [string, Child] => [
    name,
    sources
      ? sources.map(({ label, id }, i) => [
          i > 0 ? ', ' : null,
          id === null ? foreignText(label) : button(label, 'link', () => goTo(this.element, id)),
        ])
      : paragraphs(text),
  ]

  #inside({ text, notes = [], event }: Item): Child {
    return [
      paragraphs(text),
      notes.length > 0 ? h('div', 'notes', rows(notes.map(this.#note))) : null,
      event === undefined ? null : button('Signed event', 'link small', () => this.#scene.reveal(event)),
    ]
  }

  #item = (item: Item, folded: boolean): HTMLElement => {
    const { lead, tone = 'plain' } = item
    const element = folded
      ? h('li', '', h('details', '', h('summary', '', foreignText(lead ?? '')), this.#inside(item)))
      : lead === undefined
        ? h('li', '', this.#inside(item))
        : h(
            'li',
            isMark(lead) ? 'marked' : '',
            h('p', `lead ${tone}`, foreignText(lead)),
            h('div', '', this.#inside(item)),
          )
    if (item.id !== undefined) {
      const place = element.querySelector('details') ?? element
      place.dataset.place = item.id
      place.tabIndex = -1
    }
    return element
  }

  #block(block: Block, lead: string): readonly Node[] {
    switch (block.kind) {
      case 'verdict':
        return [
          h(
            'header',
            `outcome ${block.tone}`,
            h('h1', '', foreignText(block.label)),
            lead === '' ? null : h('p', 'conclusion', foreignText(lead)),
            block.detail === '' ? null : h('p', 'muted', foreignText(block.detail)),
            block.about === '' ? null : h('p', 'about', foreignText(block.about)),
            block.basis === '' ? null : h('p', 'muted', 'Read: ', foreignText(block.basis)),
          ),
        ]
      case 'notice':
        return [h('p', 'notice', foreignText(block.text))]
      case 'heading':
        return [h('h2', '', foreignText(block.text))]
      case 'prose':
        return [h('div', 'prose', paragraphs(block.text))]
      case 'list':
        return [
          h(
            'ul',
            block.folded ? 'items folded' : 'items',
            block.items.map((one) => this.#item(one, block.folded === true)),
          ),
        ]
      case 'facts':
        return [rows(block.rows.map(([name, value]) => [name, foreignText(value)]))]
      case 'command':
        return [h('pre', '', block.text)]
    }
  }
}

function untold({ inquiry: { main } }: PageContext): HTMLElement {
  const header = main.events.find(({ header: read }) => typeof read === 'object')?.header
  const what = typeof header === 'object' ? `A record of ${header.protocol.split('/')[0]}` : 'A record'
  return h('article', 'part answer', h('header', 'outcome plain', h('h1', '', what)))
}

/** The result; folded and marked where the record is invalid, or was not checked. */
export function answerView(scene: PageContext): Child {
  const blocks = blocksOf(scene)
  const { status } = scene.report ?? { status: 'fail' }
  if (blocks === null) return status === 'fail' ? null : untold(scene)
  const { element } = new AnswerView(scene, blocks)
  if (status !== 'fail') return element
  return h('details', 'unreliable', h('summary', '', 'What this file says (do not rely on it)'), element)
}
