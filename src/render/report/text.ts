// The report for a terminal: no line wider than asked for, what was said indented below our own headings, and nothing
// in it that could move the cursor or pass for a line of ours.

import type { Paint } from '../paint.ts'
import { plain } from '../plain.ts'
import type { Block, Item, Tone } from './document.ts'

const INDENT = 2

/** Words too long for a line are broken, so that no line is wider than `width`. */
function broken(word: string, width: number): string[] {
  const chars = [...word]
  const pieces: string[] = []
  for (let i = 0; i < chars.length; i += width) pieces.push(chars.slice(i, i + width).join(''))
  return pieces
}

/** Lines of one paragraph behind `first`, the later ones behind as many blanks. */
function folded(text: string, first: string, indent: number, width: number): string[] {
  const room = Math.max(width - indent, 20)
  const words = plain(text.replace(/\s+/g, ' ').trim())
    .split(' ')
    .flatMap((word) => broken(word, room))
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  lines.push(line)
  return lines.map((each, i) => (i === 0 ? first : ' '.repeat(indent)) + each)
}

const paragraphs = (text: string): string[] => text.split(/\n+/).filter((each) => each.trim() !== '')

const brush = (tone: Tone | undefined, paint: Paint) =>
  tone === 'good' ? paint.green : tone === 'bad' ? paint.red : tone === 'open' ? paint.yellow : paint.bold

function itemLines({ lead, tone, text, notes = [] }: Item, width: number, paint: Paint): string[] {
  const said = paragraphs(text)
  const head =
    lead === undefined ? [] : folded(lead, '- ', INDENT, width).map((line) => brush(tone, paint)(line))
  const body = said.flatMap((each, i) => {
    const marks = lead === undefined && i === 0 ? '- ' : ' '.repeat(INDENT)
    return folded(each, marks, INDENT, width)
  })
  const more = notes.flatMap(({ name, text: words }) =>
    paragraphs(words).flatMap((each, i) => {
      const label = i === 0 ? `${plain(name)}: ` : ''
      return folded(`${label}${each}`, ' '.repeat(2 * INDENT), 2 * INDENT, width).map((line) =>
        paint.dim(line),
      )
    }),
  )
  return [...head, ...body, ...more]
}

function linesOf(block: Block, width: number, paint: Paint): string[] {
  switch (block.kind) {
    case 'verdict':
      return [
        brush(block.tone, paint)(paint.bold(plain(block.label))),
        ...(block.detail === '' ? [] : folded(block.detail, '  ', INDENT, width)),
        ...folded(block.about, '  asked: ', INDENT + 7, width).map((line) => paint.dim(line)),
        ...(block.basis === '' ? [] : folded(block.basis, '  read:  ', INDENT + 7, width)).map((line) =>
          paint.dim(line),
        ),
        '',
      ]
    case 'notice':
      return [...folded(block.text, '! ', INDENT, width).map((line) => paint.yellow(line)), '']
    case 'heading':
      return folded(block.text, '', 0, width).map((line) => paint.bold(line))
    case 'prose':
      return [...paragraphs(block.text).flatMap((each) => [...folded(each, '  ', INDENT, width), ''])]
    case 'list':
      return [...block.items.flatMap((item) => itemLines(item, width, paint)), '']
    case 'facts':
      return [...block.rows.flatMap(([name, value]) => folded(value, `  ${name.padEnd(9)} `, 12, width)), '']
    case 'command':
      return [`  ${plain(block.text)}`, '']
  }
}

export function textOf(blocks: readonly Block[], width: number, paint: Paint): string {
  const lines = blocks.flatMap((block) => linesOf(block, width, paint))
  return `${lines.join('\n').trimEnd()}\n`
}
