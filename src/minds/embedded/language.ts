// Which language a path speaks, and a line taken apart into code, strings and comment. One pass, no backtracking, one
// line at a time: a diff shows no more. What cannot be told apart counts as code.

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

/** Languages that programs are written in. */
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

export interface Dissected {
  /** The line without comment, strings emptied but their quotes kept. */
  readonly code: string
  /** The line without comment. */
  readonly said: string
  readonly comment: string
}

const HASH = new Set<Language>(['python', 'ruby', 'shell', 'yaml', 'settings', 'docker', 'php'])
const SLASH = new Set<Language>(['script', 'go', 'rust', 'java', 'csharp', 'c', 'php', 'swift'])
const OPENS_PATTERN = /[(,=:[!&|?{};]\s*$|^\s*$|\b(?:return|case|typeof)\s+$/

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
  const char = text[i] ?? ''
  if (char === '"' || char === "'" || char === '`') return true
  return char === '/' && language === 'script' && OPENS_PATTERN.test(text.slice(Math.max(0, i - 12), i))
}

export function dissect(text: string, language: Language): Dissected {
  if (language === 'text') return { code: text, said: text, comment: '' }
  // The middle of a block comment.
  if (SLASH.has(language) && /^\s*\*(?:\s|\/|$)/.test(text)) return { code: '', said: '', comment: text }
  let code = ''
  let i = 0
  // A quote that does not close once never will: without this a line of quotes would cost its square.
  const unclosed = new Set<string>()
  while (i < text.length) {
    if (commentAt(text, i, language)) {
      const end = text.startsWith('/*', i) ? text.indexOf('*/', i + 2) : -1
      if (end === -1) return { code, said: text.slice(0, i), comment: text.slice(i) }
      code += ' '.repeat(end + 2 - i)
      i = end + 2
      continue
    }
    const char = text[i] ?? ''
    const opens = !unclosed.has(char) && opensString(text, i, language)
    const end = opens ? closing(text, i, char) : null
    if (opens && end === null) unclosed.add(char)
    if (end !== null) {
      code += `${char}${' '.repeat(end - i - 1)}${char}`
      i = end + 1
    } else if (char === '`' && language === 'script') {
      return { code: `${code}\``, said: text, comment: '' }
    } else {
      code += char
      i++
    }
  }
  return { code, said: text, comment: '' }
}
