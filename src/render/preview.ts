// What a council would send to which provider, in lines.

import { leftOutInWords } from '../council/seat-ids.ts'
import { dollars, thousands } from './board/board-lines.ts'
import { clip, type Paint, plain, wrap } from './plain.ts'

// A panel's settings for one of its seats, in one line: how its model is to answer, and its role.

export interface SeatMannerView {
  readonly stance?: string
  readonly temperature?: number
  readonly thinking?: string
}

/** Empty where nothing is set. */
export const seatManner = ({ stance, temperature, thinking }: SeatMannerView): string =>
  [
    ...(temperature === undefined ? [] : [`temperature ${temperature}`]),
    ...(thinking === undefined ? [] : [`thinking ${thinking}`]),
    ...(stance === undefined ? [] : [`role: ${plain(stance)}`]),
  ].join(' · ')

/** What is shown of a preview. */
export interface PreviewView {
  /** False when nothing leaves this machine. */
  readonly sends: boolean
  readonly diff: string | null
  readonly seats: readonly {
    readonly seat: string
    readonly model: string | null
    readonly bytes: number
    readonly tokens: number
    readonly cost: number | null
    readonly stance?: string
    readonly temperature?: number
    readonly thinking?: string
  }[]
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly lines: number }[]
  readonly left_out: readonly { readonly path: string; readonly reason: string }[]
  /** Files that no seat would be shown completely, for lack of space. */
  readonly unseen: readonly { readonly path: string; readonly shown: string }[]
  /** The number of parts of round one. */
  readonly portions: number
  readonly secretsRemoved: number
  readonly total: { readonly bytes: number; readonly tokens: number }
  readonly seats_left_out: readonly { readonly seat: string; readonly reason: string }[]
  /** Of the whole run. */
  readonly estimate: {
    readonly calls: number
    readonly tokens_in: number
    readonly tokens_out: number
    readonly cost: number | null
    readonly unknown: readonly string[]
  }
}

const MOST_LISTED = 40

const SHOWN: Readonly<Record<string, string>> = {
  part: 'in part',
  outline: 'in outline',
  none: 'not at all',
}

function firstLines(lines: readonly string[], what: string): readonly string[] {
  const more = lines.length - MOST_LISTED
  return more <= 0
    ? lines
    : [...lines.slice(0, MOST_LISTED), `  … and ${more} more ${what}; --json lists all`]
}

const kilobytes = (bytes: number): string =>
  bytes < 1_000 ? `${bytes} bytes` : `${thousands(Math.round(bytes / 100) / 10).replace(/\.0$/, '')} kB`

/** Empty where no model is asked. */
function runLines({
  calls,
  tokens_in,
  tokens_out,
  cost,
  unknown,
}: PreviewView['estimate']): readonly string[] {
  if (calls === 0) return []
  const price =
    cost === null ? `cost unknown (no price for ${plain(unknown.join(', '))})` : `about ${dollars(cost)}`
  return [
    `  the whole run: ${calls} calls, about ${thousands(tokens_in)} tokens in and ${thousands(tokens_out)} out,`,
    `  ${price}; replies counted at a usual length`,
  ]
}

export function previewLines(
  preview: PreviewView,
  { paint, width }: { readonly paint: Paint; readonly width: number },
): readonly string[] {
  const { seats, files, left_out, secretsRemoved, total, sends, diff, estimate, portions, unseen } = preview
  const fitted = (line: string): string => clip(line, width)
  const seatTexts = seats.flatMap(({ seat, model, bytes, tokens, cost, ...manner }) => {
    const price = cost === null ? 'cost not known' : `about ${dollars(cost)} to send`
    const name = model === null ? seat : `${seat} (${model})`
    const mannerText = seatManner(manner)
    return [
      fitted(`  ${plain(name)}: ${kilobytes(bytes)}, about ${thousands(tokens)} tokens, ${price}`),
      ...(mannerText === '' ? [] : [`    ${wrap(mannerText, 4, width)}`]),
    ]
  })
  const what = files.map(({ path, lines, bytes }) =>
    fitted(`  ${plain(path)}  ${lines} line${lines === 1 ? '' : 's'}, ${kilobytes(bytes)}`),
  )
  const out = left_out.map(({ path, reason }) => fitted(`  ${plain(path)}  ${reason}`))
  const hidden = unseen.map(({ path, shown }) => fitted(`  ${plain(path)}  ${SHOWN[shown] ?? shown}`))
  const inParts = portions === 1 ? 'in round one' : `in round one, in ${portions} parts for each seat`
  const sum = `${kilobytes(total.bytes)}, about ${thousands(total.tokens)} tokens ${inParts}`
  return [
    paint.bold(
      sends ? 'What would be sent, and who gets it' : 'What would be looked at; nothing leaves this machine',
    ),
    ...seatTexts,
    `  in all ${sum};`,
    ...runLines(estimate).map((line) => `  ${wrap(line.trim(), 4, width)}`),
    ...leftOutInWords(preview.seats_left_out).map(({ seats: names, isOne, reason }) =>
      fitted(`  ${plain(names)} ${isOne ? 'is' : 'are'} left out: ${plain(reason)}`),
    ),
    ...(diff === null ? [] : ['', fitted(`Change: ${plain(diff)}`)]),
    ...(what.length > 0
      ? ['', 'Files', ...firstLines(what, 'files')]
      : [
          '',
          portions > 1 || unseen.length > 0
            ? 'No file whole: an overview alone.'
            : 'No files: the question alone.',
        ]),
    ...(hidden.length > 0
      ? ['', 'No seat would be shown all of these, for want of room', ...firstLines(hidden, 'files')]
      : []),
    ...(out.length > 0 ? ['', 'Left out', ...firstLines(out, 'left out')] : []),
    ...(secretsRemoved > 0 ? ['', `Secrets taken out of the text: ${secretsRemoved}`] : []),
  ]
}

// The notice for a person who typed a secret.

export const removedLine = (removed: number): string =>
  removed === 1
    ? 'A secret was taken out of your words before they were sent and recorded; a marker is in its place.'
    : `${removed} secrets were taken out of your words before they were sent and recorded; markers stand in their places.`
