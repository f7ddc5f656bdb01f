// Foreign text is evidence, not markup: nothing in it may steer, hide or fake what a reader sees. This is the
// one place that says which characters could, and how they are replaced; each way of showing text has its
// profile. Prompts have their own set (council/prompts): it is recorded, so it can never change.

/** Line and paragraph separators, controls, format characters (bidirectional, zero-width, tags), lone surrogates, private use. */
const STEERING = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}`

const UNSEEN = {
  /** Also letters that print as nothing. */
  terminal: new RegExp(String.raw`[${STEERING}\u115f\u1160\u3164\uffa0]|[\u17b4\u17b5]|\u034f`, 'gu'),
  /** Also everything that a browser does not render. */
  page: new RegExp(String.raw`[${STEERING}\p{Default_Ignorable_Code_Point}]`, 'u'),
  /** Controls and characters that change the direction of text: labels are short, and joiners belong to their scripts. */
  picture: /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu,
  /** Paths and lines of files, which may be in any script, including private characters. */
  file: /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
} as const

/** More marks on one letter than any script uses, which would cover neighbouring lines. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu

const codeUnits = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')

const escaped = (char: string): string => {
  const code = char.charCodeAt(0)
  return char.length === 1 && code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : codeUnits(char)
}

/** A path as it may be shown and sent: invisible characters become visible escapes. */
export const forPath = (path: string): string => path.replace(UNSEEN.file, codeUnits)

/** A line of a file as it may be quoted: a run of invisible characters is one blank. */
export const forQuote = (text: string): string =>
  text.replace(new RegExp(`(?:${UNSEEN.file.source})+`, 'gu'), ' ')

/** One line that cannot affect a terminal: invisible characters become visible escapes. */
export const forTerminal = (text: string): string =>
  text
    .replace(UNSEEN.terminal, escaped)
    .replace(PILED_MARKS, (run, allowed: string) => allowed + codeUnits(run.slice(allowed.length)))

/** The text of JSON, with the same meaning to a parser: invisible characters become JSON's own escapes. */
export const forJson = (json: string): string =>
  json.replace(UNSEEN.terminal, (char) => (char === '\n' ? char : codeUnits(char)))

/** The text of JSON inside a data block of a page: nothing in it can look like the end of an element. */
export const forDataBlock = (json: string): string => json.replace(/[<>&\u2028\u2029]/g, codeUnits)

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

const entity = (char: string): string => ENTITIES[char] ?? ''

/** Text of an element or an attribute of HTML, with invisible characters made visible. */
export const forHtml = (text: string): string => forTerminal(text).replace(/[&<>"'`]/g, entity)

/** Text of an element of SVG; an invisible character becomes a blank. */
export const forPicture = (text: string): string =>
  text.replace(UNSEEN.picture, ' ').replace(/[&<>"']/g, entity)

/** What renderers of Markdown turn into links and mentions by themselves. */
const ACTIVE = /@|:\/\/|^www\.|\/\/[a-z]|#\d|^(?:mailto|javascript|data|file|tel):|^gh-\d/i
const MARKS = /[\\`*_[\]<>&|~$]/g

function asCode(word: string): string {
  const ticks = '`'.repeat(Math.max(0, ...(word.match(/`+/g) ?? []).map((run) => run.length)) + 1)
  const gap = word.startsWith('`') || word.endsWith('`') ? ' ' : ''
  return `${ticks}${gap}${word}${gap}${ticks}`
}

/** Only at the start of a line do these make a heading, list, quote or rule. */
const opening = (line: string): string =>
  line.replace(/^([#+=:-]|\d{1,9}(?=[.)]))/, (mark) => (/\d/.test(mark) ? `${mark}\\` : `\\${mark}`))

/** One line of Markdown without any effect: no markup, link, image or mention; a word that could be one becomes code. */
export function forMarkdown(text: string): string {
  const words = forTerminal(text.replace(/\s+/g, ' ').trim()).split(' ')
  const safe = words.map((word) =>
    ACTIVE.test(word) ? asCode(word) : word.replace(MARKS, (mark) => `\\${mark}`),
  )
  return opening(safe.join(' '))
}

/** A character that is shown by its code point. */
export interface Escape {
  readonly escape: string
}

const SPLIT = new RegExp(`(${UNSEEN.page.source})`, 'u')

const codePoint = (char: string): string =>
  `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** In parts for a page, which shows escapes apart from text. Newline and tab stay; letters of any script stay. */
export function forPage(text: string): readonly (string | Escape)[] {
  const parts: (string | Escape)[] = []
  let plain = ''
  for (const part of text.replaceAll('\r\n', '\n').split(SPLIT)) {
    if (part === '\n' || part === '\t' || !UNSEEN.page.test(part)) {
      plain += part
      continue
    }
    if (plain !== '') parts.push(plain)
    plain = ''
    parts.push({ escape: codePoint(part) })
  }
  if (plain !== '') parts.push(plain)
  return parts
}
