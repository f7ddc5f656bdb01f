// Names for themes that a person understands: the words that set a theme apart from the others, and the message that
// lies nearest to its centre, cut to a line. Text of minds is data: whoever shows it escapes it.

import { similarity, toVector } from '../../ledger/vector.ts'
import type { Placed, Theme, Themes } from './clusters.ts'

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
