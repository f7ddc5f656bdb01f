// Splits the text of a mind. A line of three hyphens separates: everything before the first is private and
// reaches no other mind, and every later block is one message. Anyone who has the reply and the terms splits
// it the same way.

import type { PoolTerms } from './terms.ts'

export interface Written {
  readonly private: string
  readonly messages: readonly { readonly text: string; readonly cut: boolean }[]
  readonly dropped: number
}

const SEPARATOR = /^[^\S\n]*---[^\S\n]*$/m

function limited(text: string, most: number): { text: string; cut: boolean } {
  if (text.length <= most) return { text, cut: false }
  // Half of a surrogate pair would not be valid text.
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most
  return { text: text.slice(0, end).trimEnd(), cut: true }
}

export function takeApart(
  reply: string,
  { max_messages, max_chars }: Pick<PoolTerms, 'max_messages' | 'max_chars'>,
): Written {
  const [apart = '', ...blocks] = reply.toWellFormed().replaceAll(/\r\n?/g, '\n').split(SEPARATOR)
  const texts = blocks.map((block) => block.trim()).filter((block) => block !== '')
  const messages = texts.slice(0, max_messages).map((text) => limited(text, max_chars))
  return {
    private: apart.trim(),
    // A block that begins with half a pair and is cut to nothing is not a message.
    messages: messages.filter(({ text }) => text !== ''),
    dropped: Math.max(0, texts.length - max_messages),
  }
}
