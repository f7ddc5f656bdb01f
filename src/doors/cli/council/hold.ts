// A council held before a person's eyes, from wherever its trace stands to its end, and its result as an outcome of
// the command.

import { councilPerformer } from '../../../clerk/council/performer.ts'
import type { Registrar } from '../../../clerk/registrar.ts'
import type { AskableSeat } from '../../../clerk/seat.ts'
import { CLOSE_REQUESTED, CONVENER } from '../../../council/events.ts'
import { encoderFor } from '../../council/likeness.ts'
import type { CouncilBook } from '../../council/opening.ts'
import type { Home } from '../../home.ts'
import type { Call, Outcome } from '../command.ts'
import { paintFor } from '../paint.ts'
import { runTrace, saveCheckpoint } from '../run-trace.ts'
import { showLive } from './live.ts'
import { offerToClose } from './offer.ts'
import { present } from './present.ts'
import type { Gate } from './wishes.ts'

export interface Held {
  readonly home: Home
  readonly registrar: Registrar
  readonly book: CouncilBook
  readonly seats: ReadonlyMap<string, AskableSeat>
  readonly call: Call
  readonly gate: Gate | null
  readonly convener: string
}

export async function holdCouncil(held: Held): Promise<Outcome> {
  const { home, registrar, book, seats, call, convener } = held
  const machine = call.flag('json') || call.flag('quiet')
  const live = showLive(process.stderr, await paintFor(process.stderr), machine)
  const sense = await encoderFor(home, book)
  const performer = councilPerformer({ office: home.office, registrar, book, seats, sense })
  const close = async (): Promise<void> => {
    const payload = { reason: 'closed by the convener with what there was' }
    await book.append([{ type: CLOSE_REQUESTED, actor: registrar.actor(convener, CONVENER), payload }])
  }
  const offer = machine ? undefined : () => offerToClose(book, live, close)
  call.progress('')
  try {
    const end = await runTrace({
      home,
      registrar,
      book,
      perform: performer.perform,
      tell: (event) => {
        performer.hear(event)
        live.tell(event)
      },
      ...(offer && { offer }),
    })
    live.end()
    await saveCheckpoint(call, end.checkpoint)
    return await present(held, end)
  } finally {
    live.end()
    performer.dispose()
    await sense?.close()
  }
}
