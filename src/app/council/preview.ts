// What a council would send to which provider and what it would cost, before anything is sent: every file by
// name, what is excluded and why, calls, tokens and cost. It is made from the same prompts that would be
// sent; a preview sends nothing.

import { countsOf } from '../../context/exclusion.ts'
import { countTokens, sizeOf } from '../../context/pack.ts'
import type { Preview } from '../../context/preview.ts'
import type { LeftOut, SeatRecord } from '../../council/events.ts'
import { type CouncilPrompt, promptsOfR1 } from '../../council/prompts/prompt.ts'
import { renderPrompt } from '../../ledger/prompt.ts'
import { linesOf } from '../../ledger/text/lines.ts'
import { priceOf } from '../../models/prices.ts'
import { sha256 } from '../../stores/digest.ts'
import type { LoadedContext } from './council-context.ts'
import { type Convening, type PlannedOpening, planOpening } from './open-council.ts'

// The total of a whole council, shown before anyone agrees to it: calls, tokens and cost if every seat
// answers once and no round is skipped. Input of round one is counted; the length of replies is unknown, so a
// usual length is assumed. A cost is unknown as soon as one price is.

/** Calls, tokens and cost of a whole council, before it starts. */
export interface CouncilEstimate {
  readonly calls: number
  readonly tokens_in: number
  readonly tokens_out: number
  /** US dollars; null when the price of a seat is not known. */
  readonly cost: number | null
  /** Seats whose price is not known. */
  readonly unknown: readonly string[]
}

/** Tokens of a typical reply. */
const REPLY = { opinion: 900, review: 1_200, report: 1_500 } as const

export type SeatPrice = (
  seat: SeatRecord,
  inputTokens: number,
  outputTokens: number,
) => Promise<number | null>

interface Call {
  readonly seat: SeatRecord
  readonly tokensIn: number
  readonly tokensOut: number
}

/** Where characters limit a prompt, a token counts as this many characters. */
const CHARS_PER_TOKEN = 3

/** `tokens`: what round one sends to each participant in all, by the name of the seat; `parts`: in how many calls. */
function callsOf(
  seats: readonly SeatRecord[],
  chairs: readonly string[],
  tokens: ReadonlyMap<string, number>,
  parts: number,
): readonly Call[] {
  const models = seats.filter(({ embedded }) => !embedded)
  const asked = models.filter(({ roles }) => roles.includes('participant'))
  const first = (seat: SeatRecord): number => tokens.get(seat.seat) ?? Math.max(0, ...tokens.values())
  const others = asked.length - 1
  const chair = models.find(({ seat }) => seat === chairs[0])
  const opinion = parts * REPLY.opinion
  const readTokens = asked.length * (opinion + (others > 0 ? REPLY.review : 0))
  const within = ({ prompt_chars }: SeatRecord, wanted: number): number =>
    prompt_chars === undefined ? wanted : Math.min(wanted, Math.floor(prompt_chars / CHARS_PER_TOKEN))
  const opinions = asked.flatMap((seat) =>
    Array.from({ length: parts }, () => ({
      seat,
      tokensIn: Math.ceil(first(seat) / parts),
      tokensOut: REPLY.opinion,
    })),
  )
  return [
    ...opinions,
    ...(others > 0 ? asked : []).map((seat) => ({
      seat,
      tokensIn: within(seat, first(seat) + others * opinion),
      tokensOut: REPLY.review,
    })),
    ...(chair
      ? [{ seat: chair, tokensIn: within(chair, first(chair) + readTokens), tokensOut: REPLY.report }]
      : []),
  ]
}

export async function estimateCost(
  { seats, chairs }: { readonly seats: readonly SeatRecord[]; readonly chairs: readonly string[] },
  tokens: ReadonlyMap<string, number>,
  priceOf: SeatPrice,
  parts = 1,
): Promise<CouncilEstimate> {
  const calls = callsOf(seats, chairs, tokens, parts)
  const prices = await Promise.all(
    calls.map(async ({ seat, tokensIn, tokensOut }) => ({
      seat: seat.seat,
      usd: await priceOf(seat, tokensIn, tokensOut),
    })),
  )
  const unknown = [...new Set(prices.flatMap(({ seat, usd }) => (usd === null ? [seat] : [])))]
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  return {
    calls: calls.length,
    tokens_in: sum(calls.map(({ tokensIn }) => tokensIn)),
    tokens_out: sum(calls.map(({ tokensOut }) => tokensOut)),
    cost: unknown.length > 0 ? null : Math.round(sum(prices.map(({ usd }) => usd ?? 0)) * 1e6) / 1e6,
    unknown,
  }
}

interface PreviewedFile {
  readonly path: string
  /** Of the content that is sent. */
  readonly bytes: number
  readonly lines: number
}

export interface CouncilPreview extends Preview {
  readonly sends: boolean
  readonly diff: string | null
  /** Files whose content is sent at least in part. */
  readonly files: readonly PreviewedFile[]
  readonly left_out: readonly { readonly path: string; readonly reason: string }[]
  /** Files that no seat would be shown completely, for lack of space. */
  readonly unseen: PlannedOpening['unseen']
  /** The number of parts of round one. */
  readonly portions: number
  /** The exact texts that would be quoted. */
  readonly parts: readonly { readonly name: string; readonly text: string; readonly portion?: number }[]
  /** The prompts of round one, except the code of their tags, which is drawn at the opening. */
  readonly prompts: readonly {
    readonly system: string
    readonly text: string
    /** The seat of the prompt, where seats have different roles. */
    readonly seats?: readonly string[]
  }[]
  /** Seats that were requested and cannot be asked. */
  readonly seats_left_out: readonly LeftOut[]
  /** Of the whole run. */
  readonly estimate: CouncilEstimate
}

const VENDORS = ['anthropic', 'openai', 'google'] as const

async function estimateSeat(
  { vendor, model }: Pick<SeatRecord, 'vendor' | 'model'>,
  inputTokens: number,
  outputTokens: number,
): Promise<number | null> {
  const known = VENDORS.find((name) => name === vendor)
  if (!known) return null
  return (await priceOf({ vendor: known }, model, { inputTokens, outputTokens }))?.usd ?? null
}

const FILE = 'context:'

/** What is sent of each file: its text, its change, or both. */
function filesIn({ opened, text }: PlannedOpening): readonly PreviewedFile[] {
  const texts = new Map<string, string>()
  const add = (path: string, more: string) => texts.set(path, (texts.get(path) ?? '') + more)
  for (const { name, text: content } of text?.parts ?? []) {
    if (name.startsWith(FILE)) add(name.slice(FILE.length), content)
    if (name !== 'diff') continue
    for (const piece of content.split(/^(?=diff --git )/m)) {
      const path = / "?b\/(.+?)"?\s*$/.exec(piece.slice(0, piece.indexOf('\n') + 1 || undefined))?.[1]
      if (path !== undefined) add(path, piece)
    }
  }
  return opened.context.files.flatMap(({ path }) => {
    const sent = texts.get(path)
    return sent === undefined ? [] : [{ path, bytes: sizeOf([{ text: sent }]), lines: linesOf(sent).length }]
  })
}

/** What each seat would be sent in round one: the same for all, except the role of a seat. */
async function promptsTo(
  asked: readonly SeatRecord[],
  promptsFor: (seat: string) => readonly CouncilPrompt[],
): Promise<{
  readonly prompts: CouncilPreview['prompts']
  readonly sizes: ReadonlyMap<string, { readonly bytes: number; readonly tokens: number }>
}> {
  const stances = [...new Set(asked.map(({ stance }) => stance))]
  const prompts: CouncilPreview['prompts'][number][] = []
  const sizes = new Map<string, { readonly bytes: number; readonly tokens: number }>()
  for (const stance of stances) {
    const seats = asked.flatMap((one) => (one.stance === stance ? [one.seat] : []))
    const sent = promptsFor(seats[0] ?? '').map(({ system, parts }) => ({
      system,
      text: renderPrompt(parts),
    }))
    prompts.push(...sent.map((prompt) => (stances.length > 1 ? { ...prompt, seats } : prompt)))
    const words = sent.flatMap(({ system, text }) => [{ text: system }, { text }])
    const size = { bytes: sizeOf(words), tokens: await countTokens(words) }
    for (const seat of seats) sizes.set(seat, size)
  }
  return { prompts, sizes }
}

export async function councilPreview(
  convening: Convening,
  loaded: LoadedContext | null,
): Promise<CouncilPreview> {
  const planned = planOpening(convening)
  const { opened, text, unseen } = planned
  const pack = text ?? { parts: [], condensed: [] }
  const files = filesIn(planned)
  const asked = opened.seats.filter(({ roles }) => roles.includes('participant'))
  const { prompts, sizes } = await promptsTo(asked, (seat) => promptsOfR1(sha256, opened, pack, seat))
  const sizeTo = (seat: string) => sizes.get(seat) ?? { bytes: 0, tokens: 0 }
  const sum = (of: 'bytes' | 'tokens'): number => asked.reduce((all, { seat }) => all + sizeTo(seat)[of], 0)
  const seats = await Promise.all(
    asked.map(async ({ seat, provider, vendor, model, embedded, stance, temperature, thinking }) => ({
      seat,
      provider,
      model,
      ...(stance !== undefined && { stance }),
      ...(temperature !== undefined && { temperature }),
      ...(thinking !== undefined && { thinking }),
      transport: embedded ? 'embedded' : 'auto',
      pack: opened.context.kind,
      files: files.length,
      ...sizeTo(seat),
      cost: await estimateSeat({ vendor, model }, sizeTo(seat).tokens, 0),
    })),
  )
  const known = seats.every(({ cost }) => cost !== null)
  const portions = opened.portions ?? 1
  return {
    seats,
    total: {
      bytes: sum('bytes'),
      tokens: sum('tokens'),
      cost: known ? seats.reduce((sum, { cost }) => sum + (cost ?? 0), 0) : null,
    },
    excluded: countsOf(loaded?.pack?.excluded ?? []),
    secretsRemoved: loaded?.pack?.removed.length ?? 0,
    sends: asked.some(({ embedded }) => !embedded),
    diff: opened.context.diff,
    files,
    left_out: (loaded?.pack?.excluded ?? []).map(({ path, reason }) => ({ path, reason })),
    unseen,
    portions,
    parts: pack.parts,
    prompts,
    seats_left_out: convening.leftOut ?? [],
    estimate: await estimateCost(
      convening,
      new Map(asked.map(({ seat }) => [seat, sizeTo(seat).tokens])),
      estimateSeat,
      portions,
    ),
  }
}
