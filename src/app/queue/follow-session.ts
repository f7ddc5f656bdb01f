// Follows a session that another process drives, like one driven here: the same state, events and result.
// Following signs nothing and needs no model.

import { openLog, pendingIn } from '../agents/decide.ts'
import { type Session, sessionOf } from '../agents/session.ts'
import type { Home } from '../home/home.ts'
import { driveTrace, type Elsewhere, performsNothing } from '../run.ts'

export async function followSession(home: Home, trace: string, elsewhere: Elsewhere): Promise<Session> {
  const { ports } = home
  const [log, registrar] = [await openLog(ports, trace), await home.registrar()]
  const { outcome, close } = sessionOf({ log, kit: null, home, close: async () => undefined })
  let reportedSize = 0
  return {
    trace,
    get state() {
      return log.state.inner
    },
    removed: 0,
    unheld: null,
    pending: () => pendingIn(log),
    async drive({ signal, hear } = {}) {
      const from = reportedSize
      const end = await driveTrace({
        ports,
        registrar,
        log,
        perform: performsNothing,
        elsewhere,
        signal,
        hear,
        from,
      })
      reportedSize = log.size
      return end
    },
    outcome,
    close,
  }
}
