// What an observer can type. Words are words to the pool; everything else begins with a slash, and each of these is
// the act of the command of the same name. A mistake costs nothing: it is told, and nothing is recorded.

import { WitanError } from '../../../ledger/errors.ts'
import type { Call } from '../../cli/command.ts'
import { block } from '../../cli/plain.ts'
import type { Observer } from '../observing.ts'
import { exchangeLines } from '../running.ts'
import { readTermsFile } from '../terms-file.ts'

export interface Talk {
  readonly observer: Observer
  readonly call: Call
  /** Grants more rounds and goes on. */
  go(rounds: number | null): Promise<void>
  leave(): void
}

interface ChatCommand {
  readonly name: string
  readonly takes: string
  readonly about: string
  /** What to print; nothing where the pool's own telling says it. */
  run(talk: Talk, rest: string): Promise<readonly string[]>
}

const wrong = (message: string): WitanError => new WitanError('USAGE', message, 'See /help.')

function needed(rest: string, what: string): string {
  if (rest === '') throw wrong(`${what} is missing`)
  return rest
}

function numberIn(rest: string): number | null {
  if (rest === '') return null
  if (!/^\d{1,9}$/.test(rest)) throw wrong(`'${rest}' is no number of a round`)
  return Number(rest)
}

const reason = (rest: string): string | null => (rest === '' ? null : rest)
const nothing: readonly string[] = []

async function branch({ observer }: Talk, rest: string, rollsBack: boolean): Promise<readonly string[]> {
  const { closed, lastAudit, signal } = observer.book.state.inner
  const round = numberIn(rest) ?? (rollsBack ? lastAudit : closed)
  const current = rollsBack || signal !== null
  const into = await observer.branch({ round, carry: 'window', terms: null, current, reason: null })
  return current ? nothing : [`beside this one there is now ${into}: witan exchange chat ${into}`]
}

async function terms({ observer }: Talk, rest: string): Promise<readonly string[]> {
  if (rest !== '') {
    await observer.amend(await readTermsFile(rest, { chat: true }), null)
    return nothing
  }
  const { stringify } = await import('yaml')
  return block(stringify(observer.book.state.inner.terms), '  ')
}

export const COMMANDS: readonly ChatCommand[] = [
  {
    name: '/help',
    takes: '',
    about: 'this list',
    run: async () => helpLines(),
  },
  {
    name: '/status',
    takes: '',
    about: 'where the exchange stands: round, themes, restart level',
    run: async ({ observer: { book }, call }) => exchangeLines(book.trace, book.state.inner, call),
  },
  {
    name: '/inject',
    takes: 'TEXT',
    about: 'words from outside, shown to every mind as >>>',
    run: async ({ observer }, rest) => {
      await observer.inject(needed(rest, 'what to inject'))
      return nothing
    },
  },
  {
    name: '/pass',
    takes: '',
    about: 'leave the audit unanswered; Enter on an empty line does the same',
    run: async ({ observer }) => {
      if (observer.book.state.inner.unanswered === null) throw wrong('no audit waits for you')
      await observer.pass()
      return nothing
    },
  },
  ...[true, false].map(
    (pins): ChatCommand => ({
      name: pins ? '/pin' : '/unpin',
      takes: 'ID',
      about: pins ? 'keep a message where it can be sampled, such as 12.1' : 'let it go again',
      run: async ({ observer }, rest) => {
        await observer.pin(needed(rest, 'the id of a message'), !pins)
        return nothing
      },
    }),
  ),
  {
    name: '/ack',
    takes: '[WHY]',
    about: 'answer a restart signal: heard, and nothing changes',
    run: async ({ observer }, rest) => {
      await observer.acknowledge(reason(rest))
      return nothing
    },
  },
  {
    name: '/rollback',
    takes: '[ROUND]',
    about: 'go on from an earlier round (the last audit); nothing is destroyed',
    run: (talk, rest) => branch(talk, rest, true),
  },
  {
    name: '/branch',
    takes: '[ROUND]',
    about: 'another course from a round (the latest), beside this one; in its place if it answers a signal',
    run: (talk, rest) => branch(talk, rest, false),
  },
  {
    name: '/terms',
    takes: '[FILE]',
    about: 'show the terms in force, or amend them to those of a file',
    run: terms,
  },
  {
    name: '/pause',
    takes: '[WHY]',
    about: 'let the pool rest; Ctrl-C does the same',
    run: async ({ observer }, rest) => {
      await observer.pause(reason(rest))
      return nothing
    },
  },
  {
    name: '/continue',
    takes: '[ROUNDS]',
    about: 'let it go on',
    run: async (talk, rest) => {
      await talk.go(numberIn(rest))
      return nothing
    },
  },
  {
    name: '/halt',
    takes: '[WHY]',
    about: 'end the exchange for good',
    run: async ({ observer }, rest) => {
      await observer.halt(reason(rest))
      return nothing
    },
  },
  {
    name: '/quit',
    takes: '',
    about: 'leave; nothing is lost, and you can come back',
    run: async ({ leave }) => {
      leave()
      return nothing
    },
  },
]

export function helpLines(): readonly string[] {
  const wide = Math.max(...COMMANDS.map(({ name, takes }) => name.length + takes.length + 1))
  return [
    'Type words and Enter: the pool hears them as [OBSERVER]. Besides:',
    ...COMMANDS.map(({ name, takes, about }) => `  ${`${name} ${takes}`.padEnd(wide)}  ${about}`),
  ]
}

/** Does what a line says; gives what to print. */
export async function obey(talk: Talk, typed: string): Promise<readonly string[]> {
  const line = typed.trim()
  const { observer } = talk
  await observer.book.refresh()
  if (line === '') {
    if (observer.book.state.inner.unanswered !== null) await observer.pass()
    return nothing
  }
  if (!line.startsWith('/')) {
    await observer.speak(line)
    return nothing
  }
  const [name = '', ...words] = line.split(/\s+/)
  const command = COMMANDS.find((candidate) => candidate.name === name)
  if (!command) throw wrong(`there is no ${name}`)
  return command.run(talk, line.slice(name.length).trim() && words.join(' '))
}
