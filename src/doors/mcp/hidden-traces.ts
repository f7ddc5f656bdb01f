// What a host may not see yet. Its model may have a seat in a council, by steps or by sampling, so everything
// that a tool or a resource shows could reach it: until such a council is over, its trace stays closed to
// every host. This is the only place that decides it; it reads the trace, so it holds for every server of the
// same home.

import { openLog } from '../../app/council/council.ts'
import { HOST } from '../../app/council/seating.ts'
import { withHome } from '../../app/home/home.ts'
import { COUNCIL } from '../../council/events.ts'
import { WitanError } from '../../ledger/errors.ts'
import { type Kit, locationOf } from './tool.ts'

const isHidden = (kit: Kit, trace: string): Promise<boolean> =>
  withHome({ ...locationOf(kit), mode: 'read' }, async (home) => {
    const head = await home.store.head(trace)
    if (head?.header.protocol !== COUNCIL) return false
    const { inner } = (await openLog(home, trace)).state
    return !inner.isClosed && inner.seats.some(({ provider }) => provider === HOST)
  })
/** Throws when the content of this trace is not for a host yet. */
export async function refuseHidden(kit: Kit, trace: string): Promise<void> {
  if (!(await isHidden(kit, trace))) return
  throw new WitanError(
    'USAGE',
    `your own model has a seat in ${trace}, which is not finished: you cannot read it until then`,
    'Answer what council_status shows. A person can read it with `witan show`, or end it with `witan abort`.',
  )
}
