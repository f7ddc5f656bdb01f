// Secrets that are recognised by their surroundings: values with a telltale name, passwords in addresses, in
// data sources, in commands and in prose. Here a value also has to look like a secret.

import { kind, matchAt, type Span, span } from './format.ts'
import { looksLikePassword, looksRandom, placeholderReason, STAND_IN } from './placeholder.ts'

const IN_ADDRESS = kind('012', 'a password inside an address', 'high')
const ASSIGNED_VALUE = kind('013', 'a random-looking value under a secret name', 'medium')
const AWS_KEY = kind('006', 'an AWS secret access key', 'critical')
const PROSE = kind('017', 'a password in plain words', 'high')

const NAME =
  /(?:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|account[_-]?key|credential|_auth(?=["':= ]))/gi

/** What follows a name: its end, an assignment sign, and a value in quotes; groups are the rest of the name and the value. */
const QUOTED = /([A-Za-z0-9_-]{0,20})["'`]?[^\S\n]{0,4}(?::=|=>|[:=])[^\S\n]{0,4}["'`]([^\s"'`]{8,200})["'`]/y
/** The same inside a string of another string. */
const ESCAPED = /([A-Za-z0-9_-]{0,20})\\["'][^\S\n]{0,4}[:=][^\S\n]{0,4}\\["']([^\s"'`\\]{8,200})\\["']/y
/** The same without quotes, as in settings files, to the end of the line. */
const BARE = /([A-Za-z0-9_.-]{0,20})[^\S\n]{0,4}[:=][^\S\n]{0,4}([^\s"'`#]{8,200})[^\S\n]*(?=\r?$)/my
/** What may be before a bare name on its line; a line of a diff begins with its mark. */
const BEFORE_BARE =
  /(?:^|\n)[+-]?[^\S\n]{0,20}(?:-[^\S\n]|(?:export|set|ENV)[^\S\n])?[A-Za-z0-9_.:/-]{0,120}$/

/** Values with a telltale name; `bare` also accepts those without quotes. */
function* assigned(text: string, bare: boolean): Generator<Span> {
  NAME.lastIndex = 0
  for (let name = NAME.exec(text); name; name = NAME.exec(text)) {
    const end = name.index + name[0].length
    const from = NAME.lastIndex
    const match =
      matchAt(QUOTED, text, end) ??
      matchAt(ESCAPED, text, end) ??
      (bare && BEFORE_BARE.test(text.slice(Math.max(0, name.index - 150), name.index))
        ? matchAt(BARE, text, end)
        : null)
    const [, rest = '', value = ''] = match ?? []
    if (match && looksRandom(name[0] + rest, value)) {
      const start = match.index + match[0].lastIndexOf(value)
      yield span(ASSIGNED_VALUE, start, value.length, placeholderReason(value))
      NAME.lastIndex = start + value.length
    } else NAME.lastIndex = from
  }
}

const AWS_NAME = /aws|amazon|secret/gi
const AWS_VALUE = /[A-Za-z0-9_ \t"'.-]{0,40}[:=][^\S\n]{0,4}["'`]?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/y
const HEX = /^[0-9a-f]+$/i

function* awsSecrets(text: string): Generator<Span> {
  AWS_NAME.lastIndex = 0
  for (let name = AWS_NAME.exec(text); name; name = AWS_NAME.exec(text)) {
    const match = matchAt(AWS_VALUE, text, name.index + name[0].length)
    const value = match?.[1]
    if (!match || value === undefined || HEX.test(value) || !/\d/.test(value) || !/[a-z]/.test(value))
      continue
    yield span(AWS_KEY, match.index + match[0].lastIndexOf(value), 40, placeholderReason(value))
    AWS_NAME.lastIndex = match.index + match[0].length
  }
}

const LOCAL = /^@(?:localhost|127\.|\[::1\]|0\.0\.0\.0|host\.docker\.internal|[a-z0-9-]{1,40}(?:[:/]|$))/
const WEAK = /^(?:pass|passw(?:or)?d|pw|secret|postgres|mysql|root|admin|test|user|p|x+)$/i
const URL_PASSWORD = /:\/\/[^\s:@/'"`<>\\]{0,64}:([^\s:@/'"`<>]{3,128})@[A-Za-z0-9[]/y

function* inAddresses(text: string): Generator<Span> {
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 1)) {
    const match = /[a-z0-9+.-]/.test(text[at - 1] ?? '') ? matchAt(URL_PASSWORD, text, at) : null
    const value = match?.[1]
    if (!match || value === undefined || match[0].includes('${')) continue
    const end = match.index + match[0].length - 2
    const local = LOCAL.test(text.slice(end, end + 60)) ? 'It opens a local service.' : null
    const excuse = (WEAK.test(value) ? STAND_IN : null) ?? placeholderReason(value) ?? local
    yield span(IN_ADDRESS, end - value.length, value.length, excuse)
  }
}

/** In the form of data sources: between semicolons, or among the names of other parts. */
const SOURCE = /(?<![A-Za-z0-9_])(?:password|pwd)[^\S\n]?=[^\S\n]?([^;\s"'`&]{4,128})/gi
const OTHER_PART =
  /(?:^|[\s;"'`?&])(?:host|hostaddr|server|data source|user id|uid|user|dbname|database|initial catalog|port)[^\S\n]?=/i
const NEAR = 200

function* inSources(text: string): Generator<Span> {
  for (const match of text.matchAll(SOURCE)) {
    const value = match[1] ?? ''
    const end = match.index + match[0].length
    const before = text.slice(Math.max(0, match.index - NEAR), match.index)
    const after = text.slice(end, end + NEAR)
    const line = before.slice(before.lastIndexOf('\n') + 1) + after.split('\n', 1)[0]
    if (/^\$|[({]/.test(value) || !(/;[^\S\n]?$/.test(before) || OTHER_PART.test(line))) continue
    yield span(
      IN_ADDRESS,
      end - value.length,
      value.length,
      WEAK.test(value) ? STAND_IN : placeholderReason(value),
    )
  }
}

/** Passed to a program as an argument. */
const COMMANDS =
  /(?:\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]["']?[^\s:"']{1,60}:|\bsshpass\s{1,4}-p\s{0,2}["']?|\bmysql(?:dump|admin)?\b[^\n]{0,120}?\s-p|\bredis-cli\b[^\n]{0,120}?\s-a\s{1,4}["']?|\bdocker\s+login\b[^\n]{0,120}?\s(?:-p|--password)[ =]["']?)([^\s"'`]{6,128})/g

function* inCommands(text: string): Generator<Span> {
  for (const match of text.matchAll(COMMANDS)) {
    const value = match[1] ?? ''
    if (!looksLikePassword(value) || placeholderReason(value) !== null) continue
    yield span(PROSE, match.index + match[0].length - value.length, value.length, null)
  }
}

const PROSE_NAME =
  /pass(?:word|wort|phrase|code|wd)s?|\bpwd|kennwort|wachtwoord|contrase(?:ñ|n)a|mot de passe|hasło|пароль|密码|密碼|パスワード/gi
const SAID =
  /["'`*_]{0,3}(?:[^\S\n]{1,3}(?:for|of|to|f\S{1,2}r|von|de)[^\S\n][^\n:=]{1,40}?)?[^\S\n]{0,3}(?:[:=：]|(?<=\s)(?:is|was|ist|lautet|est|es|jest)[:]?[^\S\n])[^\S\n]{0,3}(["'`“”„«]{0,2})([^\s"'`“”«»<>]{5,100})/y
const COMMENT = /\/\/|#|\/\*|^\s{0,40}\*|<!--|--\s/

function* inProse(text: string, isProgram: boolean): Generator<Span> {
  PROSE_NAME.lastIndex = 0
  for (let name = PROSE_NAME.exec(text); name; name = PROSE_NAME.exec(text)) {
    const match = matchAt(SAID, text, name.index + name[0].length)
    if (!match) continue
    const raw = match[2] ?? ''
    const value = raw.replace(/[.,;:!?)\]}*_]+$/, '')
    const start = match.index + match[0].length - raw.length
    if (isProgram) {
      const line = text.slice(Math.max(text.lastIndexOf('\n', name.index) + 1, name.index - 400), name.index)
      const isString = /["'`]/.test(text[start + raw.length] ?? '') && match[1] === '' && /["'`]/.test(line)
      if (!isString && !COMMENT.test(line)) continue
    }
    if (!looksLikePassword(value) || placeholderReason(value) !== null) continue
    yield span(PROSE, start, value.length, null)
  }
}

export function* bySurroundings(text: string, bare: boolean, isProgram: boolean): Generator<Span> {
  yield* awsSecrets(text)
  yield* inAddresses(text)
  yield* inSources(text)
  yield* assigned(text, bare)
  yield* inCommands(text)
  yield* inProse(text, isProgram)
}

// Secrets in the formats of orchestrators. In a Kubernetes Secret every value is one, by the type of the
// document and not by how the value looks; in Docker's settings `auth` is a name and a password in base64.

const IN_MANIFEST = kind('018', 'a value of a Kubernetes or Docker secret', 'high')

const IS_SECRET = /kind\\?["']?[^\S\n]{0,4}:[^\S\n]{0,4}\\?["']?Secret(?![A-Za-z])/
const BLOCK = /^([+-]?)([^\S\n]*)(?:-[^\S\n]+)?["']?(?:data|stringData)["']?[^\S\n]*:[^\S\n]*(?:#.*)?\r?$/gm
const ENTRY = /^([^\S\n]*)["']?[A-Za-z0-9_.-]{1,253}["']?[^\S\n]*:[^\S\n]*(.*?)\r?$/
const EMPTY = /^(?:["']{2}|[|>][+-]?\d?|null|~|&[^\s]+)?$/

const isTemplate = (value: string): boolean => /^["']?(?:\{\{|\$\{|\$\(|<)/.test(value)

function* valueAt(start: number, raw: string): Generator<Span> {
  const [, open = '', inner = ''] = /^(["']?)(.*?)\1(?:[^\S\n]+#.*)?$/.exec(raw) ?? []
  const value = inner.trimEnd()
  if (value.length < 2 || isTemplate(value) || placeholderReason(`${value}-0aB9`) !== null) return
  yield span(IN_MANIFEST, start + open.length, value.length, null)
}

/** Lines below a `data:`: the entries of the map, and the content of their block scalars. */
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
      for (const entry of entries(document.text, from, mark, indent.length)) yield moved(entry)
    }
    for (const pair of pairs(document.text)) yield moved(pair)
  }
}
