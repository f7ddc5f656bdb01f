// The state of an exchange, for people: what it waits for and which commands answer that, and two branches
// side by side.

import type { ThemeComparison } from '../exchange/compare.ts'
import type { Answer, ClusterNote } from '../exchange/events.ts'
import { escaped, type Message } from '../exchange/messages.ts'
import { ANSWERS, type ExchangeValue, exchangeValue } from '../exchange/result.ts'
import type { ExchangeState } from '../exchange/state.ts'
import type { Action } from '../protocol.ts'
import { waitingView } from './pending.ts'
import { clip, type Layout, plain, wrap } from './plain.ts'
import { themeLine } from './story/restart.ts'

function statusText({ status, moved_to, stopped, phase }: ExchangeValue): string {
  if (status === 'halted') return 'halted'
  if (moved_to !== null) return `continues in ${moved_to}`
  if (stopped !== null) return `stopped: ${stopped}`
  return phase === 'structured' ? 'structured exchange' : 'free-running'
}

/** The components of the level; that an alarm is no signal; who judges, at what cost; which themes ask. */
function restartLines(restart: ExchangeValue['restart'], width: number): readonly string[] {
  if (restart === null || restart.hear === 'off') return []
  const { tags, judged, scores, alarm, judge, judgings, themes } = restart
  const levels = `tags ${tags.toFixed(2)}, judged ${judged.toFixed(2)}, proposed by scores ${scores.toFixed(2)}`
  const costText = judgings.usd > 0 ? `, $${judgings.usd.toFixed(4)}` : ''
  const by =
    judge === null ? 'none: only [RESTART] raises a signal' : `${judge}, asked ${judgings.asked}${costText}`
  return [
    `            ${levels}${alarm ? '  alarm: look at it; nothing is paused' : ''}`,
    `  judge     ${plain(by)}`,
    ...themes.map((theme) => `  asks      ${wrap(plain(themeLine(theme)), 12, width)}`),
  ]
}

export function exchangeLines(value: ExchangeValue, { paint, width }: Layout): readonly string[] {
  const { trace, round, level, clusters, totals, signal, note } = value
  const themes = [...clusters].sort((a, b) => b.share - a.share).slice(0, 5)
  return [
    ...(note === null ? [] : [paint.bold(note)]),
    `${paint.bold(`round ${round}`)}  ${plain(statusText(value))}`,
    `  messages  ${totals.messages}   asked ${totals.asked}${totals.calls === totals.asked ? '' : ` in ${totals.calls} calls`}, failed ${totals.failed}   known cost $${totals.usd.toFixed(4)}`,
    `  restart   level ${level.toFixed(2)}${signal ? paint.red(`  signal ${signal.number} waits for an answer`) : ''}`,
    ...(signal ? [`  asked in  ${wrap(plain(signal.asked.join(', ')), 12, width)}`] : []),
    ...restartLines(value.restart, width),
    ...themes.map(
      ({ id, label, share }) =>
        `  ${id.padEnd(8)}  ${String(Math.round(share * 100)).padStart(3)} %  ${plain(label)}`,
    ),
    `trace ${trace}`,
  ]
}

/** The command for each answer. */
const answerCommands = (trace: string): Readonly<Record<Answer, string>> => ({
  acknowledge: `witan exchange answer ${trace} --with acknowledge --reason "…"`,
  amend: `witan exchange terms ${trace} --set FILE --reason "…"`,
  branch: `witan exchange branch ${trace} --reason "…"`,
  rollback: `witan exchange rollback ${trace} --reason "…"`,
  halt: `witan exchange answer ${trace} --with halt --reason "…"`,
})

/** Commands that answer what an exchange waits for. */
export function commandsFor({ trace, forks, signal, movedTo }: ExchangeState): readonly string[] {
  // Ordered, and interrupted before it was made.
  if (forks.length > 0) return [`witan resume ${trace}`]
  if (signal) return Object.values(answerCommands(trace))
  return [`witan exchange run ${movedTo ?? trace}`]
}

/** The same as text: for an answer to a signal also its effect. */
export function hintsFor(state: ExchangeState): readonly string[] {
  if (state.forks.length > 0 || !state.signal) return commandsFor(state).map((command) => `  ${command}`)
  return Object.entries(answerCommands(state.trace)).flatMap(([answer, command]) => [
    command,
    `    ${wrap(ANSWERS[answer as Answer], 4, 80)}`,
  ])
}

/** The state of an exchange once its rounds were run, or cannot be run further. */
export function endView(
  state: ExchangeState,
  end: { readonly status: string; readonly parked: readonly Pick<Action, 'id' | 'waitsFor'>[] },
  sheet: Layout,
) {
  const value = exchangeValue(state)
  const lines = exchangeLines(value, sheet)
  // Reaching the end of the granted rounds is a good end; a signal or a stop is not.
  const waits = end.status === 'waiting' && (state.signal !== null || state.stopped !== null)
  if (!waits) return { value, lines, hints: hintsFor(state), waits }
  const waiting = waitingView(state.trace, end.parked, commandsFor(state))
  return {
    value: { ...value, ...waiting.value },
    lines: [...lines, ...waiting.lines],
    hints: [...hintsFor(state), `Then: witan resume ${state.trace}`],
    waits,
  }
}

/** Two branches of one exchange, and what each wrote since they parted. */
interface ComparedExchanges extends ThemeComparison {
  readonly parted: number
  readonly rounds: readonly {
    readonly round: number
    readonly a: readonly Message[]
    readonly b: readonly Message[]
  }[]
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
const theme = ({ id, label, share }: ClusterNote): string => `${id} ${plain(label)} (${percent(share)})`

const words = (messages: readonly Message[]): readonly string[] =>
  messages.map(({ id, author, text }) => plain(`${id} ${author}: ${escaped(text).replaceAll(/\s+/g, ' ')}`))

function twoColumns(a: readonly string[], b: readonly string[], width: number): readonly string[] {
  const half = Math.max(20, Math.floor((width - 3) / 2))
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) =>
    `${clip(a[i] ?? '', half).padEnd(half)} │ ${clip(b[i] ?? '', half)}`.trimEnd(),
  )
}

const messageJson = (message: Message) => ({ id: message.id, author: message.author, text: message.text })

export function comparisonView(
  a: string,
  b: string,
  { parted, rounds, gained, lost, shared }: ComparedExchanges,
  { paint: { bold }, width }: Layout,
) {
  const moved = shared.filter((one) => one.moved)
  return {
    value: {
      ...{ a, b, parted, gained, lost },
      moved: moved.map((one) => ({ a: one.a, b: one.b, distance: one.distance })),
      rounds: rounds.map(({ round, ...sides }) => ({
        round,
        a: sides.a.map(messageJson),
        b: sides.b.map(messageJson),
      })),
    },
    lines: [
      `A ${a}`,
      `B ${b}`,
      parted === 0 ? 'they have no round in common' : `they have the rounds up to ${parted} in common`,
      bold('themes'),
      ...lost.map((one) => `  only in A  ${theme(one)}`),
      ...gained.map((one) => `  only in B  ${theme(one)}`),
      ...moved.map((one) => `  moved      ${theme(one.a)} → ${theme(one.b)}`),
      `  alike      ${shared.length - moved.length}`,
      bold('messages'),
      ...rounds.flatMap(({ round, ...sides }) => {
        const lines = twoColumns(words(sides.a), words(sides.b), width)
        return lines.length === 0 ? [] : [`round ${round}`, ...lines]
      }),
    ],
  }
}
