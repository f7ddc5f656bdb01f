// Changed bundles, by a seed: bytes, lines, and members of lines that are changed, moved, left out, doubled or taken from
// elsewhere. A changed line is written in canonical form again and the counts at the end are put right, so that the
// change is judged for what it is and not for its spelling.

import { canonicalize, type Json } from '../../src/ledger/canonical.ts'

type Line = Record<string, Json>

/** One line of a bundle, with the bytes that follow it when it is an artifact's. */
interface Piece {
  readonly line: Line
  readonly bytes?: Buffer
}

/** Repeatable chance: a small generator of 32 bits. */
function chance(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

type Chance = ReturnType<typeof chance>

const NEWLINE = 0x0a

export function piecesOf(file: Buffer): Piece[] {
  const pieces: Piece[] = []
  for (let at = 0; at < file.length; ) {
    const end = file.indexOf(NEWLINE, at)
    const line = JSON.parse(file.subarray(at, end).toString()) as Line
    at = end + 1
    if (typeof line.artifact !== 'string') {
      pieces.push({ line })
      continue
    }
    const size = Number(line.size)
    pieces.push({ line, bytes: file.subarray(at, at + size) })
    at += size + 1
  }
  return pieces
}

export function fileOf(pieces: readonly Piece[]): Buffer {
  const artifacts = pieces.filter(({ bytes }) => bytes).length
  const parts = pieces.flatMap(({ line, bytes }) => {
    const text = Buffer.from(`${canonicalize('end' in line ? { ...line, artifacts } : line)}\n`)
    return bytes ? [text, bytes, Buffer.from('\n')] : [text]
  })
  return Buffer.concat(parts)
}

const pick = <Item>(items: readonly Item[], by: Chance): Item => items[by(items.length)] as Item

const flipHex = (text: string, by: Chance): string => {
  const at = by(text.length)
  const digit = (Number.parseInt(text[at] ?? '0', 16) ^ (1 + by(15))).toString(16)
  return text.slice(0, at) + digit + text.slice(at + 1)
}

/** Another value in place of this one. */
function otherValue(value: Json, by: Chance): Json {
  if (typeof value === 'number') return pick([value + 1, Math.max(0, value - 1), 0, value * 2, -1, 0.5], by)
  if (typeof value === 'boolean') return !value
  if (value === null) return pick<Json>(['', 0, [], {}], by)
  if (Array.isArray(value)) {
    const at = by(value.length + 1)
    return pick<Json>(
      [
        [],
        value.slice(1),
        value.slice(0, -1),
        [...value.slice(0, at), value[at - 1] ?? 'x', ...value.slice(at)],
      ],
      by,
    )
  }
  if (typeof value !== 'string') return pick<Json>([null, {}, { ...value, x: 1 }], by)
  if (/^([0-9a-f]{2})+$/.test(value)) return pick<Json>([flipHex(value, by), value.slice(2), '', null], by)
  const at = by(value.length + 1)
  const inserted = pick(['x', '0', '"', '\\', '\n', ' ', 'é', '', '\u0000'], by)
  return pick<Json>([value.slice(0, at) + inserted + value.slice(at + 1), `${value} `, '', null], by)
}

/** Within a text that is JSON itself (header, payload): one member changed, written canonically again. */
function changedWithin(text: string, by: Chance): string {
  const value = JSON.parse(text) as Line
  const path: { owner: Line; name: string }[] = []
  const walk = (owner: Line): void => {
    for (const [name, inner] of Object.entries(owner)) {
      path.push({ owner, name })
      if (typeof inner === 'object' && inner !== null) walk(inner as Line)
    }
  }
  walk(value)
  if (path.length === 0) return canonicalize({ x: 1 })
  const { owner, name } = pick(path, by)
  if (by(8) === 0 && !Array.isArray(owner)) delete owner[name]
  else owner[name] = otherValue(owner[name] ?? null, by)
  return canonicalize(value)
}

const MUTATIONS: readonly ((pieces: Piece[], by: Chance, other: readonly Piece[]) => Piece[])[] = [
  (pieces, by) => pieces.toSpliced(by(pieces.length), 1),
  (pieces, by) => pieces.toSpliced(by(pieces.length), 0, pick(pieces, by)),
  (pieces, by) => {
    const [one, two] = [by(pieces.length), by(pieces.length)]
    return pieces.with(one, pieces[two] as Piece).with(two, pieces[one] as Piece)
  },
  (pieces, by, other) => pieces.with(by(pieces.length), pick(other, by)),
  (pieces, by, other) => pieces.toSpliced(by(pieces.length), 0, pick(other, by)),
  // A member changed, left out, or taken from another line.
  (pieces, by) => {
    const at = by(pieces.length)
    const { line, bytes } = pieces[at] as Piece
    const name = pick(Object.keys(line), by)
    const changed = { ...line, [name]: otherValue(line[name] ?? null, by) }
    return pieces.with(at, { line: changed, ...(bytes && { bytes }) })
  },
  (pieces, by) => {
    const at = by(pieces.length)
    const { line, bytes } = pieces[at] as Piece
    const { [pick(Object.keys(line), by)]: _, ...rest } = line
    return pieces.with(at, { line: rest, ...(bytes && { bytes }) })
  },
  (pieces, by) => {
    const events = pieces.flatMap(({ line }, i) => ('event' in line ? [i] : []))
    const [one, two] = [pick(events, by), pick(events, by)]
    const name = pick(['event', 'hash', 'payload', 'salt', 'signature', 'proof'], by)
    const taken = pieces[two]?.line[name] ?? null
    return pieces.with(one, { line: { ...pieces[one]?.line, [name]: taken } })
  },
  // Header or payload changed inside.
  (pieces, by) => {
    const events = pieces.flatMap(({ line }, i) => ('event' in line && line.payload ? [i] : []))
    const at = pick(events, by)
    const name = pick(['event', 'payload'], by)
    const line = pieces[at]?.line ?? {}
    return pieces.with(at, { line: { ...line, [name]: changedWithin(String(line[name]), by) } })
  },
  (pieces, by) => {
    const events = pieces.flatMap(({ line }, i) => ('event' in line ? [i] : []))
    const at = pick(events, by)
    return pieces.with(at, { line: { ...pieces[at]?.line, payload: null, salt: null } })
  },
  // A section in another form, under another name, with another checkpoint.
  (pieces, by) => {
    const sections = pieces.flatMap(({ line }, i) => ('section' in line ? [i] : []))
    const [at, from] = [pick(sections, by), pick(sections, by)]
    const line = pieces[at]?.line ?? {}
    const other = pieces[from]?.line ?? {}
    const changes: readonly Line[] = [
      { form: line.form === 'whole' ? 'sparse' : 'whole' },
      { checkpoint: other.checkpoint ?? null },
      { checkpoint: null },
      { trace: other.trace ?? '' },
      { section: other.section ?? '' },
      { earlier: { note: String(line.checkpoint), proof: [] } },
    ]
    return pieces.with(at, { line: { ...line, ...pick(changes, by) } })
  },
  // A checkpoint whose text or signature lines are changed.
  (pieces, by) => {
    const at = pick(
      pieces.flatMap(({ line }, i) => (typeof line.checkpoint === 'string' ? [i] : [])),
      by,
    )
    const line = pieces[at]?.line ?? {}
    const rows = String(line.checkpoint).split('\n')
    const row = by(rows.length)
    const stranger = `— stranger ${Buffer.alloc(68, 7).toString('base64')}`
    const changed = pick(
      [
        rows.with(row, String(otherValue(rows[row] ?? '', by))),
        rows.toSpliced(row, 1),
        rows.toSpliced(-1, 0, stranger),
      ],
      by,
    )
    return pieces.with(at, { line: { ...line, checkpoint: changed.join('\n') } })
  },
]

/** The nth mutant of a bundle; `other` is one whose lines may be put into it. */
export function mutant(file: Buffer, other: Buffer, seed: number): Buffer {
  const by = chance(seed)
  // Every eighth is a change of bytes that knows nothing of lines.
  if (by(8) === 0) {
    const at = by(file.length)
    const kind = by(3)
    const insert =
      kind === 2 ? Buffer.alloc(0) : Buffer.from([kind === 0 ? (file[at] ?? 0) ^ (1 << by(8)) : by(256)])
    return Buffer.concat([file.subarray(0, at), insert, file.subarray(kind === 1 ? at : at + 1)])
  }
  return fileOf(pick(MUTATIONS, by)(piecesOf(file), by, piecesOf(other)))
}
