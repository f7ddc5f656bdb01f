// When a pool as a whole asks for a restart. The window is the last messages of minds on the branch; every
// round has one vote, no matter how many messages it has, and only a few messages of a round count towards
// the window's size, so that a flood neither outvotes other rounds nor pushes them out. The level is
// smoothed, raised only when it stayed high on two evaluations in a row, and cleared at a lower value than it
// was raised. All of it is a function of recorded scores.

/** The results for one message by a mind, as recorded with it. */
export interface Scored {
  readonly id: string
  readonly round: number
  readonly mind: string
  /** The scorer said so, or the message begins with `[RESTART]`. */
  readonly counts: boolean
  readonly score?: number
  /** It begins with `[RESTART]`. */
  readonly tag?: true
  /** Whether the judge found that it asks; absent as long as no judge was shown it. */
  readonly judged?: boolean
}

export interface SignalRules {
  /** How many messages the window holds. */
  readonly window: number
  /** At most this many messages of one round count towards that; the round's vote is the mean of all its messages. */
  readonly perRound: number
  /** Fewer messages than this raise nothing. */
  readonly enough: number
  readonly raise: number
  readonly clear: number
  /** In how many rounds every mind has had its turn: after an answer the signal is quiet for this long. */
  readonly rotation: number
}

export interface SignalState {
  /** The last round that was evaluated, 0 before the first. */
  readonly round: number
  /** Mean over the rounds of the window of the share of each that asks for a restart. */
  readonly share: number
  /** The smoothed share. */
  readonly level: number
  /** On how many evaluations in a row the level was high enough to raise. */
  readonly above: number
  readonly raised: boolean
  /** Up to this round nothing is raised: the observer has just answered. */
  readonly quietUntil: number
}

export const NO_SIGNAL: SignalState = { round: 0, share: 0, level: 0, above: 0, raised: false, quietUntil: 0 }

export function signalRules(
  settings: Partial<Pick<SignalRules, 'raise' | 'clear' | 'rotation' | 'enough'>> = {},
): SignalRules {
  const { raise = 0.3, clear = 0.15, rotation = 1, enough = 20 } = settings
  return { window: 50, perRound: 5, enough, raise, clear, rotation }
}

/** Scores and shares are recorded and compared at this precision, so that every reader computes the same ones. */
export const rounded = (value: number): number => (Math.round(value * 1e4) || 0) / 1e4

const EVALUATIONS = 2
const RESTART_TAG = /^\s*\[RESTART\]/

/** A mind that writes the tag asks explicitly, no matter what the scorer says about the rest. */
export const hasRestartTag = (text: string): boolean => RESTART_TAG.test(text)

interface Vote {
  readonly round: number
  readonly messages: readonly Scored[]
}

function votesOf(window: readonly Scored[]): Vote[] {
  const rounds = new Map<number, Scored[]>()
  for (const message of window) {
    const sameRound = rounds.get(message.round)
    if (sameRound) sameRound.push(message)
    else rounds.set(message.round, [message])
  }
  return [...rounds].sort(([a], [b]) => a - b).map(([round, messages]) => ({ round, messages }))
}

const sizeOf = (votes: readonly Vote[], perRound: number): number =>
  votes.reduce((sum, { messages }) => sum + Math.min(messages.length, perRound), 0)

/** Whether there are enough messages to decide. */
export const hasEnough = (messages: readonly Scored[], { perRound, enough }: SignalRules): boolean =>
  sizeOf(votesOf(messages), perRound) >= enough

/**
 * The window over a branch's messages by minds, oldest first. The window of a window and of later messages is the window of
 * all: the fold keeps no more than this. A round that does not fit completely is represented by its latest messages.
 */
export function windowOf(messages: readonly Scored[], { window, perRound }: SignalRules): Scored[] {
  const votes = votesOf(messages)
  const recent: Scored[][] = []
  let room = window
  for (const vote of votes.reverse()) {
    if (room <= 0) break
    const size = Math.min(vote.messages.length, perRound)
    recent.push(size <= room ? [...vote.messages] : vote.messages.slice(-room))
    room -= size
  }
  return recent.reverse().flat()
}

const shareOf = ({ messages }: Vote): number =>
  messages.filter(({ counts }) => counts).length / Math.max(1, messages.length)

const meanOf = (votes: readonly Vote[]): number =>
  votes.reduce((sum, vote) => sum + shareOf(vote), 0) / Math.max(1, votes.length)

/** One mind among three or more is a voice, not the pool: without the most insistent one the others must still be asking. */
function othersAsk(window: readonly Scored[], { clear }: SignalRules): boolean {
  const asking = new Map<string, number>()
  for (const { mind, counts } of window) asking.set(mind, (asking.get(mind) ?? 0) + (counts ? 1 : 0))
  if (asking.size < 3) return true
  const [loudest] = [...asking].reduce((a, b) => (b[1] > a[1] ? b : a))
  return meanOf(votesOf(window.filter(({ mind }) => mind !== loudest))) > clear
}

/** Whether at least this share asks, and not only because of the most insistent mind. */
export const isRaisedBy = (window: readonly Scored[], least: number, rules: SignalRules): boolean =>
  meanOf(votesOf(window)) >= least && othersAsk(window, rules)

/** Once after every round; `window` is the result of `windowOf` on the branch, or a part of it: then the round is given. */
export function evaluate(
  previous: SignalState,
  window: readonly Scored[],
  rules: SignalRules,
  latest = 0,
): SignalState {
  const votes = votesOf(window)
  const round = Math.max(previous.round, latest, votes.at(-1)?.round ?? 0)
  const share = rounded(meanOf(votes))
  const level = rounded((share + previous.level) / 2)
  const high =
    level >= rules.raise && sizeOf(votes, rules.perRound) >= rules.enough && othersAsk(window, rules)
  const above = high && round > previous.quietUntil ? previous.above + 1 : 0
  const raised = previous.raised ? level > rules.clear : above >= EVALUATIONS
  return { round, share, level, above, raised, quietUntil: previous.quietUntil }
}

/** The observer has answered: a raised signal is settled, and must stay high after a rotation to be raised again. */
export const answered = (state: SignalState, round: number, { rotation }: SignalRules): SignalState => ({
  ...state,
  above: 0,
  raised: false,
  quietUntil: round + rotation,
})
