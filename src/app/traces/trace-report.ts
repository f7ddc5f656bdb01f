// The result of a trace, folded again when it is needed.

import { COUNCIL } from '../../council/events.ts'
import { WitanError } from '../../ledger/errors.ts'
import { type CouncilResult, openLog, resultOf } from '../council/council.ts'
import { type HomeLocation, withHome } from '../home/home.ts'
import { findTrace } from './trace-name.ts'

/** The result of the council that the home has under this name, or its current state. */
export const readReport = (location: HomeLocation, name: string): Promise<CouncilResult> =>
  withHome({ ...location, mode: 'read' }, async (home) => {
    const trace = await findTrace(home.store, name)
    const protocol = (await home.store.head(trace))?.header.protocol
    if (protocol === COUNCIL) return resultOf((await openLog(home, trace)).state.inner)
    const message = `${trace} is a trace of ${protocol}, and only councils end with a report`
    throw new WitanError('USAGE', message, `See \`witan show ${trace}\`.`)
  })
