// Where a session waits for a person and one sits at the terminal who has a key here, that person is shown what is
// intended, with all its arguments and what the policy said, and decides or leaves it for later. Nothing is decided by
// silence: an answer that is no clear word is asked for again, and the end of the input means later.

import { createInterface, type Interface } from 'node:readline/promises'
import type { Registrar } from '../../clerk/registrar.ts'
import { isWitanError } from '../../ledger/errors.ts'
import type { Call } from '../cli/command.ts'
import type { Home } from '../home.ts'
import { personName } from '../signers.ts'
import {
  decideAs,
  type Pending,
  type Person,
  pendingIn,
  personOf,
  type SessionBook,
  type Verdict,
} from './decision.ts'
import { pendingLines } from './pending-lines.ts'

/** True when something was decided, so that the session can go on. */
export type AskPerson = (book: SessionBook) => Promise<boolean>

const MINUTES = 15

const CHOICES = {
  judge: { a: 'approve', b: 'block', l: 'later' },
  review: { a: 'approve', b: 'block', l: 'later' },
  resolve: { f: 'failed', a: 'again', l: 'later' },
} as const

type Asked = keyof typeof CHOICES
type Word = 'approve' | 'block' | 'failed' | 'again' | 'later'

const isAsked = ({ kind }: Pending): boolean => Object.hasOwn(CHOICES, kind)

/** Null when the input ends. */
function question(terminal: Interface, text: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const end = (): void => resolve(null)
    terminal.once('close', end)
    terminal
      .question(text)
      .then(resolve, reject)
      .finally(() => terminal.off('close', end))
  })
}

async function wordOf(terminal: Interface, kind: Asked): Promise<Word> {
  const choices: Readonly<Record<string, Word>> = CHOICES[kind]
  const named = Object.values(choices)
  for (;;) {
    const answer = await question(terminal, `${named.join(', ')}? `)
    if (answer === null) return 'later'
    const text = answer.trim().toLowerCase()
    const word = choices[text] ?? named.find((one) => one === text)
    if (word) return word
  }
}

async function verdictOf(terminal: Interface, kind: Asked): Promise<Verdict | null> {
  const word = await wordOf(terminal, kind)
  if (word === 'later') return null
  const reason = (await question(terminal, 'Why? It is kept for ever: '))?.trim()
  // Whoever gives no reason has not decided.
  if (!reason) return null
  return word === 'approve' ? { as: word, minutes: MINUTES, reason } : { as: word, reason }
}

async function personHere(home: Home, registrar: Registrar): Promise<Person | null> {
  try {
    return await personOf(home, registrar, { name: personName(), keyFile: null, via: 'terminal' })
  } catch (error) {
    if (isWitanError(error, 'KEY_NOT_FOUND')) return null
    throw error
  }
}

/** Undefined where nobody can be asked: no terminal, or a machine reads the output. */
export function personAsker(home: Home, registrar: Registrar, call: Call): AskPerson | undefined {
  const isSeen = process.stdin.isTTY && process.stderr.isTTY
  if (!isSeen || call.flag('json') || call.flag('quiet')) return undefined
  return async (book) => {
    const person = await personHere(home, registrar)
    const waiting = pendingIn(book).filter(isAsked)
    if (!person || waiting.length === 0) return false
    let decided = false
    for (const pending of waiting) {
      process.stderr.write(`\n${pendingLines(pending, book, call).join('\n')}\n`)
      const terminal = createInterface({ input: process.stdin, output: process.stderr })
      // The interface takes Ctrl-C for itself; whoever presses it wants to leave.
      terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
      try {
        const verdict = await verdictOf(terminal, pending.kind as Asked)
        if (verdict) await decideAs(person, book.trace, pending.subject, verdict)
        decided ||= verdict !== null
      } finally {
        terminal.close()
      }
    }
    return decided
  }
}
