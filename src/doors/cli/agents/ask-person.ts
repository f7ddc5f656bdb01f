// Where a session waits for a person and one with a key here is at the terminal, they are shown the intent,
// with all its arguments and the verdict of the policy, and decide or leave it for later.

import { PROOF_WORDS, proofFault } from '../../../agents/approvals.ts'
import type { Via } from '../../../agents/events.ts'
import type { PolicyInForce, Proof } from '../../../agents/task.ts'
import {
  decideAs,
  type KeyAtHand,
  openPerson,
  type Pending,
  type Person,
} from '../../../app/agents/decide.ts'
import { shownFrom } from '../../../app/agents/pending.ts'
import { showPending } from '../../../app/agents/pending-shown.ts'
import type { Session } from '../../../app/agents/session.ts'
import type { Home } from '../../../app/home/home.ts'
import { personName } from '../../../app/home/signers.ts'
import { isWitanError, WitanError } from '../../../ledger/errors.ts'
import type { Actor } from '../../../protocol.ts'
import { pendingDetails, pendingLines } from '../../../render/pending.ts'
import { plain } from '../../../render/plain.ts'
import type { Call } from '../command.ts'
import { askPassphrase, isAtTerminal, saysYes } from '../terminal.ts'
import { isAskedKind, verdictAt } from './verdict-prompt.ts'

// How the deciding person proves presence, and what is recorded of it. A key that was made in this home is no
// proof by itself, wherever its file is now, since any program here could use it: a person has to answer at a
// terminal, or enter the passphrase of the key.

const withFile = (name: string): string =>
  `sign with --key FILE, by a key that was made elsewhere and registered with \`witan keys add ${name} --role critic --public FILE\``

const NEXT: Readonly<Record<Proof, (name: string) => string>> = {
  terminal: (name) =>
    `Run this command at a terminal, or ${withFile(name)}. To take decisions of ${name} without a terminal, set \`agents: {approvals_without_terminal: true}\` in the home's config.yaml before the session begins.`,
  passphrase: (name) =>
    `Give the key of ${name} a passphrase with \`witan keys passphrase ${name}\` and run this command at a terminal, or ${withFile(name)}.`,
  'other-machine': (name) => `On this machine a key of this home cannot decide: ${withFile(name)}.`,
}

/** Nothing is decided: what a person can do instead. */
export function proofMissing(policy: PolicyInForce, why: string, name: string): WitanError {
  const wanted = policy.approval_proof ?? 'terminal'
  return new WitanError('APPROVAL_UNPROVEN', why, `Wanted: ${PROOF_WORDS[wanted]}. ${NEXT[wanted](name)}`)
}

/** The strongest proof that this key allows here; throws when the policy requires more. */
function bestMeans(policy: PolicyInForce, key: KeyAtHand, name: string): Via {
  const best: Via = key.isSafe ? 'passphrase' : isAtTerminal() ? 'terminal' : 'none'
  const fault = proofFault(policy, best)
  if (fault !== null)
    throw proofMissing(policy, best === 'none' ? `no terminal to ask ${name} on` : fault, name)
  if (key.isLocked && !isAtTerminal())
    throw proofMissing(policy, `no terminal to ask ${name} for the passphrase`, name)
  return best
}

/**
 * How the owner of this key proves presence, after asking where that is possible. Throws when that is not enough,
 * and nothing is decided then.
 */
export async function proofFor(
  policy: PolicyInForce,
  key: KeyAtHand,
  { name, shown }: { readonly name: string; readonly shown: readonly string[] },
): Promise<Via> {
  const best = bestMeans(policy, key, name)
  if (best === 'none') return best
  for (const line of shown) process.stderr.write(`${line}\n`)
  if (key.isLocked) await key.unlock(await askPassphrase(`Passphrase of ${name}: `))
  else if (!(await saysYes(`Is that your decision, ${name}? [y/N] `))) {
    throw new WitanError('APPROVAL_UNPROVEN', 'nothing was decided', 'Answer yes to decide.')
  }
  return best
}

/** True when something was decided, so that the session can continue. */
export type AskPerson = (session: Session) => Promise<boolean>

/** A passphrase may be mistyped this often before the decision is left pending. */
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

/** The person at the terminal, and what they still have to enter before their decision counts. */
interface PersonPresent {
  readonly person: Person
  readonly enter: () => Promise<void>
}

/** Null where they have no key here; an error where their proof is not enough. */
async function personHere(home: Home, { state }: Session): Promise<PersonPresent | WitanError | null> {
  const { policy } = state.task ?? {}
  let enter = (): Promise<void> => Promise.resolve()
  const means = async ({ agent }: Actor, key: KeyAtHand): Promise<Via> => {
    const via = policy ? bestMeans(policy, key, agent) : 'terminal'
    if (key.isLocked) enter = () => unlocked(key, agent)
    return via
  }
  try {
    const person = await openPerson(home, { name: personName(), keyFile: null, means })
    return { person, enter }
  } catch (error) {
    if (isWitanError(error, 'KEY_NOT_FOUND')) return null
    if (isWitanError(error, 'APPROVAL_UNPROVEN')) return error
    throw error
  }
}

/** An obstacle for this person is no error of the session: they are told, and it stays pending. */
function tellUnable({ message, next }: WitanError): void {
  process.stderr.write(`Not decided: ${plain(message)}\n${plain(next)}\n`)
}

/** False when the person left it for later, or could not prove presence. */
async function decideNow(
  { person, enter }: PersonPresent,
  pending: Pending,
  { state, trace }: Session,
  call: Call,
): Promise<boolean> {
  const { kind, subject } = pending
  const plan = state.proposals.get(subject)?.plan ?? null
  const details = () => pendingDetails(pending, state, call)
  const verdict = isAskedKind(kind) ? await verdictAt({ kind, plan, details }) : null
  if (!verdict) return false
  try {
    await enter()
  } catch (error) {
    if (!isWitanError(error, 'KEY_LOCKED')) throw error
    tellUnable(error)
    return false
  }
  await decideAs(person, trace, subject, verdict)
  return true
}

/** Undefined where no person can be asked: no terminal, or a machine reads the output. */
export function personAsker(home: Home, call: Call): AskPerson | undefined {
  if (!isAtTerminal() || call.flag('json') || call.flag('quiet')) return undefined
  return async (session) => {
    const waiting = session.pending().filter(({ kind }) => isAskedKind(kind))
    const here = waiting.length > 0 ? await personHere(home, session) : null
    if (!here) return false
    let decided = false
    for (const pending of waiting) {
      const shown = await showPending(pending, session.state, await shownFrom(home, session.trace))
      process.stderr.write(`\n${pendingLines(shown, session.state, call).join('\n')}\n`)
      if (here instanceof WitanError) tellUnable(here)
      else if (await decideNow(here, pending, session, call)) decided = true
    }
    return decided
  }
}
