// How a host continues a council: one that was stopped, a fork of one, one that is ended early, or failed
// seats that are asked again. If the host's own model has a seat, it is asked as before. No content goes to
// further providers: a host cannot consent to that.

import {
  abortCouncil,
  type Council,
  type GoingOn,
  resumeCouncil,
  seatsFromSettings,
} from '../../../app/council/council.ts'
import { askToShare, type ForkRequest, forkCouncil, makeAmendment } from '../../../app/council/fork.ts'
import { HostSeats } from '../../../app/council/host-seats.ts'
import { retryCouncil } from '../../../app/council/retry.ts'
import { HOST, worldHere } from '../../../app/council/seating.ts'
import { openOrCreateHome, type RunKit, runKitOf } from '../../../app/home/signers.ts'
import { NO_PERSON } from '../../../app/person.ts'
import type { CouncilOpened } from '../../../council/events.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { type Kit, locationOf } from '../tool.ts'
import { CONVENED_BY, readSettings, timeoutOf } from './convene.ts'
import { HeldCouncil } from './held-council.ts'

async function goOn(
  kit: Kit,
  timeout: string | undefined,
  begin: (runKit: RunKit, how: GoingOn) => Promise<Council>,
): Promise<HeldCouncil> {
  kit.sittings.refuseMore()
  let wake = (): void => undefined
  const host = new HostSeats(() => wake())
  const home = await openOrCreateHome(locationOf(kit))
  try {
    const others = seatsFromSettings(() => readSettings(kit, timeout), worldHere())
    const council = await begin(runKitOf(home), {
      convener: CONVENED_BY,
      async seatsFor(opened) {
        const own = opened.seats.filter(({ provider }) => provider === HOST)
        return new Map([
          ...(await others(opened)),
          ...own.map(({ seat }) => [seat, host.seat(seat)] as const),
        ])
      },
    })
    const sitting = kit.sittings.add(new HeldCouncil({ home, council, host, estimate: null }))
    wake = () => sitting.wake()
    return sitting
  } catch (error) {
    await home.close()
    throw error
  }
}

/** Asks failed seats of a finished council again. */
export const retry = (
  kit: Kit,
  trace: string,
  { failed, timeout }: { readonly failed: readonly string[]; readonly timeout: string | undefined },
): Promise<HeldCouncil> =>
  goOn(kit, timeout, (runKit, how) =>
    retryCouncil(runKit, trace, { ...how, seats: failed, timeoutMs: timeoutOf(timeout) }),
  )

/** If it runs here already, the call joins it. */
export async function resume(kit: Kit, trace: string, timeout: string | undefined): Promise<HeldCouncil> {
  const sitting = kit.sittings.get(trace)
  if (sitting && !sitting.isOver) return sitting
  return goOn(kit, timeout, (runKit, how) => resumeCouncil(runKit, trace, how))
}

/** Ends it with a report of what there is. */
export async function abort(kit: Kit, trace: string, reason: string): Promise<HeldCouncil> {
  const sitting = kit.sittings.get(trace)
  if (sitting && !sitting.isOver) await sitting.stop()
  return goOn(kit, undefined, (runKit, how) => abortCouncil(runKit, trace, { ...how, reason }))
}

function refuseFurther({ seats }: CouncilOpened, { seats: named, chair }: ForkRequest, trace: string): void {
  const seatNames = seats.flatMap(({ seat, provider }) => [seat, provider])
  const further = [...named, ...(chair === null ? [] : [chair])].find(
    (name) => !seatNames.includes(name) && !seatNames.includes(name.split(':')[0] ?? ''),
  )
  if (further === undefined) return
  throw new WitanError(
    'USAGE',
    `${further} had no seat in ${trace}, and a tool call cannot consent to sending its contents there`,
    `A person forks it: witan fork ${trace} --after R1 --seats ${further}`,
  )
}

/** A new council that begins in the state of this one. */
export const fork = (
  kit: Kit,
  trace: string,
  wish: ForkRequest & { readonly after: 'R1' | 'R2' | number; readonly timeout: string | undefined },
): Promise<HeldCouncil> =>
  goOn(kit, wish.timeout, (runKit, how) =>
    forkCouncil(runKit, trace, {
      ...how,
      after: wish.after,
      async amend(opened) {
        refuseFurther(opened, wish, trace)
        return makeAmendment(opened, wish, () => readSettings(kit, wish.timeout), worldHere())
      },
      allow: (sharing) =>
        askToShare(kit.home, sharing, {
          person: NO_PERSON,
          consented: false,
          command: `witan fork ${trace} --after ${wish.after} --yes`,
        }),
    }),
  )
