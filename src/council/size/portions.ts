// The content of a council, in as many parts as its smallest window needs: every prompt of round one contains
// one of them, the same for all seats. Files stay whole if they fit; a longer one is cut between lines, and
// line numbers are kept. Diffs are cut between files. What does not fit into `most` parts is named, tests
// first.

import { utf8 } from '../../ledger/bytes.ts'
import type { PackPart } from '../context.ts'

export interface Portioning {
  /** How many characters of context fit into one prompt. */
  readonly room: number
  /** Parts at most. */
  readonly most: number
  /** The size of a part in a prompt, including its tags. */
  readonly cost: (part: PackPart) => number
  /** The size limit of all parts together as recorded, in bytes: a verifier must be able to read them. */
  readonly bytes?: number
}

export interface Portioned {
  readonly parts: readonly PackPart[]
  readonly portions: number
  /** Of which no prompt holds all. */
  readonly unseen: readonly { readonly path: string; readonly shown: 'part' | 'none' }[]
}

const FILE = 'context:'
const ACCOUNT = 'context'
const DIFF = 'diff'
/** Reserved in each prompt for the list of contents. */
const ACCOUNT_SHARE = 0.2
/** Below this nothing could be shown at all. */
const LEAST_ROOM = 2_000

/** Something that is shown whole or not at all. */
interface Unit {
  readonly part: PackPart
  readonly path: string
  /** Shown only where space is left: its change is in the diff. */
  readonly isOptional: boolean
}

/** Whole lines up to `most` characters each time; a line that is longer is cut. */
function* chunks(text: string, most: number): Generator<{ readonly text: string; readonly line: number }> {
  let [buffer, from, line] = ['', 1, 1]
  for (const each of text.split(/(?<=\n)/)) {
    for (let at = 0; at < each.length; at += most) {
      const piece = each.slice(at, at + most)
      if (buffer.length + piece.length > most && buffer !== '') {
        yield { text: buffer, line: from }
        buffer = ''
        from = line
      }
      buffer += piece
    }
    line++
  }
  if (buffer !== '') yield { text: buffer, line: from }
}

function fileUnits(part: PackPart, path: string, room: number, cost: Portioning['cost']): readonly Unit[] {
  const unit = (each: PackPart): Unit => ({ part: each, path, isOptional: false })
  if (cost(part) <= room) return [unit(part)]
  const { name, from = 1 } = part
  // The tags of a later piece say which line it begins with.
  const most = room - cost({ name, text: '', from: 9_999_999 })
  return [...chunks(part.text, Math.max(1, most))].map(({ text, line }) =>
    unit({ name, text, from: from + line - 1 }),
  )
}

/** The tags with its number and first line. */
const NUMBERS = 60

/** In the record. */
const weightOf = (part: PackPart): number => utf8(JSON.stringify(part)).length + NUMBERS

const headOf = (piece: string): string => piece.slice(0, piece.indexOf('\n') + 1 || undefined)

/** As git quotes it after `b/`; the heading itself where it contains no path. */
const pathIn = (piece: string): string => / "?b\/(.+?)"?\s*$/.exec(headOf(piece))?.[1] ?? headOf(piece).trim()

function diffUnits(part: PackPart, room: number, cost: Portioning['cost']): readonly Unit[] {
  const unit = (text: string, path: string): Unit => ({
    part: { name: DIFF, text },
    path,
    isOptional: false,
  })
  return part.text.split(/^(?=diff --git )/m).flatMap((piece): readonly Unit[] => {
    const path = pathIn(piece)
    const whole = unit(piece, path)
    if (cost(whole.part) <= room) return [whole]
    const head = headOf(piece)
    const most = room - cost({ name: DIFF, text: head })
    const [body] = [piece.slice(head.length)]
    return [...chunks(body, Math.max(1, most))].map(({ text }) => unit(head + text, path))
  })
}

/** Each file beside its change; tests after everything else. */
function inOrder(units: readonly Unit[]): readonly Unit[] {
  const changes = units.filter(({ part }) => part.name === DIFF)
  const changed = new Set(changes.map(({ path }) => path))
  const around = units.filter(({ part, path }) => part.name !== DIFF && changed.has(path))
  const last = new Map(changes.map((unit) => [unit.path, unit]))
  const beside = changes.flatMap((unit) => [
    unit,
    ...(last.get(unit.path) === unit
      ? around.filter(({ path }) => path === unit.path).map((each) => ({ ...each, isOptional: true }))
      : []),
  ])
  const others = units.filter(({ part, path }) => part.name !== DIFF && !changed.has(path))
  const all = [...beside, ...others]
  const isTest = ({ path }: Unit): boolean =>
    /(?:^|\/)(?:tests?|__tests__|spec|e2e)\/|[._-](?:test|spec)\.[a-z]+$/i.test(path)
  return [...all.filter((unit) => !isTest(unit)), ...all.filter(isTest)]
}

/** The list of contents, cut between lines where it would take too much of every prompt. */
function cutAccount(parts: readonly PackPart[], room: number): readonly PackPart[] {
  const share = Math.floor((room * ACCOUNT_SHARE) / Math.max(1, parts.length))
  return parts.map((part) => {
    if (part.text.length <= share) return part
    const at = part.text.lastIndexOf('\n', share)
    return {
      ...part,
      text: `${part.text.slice(0, at === -1 ? share : at).toWellFormed()}\n[the rest is left out here]`,
    }
  })
}

/**
 * Which unit is shown in which part, from 1; none where it did not fit. Optional units open no part, and take the
 * remaining space: beside its change where that fits.
 */
function placeUnits(
  units: readonly Unit[],
  room: number,
  { most, cost, bytes = Number.MAX_SAFE_INTEGER }: Portioning,
): ReadonlyMap<Unit, number> {
  const remaining: number[] = []
  let unrecorded = bytes
  const places = new Map<Unit, number>()
  const place = (unit: Unit, wanted: number): void => {
    const size = cost(unit.part)
    const fits = (i: number): boolean => size <= (remaining[i] ?? 0)
    const at = fits(wanted) ? wanted : remaining.findIndex((_, i) => fits(i))
    const weight = weightOf(unit.part)
    if (at === -1 || weight > unrecorded) return
    unrecorded -= weight
    remaining[at] = (remaining[at] ?? 0) - size
    places.set(unit, at + 1)
  }
  for (const unit of units.filter(({ isOptional }) => !isOptional)) {
    const isLight = weightOf(unit.part) <= unrecorded
    if (cost(unit.part) > (remaining.at(-1) ?? 0) && remaining.length < most && isLight) remaining.push(room)
    place(unit, remaining.length - 1)
  }
  const byPath = new Map([...places].map(([{ path }, portion]) => [path, portion]))
  for (const unit of units.filter(({ isOptional }) => isOptional))
    place(unit, (byPath.get(unit.path) ?? 1) - 1)
  return places
}

/** Changes that are next to each other in one part are one diff. */
function merged(parts: readonly PackPart[]): readonly PackPart[] {
  const out: PackPart[] = []
  for (const part of parts) {
    const before = out.at(-1)
    if (before && part.name === DIFF && before.name === DIFF && before.portion === part.portion)
      out[out.length - 1] = { ...before, text: before.text + part.text }
    else out.push(part)
  }
  return out
}

const total = (parts: readonly PackPart[], cost: Portioning['cost']): number =>
  parts.reduce((sum, part) => sum + cost(part), 0)

export function inPortions(parts: readonly PackPart[], portioning: Portioning): Portioned {
  const { cost } = portioning
  const room = Math.max(LEAST_ROOM, portioning.room)
  if (total(parts, cost) <= room) return { parts, portions: 1, unseen: [] }
  const account = cutAccount(
    parts.filter(({ name }) => name === ACCOUNT),
    room,
  )
  const rest = Math.max(LEAST_ROOM, room - total(account, cost))
  const units = inOrder(
    parts.flatMap((part) => {
      if (part.name === ACCOUNT) return []
      return part.name === DIFF
        ? diffUnits(part, rest, cost)
        : fileUnits(part, part.name.slice(FILE.length), rest, cost)
    }),
  )
  const places = placeUnits(units, rest, portioning)
  const portions = Math.max(1, ...places.values())
  const shown = [...places].sort(([, a], [, b]) => a - b)
  const paths = new Set(units.flatMap((unit) => (places.has(unit) || unit.isOptional ? [] : [unit.path])))
  const seen = new Set([...places.keys()].map(({ path }) => path))
  const unseen = [...paths].map((path) => ({
    path,
    shown: seen.has(path) ? ('part' as const) : ('none' as const),
  }))
  const numbered = shown.map(([{ part }, portion]) => (portions === 1 ? part : { ...part, portion }))
  return { parts: [...account, ...merged(numbered)], portions, unseen }
}
