// Text from a trace, a file or the command line is evidence, not markup: nothing in it may move the cursor, change
// colours, reorder what is read or hide. Whatever could do so is shown as a visible escape instead.

// Controls, format characters (bidirectional, zero-width, tags), separators of lines and paragraphs, lone
// surrogates, private use, and the letters that print as nothing.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u115f\u1160\u3164\uffa0]|[\u17b4\u17b5]|\u034f/gu
/** More of them upon one letter than any script uses, climbing over the neighbouring lines. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu

const codeUnits = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')

const visible = (char: string): string => {
  const code = char.charCodeAt(0)
  return char.length === 1 && code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : codeUnits(char)
}

/** One line that can do nothing to a terminal. */
export const plain = (text: string): string =>
  text
    .replace(UNSEEN, visible)
    .replace(PILED_MARKS, (run, kept: string) => kept + codeUnits(run.slice(kept.length)))

/** Several lines, each indented, so that no line of the text can pass for one of ours. */
export const block = (text: string, indent: string): readonly string[] =>
  text.split('\n').map((line) => `${indent}${plain(line)}`)

/** JSON that means the same to a parser and can be shown: what is unseen stands as JSON's own escapes. */
export const plainJson = (value: unknown, space?: number): string =>
  JSON.stringify(value, null, space).replace(UNSEEN, (char) => (char === '\n' ? char : codeUnits(char)))

/** At most `width` characters of a plain line. */
export function clip(text: string, width: number): string {
  const chars = [...text]
  return chars.length <= width ? text : `${chars.slice(0, Math.max(width - 1, 0)).join('')}…`
}
