// What the observer of an exchange does from a console: each act is one event, signed by the observer's own key.

import type { Carry } from '../../exchange/events.ts'
import { readTerms, type Terms } from '../../exchange/terms.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Means } from '../../ledger/means.ts'
import type { Observer } from '../exchange/observer.ts'
import type { Home } from '../home/home.ts'
import type { KeyAtHand } from '../keys/person-key.ts'

/** How a key is opened: not at all in the first step. */
export type OpenKey = (agent: string, key: KeyAtHand) => Promise<void>

/** Where another branch begins and what it takes along. */
interface BranchRequest {
  /** Null for the latest round, or for a rollback the last audit. */
  readonly round: number | null
  readonly carry: Carry
  /** The exchange continues there and no longer here. */
  readonly current: boolean
}

export interface ObserveAct {
  readonly act: 'observe'
  readonly trace: string
  readonly does:
    | 'say'
    | 'pass'
    | 'inject'
    | 'pin'
    | 'unpin'
    | 'pause'
    | 'acknowledge'
    | 'halt'
    | 'grant'
    | 'amend'
    | 'branch'
    | 'rollback'
  /** The text, the id of a message, a number of rounds, or the reason. */
  readonly text: string
  /** New terms, complete, with `amend` and optionally with `branch`. */
  readonly terms?: unknown
  readonly course?: BranchRequest
}

export interface Observed {
  readonly trace: string
  readonly said: string
  /** Where another branch begins. */
  readonly into?: string
}

function termsIn(value: unknown): Terms {
  const terms = readTerms(value)
  if (typeof terms !== 'string') return terms
  throw new WitanError('CONFIG_INVALID', terms, 'Correct the terms and try again.')
}

function grantedIn(text: string): number {
  const rounds = Number(text)
  if (Number.isInteger(rounds) && rounds >= 1 && rounds <= 100_000) return rounds
  throw new WitanError('USAGE', `"${text}" is no number of rounds`, 'Give a whole number from 1 to 100000.')
}

const NO_COURSE: BranchRequest = { round: null, carry: 'window', current: false }

/** The trace of the new branch; null where the act makes none. */
async function act(observer: Observer, wish: ObserveAct): Promise<string | null> {
  const { does, text, course = NO_COURSE } = wish
  const reason = text === '' ? null : text
  switch (does) {
    case 'branch': {
      const terms = wish.terms === undefined ? null : termsIn(wish.terms)
      return (await observer.branch({ ...course, terms, reason })).into
    }
    case 'rollback':
      return (await observer.rollback({ ...course, reason })).into
    case 'amend':
      await observer.amend(termsIn(wish.terms), reason)
      return null
    case 'say':
      await observer.speak(text)
      return null
    case 'inject':
      await observer.inject(text)
      return null
    case 'grant':
      await observer.grant(grantedIn(text))
      return null
    case 'pass':
      await observer.pass()
      return null
    case 'pin':
    case 'unpin':
      await observer[does](text)
      return null
    default:
      await observer[does](reason)
      return null
  }
}

export async function observeBy(home: Home, wish: ObserveAct, open: OpenKey): Promise<Observed> {
  const { observerAt } = await import('../exchange/observer.ts')
  const means = async (name: string, key: KeyAtHand | null): Promise<Means> => {
    if (key === null)
      throw new WitanError(
        'KEY_NOT_FOUND',
        `${name} has no key here to observe with`,
        'Act with the command, by --key FILE.',
      )
    await open(name, key)
    return key.isSafe ? 'passphrase' : 'console'
  }
  const observer = await observerAt(home, wish.trace, { keyFile: null, means })
  const into = await act(observer, wish)
  return { trace: wish.trace, said: `signed as ${observer.name}`, ...(into !== null && { into }) }
}
