// What would be sent to which provider, shown before anything is sent: bytes, estimated tokens and cost for
// each seat, and what is excluded and why. It is made from the same parts that would be sent.

import { countsOf } from './exclusion.ts'
import { countTokens, type Pack, sizeOf } from './pack.ts'

/** A seat that would be sent something. */
export interface Recipient {
  readonly seat: string
  readonly provider: string
  readonly model: string | null
  readonly transport: string
  /** What this seat would get; seats with smaller limits get smaller packs. Null when there is no context. */
  readonly pack: Pack | null
  /** Everything else of the first prompt: question, preamble, instructions. */
  readonly words: readonly string[]
}

/** What one seat would be sent. */
export interface PreviewSeat {
  readonly seat: string
  readonly provider: string
  readonly model: string | null
  readonly transport: string
  readonly pack: Pack['kind'] | 'none'
  readonly files: number
  readonly bytes: number
  readonly tokens: number
  /** In US dollars, for sending the first prompt; null when the price is not known. */
  readonly cost: number | null
}

/** What would be sent to which provider, and its cost. */
export interface Preview {
  readonly seats: readonly PreviewSeat[]
  readonly total: { readonly bytes: number; readonly tokens: number; readonly cost: number | null }
  readonly excluded: { readonly [reason: string]: number }
  readonly secretsRemoved: number
}

/** The price of sending this many tokens; null when it is unknown. */
export type PriceOf = (recipient: Recipient, inputTokens: number) => Promise<number | null>

async function previewSeat(recipient: Recipient, priceOf: PriceOf): Promise<PreviewSeat> {
  const { seat, provider, model, transport, pack } = recipient
  const words = recipient.words.map((text) => ({ text }))
  const tokens = (pack?.tokens ?? 0) + (await countTokens(words))
  return {
    seat,
    provider,
    model,
    transport,
    pack: pack?.kind ?? 'none',
    files: pack?.reviewed.length ?? 0,
    bytes: (pack?.bytes ?? 0) + sizeOf(words),
    tokens,
    cost: await priceOf(recipient, tokens),
  }
}

/** Counts what a council would send, and sends nothing. */
export async function previewOf(recipients: readonly Recipient[], priceOf: PriceOf): Promise<Preview> {
  const seats: PreviewSeat[] = []
  for (const recipient of recipients) seats.push(await previewSeat(recipient, priceOf))
  const sum = (of: (seat: PreviewSeat) => number) => seats.reduce((total, seat) => total + of(seat), 0)
  // Seats share the exclusions; the seat that gets least lists most of them.
  const packs = recipients.flatMap(({ pack }) => (pack === null ? [] : [pack]))
  const least = [...packs].sort((a, b) => b.excluded.length - a.excluded.length)[0]
  return {
    seats,
    total: {
      bytes: sum(({ bytes }) => bytes),
      tokens: sum(({ tokens }) => tokens),
      cost: seats.every(({ cost }) => cost !== null) ? sum(({ cost }) => cost ?? 0) : null,
    },
    excluded: countsOf(least?.excluded ?? []),
    secretsRemoved: Math.max(0, ...packs.map(({ removed }) => removed.length)),
  }
}
