// The report as one HTML file that loads nothing and runs nothing; every text in it is escaped, with what is unseen made
// visible.

import { sha256 } from '@noble/hashes/sha2.js'
import { toBase64, utf8 } from '../../ledger/bytes.ts'
import { forHtml as escaped } from '../../ledger/text/neutral.ts'
import { type Block, type Item, isMark, type Note, withLead } from './document.ts'
import { STYLE } from './style.ts'

// One HTML file that loads nothing and runs nothing: its policy forbids every source but the one style that stands in
// it. Title and body come escaped.

const policyFor = (style: string): string =>
  [
    `default-src 'none'`,
    `style-src 'sha256-${toBase64(sha256(utf8(style)))}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ')

export interface PassivePage {
  readonly title: string
  readonly style: string
  readonly body: string
}

export const passivePage = ({ title, style, body }: PassivePage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(style)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`

const paragraphs = (text: string): string[] => text.split(/\n+/).filter((each) => each.trim() !== '')
const paragraph = (text: string): string => `<p dir="auto">${escaped(text)}</p>`

/** Ids of items are ours; they are escaped like everything else. */
const sourceLink = ({ label, id }: NonNullable<Note['sources']>[number]): string =>
  id === null ? escaped(label) : `<a href="#${escaped(id)}">${escaped(label)}</a>`

function noteText({ text, sources, diff }: Note): string {
  if (diff) return `<pre dir="ltr"><code>${diff.map(escaped).join('\n')}</code></pre>`
  return sources ? sources.map(sourceLink).join(', ') : paragraphs(text).map(escaped).join('<br>')
}

const notesOf = (notes: readonly Note[]): string =>
  notes.length === 0
    ? ''
    : `<dl class="notes">${notes.map((each) => `<div><dt>${escaped(each.name)}</dt><dd dir="auto">${noteText(each)}</dd></div>`).join('')}</dl>`

const idOf = ({ id }: Item): string => (id === undefined ? '' : ` id="${escaped(id)}"`)

function item(one: Item): string {
  const { lead, tone = 'plain', text, notes = [] } = one
  const body = `${paragraphs(text).map(paragraph).join('')}${notesOf(notes)}`
  if (lead === undefined) return `<li${idOf(one)}>${body}</li>`
  const kind = isMark(lead) ? ' class="marked"' : ''
  return `<li${kind}${idOf(one)}><p class="lead ${tone}">${escaped(lead)}</p><div>${body}</div></li>`
}

/** Opened without a script: also by a link, since what it leads to stands inside. */
const foldedItem = (one: Item): string =>
  `<li><details><summary>${escaped(one.lead ?? '')}</summary><div${idOf(one)}>${paragraphs(one.text).map(paragraph).join('')}${notesOf(one.notes ?? [])}</div></details></li>`

function htmlOf(block: Block, lead: string): string {
  switch (block.kind) {
    case 'verdict':
      return `<header class="verdict ${block.tone}"><h1>${escaped(block.label)}</h1>${lead === '' ? '' : `<p class="conclusion" dir="auto">${escaped(lead)}</p>`}${block.detail === '' ? '' : paragraph(block.detail)}<p class="about" dir="auto">${escaped(block.about)}</p>${block.basis === '' ? '' : paragraph(`Read: ${block.basis}`)}</header>`
    case 'notice':
      return `<p class="notice" dir="auto">${escaped(block.text)}</p>`
    case 'heading':
      return `<h2>${escaped(block.text)}</h2>`
    case 'prose':
      return paragraphs(block.text).map(paragraph).join('\n')
    case 'list':
      return `<ul${block.folded ? ' class="folded"' : ''}>\n${block.items.map(block.folded ? foldedItem : item).join('\n')}\n</ul>`
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

export function webPageOf(blocks: readonly Block[], title: string): string {
  const { lead, rest } = withLead(blocks)
  const body = rest.map((block) => htmlOf(block, lead)).join('\n')
  return passivePage({ title: escaped(title), style: STYLE, body })
}
