// Names of files as diffs write them: with a/ and b/ before, a tab and a date behind, quoted as in C when
// they contain unusual characters. A name is a label for a place and is never opened.

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
}

/** git quotes bytes: `\303\251` is one letter in UTF-8. */
function unquote(quoted: string): string {
  const bytes: number[] = []
  const encoder = new TextEncoder()
  const pattern = /\\([0-7]{3})|\\(.)|([^\\]+)/gsu
  for (const [, octal, escaped, plain] of quoted.matchAll(pattern)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff)
    else for (const byte of encoder.encode(plain ?? ESCAPES[escaped ?? ''] ?? escaped ?? '')) bytes.push(byte)
  }
  return new TextDecoder().decode(Uint8Array.from(bytes))
}

/** The name in a `---`, `+++` or `rename` line; null for /dev/null. */
export function pathIn(text: string, prefixed: boolean): string | null {
  const quoted = /^"((?:[^"\\]|\\.){0,4096})"/su.exec(text)?.[1]
  const name = quoted === undefined ? (text.split('\t', 1)[0] ?? '').trimEnd() : unquote(quoted)
  if (name === '/dev/null') return null
  return prefixed ? name.replace(/^[abciow]\//, '') : name
}

/** Both names of a `diff --git` line, which are separated only by a space. */
export function pathsInHeader(text: string): readonly [string, string] | null {
  const quoted = /^("(?:[^"\\]|\\.){0,4096}"|\S+) ("(?:[^"\\]|\\.){0,4096}"|\S+)$/su.exec(text)
  if (quoted) return [pathIn(quoted[1] ?? '', true) ?? '', pathIn(quoted[2] ?? '', true) ?? '']
  // Names with spaces: without a rename both are the same, so the line is cut in half.
  const half = (text.length - 1) / 2
  if (!Number.isInteger(half) || text[half] !== ' ') return null
  const [old, now] = [pathIn(text.slice(0, half), true), pathIn(text.slice(half + 1), true)]
  return old !== null && now !== null && old === now ? [old, now] : null
}
