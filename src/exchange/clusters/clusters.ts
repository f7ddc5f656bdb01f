// Themes of the pool that keep their names over time. A message joins the nearest theme within the encoder's
// radius; messages without a theme are searched for new themes as long as they are in the window. A theme's
// centre is the running mean of all messages that ever joined it, so that it is still known when the
// discussion returns to it. Vectors of several encoders are refused. The result depends only on the messages
// and their order.

import { commonEncoder, similarity, toVector, type Vector } from '../../ledger/vector.ts'
import { hdbscan } from './hdbscan.ts'

export interface Placed {
  readonly id: string
  readonly round: number
  readonly mind: string
  readonly text: string
  readonly vector: Vector
}

export interface Theme {
  readonly id: string
  /** The round in which it was first seen. */
  readonly born: number
  /** How many messages ever joined. */
  readonly size: number
  /** The sum of their vectors. */
  readonly sum: Float64Array
  /** Those of its messages that are in the window, oldest first. */
  readonly members: readonly string[]
}

export interface Themes {
  readonly encoder: string | null
  readonly named: number
  readonly themes: readonly Theme[]
}

export const NO_THEMES: Themes = { encoder: null, named: 0, themes: [] }

const DENSITY = { minSize: 3, minSamples: 3 }
/** Themes without a message in the window are remembered, the most recent of them. */
const REMEMBERED = 64
/** Cosine distance to a theme's centre within which a message belongs to it: measured by `npm run bench -- themes`. */
const RADII: readonly (readonly [RegExp, number])[] = [[/^embedded:use-lite-en@/, 0.45]]
/** For encoders without a measurement: most place similar texts closer together than the embedded one. */
const RADIUS = 0.35

export const radiusOf = (encoder: string): number => RADII.find(([name]) => name.test(encoder))?.[1] ?? RADIUS

const centreOf = (encoder: string, { sum }: Pick<Theme, 'sum'>): Vector => toVector(encoder, sum)

const add = (sum: Float64Array, { values }: Vector): Float64Array =>
  sum.map((value, i) => value + (values[i] ?? 0))

function join(theme: Theme, message: Placed): Theme {
  return {
    ...theme,
    size: theme.size + 1,
    sum: add(theme.sum, message.vector),
    members: [...theme.members, message.id],
  }
}

function nearest(encoder: string, themes: readonly Theme[], { vector }: Placed): number {
  let [nearestTheme, closest] = [-1, radiusOf(encoder)]
  for (const [i, theme] of themes.entries()) {
    const distance = 1 - similarity(centreOf(encoder, theme), vector)
    if (distance < closest) [nearestTheme, closest] = [i, distance]
  }
  return nearestTheme
}

/** Groups among messages without a theme; a group whose members are too far from its centre does not count. */
function groups(encoder: string, rest: readonly Placed[]): Placed[][] {
  const distance = (a: number, b: number): number => {
    const [x, y] = [rest[a], rest[b]]
    return x && y ? 1 - similarity(x.vector, y.vector) : 1
  }
  const labels = hdbscan(rest.length, distance, DENSITY)
  const count = Math.max(-1, ...labels) + 1
  const byLabel = count === 0 ? whole(encoder, rest) : Array.from({ length: count }, () => [] as Placed[])
  if (count > 0) for (const [i, label] of labels.entries()) if (rest[i]) byLabel[label]?.push(rest[i])
  return byLabel.map((group) => within(encoder, group)).filter((group) => group.length >= DENSITY.minSize)
}

/** Where nothing splits, all of them are one group if they are as similar as members of a theme. */
function whole(encoder: string, rest: readonly Placed[]): Placed[][] {
  let [sum, pairs] = [0, 0]
  for (const [i, a] of rest.entries()) {
    for (const b of rest.slice(0, i)) [sum, pairs] = [sum + similarity(a.vector, b.vector), pairs + 1]
  }
  return pairs > 0 && sum / pairs >= (1 - radiusOf(encoder)) ** 2 ? [rest.slice()] : []
}

function within(encoder: string, group: readonly Placed[]): Placed[] {
  if (group.length === 0) return []
  const zero = new Float64Array(group[0]?.vector.values.length ?? 0)
  const centre = toVector(
    encoder,
    group.reduce<Float64Array>((sum, { vector }) => add(sum, vector), zero),
  )
  return group.filter(({ vector }) => 1 - similarity(centre, vector) <= radiusOf(encoder))
}

/** After a round: `window` is what is active on the branch, oldest first. */
export function regroup(before: Themes, window: readonly Placed[]): Themes {
  const encoder = commonEncoder(window.map(({ vector }) => vector)) ?? before.encoder
  if (encoder === null) return before
  const known = before.encoder === encoder ? before : NO_THEMES
  const present = new Set(window.map(({ id }) => id))
  const themes = known.themes.map(
    (theme): Theme => ({
      ...theme,
      members: theme.members.filter((id) => present.has(id)),
    }),
  )
  const placed = new Set(themes.flatMap(({ members }) => members))
  const rest: Placed[] = []
  for (const message of window) {
    if (placed.has(message.id)) continue
    const at = nearest(encoder, themes, message)
    const theme = themes[at]
    if (theme) themes[at] = join(theme, message)
    else rest.push(message)
  }
  let named = known.named
  for (const group of groups(encoder, rest)) {
    const empty = { sum: new Float64Array(group[0]?.vector.values.length ?? 0), size: 0, members: [] }
    const start: Theme = { ...empty, id: `k${++named}`, born: group[0]?.round ?? 0 }
    themes.push(group.reduce(join, start))
  }
  return { encoder, named, themes: remembered(themes) }
}

function remembered(themes: readonly Theme[]): Theme[] {
  const idle = themes.filter(({ members }) => members.length === 0)
  const forgotten = new Set(idle.slice(0, Math.max(0, idle.length - REMEMBERED)).map(({ id }) => id))
  return themes.filter(({ id }) => !forgotten.has(id))
}

/** The theme of each message of the window; messages without one are left out. */
export const placesOf = ({ themes }: Themes): Map<string, string> =>
  new Map(themes.flatMap(({ id, members }) => members.map((member) => [member, id] as const)))

/** The mean cosine of a theme's messages to its centre. */
export function coherenceOf(encoder: string, theme: Theme, members: readonly Placed[]): number {
  const centre = centreOf(encoder, theme)
  const sum = members.reduce((total, { vector }) => total + similarity(centre, vector), 0)
  return members.length === 0 ? 0 : sum / members.length
}

// Readable names for themes: the words that distinguish a theme from the others, and the message nearest to
// its centre, cut to a line. Text of minds is data: every place that shows it escapes it.

export interface ThemeLabel {
  readonly id: string
  /** The most distinctive words, joined by middle dots. */
  readonly label: string
  readonly excerpt: string
}

const COMMON = new Set(
  `a about above after again all also am an and any are as at be because been before being but by can cannot could did
  do does done down each even ever every few for from get gets go goes going had has have he her here him his how i if
  in into is it its just let like made make many may me might mind more most much must my no nor not now of off on once
  one only or other our out over own perhaps please quite rather same say says see she should since so some such than
  that the their them then there these they thing things think this those through to too under until up upon us very was
  we were what when where which while who whom why will with without would yet you your i'm i'd don't it's that's isn't
  let's we're can't und der die das ist ich wir nicht ein eine le la les de des et un une el los que y en es il lo di e`
    .split(/\s+/)
    .filter((word) => word !== ''),
)
const WORDS = 3
const EXCERPT = 90

const termsOf = (text: string): string[] =>
  (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/\p{L}[\p{L}\p{N}'’-]+/gu) ?? []
  ).filter((term) => !COMMON.has(term))

function counted(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const term of new Set(termsOf(text))) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return counts
}

function excerptOf(text: string, limit = EXCERPT): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  const characters = [...line]
  return characters.length <= limit
    ? line
    : `${characters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`
}

function distinctive(
  own: ReadonlyMap<string, number>,
  size: number,
  all: ReadonlyMap<string, number>,
  total: number,
) {
  const worth = ([term, count]: readonly [string, number]): number =>
    (count / size) * Math.log(1 + total / (all.get(term) ?? 1))
  return [...own]
    .map((entry) => ({ term: entry[0], worth: worth(entry) }))
    .sort((a, b) => b.worth - a.worth || (a.term < b.term ? -1 : 1))
    .slice(0, WORDS)
    .map(({ term }) => term)
}

function middlemost(encoder: string, { sum }: Theme, members: readonly Placed[]): string {
  const centre = toVector(encoder, sum)
  const closest = members.reduce<{ text: string; near: number }>(
    (best, { text, vector }) => {
      const near = similarity(centre, vector)
      return near > best.near ? { text, near } : best
    },
    { text: '', near: Number.NEGATIVE_INFINITY },
  )
  return excerptOf(closest.text)
}

/** For every theme that has messages in the window. */
export function labelThemes({ encoder, themes }: Themes, window: readonly Placed[]): ThemeLabel[] {
  if (encoder === null) return []
  const byId = new Map(window.map((message) => [message.id, message]))
  const all = counted(window.map(({ text }) => text))
  return themes.flatMap((theme) => {
    const members = theme.members.flatMap((id) => byId.get(id) ?? [])
    if (members.length === 0) return []
    const own = counted(members.map(({ text }) => text))
    const words = distinctive(own, members.length, all, window.length)
    const excerpt = middlemost(encoder, theme, members)
    return [{ id: theme.id, label: words.join(' · ') || excerptOf(excerpt, 24) || theme.id, excerpt }]
  })
}
