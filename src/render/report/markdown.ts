// The report as Markdown to paste into a record. What was said is text there and nothing else: no markup of its own,
// no HTML, no link, image or mention that would work. A word that could become one stands as code.

import { forMarkdown as inert } from '../../ledger/text/neutral.ts'
import { plain } from '../plain.ts'
import type { Block, Item } from './document.ts'

const paragraphs = (text: string): string[] => text.split(/\n+/).filter((each) => each.trim() !== '')

function itemLines({ lead, text, notes = [] }: Item): string[] {
  const [first = '', ...rest] = paragraphs(text).map(inert)
  const head = lead === undefined ? first : `**${inert(lead)}**${first === '' ? '' : `: ${first}`}`
  return [
    `- ${head}`,
    ...rest.map((each) => `\n  ${each}`),
    ...notes.flatMap(({ name, text: words }) => {
      const [one = '', ...more] = paragraphs(words).map(inert)
      return [`  - *${inert(name)}*: ${one}`, ...more.map((each) => `\n    ${each}`)]
    }),
  ]
}

function linesOf(block: Block): string[] {
  switch (block.kind) {
    case 'verdict':
      return [
        `# ${inert(block.label)}`,
        '',
        ...(block.detail === '' ? [] : [inert(block.detail), '']),
        `**Asked**: ${inert(block.about)}`,
        '',
        ...(block.basis === '' ? [] : [`**Read**: ${inert(block.basis)}`, '']),
      ]
    case 'notice':
      return [`> ${inert(block.text)}`, '']
    case 'heading':
      return [`## ${inert(block.text)}`, '']
    case 'prose':
      return paragraphs(block.text).flatMap((each) => [inert(each), ''])
    case 'list':
      return [...block.items.flatMap(itemLines), '']
    case 'facts':
      return [...block.rows.map(([name, value]) => `- **${inert(name)}**: ${inert(value)}`), '']
    case 'command':
      return ['```sh', plain(block.text), '```', '']
  }
}

export const markdownOf = (blocks: readonly Block[]): string =>
  `${blocks.flatMap(linesOf).join('\n').trimEnd()}\n`
