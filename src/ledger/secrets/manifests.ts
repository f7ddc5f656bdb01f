// Secrets as orchestrators keep them. In a Kubernetes Secret every value is one, by what the document is and not by how
// the value looks; in Docker's settings `auth` is a name and a password in base64.

import { kind, type Span, span } from './format.ts'
import { placeholderReason } from './placeholder.ts'

const IN_MANIFEST = kind('018', 'a value of a Kubernetes or Docker secret', 'high')

const IS_SECRET = /kind\\?["']?[^\S\n]{0,4}:[^\S\n]{0,4}\\?["']?Secret(?![A-Za-z])/
const BLOCK = /^([+-]?)([^\S\n]*)(?:-[^\S\n]+)?["']?(?:data|stringData)["']?[^\S\n]*:[^\S\n]*(?:#.*)?\r?$/gm
const ENTRY = /^([^\S\n]*)["']?[A-Za-z0-9_.-]{1,253}["']?[^\S\n]*:[^\S\n]*(.*?)\r?$/
const EMPTY = /^(?:["']{2}|[|>][+-]?\d?|null|~|&[^\s]+)?$/

const isTemplate = (value: string): boolean => /^["']?(?:\{\{|\$\{|\$\(|<)/.test(value)

function* valueAt(start: number, said: string): Generator<Span> {
  const [, open = '', inner = ''] = /^(["']?)(.*?)\1(?:[^\S\n]+#.*)?$/.exec(said) ?? []
  const value = inner.trimEnd()
  if (value.length < 2 || isTemplate(value) || placeholderReason(`${value}-0aB9`) !== null) return
  yield span(IN_MANIFEST, start + open.length, value.length, null)
}

/** Lines below a `data:`: the entries of the map, and what their block scalars say. */
function* entries(text: string, from: number, mark: string, depth: number): Generator<Span> {
  let entryDepth: number | null = null
  for (let at = from; at < text.length; ) {
    const next = text.indexOf('\n', at)
    const end = next === -1 ? text.length : next
    const whole = text.slice(at, end)
    const isMarked = mark !== '' && /^[+ -]/.test(whole)
    const line = isMarked ? whole.slice(1) : whole
    const start = at + (isMarked ? 1 : 0)
    at = end + 1
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue
    const indent = line.length - line.trimStart().length
    if (indent <= depth) return
    entryDepth ??= indent
    const entry = indent <= entryDepth ? ENTRY.exec(line) : null
    if (entry) {
      const value = entry[2] ?? ''
      if (!EMPTY.test(value)) yield* valueAt(start + line.replace(/\r$/, '').length - value.length, value)
    } else yield* valueAt(start + indent, line.trim())
  }
}

const MAP = /\\?["'](?:data|stringData)\\?["'][^\S\n]{0,4}:\s{0,40}\{/g
const PAIR = /\\?["'][A-Za-z0-9_.-]{1,253}\\?["']\s{0,10}:\s{0,10}\\?["']([^"'\\]{2,20000})/y

/** The same in JSON, also inside a string. */
function* pairs(text: string): Generator<Span> {
  for (const map of text.matchAll(MAP)) {
    let at = map.index + map[0].length
    for (;;) {
      at += /^[\s,\\"'n]{0,200}?(?=\\?["'])/.exec(text.slice(at, at + 210))?.[0].length ?? 0
      PAIR.lastIndex = at
      const pair = PAIR.exec(text)
      if (!pair) break
      const value = pair[1] ?? ''
      yield* valueAt(pair.index + pair[0].length - value.length, value)
      at = pair.index + pair[0].length
      at += /^\\?["']/.exec(text.slice(at, at + 2))?.[0].length ?? 0
    }
  }
}

const DOCUMENT = /^---.*$/gm

function* documents(text: string): Generator<{ readonly from: number; readonly text: string }> {
  let from = 0
  for (const rule of text.matchAll(DOCUMENT)) {
    yield { from, text: text.slice(from, rule.index) }
    from = rule.index
  }
  yield { from, text: text.slice(from) }
}

const AUTH = /\\?["']auth\\?["']\s{0,10}:\s{0,10}\\?["']([A-Za-z0-9+/]{8,2000}={0,2})/g
const IDENTITY = /\\?["'](?:identitytoken|registrytoken)\\?["']\s{0,10}:\s{0,10}\\?["']([^"'\\\s]{8,4000})/g

function* dockerAuths(text: string): Generator<Span> {
  for (const match of [...text.matchAll(AUTH), ...text.matchAll(IDENTITY)]) {
    const value = match[1] ?? ''
    if (placeholderReason(value) !== null) continue
    yield span(IN_MANIFEST, match.index + match[0].length - value.length, value.length, null)
  }
}

export function* inManifests(text: string): Generator<Span> {
  if (text.includes('auth') || text.includes('identitytoken')) yield* dockerAuths(text)
  if (!IS_SECRET.test(text)) return
  for (const document of documents(text)) {
    if (!IS_SECRET.test(document.text)) continue
    const moved = ({ start, end, excuse }: Span): Span =>
      span(IN_MANIFEST, document.from + start, end - start, excuse)
    for (const block of document.text.matchAll(BLOCK)) {
      const [whole, mark = '', indent = ''] = block
      const from = block.index + whole.length + 1
      for (const found of entries(document.text, from, mark, indent.length)) yield moved(found)
    }
    for (const found of pairs(document.text)) yield moved(found)
  }
}
