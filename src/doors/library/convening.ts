// What a program says to hold a council, turned into what an opening records. Seats are brought by the program; what
// it does not say has the defaults of the command.

import type { Convening } from '../../app/council/open-council.ts'
import type { AskableSeat } from '../../clerk/seat.ts'
import type { PackText } from '../../council/context.ts'
import type { ContextRecord, SeatRecord } from '../../council/events.ts'
import { type CouncilPolicy, DEFAULT_POLICY } from '../../council/policy.ts'
import type { Mode } from '../../council/replies/opinion.ts'
import { utf8 } from '../../ledger/bytes.ts'
import { linesOf } from '../../ledger/text/lines.ts'

/** A seat as `createSeat` of `witan/models` makes it, or anything that can be asked like one. */
export interface SeatGiven {
  /** Its name at the table; by default its provider's. */
  readonly name?: string
  readonly seat: AskableSeat & {
    readonly model?: string | null
    readonly roles?: readonly ('participant' | 'chair')[]
  }
  /** Whose models answer there, when the provider's name does not tell. */
  readonly vendor?: string
}

/** Rules that differ from the defaults: quorum, budget, timeouts, short circuits, limits. */
export type PolicyGiven = { readonly [Section in keyof CouncilPolicy]?: Partial<CouncilPolicy[Section]> }

/** What is put before a council, and who sits there. */
export interface CouncilGiven {
  readonly question: string
  readonly mode?: Mode
  readonly constraints?: readonly string[]
  readonly focus?: readonly string[]
  /** Texts to lay before the council; whoever gives them has taken secrets out. */
  readonly files?: readonly { readonly path: string; readonly text: string }[]
  /** A unified diff. */
  readonly diff?: string
  readonly labelled?: boolean
  readonly seats: readonly SeatGiven[]
  /** Names of seats, in the order in which they are asked; by default whoever has that role, else the first. */
  readonly chairs?: readonly string[]
  readonly policy?: PolicyGiven
}

export interface Seating {
  readonly convening: Convening
  readonly seats: ReadonlyMap<string, AskableSeat>
}

function recordsOf(
  given: CouncilGiven,
): readonly { readonly record: SeatRecord; readonly seat: AskableSeat }[] {
  const counts = new Map<string, number>()
  return given.seats.map(({ name, seat, vendor }) => {
    const nth = (counts.get(seat.provider) ?? 0) + 1
    counts.set(seat.provider, nth)
    const own = name ?? (nth === 1 ? seat.provider : `${seat.provider}-${nth}`)
    const roles = seat.roles ?? ['participant']
    return {
      seat,
      record: {
        seat: own,
        provider: seat.provider,
        vendor: vendor ?? seat.provider,
        model: seat.model ?? null,
        roles: given.chairs?.includes(own) && !roles.includes('chair') ? [...roles, 'chair'] : roles,
        embedded: seat.provider === 'embedded',
      },
    }
  })
}

function contextOf({ files = [], diff }: CouncilGiven): { record: ContextRecord; text: PackText } | null {
  if (files.length === 0 && diff === undefined) return null
  const parts = [
    ...(diff === undefined ? [] : [{ name: 'diff', text: diff }]),
    ...files.map(({ path, text }) => ({ name: `context:${path}`, text })),
  ]
  const record: ContextRecord = {
    kind: 'full',
    files: files.map(({ path, text }) => ({ path, lines: linesOf(text).length, bytes: utf8(text).length })),
    excluded: {},
    bytes: parts.reduce((sum, { text }) => sum + utf8(text).length, 0),
    tokens: null,
    diff: diff === undefined ? null : 'as given',
  }
  return { record, text: { parts, condensed: parts } }
}

const policyOf = (given: PolicyGiven = {}): CouncilPolicy => ({
  quorum: { ...DEFAULT_POLICY.quorum, ...given.quorum },
  short_circuit: { ...DEFAULT_POLICY.short_circuit, ...given.short_circuit },
  budget: { ...DEFAULT_POLICY.budget, ...given.budget },
  timeouts: { ...DEFAULT_POLICY.timeouts, ...given.timeouts },
  limits: { ...DEFAULT_POLICY.limits, ...given.limits },
})

export function seatingOf(given: CouncilGiven): Seating {
  const sitting = recordsOf(given)
  const models = sitting.filter(({ record }) => !record.embedded)
  const named =
    given.chairs ??
    models.filter(({ record }) => record.roles.includes('chair')).map(({ record }) => record.seat)
  const chairs = named.length > 0 ? named : models.slice(0, 1).map(({ record }) => record.seat)
  const records = sitting.map(
    ({ record }): SeatRecord =>
      chairs.includes(record.seat) && !record.roles.includes('chair')
        ? { ...record, roles: [...record.roles, 'chair'] }
        : record,
  )
  return {
    convening: {
      question: given.question,
      mode: given.mode ?? 'ask',
      constraints: given.constraints ?? [],
      focus: given.focus ?? [],
      seats: records,
      chairs,
      labelled: given.labelled ?? false,
      policy: policyOf(given.policy),
      context: contextOf(given),
      follow: null,
    },
    seats: new Map(sitting.map(({ record, seat }) => [record.seat, seat])),
  }
}
