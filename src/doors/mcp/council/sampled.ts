// The host's own model at the table where the host declares sampling: it is asked over the line on which the tool was
// called, for as long as that call is open. Revision 2026-07-28 has no such line; there the step tools serve.

import type { Model } from '../../../models/model.ts'
import { type SamplingModelOptions, samplingModel } from '../../../models/sampling.ts'
import { createSeat } from '../../../models/seat/seat.ts'
import type { Session } from '../tool.ts'
import { asStated, HOST } from './host-seat.ts'
import type { HostModel } from './table.ts'

/** What the host says of its model is recorded as what it says. */
const stating = (mind: Model): Model => ({
  ...mind,
  async ask(request) {
    const outcome = await mind.ask(request)
    return outcome.ok ? { ...outcome, model: asStated(outcome.model) } : outcome
  },
})

/** Null when the host does not offer its model that way. */
export function sampledHost({ context, declares }: Session): HostModel | null {
  if (context.mcpReq.envelope !== undefined || !declares('sampling')) return null
  const mind = stating(
    samplingModel({
      provider: HOST,
      model: null,
      createMessage: context.mcpReq.requestSampling as unknown as SamplingModelOptions['createMessage'],
      declared: () => declares('sampling'),
    }),
  )
  const seat = () =>
    createSeat({ provider: HOST, model: null, roles: ['participant', 'chair'], minds: [mind] })
  return { model: null, seat }
}
