// `witan exchange compare`: two courses beside each other: themes gained, lost and moved, and what was written.

import { compareTraces } from '../../../app/exchange/compare-traces.ts'
import { withHome } from '../../../app/home/home.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import type { ClusterNote } from '../../../exchange/events.ts'
import { escaped, type Message } from '../../../exchange/messages.ts'
import { clip, plain } from '../../../render/plain.ts'
import type { Verb } from '../command.ts'

const percent = (share: number): string => `${Math.round(share * 100)} %`
const theme = ({ id, label, share }: ClusterNote): string => `${id} ${plain(label)} (${percent(share)})`

const words = (messages: readonly Message[]): readonly string[] =>
  messages.map(({ id, author, text }) => plain(`${id} ${author}: ${escaped(text).replaceAll(/\s+/g, ' ')}`))

function beside(a: readonly string[], b: readonly string[], width: number): readonly string[] {
  const half = Math.max(20, Math.floor((width - 3) / 2))
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) =>
    `${clip(a[i] ?? '', half).padEnd(half)} │ ${clip(b[i] ?? '', half)}`.trimEnd(),
  )
}

const told = (message: Message) => ({ id: message.id, author: message.author, text: message.text })

export const run: Verb = (call) =>
  withHome({ directory: call.home, mode: 'read', postgres: call.postgres }, async (home) => {
    const [a, b] = [
      await findTrace(home.store, call.args[0] ?? ''),
      await findTrace(home.store, call.args[1] ?? ''),
    ]
    const { parted, rounds, gained, lost, shared } = await compareTraces(home, a, b)
    const moved = shared.filter((one) => one.moved)
    const { bold } = call.paint
    return {
      value: {
        ...{ a, b, parted, gained, lost },
        moved: moved.map((one) => ({ a: one.a, b: one.b, distance: one.distance })),
        rounds: rounds.map(({ round, ...sides }) => ({
          round,
          a: sides.a.map(told),
          b: sides.b.map(told),
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
          const lines = beside(words(sides.a), words(sides.b), call.width)
          return lines.length === 0 ? [] : [`round ${round}`, ...lines]
        }),
      ],
    }
  })
