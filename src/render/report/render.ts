// One report in the requested form. Each form is a function of the view alone, so that the same trace always
// gives the same report.

import { forMarkdown as inert } from '../../ledger/text/neutral.ts'
import { diffPaint, fenceAround, NO_PAINT, type Paint, plain, plainJson } from '../plain.ts'
import type { Block, Item, ReportView, Tone } from './document.ts'
import { webPageOf } from './html.ts'
import { annotationsOf, sarifOf } from './sarif.ts'
import { documentOf } from './sections.ts'

export const FORMATS = ['text', 'md', 'json', 'html', 'sarif', 'github'] as const
export type Format = (typeof FORMATS)[number]

export interface RenderOptions {
  /** Columns of the text form. */
  readonly width?: number
  readonly paint?: Paint
  /** Of Witan, named in SARIF. */
  readonly version?: string
}

const WIDTH = 80
/** The command that checks the trace stays on one line. */
const NARROWEST = 44

/** What programs read: the report, its sources, its usage, and reasons for doubt. */
const jsonOf = (view: ReportView): object => ({
  trace: view.trace,
  question: view.question,
  mode: view.mode,
  at: view.at,
  status: view.status,
  reason: view.reason,
  degraded: view.degraded,
  report: view.report,
  rounds: view.rounds.filter((round) => round !== null),
  metrics: view.metrics,
  transparency: view.transparency,
})

const titleOf = ({ question }: ReportView): string =>
  `${[...question.replace(/\s+/g, ' ').trim()].slice(0, 80).join('')}: Witan council`

/** Ends with a newline. */
export function renderReport(format: Format, view: ReportView, options: RenderOptions = {}): string {
  switch (format) {
    case 'json':
      return `${plainJson(jsonOf(view), 2)}\n`
    case 'sarif':
      return `${plainJson(sarifOf(view, options.version ?? '0.0.0'), 2)}\n`
    case 'github':
      return annotationsOf(view)
    case 'md':
      return markdownOf(documentOf(view))
    case 'html':
      return webPageOf(documentOf(view), titleOf(view))
    case 'text': {
      const width = Math.max(options.width ?? WIDTH, NARROWEST)
      return textOf(documentOf(view), width, options.paint ?? NO_PAINT)
    }
  }
}

// The report for a terminal: no line wider than requested, foreign text indented below our own headings, and
// nothing in it that could move the cursor or look like a line of ours.

const INDENT = 2

/** Words too long for a line are broken, so that no line is wider than `width`. */
function broken(word: string, width: number): string[] {
  const chars = [...word]
  const pieces: string[] = []
  for (let i = 0; i < chars.length; i += width) pieces.push(chars.slice(i, i + width).join(''))
  return pieces
}

/** Lines of one paragraph after `first`, the later ones after as many blanks. */
export function folded(text: string, first: string, indent: number, width: number): string[] {
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

export const brush = (tone: Tone | undefined, paint: Paint) =>
  tone === 'good' ? paint.green : tone === 'bad' ? paint.red : tone === 'open' ? paint.yellow : paint.bold

function itemLines({ lead, tone, text, notes = [] }: Item, width: number, paint: Paint): string[] {
  const texts = paragraphs(text)
  const head =
    lead === undefined ? [] : folded(lead, '- ', INDENT, width).map((line) => brush(tone, paint)(line))
  const body = texts.flatMap((each, i) => {
    const marks = lead === undefined && i === 0 ? '- ' : ' '.repeat(INDENT)
    return folded(each, marks, INDENT, width)
  })
  const more = notes.flatMap(({ name, text: words, diff }) => {
    const deep = ' '.repeat(3 * INDENT)
    if (diff) {
      const lines = diff.flatMap((line) =>
        broken(plain(line) || ' ', width - deep.length).map((part) => deep + diffPaint(line, paint)(part)),
      )
      return [paint.dim(`${' '.repeat(2 * INDENT)}${plain(name)}:`), ...lines]
    }
    return paragraphs(words).flatMap((each, i) => {
      const label = i === 0 ? `${plain(name)}: ` : ''
      return folded(`${label}${each}`, ' '.repeat(2 * INDENT), 2 * INDENT, width).map((line) =>
        paint.dim(line),
      )
    })
  })
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

function textOf(blocks: readonly Block[], width: number, paint: Paint): string {
  const lines = blocks.flatMap((block) => linesOf(block, width, paint))
  return `${lines.join('\n').trimEnd()}\n`
}

// The report as Markdown to paste into a record. Foreign text has no markup of its own, no HTML, and no
// working link, image or mention. A word that could become one is shown as code.

function markdownItem({ lead, text, notes = [] }: Item): string[] {
  const [first = '', ...rest] = paragraphs(text).map(inert)
  const head = lead === undefined ? first : `**${inert(lead)}**${first === '' ? '' : `: ${first}`}`
  return [
    `- ${head}`,
    ...rest.map((each) => `\n  ${each}`),
    ...notes.flatMap(({ name, text: words, diff }) => {
      if (diff) {
        const fence = fenceAround(diff)
        const fenced = [`${fence}diff`, ...diff.map(plain), fence].map((line) => `    ${line}`)
        return [`  - *${inert(name)}*:`, '', ...fenced, '']
      }
      const [first = '', ...more] = paragraphs(words).map(inert)
      return [`  - *${inert(name)}*: ${first}`, ...more.map((each) => `\n    ${each}`)]
    }),
  ]
}

function markdownLines(block: Block): string[] {
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
      return [...block.items.flatMap(markdownItem), '']
    case 'facts':
      return [...block.rows.map(([name, value]) => `- **${inert(name)}**: ${inert(value)}`), '']
    case 'command':
      return ['```sh', plain(block.text), '```', '']
  }
}

const markdownOf = (blocks: readonly Block[]): string =>
  `${blocks.flatMap(markdownLines).join('\n').trimEnd()}\n`
