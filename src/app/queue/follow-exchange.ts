// Follows an exchange that another process drives, like one driven here: the same state, events and result.
// Following signs nothing and needs no model.

import type { Exchange } from '../exchange/exchange.ts'
import { openLog } from '../exchange/open-exchange.ts'
import type { Home } from '../home/home.ts'
import { drivenElsewhere, driveTrace, type Elsewhere, performsNothing } from '../run.ts'

export async function followExchange(home: Home, trace: string, elsewhere: Elsewhere): Promise<Exchange> {
  const { ports } = home
  const [log, registrar] = [await openLog(home, trace), await home.registrar()]
  return {
    trace,
    get state() {
      return log.state.inner
    },
    grant: () => drivenElsewhere(trace),
    async drive({ signal, hear } = {}) {
      let state = log.state
      const listener = hear && {
        hear: (event: Parameters<typeof hear>[0]) => {
          state = log.protocol.evolve(state, event)
          return hear(event, state)
        },
      }
      const from = log.size
      const end = await driveTrace({
        ports,
        registrar,
        log,
        perform: performsNothing,
        elsewhere,
        signal,
        from,
        ...listener,
      })
      await log.refresh()
      return end
    },
    observe: () => drivenElsewhere(trace),
    goTo: (other) => followExchange(home, other, elsewhere),
    close: async () => undefined,
  }
}
