// The demo council: the real protocol, the real transport to a model, and members that answer from a script
// on the loopback. The signed opening and the report say that they are scripted.

import type { AskableSeat } from '../../clerk/seat.ts'
import { SCRIPTED_PROVIDER, type SeatRecord } from '../../council/events.ts'
import { DEFAULT_POLICY } from '../../council/policy.ts'
import { beginCouncil, type Council } from '../council/council.ts'
import type { RunKit } from '../home/signers.ts'
import { councilScript, MEMBERS, QUESTION } from './council-script.ts'
import { openScriptedSeats } from './scripted-seats.ts'

const ROLES = ['participant', 'chair'] as const

const recordOf = (name: string): SeatRecord => ({
  seat: name,
  provider: SCRIPTED_PROVIDER,
  // Each has its own opinion, and none of them a vendor.
  vendor: name,
  model: name,
  roles: ROLES,
  embedded: false,
})

/** The members, ready to be asked; `pace` 1 is the speed of a real model, 0 is immediate. */
export const scriptedSeats = (pace: number): Promise<ReadonlyMap<string, AskableSeat>> =>
  openScriptedSeats(MEMBERS, councilScript(pace), ROLES)

export const beginDemoCouncil = async (runKit: RunKit, convener: string, pace: number): Promise<Council> =>
  beginCouncil(
    runKit,
    {
      question: QUESTION,
      mode: 'ask',
      seats: MEMBERS.map(recordOf),
      chairs: MEMBERS.slice(0, 1),
      labelled: false,
      policy: DEFAULT_POLICY,
      context: null,
      follow: null,
      scripted: true,
    },
    { convener, seats: await scriptedSeats(pace) },
  )
