// What an observer can type. Plain text goes to the pool; everything else begins with a slash, and each of
// these is the act of the command of the same name. A mistake costs nothing: it is reported, and nothing is
// recorded.

import type { Observer } from '../../../app/exchange/observer.ts'
import { readTermsFile } from '../../../app/exchange/terms-file.ts'
import type { Carry } from '../../../exchange/events.ts'
import { inOrder } from '../../../exchange/messages.ts'
import { exchangeValue } from '../../../exchange/result.ts'
import { CARRIES } from '../../../exchange/schema.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { nearest } from '../../../ledger/text/nearest-word.ts'
import { exchangeLines } from '../../../render/exchange.ts'
import { block, wrap } from '../../../render/plain.ts'
import { messageLines } from '../../../render/pool-view.ts'
import type { Call } from '../command.ts'

export interface ChatContext {
  readonly observer: Observer
  readonly call: Call
  /** Grants more rounds and continues. */
  go(rounds: number | null): Promise<void>
  leave(): void
}

interface ChatCommand {
  readonly name: string
  readonly takes: string
  readonly about: string
  /** What to print; nothing where the pool's own lines show it. */
  run(talk: ChatContext, rest: string): Promise<readonly string[]>
}

const usageError = (message: string): WitanError => new WitanError('USAGE', message, 'See /help.')

function requireText(rest: string, what: string): string {
  if (rest === '') throw usageError(`${what} is missing`)
  return rest
}

function numberIn(rest: string): number | null {
  if (rest === '') return null
  if (!/^\d{1,9}$/.test(rest)) throw usageError(`'${rest}' is no number of a round`)
  return Number(rest)
}

function roundsIn(rest: string): number | null {
  if (rest === '') return null
  if (!/^[1-9]\d{0,8}$/.test(rest)) throw usageError(`'${rest}' is no number of rounds`)
  return Number(rest)
}

const reason = (rest: string): string | null => (rest === '' ? null : rest)
const nothing: readonly string[] = []

/** An act of the observer that the pool's own lines show when it is done. */
const act = (
  name: string,
  takes: string,
  about: string,
  run: (talk: ChatContext, rest: string) => Promise<unknown>,
): ChatCommand => ({ name, takes, about, run: (talk, rest) => run(talk, rest).then(() => nothing) })

/** `4`, `audit`, `4 audit`, or with the options of the command of the same name. */
function courseIn(rest: string): { readonly round: number | null; readonly carry: Carry } {
  const words = rest.split(' ').filter((word) => word !== '' && !/^--(at|to|carry)$/.test(word))
  const carry = CARRIES.find((known) => words.includes(known))
  const [round, more] = words.filter((word) => word !== carry)
  if (more !== undefined) throw usageError(`'${more}' is neither a round nor one of ${CARRIES.join(', ')}`)
  return { round: numberIn(round ?? ''), carry: carry ?? 'window' }
}

async function branch({ observer }: ChatContext, rest: string): Promise<readonly string[]> {
  const answersSignal = observer.state.signal !== null
  const { into } = await observer.branch({ ...courseIn(rest), reason: null })
  if (answersSignal) return nothing
  return ['  a new branch was made beside this one; join it with', `    witan exchange chat ${into}`]
}

const RECENT = 10

/** Messages that can be pinned and cited, with their ids. */
function recent({ observer, call }: ChatContext, rest: string): readonly string[] {
  const { pool, protocol } = observer.state
  const shownMessages = protocol.filter(({ kind }) => kind !== 'auditor_role' && kind !== 'observer_role')
  const messages = [...pool, ...shownMessages].sort(inOrder).slice(-(roundsIn(rest) ?? RECENT))
  if (messages.length === 0) return ['  nothing has been written yet']
  return messageLines(messages, observer.state, call)
}

async function terms({ observer }: ChatContext, rest: string): Promise<readonly string[]> {
  if (rest !== '') {
    await observer.amend(await readTermsFile(rest, { chat: true }), null)
    return nothing
  }
  const { stringify } = await import('yaml')
  return block(stringify(observer.state.terms), '  ')
}

export const COMMANDS: readonly ChatCommand[] = [
  {
    name: '/help',
    takes: '',
    about: 'this list',
    run: async ({ call }) => helpLines(call.width),
  },
  {
    name: '/status',
    takes: '',
    about: 'the state of the exchange: round, themes, restart level',
    run: async ({ observer, call }) => exchangeLines(exchangeValue(observer.state), call),
  },
  {
    name: '/messages',
    takes: '[HOW MANY]',
    about: 'the latest messages with their ids',
    run: async (talk, rest) => recent(talk, rest),
  },
  act('/inject', 'TEXT', 'words from outside, shown to every mind as >>>', ({ observer }, rest) =>
    observer.inject(requireText(rest, 'what to inject')),
  ),
  act(
    '/pass',
    '',
    'leave the audit unanswered; Enter on an empty line does the same',
    async ({ observer }) => {
      if (observer.state.unanswered === null) throw usageError('no audit waits for you')
      await observer.pass()
    },
  ),
  act('/pin', 'ID', 'pin a message so that it can always be sampled, such as 12.1', ({ observer }, rest) =>
    observer.pin(requireText(rest, 'the id of a message')),
  ),
  act('/unpin', 'ID', 'unpin it', ({ observer }, rest) =>
    observer.unpin(requireText(rest, 'the id of a message')),
  ),
  act('/ack', '[WHY]', 'answer a restart signal: heard, and nothing changes', ({ observer }, rest) =>
    observer.acknowledge(reason(rest)),
  ),
  act(
    '/rollback',
    '[ROUND] [CARRY]',
    'continue from an earlier round (the last audit); nothing is destroyed',
    ({ observer }, rest) => observer.rollback({ ...courseIn(rest), reason: null }),
  ),
  {
    name: '/branch',
    takes: '[ROUND] [CARRY]',
    about: 'another course from a round (the latest), beside this one; in its place if it answers a signal',
    run: branch,
  },
  {
    name: '/terms',
    takes: '[FILE]',
    about: 'show the terms in force, or amend them to those of a file',
    run: terms,
  },
  act('/pause', '[WHY]', 'let the pool rest; Ctrl-C does the same', ({ observer }, rest) =>
    observer.pause(reason(rest)),
  ),
  act('/continue', '[ROUNDS]', 'let it go on', (talk, rest) => talk.go(roundsIn(rest))),
  act('/halt', '[WHY]', 'end the exchange for good', ({ observer }, rest) => observer.halt(reason(rest))),
  act('/quit', '', 'leave; nothing is lost, and you can come back', async ({ leave }) => leave()),
]

function helpLines(width: number): readonly string[] {
  const wide = Math.max(...COMMANDS.map(({ name, takes }) => name.length + takes.length + 1))
  return [
    'Type words and Enter: the pool hears them as [OBSERVER]. Besides:',
    ...COMMANDS.map(
      ({ name, takes, about }) => `  ${`${name} ${takes}`.padEnd(wide)}  ${wrap(about, wide + 4, width)}`,
    ),
    wrap(
      'CARRY is what the other course takes along: window (all that can be sampled; so unless you say), audit (the last one) or none.',
      0,
      width,
    ),
  ]
}

/** A single word that is a command's name is probably not meant for the pool, which would keep it forever. */
function misspelling(line: string): string | null {
  const meant = { exit: '/quit', bye: '/quit', '?': '/help' }[line.toLowerCase()] ?? `/${line.toLowerCase()}`
  return COMMANDS.some(({ name }) => name === meant) ? meant : null
}

/** Does what a line says; returns what to print. */
export async function runChatLine(talk: ChatContext, typed: string): Promise<readonly string[]> {
  const line = typed.trim()
  const { observer } = talk
  await observer.log.refresh()
  if (line === '') {
    if (observer.state.unanswered !== null) await observer.pass()
    return nothing
  }
  if (!line.startsWith('/')) {
    const meant = misspelling(line)
    if (meant !== null) throw usageError(`'${line}' was not sent to the pool: for the command write ${meant}`)
    await observer.speak(line)
    return nothing
  }
  const [name = '', ...words] = line.split(/\s+/)
  const command = COMMANDS.find((candidate) => candidate.name === name)
  if (!command) {
    const meant = nearest(
      name,
      COMMANDS.map((known) => known.name),
    )
    throw usageError(`there is no ${name}${meant ? `: did you mean ${meant}?` : ''}`)
  }
  return command.run(talk, line.slice(name.length).trim() && words.join(' '))
}
