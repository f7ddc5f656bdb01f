// Splits a contribution to an exchange. A line of three hyphens separates: everything before the first is
// private, every later block is one message. Hidden reasoning and fenced code separate nothing, so that no
// half of a private note is published. A reply without a message lacks `messages`: it is neither published as
// it is nor dropped silently.

import { shortened } from './fit-leaf.ts'
import { withoutHidden, withoutTemplateTokens } from './hidden.ts'
import { missing, type RawReply, REFUSED, type Reading } from './reading.ts'
import { isRefusal } from './refusal.ts'
import { RepairLog } from './repairs.ts'
import type { WantedMessages } from './wanted.ts'

const SEPARATOR = /^[^\S\n]*---[^\S\n]*$/
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/
const WHOLE_FENCE = /^\s*(`{3,}|~{3,})[^\n`]*\n([\s\S]*)\n\1\s*$/

/** The blocks between separators that are outside of fenced code. */
function blocksOf(text: string): readonly string[] {
  const blocks: string[][] = [[]]
  let fence: string | null = null
  for (const line of text.split('\n')) {
    const [, mark = '', info = ''] = FENCE.exec(line) ?? []
    if (fence === null && SEPARATOR.test(line)) {
      blocks.push([])
      continue
    }
    if (fence === null && mark !== '' && !(mark.startsWith('`') && info.includes('`'))) fence = mark
    else if (fence !== null && mark.startsWith(fence) && info.trim() === '') fence = null
    blocks.at(-1)?.push(line)
  }
  return blocks.map((lines) => lines.join('\n').trim())
}

/** Without a fence around the whole text. */
function unfenced(text: string): string {
  const [, mark, inner] = WHOLE_FENCE.exec(text) ?? []
  const isOne = inner !== undefined && !inner.split('\n').some((line) => FENCE.exec(line)?.[1] === mark)
  return isOne ? inner : text
}

export function readMessages({ max_messages, max_chars }: WantedMessages, raw: RawReply): Reading {
  const log = new RepairLog()
  const unmarked = raw.text.replace(/^\ufeff/, '')
  if (unmarked !== raw.text) log.note('byte-order-mark')
  if (!unmarked.isWellFormed()) log.note('surrogate')
  if (unmarked.includes('\r')) log.note('line-ends')
  const shown = withoutHidden(unmarked.toWellFormed().replaceAll(/\r\n?/g, '\n'))
  if (shown.found) log.note('hidden-reasoning')
  const text = withoutTemplateTokens(shown.text)
  if (text !== shown.text) log.note('text-around')
  const inner = unfenced(text)
  if (inner !== text) log.note('fence')
  const [apart = '', ...blocks] = blocksOf(inner)
  const texts = blocks.filter((block) => block !== '')
  if (texts.length < blocks.length) log.note('dropped')
  if (texts.length > max_messages) log.note('shortened', 'messages')
  const messages = texts.slice(0, max_messages).map((block, i) => {
    if (block.length > max_chars) log.note('shortened', `messages[${i}]`)
    return { text: shortened(block, max_chars).trimEnd(), cut: block.length > max_chars }
  })
  const published = messages.filter((message) => message.text !== '')
  if (published.length > 0) {
    const value = { private: apart, messages: published, dropped: Math.max(0, texts.length - max_messages) }
    return { outcome: 'kept', value, repairs: log.list() }
  }
  const isRefused =
    raw.finish_reason === 'content_filter' ||
    (inner.trim() === '' ? (raw.refusal ?? '').trim() !== '' : texts.length === 0 && isRefusal(inner))
  return isRefused ? REFUSED : { ...missing('messages'), repairs: log.list() }
}
