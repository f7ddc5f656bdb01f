// Three levels over one window. Tags and judgements count: either can raise the signal. The scorer's results
// only propose: their level calls the judge, or, where there is none, is a displayed alarm that stops
// nothing. Judgements are confirmed by a second asking before a signal is based on them.

import {
  answered,
  evaluate,
  hasEnough,
  isRaisedBy,
  NO_SIGNAL,
  rounded,
  type Scored,
  type SignalRules,
  type SignalState,
} from './dominance.ts'

export interface Tracks {
  /** By `[RESTART]` alone, over the whole window. */
  readonly tags: SignalState
  /** By tags and judgements, over what is tagged or judged. */
  readonly heard: SignalState
  /** By the scorer, over the whole window. */
  readonly scores: SignalState
  /** A second asking has confirmed what raised `heard`. */
  readonly confirmed: boolean
}

export const NO_TRACKS: Tracks = { tags: NO_SIGNAL, heard: NO_SIGNAL, scores: NO_SIGNAL, confirmed: false }

/** Whether it counts as a request, by a tag or a judgement. */
export const asks = ({ tag, judged }: Scored): boolean => tag === true || judged === true

/** Whether that is known, so that no judge need be asked. */
export const isKnown = ({ tag, judged }: Scored): boolean => tag === true || judged !== undefined

const countWith = (window: readonly Scored[], counts: (message: Scored) => boolean): readonly Scored[] =>
  window.map((message) => ({ ...message, counts: counts(message) }))

/** Unjudged messages are left out; as long as too few are judged, they count as not asking. */
function countedIn(window: readonly Scored[], rules: SignalRules): readonly Scored[] {
  const known = window.filter(isKnown)
  return countWith(hasEnough(known, rules) ? known : window, asks)
}

/** After a round: updates all levels. */
export function follow(
  tracks: Tracks,
  window: readonly Scored[],
  rules: SignalRules,
  { round, isJudged }: { readonly round: number; readonly isJudged: boolean },
): Tracks {
  const heard = isJudged ? evaluate(tracks.heard, countedIn(window, rules), rules, round) : NO_SIGNAL
  return {
    tags: evaluate(
      tracks.tags,
      countWith(window, ({ tag }) => tag === true),
      rules,
      round,
    ),
    heard,
    scores: evaluate(
      tracks.scores,
      countWith(window, ({ tag, score }) => tag === true || (score !== undefined && score >= 0)),
      rules,
      round,
    ),
    confirmed: tracks.confirmed && heard.raised,
  }
}

export type Basis = 'tags' | 'judged'

/** The messages behind the signal, if it is raised now. */
export function basisOf({ tags, heard, confirmed }: Tracks, confirm: boolean): Basis | null {
  if (tags.raised) return 'tags'
  return heard.raised && (confirmed || !confirm) ? 'judged' : null
}

/** The level to show, raised only when the signal is. */
export function shownLevel(tracks: Tracks, confirm: boolean): SignalState {
  const basis = basisOf(tracks, confirm)
  const { tags, heard } = tracks
  const higher = basis === 'tags' || (basis === null && tags.level >= heard.level) ? tags : heard
  return { ...higher, raised: basis !== null }
}

export const quietTracks = (tracks: Tracks, round: number, rules: SignalRules): Tracks => ({
  tags: answered(tracks.tags, round, rules),
  heard: answered(tracks.heard, round, rules),
  scores: answered(tracks.scores, round, rules),
  confirmed: false,
})

/** The second asking did not confirm it: it must stay high again after a rotation. */
export const unconfirmed = (tracks: Tracks, round: number, rules: SignalRules): Tracks => ({
  ...tracks,
  heard: answered(tracks.heard, round, rules),
  confirmed: false,
})

/** A judge's verdicts about messages, attached to them. */
export const withVerdicts = (
  window: readonly Scored[],
  shown: ReadonlySet<string>,
  cited: ReadonlySet<string>,
): readonly Scored[] =>
  window.map((message) => (shown.has(message.id) ? { ...message, judged: cited.has(message.id) } : message))

export interface SecondAsking {
  readonly shown: ReadonlySet<string>
  /** Decoys that ask for nothing. */
  readonly foils: readonly string[]
  readonly cited: ReadonlySet<string>
}

/** At least this share of the messages behind a signal is cited again. */
const AGAIN = 0.5
/** Of the decoys that are known not to ask, at most this part. */
const AMISS = 0.25

/**
 * Whether a second asking confirms the first. A judge that cites at random does not cite the same again; one that
 * cites everything also cites decoys; and what was found by mistake among many is rarely found twice: by the
 * second asking alone the window must ask at least half-way between clear and raise, and not only by one mind.
 */
export function confirmsFirst(
  window: readonly Scored[],
  { shown, foils, cited }: SecondAsking,
  rules: SignalRules,
): boolean {
  const rests = window.filter(({ id, judged }) => judged === true && shown.has(id)).map(({ id }) => id)
  const part = (ids: readonly string[]): number =>
    ids.filter((id) => cited.has(id)).length / Math.max(1, ids.length)
  if (part(rests) < AGAIN || part(foils) > AMISS) return false
  const second = countedIn(withVerdicts(window, shown, cited), rules)
  return isRaisedBy(second, (rules.raise + rules.clear) / 2, rules)
}

// The explanation of a signal, for the person who must answer it: how the level moved, how each round voted,
// which messages ask most clearly, and in which clusters. Nothing here decides anything.

export interface SignalEvidence {
  readonly series: readonly Pick<SignalState, 'round' | 'share' | 'level' | 'raised'>[]
  readonly rounds: readonly { readonly round: number; readonly asking: number; readonly messages: number }[]
  /** Those that count, highest scores first. */
  readonly top: readonly Scored[]
  readonly clusters: readonly ClusterShare[]
}

interface ClusterShare {
  readonly id: string
  readonly label: string
  readonly asking: number
  readonly messages: number
  /** How many of all asking messages in the window are in this cluster. */
  readonly share: number
}

/** The part of a cluster that evidence needs. */
export interface ClusterNames {
  readonly id: string
  readonly label: string
  readonly members: readonly string[]
}

const TOP = 5

function roundsOf(window: readonly Scored[]): SignalEvidence['rounds'] {
  const rounds = new Map<number, { asking: number; messages: number }>()
  for (const { round, counts } of window) {
    const before = rounds.get(round) ?? { asking: 0, messages: 0 }
    rounds.set(round, { asking: before.asking + (counts ? 1 : 0), messages: before.messages + 1 })
  }
  return [...rounds].sort(([a], [b]) => a - b).map(([round, tally]) => ({ round, ...tally }))
}

function sharesOf(window: readonly Scored[], clusters: readonly ClusterNames[]): ClusterShare[] {
  const all = window.filter(({ counts }) => counts).length
  return clusters
    .map(({ id, label, members }) => {
      const own = new Set(members)
      const inside = window.filter((message) => own.has(message.id))
      const asking = inside.filter(({ counts }) => counts).length
      return { id, label, asking, messages: inside.length, share: rounded(asking / Math.max(1, all)) }
    })
    .filter(({ asking }) => asking > 0)
    .sort((a, b) => b.asking - a.asking || (a.id < b.id ? -1 : 1))
}

/** A theme with messages that ask, as far as tags and judgements show. */
export interface AskingTheme {
  readonly id: string
  readonly label: string
  readonly asking: number
  readonly share: number
  readonly growth: number
  readonly members: readonly string[]
}

/** A theme is the restart theme when at least half of its known messages ask. */
export function themesThatAsk(
  window: readonly Scored[],
  clusters: readonly ClusterNames[],
): readonly AskingTheme[] {
  const middle = Math.floor(window.length / 2)
  const [older, newer] = [window.slice(0, middle), window.slice(middle)]
  return clusters
    .flatMap(({ id, label, members }) => {
      const own = new Set(members)
      const inside = window.filter((message) => own.has(message.id))
      const asking = inside.filter(asks).length
      if (asking === 0 || asking * 2 < inside.filter(isKnown).length) return []
      const part = (messages: readonly Scored[]): number =>
        messages.filter((message) => own.has(message.id)).length / Math.max(1, messages.length)
      const growth = rounded(part(newer) - part(older))
      const ids = inside.map((message) => message.id)
      return [{ id, label, asking, share: rounded(part(window)), growth, members: ids }]
    })
    .sort((a, b) => b.asking - a.asking || (a.id < b.id ? -1 : 1))
}

/** By tags and judgements: tags come first, then the highest scores. */
export function heardEvidence(
  series: readonly SignalState[],
  window: readonly Scored[],
  clusters: readonly ClusterNames[] = [],
): SignalEvidence {
  const counted = window.map((message) => ({ ...message, counts: asks(message) }))
  const { top, ...rest } = signalEvidence(series, counted, clusters, counted.length)
  const tagged = top.filter(({ tag }) => tag === true)
  return { ...rest, top: [...tagged, ...top.filter(({ tag }) => tag !== true)].slice(0, TOP) }
}

export function signalEvidence(
  series: readonly SignalState[],
  window: readonly Scored[],
  clusters: readonly ClusterNames[] = [],
  most = TOP,
): SignalEvidence {
  const score = (message: Scored): number => message.score ?? 0
  const asking = window.filter(({ counts }) => counts)
  return {
    series: series.map(({ round, share, level, raised }) => ({ round, share, level, raised })),
    rounds: roundsOf(window),
    top: asking.sort((a, b) => score(b) - score(a) || (a.id < b.id ? -1 : 1)).slice(0, most),
    clusters: sharesOf(window, clusters),
  }
}
