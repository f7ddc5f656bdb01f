// The report as one HTML file that loads nothing and runs nothing; every text in it is escaped, with
// invisible characters made visible.

import { sha256 } from '@noble/hashes/sha2.js'
import { toBase64, utf8 } from '../../ledger/bytes.ts'
import { forHtml as escaped } from '../../ledger/text/neutral.ts'
import { type Block, type Item, isMark, type Note, withLead } from './document.ts'

// The style of a report: ink on paper in both schemes and in print, every pair at least 4.5 : 1. Colour never
// says anything that a word beside it does not. Important content is large and first; the rest is folded or
// small.

export const STYLE = `
:root {
  --paper: #faf9f6; --sheet: #ffffff; --ink: #1d1c1a; --muted: #5f5c55; --line: #dedad1; --accent: #254e83;
  --good: #17643a; --good-ground: #e7f2ea; --open: #774700; --open-ground: #fcf1da;
  --bad: #a01812; --bad-ground: #fcebe8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #151513; --sheet: #1d1d1a; --ink: #ebe9e3; --muted: #a5a198; --line: #383630; --accent: #9cc1f2;
    --good: #7fd3a0; --good-ground: #142a1d; --open: #efc069; --open-ground: #2e2410;
    --bad: #ff9d92; --bad-ground: #371512;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
}
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
p, li, dd, pre, summary { overflow-wrap: anywhere; unicode-bidi: plaintext; }
p { margin: .5rem 0; }
a { color: var(--accent); }
h1, h2 { font-family: Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, serif; line-height: 1.2; }
h1 { margin: 0; font-size: clamp(1.7rem, 6vw, 2.4rem); }
h2 { margin: 2rem 0 .25rem; font-size: 1.25rem; }
.verdict { padding: 1.1rem 1.25rem; border-left: .4rem solid var(--muted); background: var(--sheet); margin-bottom: 1rem; }
.verdict p { margin: .3rem 0 0; color: var(--muted); }
.verdict.good { border-color: var(--good); background: var(--good-ground); }
.verdict.good h1 { color: var(--good); }
.verdict.open { border-color: var(--open); background: var(--open-ground); }
.verdict.open h1 { color: var(--open); }
.verdict.bad { border-color: var(--bad); background: var(--bad-ground); }
.verdict.bad h1 { color: var(--bad); }
.verdict .conclusion { margin: .35rem 0 .5rem; color: var(--ink); font-size: 1.1875rem; line-height: 1.45; }
.verdict .about { margin-top: .8rem; color: var(--ink); font-style: italic; }
main > .verdict ~ p { font-size: 1.0625rem; }
.notice { padding: .5rem 1rem; background: var(--open-ground); color: var(--open); font-weight: 600; font-size: 1rem; }
ul { list-style: none; margin: 0; padding: 0; }
li { padding: .6rem 0; border-top: 1px solid var(--line); }
h2 + ul > li:first-child { border-top-width: 2px; }
li > p:first-child { margin-top: 0; }
li > p, li > div > p { margin: .15rem 0; }
li > div > p:first-child { margin-top: 0; }
.marked { display: grid; grid-template-columns: 8.5rem minmax(0, 1fr); gap: 0 .75rem; }
.lead { font-weight: 650; }
.lead.good { color: var(--good); }
.lead.open { color: var(--open); }
.lead.bad { color: var(--bad); }
.folded summary { cursor: pointer; font-weight: 650; }
.folded details[open] > summary { margin-bottom: .35rem; }
.folded div:target { padding-left: .75rem; border-left: 3px solid var(--accent); }
.folded p { margin: .35rem 0; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
dl { margin: .25rem 0 0; }
dl div { display: grid; grid-template-columns: 8.5rem minmax(0, 1fr); gap: .75rem; padding: .1rem 0; }
dt { color: var(--muted); overflow-wrap: anywhere; }
dd { margin: 0; min-width: 0; }
.notes { margin-top: .1rem; font-size: .9375rem; }
.notes div { display: block; }
.notes dt { display: inline; }
.notes dt::after { content: ": "; }
.notes dd { display: inline; }
.facts { padding-top: .5rem; border-top: 2px solid var(--line); font-size: .9375rem; }
.facts dd { font-variant-numeric: tabular-nums; }
pre {
  margin: .5rem 0; padding: .7rem 1rem; background: var(--sheet); border: 1px solid var(--line); border-radius: .35rem;
  font: .93rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre-wrap;
}
@media (max-width: 34rem) { .marked { display: block; } .facts div { grid-template-columns: 5.5rem minmax(0, 1fr); } }
@media print {
  :root { --paper: #fff; --sheet: #fff; --ink: #000; --muted: #444; --line: #bbb; --accent: #000;
    --good: #17643a; --good-ground: #fff; --open: #774700; --open-ground: #fff; --bad: #a01812; --bad-ground: #fff; }
  main { max-width: none; padding: 0; }
  li, .verdict, .notice, pre { break-inside: avoid; }
  .verdict, .notice { border: 1px solid var(--line); }
  h2 { break-after: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
`

// One HTML file that loads nothing and runs nothing: its policy forbids every source but the one style that is in
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

function item(content: Item): string {
  const { lead, tone = 'plain', text, notes = [] } = content
  const body = `${paragraphs(text).map(paragraph).join('')}${notesOf(notes)}`
  if (lead === undefined) return `<li${idOf(content)}>${body}</li>`
  const kind = isMark(lead) ? ' class="marked"' : ''
  return `<li${kind}${idOf(content)}><p class="lead ${tone}">${escaped(lead)}</p><div>${body}</div></li>`
}

/** Can be opened without a script: also by a link, since the target is inside. */
const foldedItem = (content: Item): string =>
  `<li><details><summary>${escaped(content.lead ?? '')}</summary><div${idOf(content)}>${paragraphs(content.text).map(paragraph).join('')}${notesOf(content.notes ?? [])}</div></details></li>`

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
