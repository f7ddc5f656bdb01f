// Where a session waits for a person and one sits at the terminal who has a key here, that person is shown what is
// intended, with all its arguments and what the policy said, and decides or leaves it for later. Nothing is decided by
// silence: an answer that is no clear word is asked for again, and the end of the input means later.

import { createInterface, type Interface } from 'node:readline/promises'
import type { Via } from '../../../agents/events.ts'
import {
  decideAs,
  type KeyAtHand,
  type Pending,
  type Person,
  pendingIn,
  personOf,
  type SessionLog,
  type Verdict,
} from '../../../app/agents/decide.ts'
import type { Home } from '../../../app/home/home.ts'
import { personName } from '../../../app/home/signers.ts'
import type { Registrar } from '../../../clerk/registrar.ts'
import { isWitanError, WitanError } from '../../../ledger/errors.ts'
import type { Actor } from '../../../protocol.ts'
import { pendingLines } from '../../../render/pending.ts'
import { plain } from '../../../render/plain.ts'
import type { Call } from '../command.ts'
import { askPassphrase, isAtTerminal } from '../passphrase.ts'
import { bestMeans } from './presence.ts'

/** True when something was decided, so that the session can go on. */
export type AskPerson = (log: SessionLog) => Promise<boolean>

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

async function verdictAt(kind: Asked): Promise<Verdict | null> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // The interface takes Ctrl-C for itself; who presses it wants to leave.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return await verdictOf(terminal, kind)
  } finally {
    terminal.close()
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

/** A key may be mistyped this often before the session is left to wait. */
const TRIES = 3

async function unlocked(key: KeyAtHand, agent: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await key.unlock(await askPassphrase(`Passphrase of ${agent}: `))
    } catch (error) {
      if (!isWitanError(error, 'KEY_LOCKED') || tries === TRIES) throw error
      process.stderr.write(`${plain(error.message)}\n`)
    }
  }
}

/** Who sits here, and what they still have to enter before their word counts. */
interface Present {
  readonly person: Person
  readonly enter: () => Promise<void>
}

/** Null where they have no key here; an error where what they can show is too little. */
async function personHere(
  home: Home,
  registrar: Registrar,
  log: SessionLog,
): Promise<Present | WitanError | null> {
  const { policy } = log.state.inner.task ?? {}
  let enter = (): Promise<void> => Promise.resolve()
  const means = async ({ agent }: Actor, key: KeyAtHand): Promise<Via> => {
    const via = policy ? bestMeans(policy, key, agent) : 'terminal'
    if (key.isLocked) enter = () => unlocked(key, agent)
    return via
  }
  try {
    const person = await personOf(home, registrar, { name: personName(), keyFile: null, means })
    return { person, enter }
  } catch (error) {
    if (isWitanError(error, 'KEY_NOT_FOUND')) return null
    if (isWitanError(error, 'APPROVAL_UNPROVEN')) return error
    throw error
  }
}

/** What keeps this person from deciding is no error of the session: they are told, and it waits. */
function tellUnable({ message, next }: WitanError): void {
  process.stderr.write(`Not decided: ${plain(message)}\n${plain(next)}\n`)
}

/** False when the person left it for later, or could not show that it is them. */
async function decideNow({ person, enter }: Present, pending: Pending, trace: string): Promise<boolean> {
  const verdict = await verdictAt(pending.kind as Asked)
  if (!verdict) return false
  try {
    await enter()
  } catch (error) {
    if (!isWitanError(error, 'KEY_LOCKED')) throw error
    tellUnable(error)
    return false
  }
  await decideAs(person, trace, pending.subject, verdict)
  return true
}

/** Undefined where nobody can be asked: no terminal, or a machine reads the output. */
export function personAsker(home: Home, registrar: Registrar, call: Call): AskPerson | undefined {
  if (!isAtTerminal() || call.flag('json') || call.flag('quiet')) return undefined
  return async (log) => {
    const waiting = pendingIn(log).filter(isAsked)
    const here = waiting.length > 0 ? await personHere(home, registrar, log) : null
    if (!here) return false
    let decided = false
    for (const pending of waiting) {
      process.stderr.write(`\n${pendingLines(pending, log, call).join('\n')}\n`)
      if (here instanceof WitanError) tellUnable(here)
      else if (await decideNow(here, pending, log.trace)) decided = true
    }
    return decided
  }
}
