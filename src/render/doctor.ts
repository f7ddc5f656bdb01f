// The doctor's findings for people, in the width of the terminal: one line for each provider, with what to
// type. With `--all`, every way to reach it with its obstacle, and nothing is cut off: an error is useful
// only in full.

import { clip, type Layout, plain, wrap } from './plain.ts'
import { type SeatMannerView, seatManner } from './preview.ts'

interface TransportStatus {
  readonly provider: string
  readonly transport: string
  readonly ready: boolean
  readonly detail: string
  readonly next: string | null
  readonly type?: string
}

interface SeatStatus {
  readonly seat: string
  readonly model: string | null
  readonly roles: readonly string[]
  readonly ways: readonly { readonly transport: string; readonly model: string | null }[]
  readonly ready: boolean
}

interface Asking {
  readonly seat: string
  readonly ok: boolean
  readonly transport: string
  readonly model: string | null
  readonly latency_ms: number
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly cost_usd: number | null
  readonly error: { readonly type: string; readonly cause: string | null; readonly message: string } | null
  readonly earlier: readonly { readonly transport: string; readonly message: string }[]
}

interface Panel {
  readonly name: string
  readonly chair: string | null
  readonly seats: readonly ({ readonly seat: string; readonly model: string | null } & SeatMannerView)[]
  readonly refusal: string | null
}

interface Findings {
  readonly providers: readonly TransportStatus[]
  readonly table: {
    readonly from: keyof typeof FROM
    readonly note: string | null
    readonly seats: readonly SeatStatus[]
  }
  readonly panels: readonly Panel[]
  readonly warnings: readonly string[]
  readonly sandbox: { readonly detail: string }
  readonly asked: readonly Asking[] | null
}

/** A word that is longer than a line is broken where the line ends. */
function text(words: string, indent: number, { width }: Layout): string {
  const room = Math.max(width - indent, 20)
  const broken = plain(words)
    .split(' ')
    .flatMap((word) => word.match(new RegExp(`.{1,${room}}`, 'gsu')) ?? [])
  return wrap(broken.join(' '), indent, width)
}

const widest = (words: readonly string[]): number => Math.max(0, ...words.map((word) => word.length))
const blanks = (count: number): string => ' '.repeat(count)

/** Why not, and what to do; some texts contain both. */
function detailText({ detail, next }: TransportStatus): string {
  if (next === null || detail.includes(next)) return detail
  return `${/[.!?]$/.test(detail) ? detail : `${detail}.`} ${next}`
}

function wayLines(ways: readonly TransportStatus[], sheet: Layout): readonly string[] {
  const { paint } = sheet
  const name = widest(ways.map(({ provider }) => provider))
  const indent = name + 15
  return ways.map((way, i) => {
    const first = ways[i - 1]?.provider !== way.provider
    const label = plain(first ? way.provider : '').padEnd(name)
    const state = way.ready ? paint.green('ready') : paint.dim('no   ')
    const words = way.ready ? way.detail : detailText(way)
    return `  ${label}  ${way.transport.padEnd(3)}  ${state} ${text(words, indent, sheet)}`
  })
}

/** What would make a provider ready, the easiest first; an unconfigured tool is not listed. */
const NEAREST = ['api', 'cli', 'mcp']

const transportRank = ({ transport }: TransportStatus): number => NEAREST.indexOf(transport)

/** The commands that fit; where no command helps, why it is not ready. */
function remedy(ways: readonly TransportStatus[], room: number): string {
  const [first, ...others] = [...ways].sort((a, b) => transportRank(a) - transportRank(b))
  if (!first) return ''
  if (first.type === undefined) return clip(plain(detailText(first)), room)
  const types = [first, ...others].flatMap(({ type }) => type ?? []).join('  or  ')
  return clip(plain(types.length <= room ? types : first.type), room)
}

/** One line for each provider; with `showsAll` one for each way to reach it. */
function providerLines(
  ways: readonly TransportStatus[],
  showsAll: boolean,
  sheet: Layout,
): readonly string[] {
  const { paint, width } = sheet
  if (showsAll) return [paint.bold('Providers'), ...wayLines(ways, sheet)]
  const names = [...new Set(ways.map(({ provider }) => provider))]
  const column = widest(names)
  const room = Math.max(width - column - 4, 20)
  const label = (provider: string): string => `  ${plain(provider).padEnd(column)}  `
  const own = (provider: string): readonly TransportStatus[] =>
    ways.filter((way) => way.provider === provider)
  const ready = names.flatMap((provider) => {
    const readyWays = own(provider).filter((way) => way.ready)
    const reached = readyWays.map(({ transport, detail }) => `${transport}: ${detail}`).join('; ')
    return readyWays.length === 0 ? [] : [label(provider) + paint.green(clip(plain(reached), room))]
  })
  const others = names.filter((provider) => own(provider).every((way) => !way.ready))
  const missing = others.map((provider) => label(provider) + remedy(own(provider), room))
  return [
    ...(ready.length === 0 ? [] : [paint.bold('Ready'), ...ready]),
    ...(ready.length === 0 || missing.length === 0 ? [] : ['']),
    ...(missing.length === 0 ? [] : [paint.bold('Not ready: what to type'), ...missing]),
  ]
}

const FROM = {
  configuration: 'as configured',
  ready: 'nothing is configured: every model that is ready is asked',
  embedded: 'no model is ready: only the embedded checks',
}

function seatLines(seats: readonly SeatStatus[], sheet: Layout): readonly string[] {
  const name = widest(seats.map(({ seat }) => seat))
  return seats.map(({ seat, roles, model, ways, ready }) => {
    const named = ways.map((way) =>
      way.model && !model ? `${way.transport} with ${way.model}` : way.transport,
    )
    const words = [roles.join(', '), model, named.join(', then '), ready ? null : 'not ready'].filter(Boolean)
    const line = `  ${plain(seat).padEnd(name)}  ${text(words.join(' · '), name + 4, sheet)}`
    return ready ? line : sheet.paint.yellow(line)
  })
}

function panelLines(panels: readonly Panel[], sheet: Layout): readonly string[] {
  return panels.flatMap(({ name, chair, seats, refusal }) => [
    `  ${plain(name)}${refusal === null ? '' : sheet.paint.yellow('  cannot be held now')}`,
    ...seats.map(({ seat, model, ...manner }) => {
      const words = [
        `${seat}${model === null || model === seat ? '' : ` (${model})`}${seat === chair ? ', chair' : ''}`,
        seatManner(manner),
      ]
      return `    ${text(words.filter((word) => word !== '').join(' · '), 6, sheet)}`
    }),
    ...(refusal === null ? [] : [sheet.paint.yellow(`    ${text(refusal, 4, sheet)}`)]),
  ])
}

const dollars = (usd: number | null): string => {
  if (usd === null) return 'cost unknown'
  return `$${usd.toFixed(usd > 0 && usd < 0.01 ? 6 : 2)}`
}

/** What went in and what came out. */
const tokens = ({ input_tokens, output_tokens }: Asking): string =>
  input_tokens === null && output_tokens === null
    ? 'tokens unknown'
    : `${input_tokens ?? '?'}+${output_tokens ?? '?'} tokens`

function askedLines(seatsAsked: readonly Asking[], sheet: Layout): readonly string[] {
  const { paint } = sheet
  const name = widest(seatsAsked.map(({ seat }) => seat))
  const indent = name + 4
  return seatsAsked.flatMap((asking) => {
    const { seat, ok, transport, model, latency_ms, error, earlier } = asking
    const result = ok
      ? [transport, model ?? 'model unknown', `${latency_ms} ms`, tokens(asking), dollars(asking.cost_usd)]
      : [`${transport} failed after ${latency_ms} ms`, [error?.type, error?.cause].filter(Boolean).join(', ')]
    const mark = ok ? paint.green('answered') : paint.red('no answer')
    const line = `  ${plain(seat).padEnd(name)}  ${mark}: ${text(result.join(' · '), indent + 10, sheet)}`
    const words = [
      ...(error === null ? [] : [error.message]),
      ...earlier.map((one) => `${one.transport} before it: ${one.message}`),
    ]
    return [line, ...words.map((one) => blanks(indent) + text(one, indent, sheet))]
  })
}

const section = (title: string, lines: readonly string[], { paint }: Layout): readonly string[] =>
  lines.length === 0 ? [] : ['', paint.bold(title), ...lines]

export function reportLines(findings: Findings, sheet: Layout, showsAll = false): readonly string[] {
  const { providers, table, panels, warnings, sandbox, asked } = findings
  const note = table.note === null ? [] : [`  ${sheet.paint.yellow(table.note)}`]
  return [
    ...providerLines(providers, showsAll, sheet),
    ...section(`At the table now (${FROM[table.from]})`, [...seatLines(table.seats, sheet), ...note], sheet),
    ...section('Panels (witan ask "…" --panel NAME)', panelLines(panels, sheet), sheet),
    ...section(
      'Warnings',
      warnings.map((warning) => `  ${text(warning, 2, sheet)}`),
      sheet,
    ),
    ...section('Sandbox', [`  ${text(sandbox.detail, 2, sheet)}`], sheet),
    ...section('Asked', askedLines(asked ?? [], sheet), sheet),
  ]
}
