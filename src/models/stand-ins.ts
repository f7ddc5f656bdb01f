// Ways to a provider that represent others: one that cannot be built, and the first of two that is ready.

import { type Availability, failed, type Model, type Outcome, type Transport } from './model.ts'

/**
 * A way that cannot be built: checking and asking it fail with the same message, so that a configured seat never
 * silently lacks one of its transports.
 */
export function unavailableModel(
  { name, model }: { readonly name: string; readonly model?: string },
  transport: Transport,
  why: Pick<Availability, 'detail' | 'type'> & { readonly next: string },
): Model {
  const { detail, next } = why
  const available = async (): Promise<Availability> => ({ ready: false, ...why })
  const ask = async (): Promise<Outcome> =>
    failed({ type: 'network', cause: 'unavailable', message: `${detail}. ${next}` }, transport, 0)
  return { provider: name, model: model ?? null, transport, absent: true, available, ask }
}

/** The first of two that is ready: a vendor's command with the user's own login, else with a key. */
export function firstReadyModel(first: Model, second: Model): Model {
  let chosen: Model | null = null
  async function available(signal: AbortSignal): Promise<Availability> {
    const availability = await first.available(signal)
    if (availability.ready) chosen = first
    if (availability.ready) return availability
    const other = await second.available(signal)
    if (other.ready) chosen = second
    return other.ready ? other : availability
  }
  return {
    provider: first.provider,
    model: first.model,
    transport: first.transport,
    available,
    async ask(request) {
      if (chosen === null) await available(request.signal)
      return (chosen ?? first).ask(request)
    },
  }
}
