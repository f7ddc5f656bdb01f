// Where a session waits for a person and one sits at the terminal who has a key here, that person is shown what is
// intended, with all its arguments and what the policy said, and decides or leaves it for later. Nothing is decided by
// silence: an answer that is no clear word is asked for again, and the end of the input means later.

import { createInterface, type Interface } from 'node:readline/promises'
import { proofFault } from '../../../agents/approval-proof.ts'
import type { Via } from '../../../agents/events.ts'
import {
  decideAs,
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
import { isWitanError } from '../../../ledger/errors.ts'
import type { Actor } from '../../../protocol.ts'
import { pendingLines } from '../../../render/pending.ts'
import type { Call } from '../command.ts'
import { askPassphrase, isAtTerminal, unproven } from './presence.ts'

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

async function verdictOf(terminal: Interface, kind: Asked): Promise<Verdict | null> {
  const word = await wordOf(terminal, kind)
  if (word === 'later') return null
  const reason = (await question(terminal, 'Why? It is kept for ever: '))?.trim()
  // Whoever gives no reason has not decided.
  if (!reason) return null
  return word === 'approve' ? { as: word, minutes: MINUTES, reason } : { as: word, reason }
}

/** Null where the person has no key here, or what they can show at this terminal is not enough. */
async function personHere(home: Home, registrar: Registrar, log: SessionLog): Promise<Person | null> {
  const { policy } = log.state.inner.task ?? {}
  const means = async ({ agent, key }: Actor): Promise<Via> => {
    const entries = await home.keyring.list()
    const via = entries.some((entry) => entry.id === key && entry.locked) ? 'passphrase' : 'terminal'
    const fault = policy ? proofFault(policy, via) : null
    if (policy && fault !== null) throw unproven(policy, fault, agent)
    if (via === 'passphrase') await home.keyring.unlock(key, await askPassphrase(`Passphrase of ${agent}: `))
    return via
  }
  try {
    return await personOf(home, registrar, { name: personName(), keyFile: null, means })
  } catch (error) {
    const isUnable = ['KEY_NOT_FOUND', 'APPROVAL_UNPROVEN', 'KEY_LOCKED'] as const
    if (isUnable.some((code) => isWitanError(error, code))) return null
    throw error
  }
}

/** Undefined where nobody can be asked: no terminal, or a machine reads the output. */
export function personAsker(home: Home, registrar: Registrar, call: Call): AskPerson | undefined {
  if (!isAtTerminal() || call.flag('json') || call.flag('quiet')) return undefined
  return async (log) => {
    const waiting = pendingIn(log).filter(isAsked)
    const person = waiting.length > 0 ? await personHere(home, registrar, log) : null
    if (!person) return false
    let decided = false
    for (const pending of waiting) {
      process.stderr.write(`\n${pendingLines(pending, log, call).join('\n')}\n`)
      const terminal = createInterface({ input: process.stdin, output: process.stderr })
      // The interface takes Ctrl-C for itself; whoever presses it wants to leave.
      terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
      try {
        const verdict = await verdictOf(terminal, pending.kind as Asked)
        if (verdict) await decideAs(person, log.trace, pending.subject, verdict)
        decided ||= verdict !== null
      } finally {
        terminal.close()
      }
    }
    return decided
  }
}
