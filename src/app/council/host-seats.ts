// The model of a host as a seat of a council. Step by step: a prompt waits here under a ticket until the host
// submits the answer, which is read like any model's. Or by sampling, where the host can be asked over the
// connection on which it called. The name of the model is what the host states, and is recorded as such.

import type { AskableSeat, SeatAsked, SeatAsking } from '../../clerk/seat.ts'
import { utf8 } from '../../ledger/bytes.ts'
import { WitanError } from '../../ledger/errors.ts'
import { renderPrompt } from '../../ledger/prompt.ts'
import { shapeInWords } from '../../models/dialects/in-words.ts'
import { failed, type Model, type Outcome, UNKNOWN_USAGE } from '../../models/model.ts'
import { type SamplingModelOptions, samplingModel } from '../../models/sampling.ts'
import { createSeat } from '../../models/seat/seat.ts'
import { HOST, type HostModel } from './seating.ts'

/** Over MCP the host is the other end of the connection, whichever side asks. */
const TRANSPORT = 'mcp'

export const statedByHost = (model: string | null): string | null =>
  model === null ? null : `${model} (as stated by host)`

/** What the host's model is to answer now. */
export interface HostQuestion {
  readonly ticket: string
  readonly seat: string
  readonly round: string
  readonly prompt: string
}

interface Open {
  readonly errand: HostQuestion
  readonly asking: SeatAsking
  readonly began: number
  settle(outcome: Outcome): void
}

const PROVIDER_FAILURE = { provider: HOST, retried: false, fallback_used: false }

function askedOf(outcome: Outcome): SeatAsked {
  const { transport, latencyMs } = outcome
  if (outcome.ok) {
    return { outcome, attempts: [{ transport, failure: null, latencyMs, waitedMs: 0 }], failure: null }
  }
  const { type, cause, message } = outcome
  return {
    outcome,
    attempts: [{ transport, failure: { type, cause, message }, latencyMs, waitedMs: 0 }],
    failure: { ...PROVIDER_FAILURE, error_type: type, cause, error_message: message },
  }
}

export class HostSeats {
  readonly #open = new Map<string, Open>()
  readonly #changed: () => void
  #count = 0

  /** `changed` is called when a prompt is added or answered. */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** Prompts that wait for the host, oldest first. */
  get errands(): readonly HostQuestion[] {
    return [...this.#open.values()].map(({ errand }) => errand)
  }

  seat(name: string): AskableSeat {
    return { provider: HOST, ask: async (asking) => askedOf(await this.#wait(name, asking)) }
  }

  #wait(seat: string, asking: SeatAsking): Promise<Outcome> {
    const ticket = `${asking.round}.${seat}.${++this.#count}`
    const shape = asking.schema === null ? [] : [shapeInWords(asking.schema)]
    const prompt = [asking.system, renderPrompt(asking.parts), ...shape].filter((text) => text !== '')
    const errand = { ticket, seat, round: asking.round, prompt: prompt.join('\n\n') }
    const began = performance.now()
    return new Promise((resolve) => {
      const settle = (outcome: Outcome): void => {
        this.#open.delete(ticket)
        asking.signal.removeEventListener('abort', giveUp)
        resolve(outcome)
        this.#changed()
      }
      const giveUp = (): void => {
        const message = 'the host handed in no answer in time'
        settle(failed({ type: 'timeout', cause: 'aborted', message }, TRANSPORT, performance.now() - began))
      }
      if (asking.signal.aborted) return giveUp()
      asking.signal.addEventListener('abort', giveUp, { once: true })
      this.#open.set(ticket, { errand, asking, began, settle })
      this.#changed()
    })
  }

  /** Throws when no prompt has this ticket, or the answer is too long; the prompt then still waits. */
  submit(ticket: string, answer: string, model: string | null): void {
    const open = this.#open.get(ticket)
    if (!open) {
      const waiting = this.errands.map((errand) => errand.ticket).join(', ') || 'nothing'
      throw new WitanError('USAGE', `no answer is awaited under '${ticket}'`, `Awaited now: ${waiting}.`)
    }
    const { limits } = open.asking
    if (utf8(answer).length > limits.maxReplyBytes) {
      const most = `at most ${limits.maxReplyBytes} bytes`
      throw new WitanError('USAGE', 'the answer is too long', `Shorten it to ${most}, and submit it again.`)
    }
    open.settle({
      ok: true,
      text: answer,
      usage: UNKNOWN_USAGE,
      cost: null,
      latencyMs: performance.now() - open.began,
      transport: TRANSPORT,
      model: statedByHost(model),
    })
  }
}

/** The host's statement about its model is recorded as such. */
const stating = (model: Model): Model => ({
  ...model,
  async ask(request) {
    const outcome = await model.ask(request)
    return outcome.ok ? { ...outcome, model: statedByHost(outcome.model) } : outcome
  },
})

/** The model of a host that declares sampling, asked while its call is open. */
export function sampledHost(
  line: Pick<SamplingModelOptions, 'createMessage'> & { readonly declared: () => boolean },
): HostModel {
  const mind = stating(samplingModel({ provider: HOST, model: null, ...line }))
  const seat = () =>
    createSeat({ provider: HOST, model: null, roles: ['participant', 'chair'], minds: [mind] })
  return { model: null, seat }
}

export type CreateMessage = SamplingModelOptions['createMessage']
