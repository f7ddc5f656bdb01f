// Text by others, made safe to look at. Characters that steer, hide or fake text on a screen (controls, bidi
// overrides, zero-width and other ignorable characters, line separators) are parted out, to be shown by their
// code point. Newline and tab stay; a letter of any script stays.

export interface Escape {
  readonly escape: string
}

const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
const SPLIT = new RegExp(`(${UNSEEN.source})`, 'u')

const codePoint = (char: string): string =>
  `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

export function visible(text: string): readonly (string | Escape)[] {
  const parts: (string | Escape)[] = []
  let plain = ''
  for (const part of text.replaceAll('\r\n', '\n').split(SPLIT)) {
    if (part === '\n' || part === '\t' || !UNSEEN.test(part)) {
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
