// What a council would send to whom, known before anything goes: every file by name, what stays behind and why, and
// what the first round would cost to send. Nothing is sent by looking.

import { type Preview, previewOf } from '../../context/preview.ts'
import { editionNumbered, NEWEST } from '../../council/editions.ts'
import type { SeatRecord } from '../../council/events.ts'
import { WORDS } from '../../council/prompts/words.ts'
import type { Mode } from '../../council/replies/opinion.ts'
import { priceOf } from '../../models/prices.ts'
import type { Laid } from './council-context.ts'

export interface Sent {
  readonly question: string
  readonly mode: Mode
  readonly constraints?: readonly string[]
  readonly focus?: readonly string[]
  readonly seats: readonly SeatRecord[]
}

export interface CouncilPreview extends Preview {
  readonly sends: boolean
  readonly diff: string | null
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly lines: number }[]
  readonly left_out: readonly { readonly path: string; readonly reason: string }[]
  /** The very texts that would be quoted. */
  readonly parts: readonly { readonly name: string; readonly text: string }[]
}

const VENDORS = ['anthropic', 'openai', 'google'] as const

async function costOf(vendor: string, model: string | null, tokens: number): Promise<number | null> {
  const known = VENDORS.find((name) => name === vendor)
  if (!known) return null
  return (await priceOf({ vendor: known }, model, { inputTokens: tokens, outputTokens: 0 }))?.usd ?? null
}

export async function councilPreview(sent: Sent, laid: Laid | null): Promise<CouncilPreview> {
  const { question, mode, constraints = [], focus = [] } = sent
  const { preamble, instructions } = WORDS[editionNumbered(NEWEST).words]
  const texts = laid?.pack === null ? laid.text.parts.map(({ text }) => text) : []
  const words = [preamble.R1(mode), instructions.R1(mode), question, ...constraints, ...focus, ...texts]
  const seats = sent.seats.filter(({ roles }) => roles.includes('participant'))
  const recipients = seats.map(({ seat, provider, model, embedded }) => ({
    seat,
    provider,
    model,
    transport: embedded ? 'embedded' : 'auto',
    pack: laid?.pack ?? null,
    words,
  }))
  const vendorOf = new Map(seats.map(({ seat, vendor }) => [seat, vendor]))
  const preview = await previewOf(recipients, ({ seat, model }, tokens) =>
    costOf(vendorOf.get(seat) ?? '', model, tokens),
  )
  return {
    ...preview,
    sends: seats.some(({ embedded }) => !embedded),
    diff: laid?.record.diff ?? null,
    files: laid?.record.files ?? [],
    left_out: (laid?.pack?.excluded ?? []).map(({ path, reason }) => ({ path, reason })),
    parts: laid?.text.parts ?? [],
  }
}
