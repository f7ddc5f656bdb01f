// The language of a path, and a line split into code, strings and comment. One pass, no backtracking, one
// line at a time: a diff shows no more. What cannot be distinguished counts as code.

const EXTENSIONS = {
  script: 'js mjs cjs jsx ts mts cts tsx vue svelte',
  python: 'py pyi',
  ruby: 'rb rake gemspec',
  go: 'go',
  rust: 'rs',
  java: 'java kt kts scala groovy',
  csharp: 'cs fs vb',
  c: 'c h cc cpp cxx hpp hh m mm',
  php: 'php',
  shell: 'sh bash zsh fish ksh',
  swift: 'swift dart',
  sql: 'sql',
  yaml: 'yml yaml',
  settings: 'toml ini cfg conf properties env',
  markup: 'html htm xml svg',
} as const

export type Language = keyof typeof EXTENSIONS | 'docker' | 'text'

const BY_EXTENSION = new Map<string, Language>(
  Object.entries(EXTENSIONS).flatMap(([language, all]) =>
    all.split(' ').map((ext) => [ext, language as Language] as const),
  ),
)

/** Programming languages. */
const PROGRAMS = new Set<Language>([
  'script',
  'python',
  'ruby',
  'go',
  'rust',
  'java',
  'csharp',
  'c',
  'php',
  'shell',
  'swift',
])

export const isProgram = (language: Language): boolean => PROGRAMS.has(language)

export function languageOf(path: string): Language {
  const name = (path.split('/').at(-1) ?? path).toLowerCase()
  if (/^(?:dockerfile|containerfile)(?:\.|$)/.test(name)) return 'docker'
  if (name === 'rakefile' || name === 'gemfile') return 'ruby'
  if (name === 'makefile') return 'shell'
  if (/^\.env(?:\.|$)/.test(name)) return 'settings'
  return BY_EXTENSION.get(name.split('.').at(-1) ?? '') ?? 'text'
}

/** What a line leaves open for the next: a block comment or a text over several lines. */
export type Open = '*/' | '"""' | "'''" | null

export interface Dissected {
  /** The line without comment, strings emptied but their quotes kept. */
  readonly code: string
  /** The line without comment. */
  readonly said: string
  readonly comment: string
  readonly open: Open
}

const HASH = new Set<Language>(['python', 'ruby', 'shell', 'yaml', 'settings', 'docker', 'php'])
const SLASH = new Set<Language>(['script', 'go', 'rust', 'java', 'csharp', 'c', 'php', 'swift'])
const OPENS_PATTERN = /[(,=:[!&|?{};]\s*$|^\s*$|\b(?:return|case|typeof)\s+$/
const SPECIAL = /["'`/#<-]/g

function commentAt(text: string, i: number, language: Language): boolean {
  const two = text.slice(i, i + 2)
  if (SLASH.has(language) && (two === '//' || two === '/*')) return text[i - 1] !== ':'
  if (HASH.has(language) && text[i] === '#')
    return text[i + 1] !== '[' && (i === 0 || /\s/.test(text[i - 1] ?? ''))
  if (language === 'sql') return two === '--'
  return language === 'markup' && text.startsWith('<!--', i)
}

/** Where the string or pattern that opens at `i` closes; null when it does not on this line. */
function closing(text: string, i: number, quote: string): number | null {
  for (let at = i + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) return at
  }
  return null
}

function opensString(text: string, i: number, language: Language): boolean {
  if (text[i] === '"' || text[i] === "'" || text[i] === '`') return true
  const before = text.slice(Math.max(0, i - 12), i)
  return text[i] === '/' && language === 'script' && OPENS_PATTERN.test(before)
}

function nextSpecial(text: string, from: number): number {
  SPECIAL.lastIndex = from
  return SPECIAL.exec(text)?.index ?? text.length
}

/** Python's text over several lines, as far as this line goes. */
function longString(text: string, i: number, language: Language): { end: number; open: Open } | null {
  const mark = text.slice(i, i + 3)
  if (language !== 'python' || (mark !== '"""' && mark !== "'''")) return null
  const end = text.indexOf(mark, i + 3)
  return end === -1 ? { end: text.length, open: mark } : { end: end + 3, open: null }
}

const blank = (length: number) => ' '.repeat(Math.max(0, length))

/** The line from `start` on, where nothing is open any more. */
function scan(text: string, language: Language, start: number): Dissected {
  let code = blank(start)
  let comment = ''
  let i = start
  // A quote that does not close once never will: otherwise a line of quotes would cost quadratic time.
  const unclosed = new Set<string>()
  while (i < text.length) {
    const at = nextSpecial(text, i)
    code += text.slice(i, at)
    i = at
    const char = text[i]
    if (char === undefined) break
    if (commentAt(text, i, language)) {
      const block = text.startsWith('/*', i)
      const end = block ? text.indexOf('*/', i + 2) : -1
      if (end === -1) {
        return { code, said: text.slice(0, i), comment: comment + text.slice(i), open: block ? '*/' : null }
      }
      comment += text.slice(i, end + 2)
      code += blank(end + 2 - i)
      i = end + 2
      continue
    }
    const long = longString(text, i, language)
    if (long?.open) return { code, said: text, comment, open: long.open }
    const opens = !unclosed.has(char) && opensString(text, i, language)
    const end = long ? long.end - 1 : opens ? closing(text, i, char) : null
    if (opens && end === null) unclosed.add(char)
    // A template that continues: its text is not code.
    if (end === null && char === '`' && language === 'script') break
    code += end === null ? char : `${char}${blank(end - i - 1)}${char}`
    i = end === null ? i + 1 : end + 1
  }
  return { code, said: text, comment, open: null }
}

/** `open` is what the line before left open, when that line is known. */
export function dissect(text: string, language: Language, open: Open = null): Dissected {
  if (language === 'text') return { code: text, said: text, comment: '', open: null }
  if (open === null) {
    // The middle of a block comment whose start is not part of the change.
    const inside = SLASH.has(language) && /^\s*\*(?:\s|\/|$)/.test(text)
    return inside ? { code: '', said: '', comment: text, open: null } : scan(text, language, 0)
  }
  const end = text.indexOf(open)
  // A docstring is not code that runs.
  if (open !== '*/')
    return end === -1 ? { code: '', said: '', comment: '', open } : scan(text, language, end + 3)
  if (end === -1) return { code: '', said: '', comment: text, open }
  const rest = scan(text, language, end + 2)
  return {
    ...rest,
    said: blank(end + 2) + rest.said.slice(end + 2),
    comment: text.slice(0, end) + rest.comment,
  }
}
