// A council held before a person's eyes, from wherever its trace stands to its end, and its result as an outcome of
// the command.

import { driveCouncil } from '../../../app/council/drive-council.ts'
import type { Gate } from '../../../app/council/gate.ts'
import type { CouncilLog } from '../../../app/council/open-council.ts'
import { encoderFor } from '../../../app/council/recommendation-encoder.ts'
import type { Home } from '../../../app/home/home.ts'
import { SHORT_GRACE_MS } from '../../../app/run.ts'
import type { Registrar } from '../../../clerk/registrar.ts'
import type { AskableSeat } from '../../../clerk/seat.ts'
import { CLOSE_REQUESTED, CONVENER } from '../../../council/events.ts'
import type { Call, Outcome } from '../command.ts'
import { paintFor } from '../paint.ts'
import { saveCheckpoint, untilInterrupted } from '../run-trace.ts'
import { showLive } from './live.ts'
import { offerToClose } from './offer-close.ts'
import { present } from './present.ts'

export interface Held {
  readonly home: Home
  readonly registrar: Registrar
  readonly log: CouncilLog
  readonly seats: ReadonlyMap<string, AskableSeat>
  readonly call: Call
  readonly gate: Gate | null
  readonly convener: string
}

export async function holdCouncil(held: Held): Promise<Outcome> {
  const { home, registrar, log, seats, call, convener } = held
  const machine = call.flag('json') || call.flag('quiet')
  const live = showLive(process.stderr, await paintFor(process.stderr), machine)
  const embedder = await encoderFor(home, log)
  const close = async (): Promise<void> => {
    const payload = { reason: 'closed by the convener with what there was' }
    await log.append([{ type: CLOSE_REQUESTED, actor: registrar.actor(convener, CONVENER), payload }])
  }
  const offer = machine ? undefined : () => offerToClose(log, live, close)
  call.progress('')
  try {
    const end = await untilInterrupted({ trace: log.trace, offer }, (signal) =>
      driveCouncil({
        ports: home.ports,
        registrar,
        log,
        seats,
        embedder,
        signal,
        grace: SHORT_GRACE_MS,
        hear: live.tell.bind(live),
      }),
    )
    live.end()
    await saveCheckpoint(call, end.checkpoint)
    return await present(held, end)
  } finally {
    live.end()
    await embedder?.close()
  }
}
