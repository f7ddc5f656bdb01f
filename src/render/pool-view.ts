// A pool as its observer watches it: one message for each line, under the colour of its author, and in one
// line who is writing now. Each event is shown with the state of the pool after it, not with the current one;
// what several minds write at once is shown when it enters the pool, in the order and under the ids that it
// has there.

import { payloadOf } from '../exchange/events.ts'
import { escaped, isRestart, type Message } from '../exchange/messages.ts'
import { exchangeValue } from '../exchange/result.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { isScripted } from '../exchange/terms.ts'
import type { WithOpenCalls } from '../ledger/calls.ts'
import { SCRIPTED_DEMO } from '../ledger/scripted.ts'
import type { Occurrence } from '../protocol.ts'
import { dollars } from './board/board-lines.ts'
import { withDemoMark } from './demo-mark.ts'
import { clip, type Layout, plain, wrap } from './plain.ts'
import { tell } from './story/exchange.ts'
import { type AnswerNames, answerChoices, signalStory } from './story/restart.ts'
import { count, inOneLine, line, type StoryLine } from './story/story-line.ts'

export interface PoolLayout extends Layout {
  /** A line of its own for every round and call to the judge: where no status line shows it. */
  readonly rounds: boolean
}

type Pool = WithOpenCalls<ExchangeState>

const MOST_OF_A_NAME = 16

/** How many themes there are, the level of the restart signal, the cost. */
const gauge = ({ clusters, level, totals }: ExchangeState): string =>
  [
    count(clusters?.notes.length ?? 0, 'theme'),
    `restart ${level.level.toFixed(2)}`,
    ...(totals.usd > 0 ? [dollars(totals.usd)] : []),
  ].join(' · ')

/** The same for a mind for the whole exchange: seats are named when it is opened. */
function numberOf(name: string, { seats, terms }: ExchangeState): number {
  const seat = seats.findIndex((one) => one.name === name)
  return seat >= 0 ? seat : seats.length + Math.max(0, terms?.pool.minds.indexOf(name) ?? 0)
}

/** A label before two blanks, or a dash, stays alone in its column. */
function hangingIndent(text: string, indent: number, width: number): string {
  const [label = ''] = /^ *(?:- |(?:\S+ )*\S+ {2,})?/.exec(text) ?? []
  const hanging = label.length > width / 2 ? '' : label
  return `${' '.repeat(indent)}${hanging}${wrap(text.slice(hanging.length), indent + hanging.length, width)}`
}

function storyLines(story: StoryLine, suffix: string, { paint, width }: Layout): readonly string[] {
  const tones = { plain: (text: string) => text, good: paint.green, bad: paint.red, quiet: paint.dim }
  const more = story.tone === 'plain' || story.tone === 'quiet' ? [] : story.more
  const head = wrap(plain(story.text + suffix), 2, width)
  return [tones[story.tone](head), ...more.map((text) => hangingIndent(plain(text), 2, width))]
}

/** `south 12.1 What it wrote.`, its name in its own colour; also for a list of messages. */
export function messageLines(
  messages: readonly Message[],
  state: ExchangeState,
  { paint, width }: Layout,
): readonly string[] {
  const names = [...(state.terms?.pool.minds ?? []), ...messages.map(({ author }) => author)]
  const first = Math.min(MOST_OF_A_NAME, Math.max(...names.map((name) => name.length)))
  const second = Math.max(4, ...messages.map(({ id }) => id.length))
  return messages.map((message) => {
    const { author, id, kind, text, cut } = message
    const name = clip(plain(author), first).padEnd(first)
    const brush = kind === 'mind' ? paint.speaker(numberOf(author, state)) : paint.green
    const body = plain(inOneLine(escaped(text, isRestart(message))) + (cut ? ' […]' : ''))
    const words = kind === 'mind' ? body : `(${kind.replace('_', ' ')}) ${body}`
    const wrapped = wrap(words, first + second + 4, width)
    return `${brush(name)}  ${paint.dim(id.padEnd(second))}  ${isRestart(message) ? paint.red(wrapped) : wrapped}`
  })
}

/** What entered the pool by this event: the whole round, once the last of its minds has answered. */
function enteredMessages({ payload }: Occurrence, { round, pending }: ExchangeState): readonly Message[] {
  if (round !== null && !round.gathered) return []
  return pending.filter((message) => message.kind === 'mind' && message.round === payload?.round)
}

function wroteLines(event: Occurrence, { inner }: Pool, sheet: Layout): readonly string[] {
  const { mind, messages } = payloadOf(event, 'mind_wrote')
  const silent = line('quiet', `${mind} wrote nothing for the pool`)
  return [
    ...(messages.length === 0 ? storyLines(silent, '', sheet) : []),
    ...messageLines(enteredMessages(event, inner), inner, sheet),
  ]
}

const QUOTED = 3

type RaisedSignal = Parameters<typeof signalStory>[0]

function signalLines(raised: RaisedSignal, { pool }: ExchangeState, sheet: Layout): readonly string[] {
  const cited = raised.top.slice(0, QUOTED).flatMap((id) => {
    const message = pool.find((one) => one.id === id)
    if (!message) return []
    const words = `${id}  ${message.author}: ${inOneLine(escaped(message.text, isRestart(message)))}`
    return [`  ${clip(words, Math.max(20, sheet.width - 4))}`]
  })
  return storyLines(signalStory(raised, cited), '', sheet)
}

/** Why the pool waits for an answer, for an observer who comes back: nothing has run since it was raised. */
export function openSignalLines(state: ExchangeState, sheet: Layout): readonly string[] {
  const { signal, level } = state
  if (!signal) return []
  const clusters = exchangeValue(state).restart?.themes ?? []
  return signalLines({ signal: signal.number, level: level.level, top: signal.asked, clusters }, state, sheet)
}

/** The effect of each answer to a signal, under the names that it has there. */
export const answerLines = (names: AnswerNames | null, { width }: Pick<Layout, 'width'>): readonly string[] =>
  answerChoices(names).map((text) => hangingIndent(text, 2, width))

function eventLines(event: Occurrence, pool: Pool, sheet: PoolLayout): readonly string[] {
  const { type, payload } = event
  const isStatus = (type === 'round_opened' && payload?.kind !== 'audit') || type === 'judging_opened'
  if (payload === null || (isStatus && !sheet.rounds)) return []
  if (type === 'mind_wrote') return wroteLines(event, pool, sheet)
  if (type === 'signal_raised') return signalLines(payloadOf(event, 'signal_raised'), pool.inner, sheet)
  const story = tell(event)
  const storyText = story
    ? storyLines(story, type === 'round_opened' ? ` · ${gauge(pool.inner)}` : '', sheet)
    : []
  if (type !== 'mind_failed') return storyText
  return [...storyText, ...messageLines(enteredMessages(event, pool.inner), pool.inner, sheet)]
}

const isDemo = ({ terms }: ExchangeState): boolean => terms !== null && isScripted(terms)

/** An event as it is shown while the pool runs; no lines where there is nothing to show. */
export function poolLines(event: Occurrence, pool: Pool, sheet: PoolLayout): readonly string[] {
  const lines = eventLines(event, pool, sheet)
  if (!isDemo(pool.inner) || lines.length === 0) return lines
  return event.type === 'mind_wrote'
    ? lines.map((one) => withDemoMark(one, sheet))
    : [withDemoMark(lines.join('\n'), sheet)]
}

const WORK_TEXTS: Readonly<Record<string, string>> = {
  mind: 'writing',
  audit: 'auditing',
  judge: 'judging which messages ask for a restart',
}

/** Who is being asked now, and the state of the pool; null while no model is asked. */
export function busyLine({ inner, open }: Pool): string | null {
  const workNames = [...open.keys()].flatMap((action) => {
    const [kind = '', , named = ''] = action.split('/')
    const name = kind === 'audit' ? (inner.terms?.auditor.mind ?? '') : named
    return Object.hasOwn(WORK_TEXTS, kind) ? [{ name, doing: WORK_TEXTS[kind] ?? '' }] : []
  })
  const [first] = workNames
  if (!first) return null
  const names = workNames.map(({ name }) => name).join(', ')
  const round = inner.round?.round ?? inner.closed
  const doing = `${names} ${workNames.length > 1 ? 'are' : 'is'} ${first.doing}…`
  return plain(`round ${round} · ${isDemo(inner) ? SCRIPTED_DEMO : gauge(inner)} · ${doing}`)
}
