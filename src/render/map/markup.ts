// Text of minds inside markup: escaped, without control characters, and cut. Nothing a mind writes can end an element.

const MARKS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Control characters and those that turn the direction of text say nothing that a map could show. */
const UNSEEN = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu

export const escaped = (text: string): string =>
  text.replace(UNSEEN, ' ').replace(/[&<>"']/g, (mark) => MARKS[mark] ?? '')

export function shortened(text: string, limit: number): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()]
  return characters.length <= limit ? characters.join('') : `${characters.slice(0, limit - 1).join('')}…`
}
