// What is shown of the context where it does not fit whole: first the places that opinions and reviews cite
// and the diff, then whole files as far as they fit, cited files first. What is not shown is named.

import type { PackPart } from '../context.ts'
import type { FindingAnswer } from '../replies/finding.ts'
import { shortened } from './fit-opinions.ts'

/** Path → what is cited there: lines, and words that are there. */
export type Cited = ReadonlyMap<string, readonly Pick<FindingAnswer, 'line' | 'quote'>[]>

export function citedIn(findings: readonly FindingAnswer[]): Cited {
  const cited = new Map<string, Pick<FindingAnswer, 'line' | 'quote'>[]>()
  for (const { file, line, quote } of findings) {
    if (file === null) continue
    cited.set(file, [...(cited.get(file) ?? []), { line, quote }])
  }
  return cited
}

const FILE = 'context:'
const pathOf = ({ name }: PackPart): string | null => (name.startsWith(FILE) ? name.slice(FILE.length) : null)

/** Lines before and after a cited one, from many to few. */
const AROUND = [30, 12, 4, 1] as const
const LINE_CHARS = 400

/** The cited places of a text with this many lines around each; the beginning where none can be found. */
function excerpt(
  { text, from = 1 }: PackPart,
  places: readonly Pick<FindingAnswer, 'line' | 'quote'>[],
  around: number,
): string {
  const lines = text.split('\n')
  const offsets = places.flatMap(({ line, quote }) => {
    if (line !== null) return line >= from && line < from + lines.length ? [line - from] : []
    const [first = ''] = quote.split('\n')
    const at = first.trim() === '' ? -1 : lines.findIndex((each) => each.includes(first.trim()))
    return at === -1 ? [] : [at]
  })
  const wanted = new Set<number>()
  for (const at of offsets.length > 0 ? offsets : [0])
    for (let i = Math.max(0, at - around); i <= Math.min(lines.length - 1, at + around); i++) wanted.add(i)
  const out: string[] = []
  for (let i = 0; i < lines.length; i++) {
    if (wanted.has(i)) out.push(shortened(lines[i] ?? '', LINE_CHARS))
    else if (i === 0 || wanted.has(i - 1)) {
      const next = lines.findIndex((_, j) => j > i && wanted.has(j))
      out.push(`[lines ${from + i} to ${from + (next === -1 ? lines.length : next) - 1} left out here]`)
    }
  }
  return out.join('\n')
}

/** A shorter beginning of a file would say nothing. */
const LEAST_BEGINNING = 400

/** As many whole lines from the start as fit; nothing where those are too few. */
function beginning({ text, from = 1 }: PackPart, room: number): string {
  const lines = text.split('\n')
  const mark = (at: number): string => `[lines ${from + at} to ${from + lines.length - 1} left out here]`
  const end = text.lastIndexOf('\n', room - mark(lines.length).length)
  if (end < LEAST_BEGINNING) return ''
  const whole = text.slice(0, end + 1)
  return `${whole}${mark(whole.split('\n').length - 1)}`
}

const PIECE = /^(?=diff --git )/m

/** Whole pieces as far as they fit, cited files first; of the others the first line. */
function diffWithin(text: string, cited: Cited, room: number): string {
  const pieces = text.split(PIECE)
  const headOf = (piece: string): string =>
    `${shortened(piece.slice(0, piece.indexOf('\n') + 1 || undefined).trim(), LINE_CHARS)} [left out here]\n`
  const isCited = (piece: string): boolean =>
    [...cited.keys()].some((path) => piece.slice(0, piece.indexOf('\n') + 1 || undefined).includes(path))
  let remaining = room - pieces.reduce((sum, piece) => sum + Math.min(piece.length, headOf(piece).length), 0)
  const whole = new Set<string>()
  for (const piece of [...pieces.filter(isCited), ...pieces.filter((each) => !isCited(each))]) {
    const more = piece.length - Math.min(piece.length, headOf(piece).length)
    if (more > remaining) continue
    remaining -= more
    whole.add(piece)
  }
  return shortened(pieces.map((piece) => (whole.has(piece) ? piece : headOf(piece))).join(''), room)
}

const NAMES_CHARS = 1_500

/** Which files are not shown whole, within `room`. */
function namesOf(missing: readonly string[], room: number): string {
  const head = `Of ${missing.length} files nothing or only a part is shown here, for want of room:`
  let remaining = Math.min(room, NAMES_CHARS) - head.length - 20
  const named = missing.filter((path) => {
    remaining -= path.length + 1
    return remaining >= 0
  })
  const more = missing.length - named.length
  return shortened([head, ...named, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'), Math.max(0, room))
}

/** `cost`: what a part takes in a prompt, its tags included. */
export function contextWithin(
  parts: readonly PackPart[],
  {
    cited,
    room,
    cost,
  }: { readonly cited: Cited; readonly room: number; readonly cost: (part: PackPart) => number },
): readonly PackPart[] {
  const shown = new Map<PackPart, string>()
  const [diffs, files] = [
    parts.filter(({ name }) => name === 'diff'),
    parts.filter((part) => pathOf(part) !== null),
  ]
  const forNames = Math.max(0, Math.min(2 * NAMES_CHARS, Math.floor(room / 4)))
  let remaining = room - forNames
  const sum = (texts: readonly (readonly [PackPart, string])[]): number =>
    texts.reduce((total, [part, text]) => total + cost({ ...part, text }), 0)
  const put = (part: PackPart, text: string): void => {
    const before = shown.get(part)
    remaining += before === undefined ? 0 : cost({ ...part, text: before })
    if (text === '' || cost({ ...part, text }) > remaining) {
      if (before !== undefined) remaining -= cost({ ...part, text: before })
      return
    }
    remaining -= cost({ ...part, text })
    shown.set(part, text)
  }
  const quoted = files.filter((part) => cited.has(pathOf(part) ?? ''))
  const excerpts = (around: number): readonly (readonly [PackPart, string])[] =>
    quoted.map((part) => [part, excerpt(part, cited.get(pathOf(part) ?? '') ?? [], around)])
  const diffSize = diffs.reduce((total, part) => total + cost(part), 0)
  const forPlaces = Math.max(remaining - diffSize, remaining / 2)
  const around = AROUND.find((lines) => sum(excerpts(lines)) <= forPlaces) ?? AROUND[AROUND.length - 1] ?? 1
  for (const [part, text] of excerpts(around)) put(part, text)
  for (const [i, part] of diffs.entries()) {
    const empty = cost({ ...part, text: '' })
    const share = Math.floor(remaining / (diffs.length - i)) - empty
    put(part, part.text.length <= share ? part.text : diffWithin(part.text, cited, Math.max(0, share)))
  }
  for (const part of [...quoted, ...files]) if (shown.get(part) !== part.text) put(part, part.text)
  const next = files.find((part) => !shown.has(part))
  if (next) put(next, beginning(next, remaining - cost({ ...next, text: '' })))
  remaining += forNames
  const missing = files.filter((part) => shown.get(part) !== part.text).map((part) => pathOf(part) ?? '')
  const account = parts.find(({ name }) => name === 'context')
  const notice: PackPart = { name: 'context', text: '' }
  const names = missing.length === 0 ? '' : namesOf([...new Set(missing)], remaining - cost(notice))
  const notices = names === '' ? [] : [{ ...notice, text: names }]
  remaining -= notices.reduce((total, part) => total + cost(part), 0)
  if (account) put(account, shortened(account.text, Math.max(0, remaining - cost({ ...account, text: '' }))))
  const shownParts = parts.flatMap((part) => {
    const text = shown.get(part)
    return text === undefined ? [] : [{ ...part, text }]
  })
  return [...notices, ...shownParts]
}
