// Follows an evaluation that another process drives, like one driven here. Following signs nothing and needs
// no model.

import { type Evaluation, evalLog, openedIn } from '../eval/eval.ts'
import type { Home } from '../home/home.ts'
import { driveTrace, type Elsewhere, performsNothing } from '../run.ts'

export async function followEval(home: Home, trace: string, elsewhere: Elsewhere): Promise<Evaluation> {
  const { ports } = home
  const [log, registrar] = [await evalLog(home, trace), await home.registrar()]
  return {
    trace,
    get state() {
      return openedIn(log.state.inner)
    },
    drive: ({ signal, hear } = {}) =>
      driveTrace({ ports, registrar, log, perform: performsNothing, elsewhere, signal, hear }),
  }
}
