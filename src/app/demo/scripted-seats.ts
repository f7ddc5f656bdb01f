// Seats that answer from a script: asked over the loopback like any model, through the same transport, stream
// and reader. Their names begin with `scripted-`, and their provider says what they are.

import type { AskableSeat } from '../../clerk/seat.ts'
import { SCRIPTED_PROVIDER } from '../../council/events.ts'
import { apiModel } from '../../models/api/api.ts'
import { type Script, serveScript } from '../../models/scripted-server.ts'
import { createSeat } from '../../models/seat/seat.ts'

export async function openScriptedSeats(
  names: readonly string[],
  script: Script,
  roles: readonly ('participant' | 'chair')[],
): Promise<ReadonlyMap<string, AskableSeat>> {
  const baseUrl = await serveScript(script)
  const seatOf = (model: string): AskableSeat => {
    const options = { kind: 'openai-compatible', name: SCRIPTED_PROVIDER, model, baseUrl } as const
    const mind = apiModel({ ...options, apiKey: async () => null })
    return createSeat({ provider: SCRIPTED_PROVIDER, model, roles, minds: [mind] })
  }
  return new Map(names.map((name) => [name, seatOf(name)]))
}
