// How requests for a restart are told: what the judge found, the basis of the signal, the effect of each
// answer, and that an alarm is no signal.

import type {
  Answer,
  AskingFailed,
  JudgingOpened,
  RestartAlarmed,
  RestartJudged,
  SignalRaised,
  ThemeThatAsks,
} from '../../exchange/events.ts'
import { ANSWERS } from '../../exchange/result.ts'
import { count, inOneLine, line, type StoryLine } from './story-line.ts'

const BASIS = {
  tags: 'by messages that begin with [RESTART]',
  judged: 'by judgements, confirmed where the terms want it',
} as const

const percent = (share: number): string => `${Math.round(share * 100)} %`

export function themeLine({ id, label, asking, share, growth, members }: ThemeThatAsks): string {
  const name = `${id} ${inOneLine(label)}: ${asking} ask`
  if (share === undefined || growth === undefined) return name
  const sign = growth > 0 ? '+' : ''
  return `${name}; restart theme, ${members?.length ?? 0} messages, ${percent(share)} of the window (${sign}${percent(growth)} lately)`
}

/** The name of each answer. */
export type AnswerNames = Readonly<Record<Answer, string>>

/** The effect of each answer, one for each line. */
export function answerChoices(names: AnswerNames | null = null): readonly string[] {
  const named = Object.entries(ANSWERS).map(([answer, does]) => ({
    name: names?.[answer as Answer] ?? answer,
    does,
  }))
  const wide = Math.max(...named.map(({ name }) => name.length))
  return named.map(({ name, does }) => `  ${name.padEnd(wide)}  ${does}`)
}

/** `quotes`: the beginning of the messages that it names first, where available. */
export function signalStory(
  {
    signal,
    level,
    top,
    clusters,
    basis,
  }: Omit<SignalRaised, 'action' | 'round' | 'share' | 'series' | 'rounds'>,
  quotes: readonly string[] = [],
): StoryLine {
  const by = basis === undefined ? '' : `, ${BASIS[basis]}`
  return line('bad', `signal ${signal}: the pool asks for a restart (level ${level.toFixed(2)}${by})`, [
    `most plainly in ${top.join(', ')}`,
    ...quotes,
    ...clusters.filter(({ asking }) => asking > 0).map(themeLine),
  ])
}

const UNANSWERED = 'Nothing runs until it is answered:'

export function tellSignal(raised: SignalRaised): StoryLine {
  const story = signalStory(raised)
  return { ...story, more: [...story.more, UNANSWERED, ...answerChoices()] }
}

export function tellJudging({ mind, purpose, shown, shares }: JudgingOpened): StoryLine {
  const again = purpose === 'confirm' ? ' once more, with decoys among them' : ''
  const shared = shares.length > 0 ? `; it shares its model with ${shares.join(', ')}` : ''
  return line(
    'quiet',
    `${mind} judges which of ${count(shown.length, 'message')} ask for a restart${again}${shared}`,
  )
}

export function tellJudged({ mind, asks, struck, cost }: RestartJudged): StoryLine {
  const ids = asks.map(({ id }) => id).join(', ')
  const verdict = ids === '' ? 'none asks for a restart' : `these ask for a restart: ${ids}`
  const paid = cost?.usd ? ` ($${cost.usd.toFixed(4)})` : ''
  return line('plain', `${mind} judged untagged messages: ${verdict}${paid}`, [
    ...(struck.length > 0 ? [`struck, since not shown or not in these words: ${struck.length}`] : []),
  ])
}

export const tellJudgeFailed = ({ mind, error_type, message }: AskingFailed): StoryLine =>
  line('bad', `the judge ${mind} did not answer (${error_type}): ${inOneLine(message)}`)

export const tellAlarm = ({ alarm, level, top }: RestartAlarmed): StoryLine =>
  line(
    'bad',
    `alarm ${alarm}: the scorer finds requests for a restart (level ${level.toFixed(2)}); nothing is paused`,
    [
      `look at ${top.join(', ')}`,
      'a score alone raises no signal: restart.judge in the terms names who judges, and [RESTART] always counts',
    ],
  )
