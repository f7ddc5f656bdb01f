// What would go to whom, shown before anything goes: every file by name, what stays behind and why, and what the
// first round would cost to send. Nothing is sent by looking.

import type { Laid } from '../../../app/council/council-context.ts'
import { type Preview, previewOf } from '../../../context/preview.ts'
import { editionNumbered, NEWEST } from '../../../council/editions.ts'
import type { SeatRecord } from '../../../council/events.ts'
import { WORDS } from '../../../council/prompts/words.ts'
import type { Mode } from '../../../council/replies/opinion.ts'
import { priceOf } from '../../../models/prices.ts'
import { dollars, thousands } from '../../../render/board/board-lines.ts'
import { clip, plain } from '../../../render/plain.ts'
import type { Call } from '../command.ts'

export interface Sent {
  readonly question: string
  readonly mode: Mode
  readonly constraints: readonly string[]
  readonly focus: readonly string[]
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
  const { question, mode, constraints, focus } = sent
  const { preamble, instructions } = WORDS[editionNumbered(NEWEST).words]
  const words = [preamble.R1(mode), instructions.R1(mode), question, ...constraints, ...focus]
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
    left_out: (laid?.pack.excluded ?? []).map(({ path, reason }) => ({ path, reason })),
    parts: laid?.text.parts ?? [],
  }
}

const MOST_LISTED = 40

function listed(lines: readonly string[], what: string): readonly string[] {
  const more = lines.length - MOST_LISTED
  return more <= 0
    ? lines
    : [...lines.slice(0, MOST_LISTED), `  … and ${more} more ${what}; --json lists all`]
}

const kilobytes = (bytes: number): string =>
  bytes < 1_000 ? `${bytes} bytes` : `${thousands(Math.round(bytes / 100) / 10).replace(/\.0$/, '')} kB`

export function previewLines(preview: CouncilPreview, { paint, width }: Call): readonly string[] {
  const { seats, files, left_out, secretsRemoved, total, sends, diff } = preview
  const fitted = (line: string): string => clip(line, width)
  const who = seats.map(({ seat, model, bytes, tokens, cost }) => {
    const price = cost === null ? 'cost not known' : `about ${dollars(cost)} to send`
    const name = model === null ? seat : `${seat} (${model})`
    return fitted(`  ${plain(name)}: ${kilobytes(bytes)}, about ${thousands(tokens)} tokens, ${price}`)
  })
  const what = files.map(({ path, lines, bytes }) =>
    fitted(`  ${plain(path)}  ${lines} line${lines === 1 ? '' : 's'}, ${kilobytes(bytes)}`),
  )
  const out = left_out.map(({ path, reason }) => fitted(`  ${plain(path)}  ${reason}`))
  const sum = `${kilobytes(total.bytes)}, about ${thousands(total.tokens)} tokens in round one`
  return [
    paint.bold(
      sends ? 'What would be sent, and to whom' : 'What would be looked at; nothing leaves this machine',
    ),
    ...who,
    `  in all ${sum};`,
    '  later rounds add what was said',
    ...(diff === null ? [] : ['', fitted(`Change: ${plain(diff)}`)]),
    ...(what.length > 0 ? ['', 'Files', ...listed(what, 'files')] : ['', 'No files: the question alone.']),
    ...(out.length > 0 ? ['', 'Left out', ...listed(out, 'left out')] : []),
    ...(secretsRemoved > 0 ? ['', `Secrets taken out of the text: ${secretsRemoved}`] : []),
  ]
}
