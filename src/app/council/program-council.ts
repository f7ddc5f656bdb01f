// Turns what a program passes into the opening of a council. The program brings the seats; missing options
// have the defaults of the command.

import type { AskableSeat } from '../../clerk/seat.ts'
import type { PackText } from '../../council/context.ts'
import type { ContextRecord, SeatRecord } from '../../council/events.ts'
import { DEFAULT_POLICY, promptChars } from '../../council/policy.ts'
import type { Mode } from '../../council/replies/opinion.ts'
import { utf8 } from '../../ledger/bytes.ts'
import { linesOf } from '../../ledger/text/lines.ts'
import type { Settings } from '../config/config.ts'
import { withoutTypedSecrets } from '../person.ts'
import type { Convening } from './open-council.ts'
import { amendPolicy, type PolicyGiven, policyOf } from './plan.ts'

/** A seat as `createSeat` of `witan/models` makes it, or anything that can be asked like one. */
export interface SeatGiven {
  /** Its name at the table; by default its provider's. */
  readonly name?: string
  readonly seat: AskableSeat & {
    readonly model?: string | null
    readonly roles?: readonly ('participant' | 'chair')[]
  }
  /** The vendor of its models, when the provider's name does not tell. */
  readonly vendor?: string
  /** How many tokens its model reads and writes in one call. */
  readonly context_window?: number
}

/** What a council is shown, and its seats. */
export interface CouncilGiven {
  readonly question: string
  readonly mode?: Mode
  readonly constraints?: readonly string[]
  readonly focus?: readonly string[]
  /** Texts to show to the council; secrets are removed from them. */
  readonly files?: readonly { readonly path: string; readonly text: string }[]
  /** A unified diff. */
  readonly diff?: string
  readonly labelled?: boolean
  readonly seats: readonly SeatGiven[]
  /** Names of seats, in the order in which they are asked; by default those with that role, else the first. */
  readonly chairs?: readonly string[]
  readonly policy?: PolicyGiven
}

export interface PreparedCouncil {
  readonly convening: Convening
  readonly seats: ReadonlyMap<string, AskableSeat>
}

function recordsOf(
  request: CouncilGiven,
): readonly { readonly record: SeatRecord; readonly seat: AskableSeat }[] {
  const counts = new Map<string, number>()
  return request.seats.map(({ name, seat, vendor, context_window = null }) => {
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
        roles: request.chairs?.includes(own) && !roles.includes('chair') ? [...roles, 'chair'] : roles,
        embedded: seat.provider === 'embedded',
        ...(seat.provider !== 'embedded' && { prompt_chars: promptChars(context_window) }),
      },
    }
  })
}

export function contextGiven({
  files = [],
  diff,
}: Pick<CouncilGiven, 'files' | 'diff'>): { record: ContextRecord; text: PackText } | null {
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

export function seatingOf(request: CouncilGiven): PreparedCouncil {
  const sitting = recordsOf(request)
  const models = sitting.filter(({ record }) => !record.embedded)
  const named =
    request.chairs ??
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
      question: request.question,
      mode: request.mode ?? 'ask',
      constraints: request.constraints ?? [],
      focus: request.focus ?? [],
      seats: records,
      chairs,
      labelled: request.labelled ?? false,
      policy: amendPolicy(DEFAULT_POLICY, request.policy),
      context: contextGiven(request),
      follow: null,
    },
    seats: new Map(sitting.map(({ record, seat }) => [record.seat, seat])),
  }
}

/** The settings that choose the seats where a program brings none: of this home, overridden by this file. */
export interface SettingsGiven {
  readonly home?: string
  readonly config?: string
}

export const settingsGiven = async (options: SettingsGiven = {}): Promise<Settings> => {
  const [{ loadSettings }, { homeDirectory }] = await Promise.all([
    import('../config/config.ts'),
    import('../home/home.ts'),
  ])
  const home = homeDirectory(options.home ?? null)
  return loadSettings({ home, from: process.cwd(), file: options.config ?? null })
}

export const areSeats = (
  seats: readonly SeatGiven[] | readonly string[] | undefined,
): seats is readonly SeatGiven[] =>
  seats !== undefined && seats.length > 0 && seats.every((seat) => typeof seat !== 'string')

/** The seats that the command would use under these settings, for a program to add to its own. */
export async function configuredSeats(options: SettingsGiven = {}): Promise<readonly SeatGiven[]> {
  const [{ worldHere }, { seatTable }, settings] = await Promise.all([
    import('./seating.ts'),
    import('../seating/seat-table.ts'),
    settingsGiven(options),
  ])
  const { seats } = await seatTable({ settings, ...worldHere() })
  return Promise.all(
    seats.map(async ({ id, seat, vendor, contextWindow }) => ({
      name: id,
      seat,
      vendor,
      context_window: await contextWindow(),
    })),
  )
}

type Words = Pick<CouncilGiven, 'question' | 'constraints' | 'focus' | 'files' | 'diff'>

/** The input of a program for a council, without the secrets in it. */
export async function withoutSecretsGiven<Given extends Words>(request: Given): Promise<Given> {
  const { question, constraints, focus, diff } = request
  const typedWords = { question, ...(constraints && { constraints }), ...(focus && { focus }) }
  const { allWithoutSecrets } = await import('../../context/clean.ts')
  const { value: words } = await withoutTypedSecrets({ ...typedWords, ...(diff !== undefined && { diff }) })
  const cleaned = await allWithoutSecrets(request.files ?? [])
  const files = request.files?.map((file, i) => ({ ...file, text: cleaned[i]?.text ?? '' }))
  return { ...request, ...words, ...(files && { files }) }
}

/** With seats that the program brings, or with those from settings and names. */
export async function prepareCouncil(
  spoken: Omit<CouncilGiven, 'seats'> & {
    readonly seats?: readonly SeatGiven[] | readonly string[]
    readonly settings?: SettingsGiven
  },
): Promise<PreparedCouncil> {
  const request = await withoutSecretsGiven(spoken)
  const { seats = [], chairs = [], mode = 'ask' } = request
  if (areSeats(seats)) return seatingOf({ ...request, seats })
  const [{ namedSeating, worldHere }, settings] = await Promise.all([
    import('./seating.ts'),
    settingsGiven(request.settings),
  ])
  const names = seats.filter((seat) => typeof seat === 'string')
  const wish = { seats: names, chair: chairs[0] ?? null, mode }
  const seating = await namedSeating(wish, settings, worldHere())
  const { convening } = seatingOf({ ...request, mode, chairs: [], seats: [] })
  const policy = amendPolicy(policyOf(settings.council, {}, seating), request.policy)
  return {
    convening: {
      ...convening,
      policy,
      seats: seating.records,
      chairs: seating.chairs,
      leftOut: seating.leftOut,
    },
    seats: seating.seats,
  }
}
