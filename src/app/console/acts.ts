// Acts of a person at a console: every act is one signed event, shown before it is signed. The key stays
// here; a passphrase opens a locked one for this one act.

import { proofFault } from '../../agents/approvals.ts'
import { editionOf } from '../../agents/editions.ts'
import type { Conditions } from '../../agents/task.ts'
import { WitanError } from '../../ledger/errors.ts'
import { APPROVAL_MINUTES, type Deciding, decide, type Verdict } from '../agents/decide.ts'
import { type Home, type HomeLocation, withHome } from '../home/home.ts'
import { personName } from '../home/signers.ts'
import { type ObserveAct, type OpenKey, observeBy } from './observe-act.ts'
import { perform, type Rehearsed, rehearse, type ToBeSigned } from './two-steps.ts'

export type { ToBeSigned } from './two-steps.ts'

/** A decision on a pending item of a session. */
export interface DecideAct {
  readonly act: 'decide'
  readonly trace: string
  readonly subject: string
  readonly as: 'approve' | 'block' | 'challenge' | 'failed' | 'again'
  readonly ground?: 'weak' | 'contradicted'
  readonly minutes?: number
  readonly conditions?: Conditions
  readonly reason: string
  /** Who decides; the person at the keyboard unless given. */
  readonly by?: string
}

/** The same decision on several similar items of one session. */
export interface DecideSeveralAct extends Omit<DecideAct, 'act' | 'subject'> {
  readonly act: 'decide-several'
  readonly subjects: readonly string[]
}

/** Ends a session early. */
export interface AbortAct {
  readonly act: 'abort'
  readonly trace: string
  readonly reason: string
}

/** Erases a payload or an artifact permanently. */
export interface RedactAct {
  readonly act: 'redact'
  readonly trace: string
  readonly seq: number | null
  readonly artifact: string | null
  readonly reason: string
}

export type Act = DecideAct | DecideSeveralAct | ObserveAct | AbortAct | RedactAct

/** An act that was shown and waits for its confirmation. */
export interface Prepared {
  readonly act: Act
  readonly rehearsed: Rehearsed
  readonly events: readonly ToBeSigned[]
  /** The person whose passphrase opens the key; null when none is needed. */
  readonly passphraseOf: string | null
}

export interface Done {
  readonly trace: string
  readonly said: string
  /** The trace in which an exchange continues. */
  readonly into?: string
}

const verdictOf = ({
  as,
  ground = 'weak',
  minutes = APPROVAL_MINUTES,
  conditions,
  reason,
}: Omit<DecideAct, 'act' | 'subject'>): Verdict => {
  if (as === 'approve') return { as, minutes, reason, ...(conditions && { conditions }) }
  return as === 'challenge' ? { as, ground, reason } : { as, reason }
}

const unproven = (why: string): WitanError =>
  new WitanError(
    'APPROVAL_UNPROVEN',
    why,
    'Give the key a passphrase (witan keys passphrase NAME), or decide at a terminal or with --key FILE.',
  )

const shownBy =
  (open: OpenKey): Deciding['means'] =>
  async ({ state }, agent, key) => {
    const via = key.isSafe ? 'passphrase' : 'console'
    const { task } = state
    const fault = task && proofFault(task.policy, via, editionOf(task))
    if (fault) throw unproven(fault)
    await open(agent, key)
    return via
  }

async function decideSeveralBy(home: Home, act: DecideSeveralAct, open: OpenKey): Promise<Done> {
  const { decideSeveral } = await import('../agents/decide-several.ts')
  const { by, count } = await decideSeveral(home, act.trace, {
    subjects: act.subjects,
    verdict: verdictOf(act),
    name: act.by ?? personName(),
    keyFile: null,
    means: shownBy(open),
  })
  return { trace: act.trace, said: `${count} events signed as ${by}` }
}

async function decideBy(home: Home, act: DecideAct, open: OpenKey): Promise<Done> {
  const done = await decide(home, act.trace, {
    subject: act.subject,
    verdict: verdictOf(act),
    name: act.by ?? personName(),
    keyFile: null,
    means: shownBy(open),
  })
  return { trace: done.trace, said: `${done.event} signed as ${done.by}` }
}

async function doAct(home: Home, act: Act, open: OpenKey): Promise<Done> {
  switch (act.act) {
    case 'decide':
      return decideBy(home, act, open)
    case 'decide-several':
      return decideSeveralBy(home, act, open)
    case 'observe':
      return observeBy(home, act, open)
    case 'abort': {
      const { abortSession } = await import('../agents/session.ts')
      await abortSession(home, act.trace, { reason: act.reason, via: 'console' })
      return { trace: act.trace, said: 'it is over' }
    }
    case 'redact': {
      const { redactIn } = await import('../traces/redact.ts')
      await redactIn(home, act.trace, act)
      return {
        trace: act.trace,
        said: act.seq === null ? 'artifact erased' : `payload of event ${act.seq} erased`,
      }
    }
  }
}

/** The first step: what would be signed. */
export const prepareAct = (location: HomeLocation, act: Act): Promise<Prepared> =>
  withHome({ ...location, mode: 'write' }, async (home) => {
    let passphraseOf: string | null = null
    const look: OpenKey = async (agent, key) => {
      if (key.isLocked) passphraseOf = agent
    }
    const rehearsed = await rehearse(home, (inner) => doAct(inner, act, look))
    return { act, rehearsed, events: rehearsed.events, passphraseOf }
  })

/** The second step: signs exactly that. */
export const confirmAct = (
  location: HomeLocation,
  { act, rehearsed }: Prepared,
  passphrase: string | null,
): Promise<Done> =>
  withHome({ ...location, mode: 'write' }, (home) =>
    perform(home, rehearsed, (inner) =>
      doAct(inner, act, async (agent, key) => {
        if (!key.isLocked) return
        if (passphrase === null)
          throw new WitanError('KEY_LOCKED', `the key of ${agent} has a passphrase`, 'Enter it.')
        await key.unlock(passphrase)
      }),
    ),
  )
