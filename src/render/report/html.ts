// The report as one HTML file that loads nothing and runs nothing; every text in it is escaped, with what is unseen made
// visible.

import { forHtml as escaped } from '../../ledger/text/neutral.ts'
import { passivePage } from '../passive-page.ts'
import type { Block, Item } from './document.ts'
import { STYLE } from './html-style.ts'

const paragraphs = (text: string): string[] => text.split(/\n+/).filter((each) => each.trim() !== '')
const paragraph = (text: string): string => `<p dir="auto">${escaped(text)}</p>`

function item({ lead, tone = 'plain', text, notes = [] }: Item): string {
  const head = lead === undefined ? '' : `<p class="lead ${tone}">${escaped(lead)}</p>`
  const more = notes.map(
    ({ name, text: words }) =>
      `<div><dt>${escaped(name)}</dt><dd dir="auto">${paragraphs(words).map(escaped).join('<br>')}</dd></div>`,
  )
  const list = more.length === 0 ? '' : `<dl class="notes">${more.join('')}</dl>`
  return `<li>${head}${paragraphs(text).map(paragraph).join('')}${list}</li>`
}

function htmlOf(block: Block): string {
  switch (block.kind) {
    case 'verdict':
      return `<header class="verdict ${block.tone}"><h1>${escaped(block.label)}</h1>${block.detail === '' ? '' : paragraph(block.detail)}<p class="about" dir="auto">${escaped(block.about)}</p>${block.basis === '' ? '' : paragraph(`Read: ${block.basis}`)}</header>`
    case 'notice':
      return `<p class="notice" dir="auto">${escaped(block.text)}</p>`
    case 'heading':
      return `<h2>${escaped(block.text)}</h2>`
    case 'prose':
      return paragraphs(block.text).map(paragraph).join('\n')
    case 'list':
      return `<ul>\n${block.items.map(item).join('\n')}\n</ul>`
    case 'facts': {
      const rows = block.rows.map(
        ([name, value]) => `<div><dt>${escaped(name)}</dt><dd dir="auto">${escaped(value)}</dd></div>`,
      )
      return `<dl class="facts">${rows.join('')}</dl>`
    }
    case 'command':
      return `<pre><code>${escaped(block.text)}</code></pre>`
  }
}

export const webPageOf = (blocks: readonly Block[], title: string): string =>
  passivePage({ title: escaped(title), style: STYLE, body: blocks.map(htmlOf).join('\n') })
